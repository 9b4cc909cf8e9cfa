import {
  CLAIMS,
  CLOCK,
  FILES,
  PROGRAMS,
  STATE,
  SkillError,
  inject,
  injectable,
  token,
  type Claims,
  type Clock,
  type Files,
  type Programs,
  type State,
} from "skillctl";
import { pause } from "../server/pause.ts";
import type { SessionEntry } from "../session/entry.ts";
import { WORKTREE, type Worktree } from "../worktree/worktree.ts";
import type { Looked, LookOptions, LookParts } from "./looked.ts";
import { WatchedSessions, type WatchedSession } from "./watched-sessions.ts";

/** Another look puts back what it finds, and is soon over, in milliseconds. */
const PATIENCE_MS = 3_000;
/** A look ends so long before those who have asked for it go on without it: see `timeoutMs` of its rules. */
const LOOK_MS = 6_000;
/** An answer that comes later than this after its end has nobody who waits for it. */
const LATE_MS = 2_500;
const STEP_MS = 20;

/**
 * Holds the code of a project as it was when a session came into a state in which none may be changed: the second layer
 * of the evidence gate (guards.md, 2.3.1). It compares every file with a manifest in the state folder, and puts back what
 * stands outside of regions.
 */
@injectable()
export class Watch {
  readonly sessions: WatchedSessions;

  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(PROGRAMS) private readonly programs: Programs,
    @inject(WORKTREE) private readonly worktree: Worktree,
    @inject(CLAIMS) private readonly claims: Claims,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(STATE) state: State,
  ) {
    this.sessions = new WatchedSessions(state);
  }

  /**
   * Takes down how the code is now, after its baseline is kept, and whenever a session comes from a state in which code may
   * change into one in which it may not: before that step is written, or the change that was allowed would be taken back.
   * @throws SkillError `PROGRAM_FAILED`, `FILE_UNREADABLE`, `FILE_UNWRITABLE`, `DEBUG_STATE_DAMAGED`, `CANCELLED`
   */
  async begin(
    root: string,
    entry: Pick<SessionEntry, "id" | "baseline">,
    signal?: AbortSignal,
  ): Promise<void> {
    const { beginManifest } = await import("./beginning.ts");
    const { files, programs } = this;
    await this.#alone(root, entry.id, () => beginManifest({ files, programs }, root, entry, signal));
    await this.sessions.add(root, entry.id, this.clock.now());
  }

  /**
   * Puts back what has changed outside of regions; what stood there is kept aside, and one line for each is
   * recorded. Without a manifest it makes one. It stops in time, and says how much is left: the next one goes on. What an
   * earlier one has put back and could not tell is told with it.
   * @throws SkillError `PROGRAM_FAILED`, `FILE_UNREADABLE`, `FILE_UNWRITABLE`, `DEBUG_STATE_DAMAGED`, `DEBUG_CHANGED`,
   * `CLAIM_FAILED`
   */
  async look(
    root: string,
    entry: SessionEntry,
    { ids = [entry.id], current = async () => entry, until = this.until() }: LookOptions = {},
  ): Promise<Looked> {
    const { lookAt } = await import("./looking.ts");
    const { files, programs, worktree, clock } = this;
    const { id } = entry;
    const parts: LookParts = {
      files,
      programs,
      worktree,
      monotonicMs: () => clock.monotonicMs(),
      record: (reverted) => this.sessions.note(root, id, { reverted, at: clock.now() }),
      untold: async () => {
        const { reverted = [] } = (await this.#known(root, id)) ?? {};
        return reverted.filter(({ isUntold }) => isUntold);
      },
      told: async () => {
        if (clock.monotonicMs() <= until + LATE_MS) await this.sessions.told(root, id);
      },
    };
    return lookAt(parts, root, entry, { ids, current, until }, (work) => this.#alone(root, id, work));
  }

  /** When looks that begin now for the same answer stop putting files back, as of `Clock.monotonicMs`. */
  until(): number {
    return this.clock.monotonicMs() + LOOK_MS;
  }

  /** Notes that the hook of an agent is at work on a project. @throws SkillError `FILE_UNREADABLE`, `FILE_UNWRITABLE` */
  async heard(root: string, id: string, agent: string): Promise<void> {
    const known = await this.#known(root, id);
    if (!known) await this.sessions.add(root, id, this.clock.now());
    if (!known?.agents.includes(agent)) await this.sessions.note(root, id, { agent, at: this.clock.now() });
  }

  /** Whether one has been at work on it. @throws SkillError `FILE_UNREADABLE` */
  async isHeard(root: string, id: string): Promise<boolean> {
    return ((await this.#known(root, id))?.agents ?? []).length > 0;
  }

  async #known(root: string, id: string): Promise<WatchedSession | undefined> {
    return (await this.sessions.list()).find((one) => one.root === root && one.id === id);
  }

  /** The session is over. What was kept aside stays. @throws SkillError `FILE_UNREADABLE`, `FILE_UNWRITABLE` */
  async forget(root: string, id: string): Promise<void> {
    await this.sessions.remove(root, id);
  }

  /** Not the turn of a session's commands: a change of phase looks while one of them runs. */
  async #alone<T>(root: string, id: string, work: () => Promise<T>): Promise<T> {
    const late = AbortSignal.timeout(PATIENCE_MS);
    for (;;) {
      const claim = await this.claims.claim(`runtime-debug watch:${root}:${id}`);
      if (claim) {
        try {
          return await work();
        } finally {
          await claim.release();
        }
      }
      if (late.aborted)
        throw new SkillError("DEBUG_CHANGED", `The code of the session ${id} is being looked at still.`, {
          hint: "Wait until that has ended, and try again.",
        });
      await pause(STEP_MS, late);
    }
  }
}

export const WATCH = token<Watch>("watch");
