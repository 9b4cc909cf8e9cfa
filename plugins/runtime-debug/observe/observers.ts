import { CLAIMS, inject, injectable, SkillError, STATE, token, type Claims, type State } from "skillctl";
import { pause } from "../server/pause.ts";
import type { OpenedSession } from "../session/sessions.ts";

/** An observation point as it is now. */
export interface ObservedPoint {
  readonly hypothesis: string;
  readonly point: string;
  /** `cart.js:8`, from the project folder. */
  readonly at: string;
  /** `set`: it stands; `waiting`: its code is not loaded; `refused`: it will not stand. */
  readonly state: "set" | "waiting" | "refused";
  readonly sentence: string;
  /** Passes told, and those that went beyond a limit. */
  readonly told: number;
  readonly skipped: number;
}

/** A process that observes for a session. */
export interface Observer {
  readonly id: string;
  readonly pid: number;
  /** What it looks at, as it was named. */
  readonly target: string;
  readonly points: readonly ObservedPoint[];
  /** Why it has ended or found nothing to observe yet; missing while all is well. */
  readonly trouble?: string;
}

/** A day after its last word an observer is no more of interest. */
const KEEP_MS = 86_400_000;
const LOOK_MS = 50;
/** An observer looks at its session twice a second. */
const END_MS = 10_000;

/** Who observes for sessions. */
@injectable()
export class Observers {
  constructor(
    @inject(STATE) private readonly state: State,
    @inject(CLAIMS) private readonly claims: Claims,
  ) {}

  /** The observers of a session that are at work. */
  async running(opened: OpenedSession): Promise<readonly Observer[]> {
    const all = await this.#all(opened);
    const alive = await Promise.all(all.map(({ id }) => this.isRunning(id)));
    return all.filter((_, index) => alive[index]);
  }

  /** What one has said; `undefined` before its first word. */
  async told(opened: OpenedSession, id: string): Promise<Observer | undefined> {
    return (await this.#all(opened)).find((one) => one.id === id);
  }

  async isRunning(id: string): Promise<boolean> {
    const claim = await this.claims.claim(claimOf(id));
    await claim?.release();
    return claim === undefined;
  }

  /** Says that this process is an observer, for as long as it lives. */
  async begin(id: string): Promise<void> {
    await this.claims.claim(claimOf(id));
  }

  async write(opened: OpenedSession, observer: Observer): Promise<void> {
    await this.state.update(documentOf(opened), KEEP_MS, (current) => [
      ...listOf(current).filter(({ id }) => id !== observer.id),
      observer,
    ]);
  }

  /** Waits until nobody observes any more: the session has ended by then, which each of them sees for itself. */
  async ended(opened: OpenedSession, signal: AbortSignal): Promise<void> {
    const end = performance.now() + END_MS;
    while ((await this.running(opened)).length > 0) {
      if (signal.aborted || performance.now() > end)
        throw new SkillError(
          "PROGRAM_FAILED",
          `Process ${(await this.running(opened))[0]?.pid} observes still.`,
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
