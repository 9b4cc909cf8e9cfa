import { SkillError, token } from "skillctl";
import type { LogStore } from "./store/log/log-store.ts";

/** The session that this process serves, from before its server listens until after it has closed. */
export interface OpenSession {
  readonly id: string;
  /** A random name of this start. */
  readonly instance: string;
  /** The port; 0 until the server listens. */
  readonly port: number;
  /** The start time on the monotonic clock, in milliseconds. */
  readonly startedMs: number;
  /** The folder of its files: absolute, without links. */
  readonly folder: string;
  /** The key that opens its page. */
  readonly pageKey: string;
  readonly log: LogStore;
  /** Records in the files of the session which run new events get. @throws SkillError `FILE_UNWRITABLE` */
  readonly runChanged: (run: string) => Promise<void>;
}

/** Whether events that arrive now come from checked code. */
export interface CodeWatch {
  /** Also true if the session is not run by commands, since nothing is checked then. */
  readonly isAsChecked: (session: OpenSession) => Promise<boolean>;
}

export const CODE_WATCH = token<CodeWatch>("code-watch");

/** Holds the served session for the routes. */
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
