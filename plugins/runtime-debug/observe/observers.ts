import { CLAIMS, FILES, HTTP, inject, injectable, LOG, SkillError, STATE, token } from "skillctl";
import type { Claims, Files, Http, Log, State } from "skillctl";
import type { StatusOutput } from "../contract.ts";
import { signalEnd } from "../server/server-call.ts";
import { pause } from "../server/pause.ts";
import { SESSIONS, type OpenedSession, type Sessions } from "../session/sessions.ts";
import type { Point } from "./point.ts";

type ObservedRow = NonNullable<StatusOutput["sessions"][number]["observed"]>[number];
/** The state of an observation point. */
export type ObservedPoint = Readonly<Omit<ObservedRow, "target">>;

/** A process that observes for a session. */
export interface Observer {
  readonly id: string;
  readonly pid: number;
  /** The name of the observed program, as given in the call. */
  readonly target: string;
  readonly points: readonly ObservedPoint[];
  /** The number of points that have been reported on, including replaced ones. */
  readonly tried: number;
  /** Why it has ended or found nothing to observe yet; missing without trouble. */
  readonly trouble?: string;
}

const WANTED = "runtime-debug-observed-points";
/** The state of an observer is kept for a day after its last message. */
const KEEP_MS = 86_400_000;
const LOOK_MS = 50;
/** An observer first removes its points; without a response it ends after 10 s, as every command does. */
const END_MS = 15_000;

/** The observers of sessions. */
@injectable()
export class Observers {
  constructor(
    @inject(STATE) private readonly state: State,
    @inject(CLAIMS) private readonly claims: Claims,
  ) {}

  /** The running observers of a session. */
  async running(opened: OpenedSession): Promise<readonly Observer[]> {
    const all = await this.#all(opened);
    const alive = await Promise.all(all.map(({ id }) => this.isRunning(id)));
    return all.filter((_, index) => alive[index]);
  }

  /** The last message of an observer; `undefined` before the first. */
  async told(opened: OpenedSession, id: string): Promise<Observer | undefined> {
    return (await this.#all(opened)).find((one) => one.id === id);
  }

  async isRunning(id: string): Promise<boolean> {
    const claim = await this.claims.claim(claimOf(id));
    await claim?.release();
    return claim === undefined;
  }

  /** Registers this process as an observer for its lifetime. */
  async begin(id: string): Promise<void> {
    await this.claims.claim(claimOf(id));
  }

  /**
   * Claims a program for the life of this observer, since two debuggers cannot coordinate their stops.
   * @throws SkillError `DEBUG_NO_DEBUGGEE`
   */
  async hold(url: string): Promise<void> {
    if (await this.claims.claim(`runtime-debug observed:${url}`)) return;
    throw new SkillError(
      "DEBUG_NO_DEBUGGEE",
      "The program is already observed, under another name or for another session.",
      {
        hint: "Name it as it was named before (`status` shows it), or end the other session.",
      },
    );
  }

  /** Asks a running observer to take over more points. */
  async want(id: string, points: readonly Point[]): Promise<void> {
    const before = await this.wanted(id);
    await this.state.update({ collection: WANTED, id }, KEEP_MS, () => [...before, ...points]);
  }

  /** The points that it was asked to take over since it began. */
  async wanted(id: string): Promise<readonly Point[]> {
    return ((await this.state.read({ collection: WANTED, id })) ?? []) as readonly Point[];
  }

  async write(opened: OpenedSession, observer: Observer): Promise<void> {
    await this.state.update(documentOf(opened), KEEP_MS, (current) => [
      ...listOf(current).filter(({ id }) => id !== observer.id),
      observer,
    ]);
  }

  /** Ends all observers of a session, and waits for their end. */
  async end(opened: OpenedSession, signal: AbortSignal): Promise<void> {
    for (const { pid } of await this.running(opened)) signalEnd(pid);
    const end = performance.now() + END_MS;
    while ((await this.running(opened)).length > 0) {
      if (signal.aborted || performance.now() > end)
        throw new SkillError(
          "PROGRAM_FAILED",
          `Process ${(await this.running(opened))[0]?.pid} is still observing.`,
          {
            hint: "End it, and try again.",
          },
        );
      await pause(LOOK_MS, signal);
    }
    await this.state.update(documentOf(opened), KEEP_MS, () => undefined);
  }

  async #all(opened: OpenedSession): Promise<readonly Observer[]> {
    return listOf(await this.state.read(documentOf(opened)));
  }
}

export const OBSERVERS = token<Observers>("observers");

function documentOf({ root, entry }: OpenedSession): { readonly collection: string; readonly id: string } {
  return { collection: "runtime-debug-observers", id: `${root.slice(-900)}:${entry.id}` };
}

function listOf(document: unknown): readonly Observer[] {
  return Array.isArray(document) ? (document as readonly Observer[]) : [];
}

function claimOf(id: string): string {
  return `runtime-debug observer:${id}`;
}

/** A session that is observed by this process. */
export interface ObservedSession {
  /** The id of the observer. */
  readonly id: string;
  readonly opened: OpenedSession;
  readonly points: readonly Point[];
  /** The address of the session's server, if it answers. */
  readonly found: () => Promise<string | undefined>;
}

/** The services that an observer uses. */
@injectable()
export class ObserverServices {
  constructor(
    @inject(SESSIONS) readonly sessions: Sessions,
    @inject(OBSERVERS) readonly observers: Observers,
    @inject(FILES) readonly files: Files,
    @inject(HTTP) readonly http: Http,
    @inject(LOG) readonly log: Log,
  ) {}
}

export const OBSERVER_SERVICES = token<ObserverServices>("observer-services");
