import { SkillError, token } from "skillctl";
import type { LogStore } from "./store/log/log-store.ts";

/** The session that this process serves, from before its server listens until after it has closed. */
export interface OpenSession {
  readonly id: string;
  /** A random name of this start. */
  readonly instance: string;
  /** 0 until the server listens. */
  readonly port: number;
  /** On the clock that never jumps, in milliseconds. */
  readonly startedMs: number;
  /** Where its files lie: absolute, without links. */
  readonly folder: string;
  /** Opens its page. */
  readonly pageKey: string;
  readonly log: LogStore;
  /** Tells the files of the session which run is stamped from now on. @throws SkillError `FILE_UNWRITABLE` */
  readonly runChanged: (run: string) => Promise<void>;
}

/** Whether events that arrive now come from checked code. */
export interface CodeWatch {
  /** Also where no commands lead the session: nothing is checked there. */
  readonly isAsChecked: (session: OpenSession) => Promise<boolean>;
}

export const CODE_WATCH = token<CodeWatch>("code-watch");

/** Where the routes find the session that is served. */
export class SessionHolder {
  #session: OpenSession | undefined;

  /** @throws SkillError `DEBUG_NOT_SERVED` */
  get current(): OpenSession {
    if (this.#session) return this.#session;
    throw new SkillError("DEBUG_NOT_SERVED", "This process does not collect events for any session.", {
      hint: "Start a server with `skillctl run runtime-debug serve SESSION`; its address is in .dbg/SESSION.env.",
    });
  }

  /** @throws SkillError `DEBUG_SERVED` when this process serves another one already. */
  begin(session: OpenSession): void {
    if (this.#session) {
      throw new SkillError("DEBUG_SERVED", `This process already collects events for ${this.#session.id}.`, {
        hint: "One process serves one session: start another process.",
      });
    }
    this.#session = session;
  }

  end(session: OpenSession): void {
    if (this.#session === session) this.#session = undefined;
  }
}

export const SESSION = token<SessionHolder>("open-session");
