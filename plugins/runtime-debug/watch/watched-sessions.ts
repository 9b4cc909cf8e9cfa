import type { State } from "skillctl";
import type { Reverted } from "./looked.ts";

const NAME = { collection: "runtime-debug-watch", id: "sessions" };
/** Ten years, as sessions are kept. */
const KEEP_MS = 315_360_000_000;
/** The newest are kept. */
const MOST = { agents: 20, reverted: 100 };

/** A session whose tree is looked after. */
export interface WatchedSession {
  /** Absolute. */
  readonly root: string;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
  /** The sessions of agents whose tools were seen at work on the project: without one nobody asks the guard. */
  readonly agents: readonly string[];
  /** What was put back. */
  readonly reverted: readonly RevertedOnce[];
}

interface RevertedOnce extends Reverted {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The look that has put it back has not ended yet, or has not ended in time: nobody knows of it. */
  readonly isUntold?: true;
}

interface WatchDocument {
  readonly version: 1;
  readonly sessions: readonly WatchedSession[];
}

/** All sessions that are looked after, of all projects: one document. */
export class WatchedSessions {
  constructor(private readonly state: State) {}

  /** @throws SkillError `FILE_UNREADABLE` */
  async list(): Promise<readonly WatchedSession[]> {
    return sessionsIn(await this.state.read(NAME));
  }

  /** @throws SkillError `FILE_UNREADABLE`, `FILE_UNWRITABLE` */
  async add(root: string, id: string, begunAt: number): Promise<void> {
    await this.#change((sessions) =>
      sessions.some((one) => isIt(one, root, id))
        ? sessions
        : [...sessions, { root, id, begunAt, agents: [], reverted: [] }],
    );
  }

  /** @throws SkillError as `add` does */
  async remove(root: string, id: string): Promise<void> {
    await this.#change((sessions) => sessions.filter((one) => !isIt(one, root, id)));
  }

  /** Notes an agent, or what was put back at a time. @throws SkillError as `add` does */
  async note(
    root: string,
    id: string,
    {
      agent,
      reverted = [],
      at,
    }: { readonly agent?: string; readonly reverted?: readonly Reverted[]; readonly at: number },
  ): Promise<void> {
    await this.#change((sessions) =>
      sessions.map((one) => {
        if (!isIt(one, root, id)) return one;
        const agents =
          agent === undefined || one.agents.includes(agent) ? one.agents : [...one.agents, agent];
        const lines = [
          ...one.reverted,
          ...reverted.map((line) => ({ ...line, at, isUntold: true as const })),
        ];
        return { ...one, agents: agents.slice(-MOST.agents), reverted: lines.slice(-MOST.reverted) };
      }),
    );
  }

  /** All that was put back has been told. @throws SkillError as `add` does */
  async told(root: string, id: string): Promise<void> {
    await this.#change((sessions) =>
      sessions.map((one) => (isIt(one, root, id) ? { ...one, reverted: one.reverted.map(asTold) } : one)),
    );
  }

  async #change(change: (sessions: readonly WatchedSession[]) => readonly WatchedSession[]): Promise<void> {
    await this.state.update(NAME, KEEP_MS, (current) => {
      const sessions = change(sessionsIn(current));
      return sessions.length === 0 ? undefined : ({ version: 1, sessions } satisfies WatchDocument);
    });
  }
}

function sessionsIn(found: unknown): readonly WatchedSession[] {
  const { version, sessions } = (found ?? {}) as Partial<WatchDocument>;
  return version === 1 && Array.isArray(sessions) ? sessions : [];
}

function asTold({ path, kind, keptAt, fault, at }: RevertedOnce): RevertedOnce {
  return {
    path,
    kind,
    at,
    ...(keptAt !== undefined && { keptAt }),
    ...(fault !== undefined && { fault }),
  };
}

function isIt(one: WatchedSession, root: string, id: string): boolean {
  return one.root === root && one.id === id;
}
