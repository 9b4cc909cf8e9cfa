import {
  quotedName,
  CLAIMS,
  FILES,
  inject,
  injectable,
  LOG,
  PHASES,
  SkillError,
  token,
  type Call,
  type Claims,
  type Files,
  type Log,
  type Phases,
} from "skillctl";
import type { StartOutput } from "../contract.ts";
import { pause } from "../server/pause.ts";
import { checkedSession } from "../session-files.ts";
import type { SessionEntry } from "./entry.ts";
import { LEDGER, type Ledger } from "./ledger.ts";
import { ending, nextStep } from "./next-step.ts";
import { writeRecord } from "./record.ts";
import { backLine, nextReproduction, pastAfter, runNamesOf, runOf } from "./rounds.ts";
import { isObserved } from "./set-probes.ts";
import { STEPS, transition, type Action, type Fact, type Transition } from "./steps.ts";
import { checkedPlace } from "../worktree/worktree.ts";

const LOOK_MS = 25;
/** A command that starts a server takes a few seconds; this is how long others wait for it, in milliseconds. */
const PATIENCE_MS = 20_000;

/** The session that a command was called for. */
export interface OpenedSession {
  /** The project folder, absolute. */
  readonly root: string;
  readonly entry: SessionEntry;
}

/** The part of an answer that all commands of a session share. */
export type Standing = Pick<StartOutput, "session" | "state" | "step" | "next">;

/** Finds sessions and takes their steps. All changes to sessions use this class. */
@injectable()
export class Sessions {
  constructor(
    @inject(LEDGER) private readonly ledger: Ledger,
    @inject(FILES) private readonly files: Files,
    @inject(LOG) private readonly log: Log,
    @inject(CLAIMS) private readonly claims: Claims,
    @inject(PHASES) private readonly phases: Phases,
  ) {}

  /**
   * The session of that id in the project of the working folder; without an id, the only open one.
   * @throws SkillError `DEBUG_NO_SESSION`, `DEBUG_WHICH_SESSION`, `DEBUG_SESSION_INVALID`
   */
  async open(id: string | undefined): Promise<OpenedSession> {
    const { root, sessions } = await this.ledger.project();
    if (id !== undefined) {
      const entry = sessions[checkedSession(id)];
      if (entry) return { root, entry };
      throw none(`The project ${quotedName(root)} has no session ${id}.`);
    }
    const [entry, ...others] = Object.values(sessions);
    if (!entry) throw none(`No session is running in ${quotedName(root)}.`);
    if (others.length === 0) return { root, entry };
    const names = Object.keys(sessions).join(", ");
    throw new SkillError(
      "DEBUG_WHICH_SESSION",
      `Several sessions are running in ${quotedName(root)}: ${names}.`,
      {
        hint: `Name one of them with --session.`,
      },
    );
  }

  /** The session with that id in the project of the working folder, if any. @throws SkillError as `open` does */
  async find(id: string): Promise<OpenedSession | undefined> {
    const { root, sessions } = await this.ledger.project();
    const entry = sessions[id];
    return entry && { root, entry };
  }

  /**
   * Runs an action that changes a session, exclusively; `work` receives the current session. `work` must not take turns
   * itself, nor wait for a person.
   * @throws SkillError as `open` does, `DEBUG_CHANGED` when another command takes too long, `CANCELLED`, `CLAIM_FAILED`
   */
  async turn<T>(
    id: string | undefined,
    { signal }: Call,
    work: (opened: OpenedSession) => Promise<T>,
  ): Promise<T> {
    const { root, entry } = await this.open(id);
    const busy = new SkillError("DEBUG_CHANGED", `Another command is still changing ${entry.id}.`, {
      hint: "Wait until it has ended, and try again.",
    });
    return this.alone(`turn:${root}:${entry.id}`, busy, signal, async () => work(await this.open(entry.id)));
  }

  /**
   * Does some work once no other command is doing work of that name. @throws SkillError `busy`, `CANCELLED`,
   * `CLAIM_FAILED`
   */
  async alone<T>(name: string, busy: SkillError, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const end = performance.now() + PATIENCE_MS;
    let claim = await this.claims.claim(`runtime-debug ${name}`);
    while (!claim && !signal.aborted && performance.now() < end) {
      await pause(LOOK_MS, signal);
      claim = await this.claims.claim(`runtime-debug ${name}`);
    }
    if (!claim)
      throw signal.aborted ? new SkillError("CANCELLED", "The call was cancelled before its turn.") : busy;
    try {
      return await work();
    } finally {
      await claim.release();
    }
  }

  /**
   * Refuses an action that is not possible in the state of the session, before any work is done for it. Without facts,
   * those that an edge requires count as true here; `step` checks them.
   * @throws SkillError `DEBUG_STEP`
   */
  refuse({ entry }: OpenedSession, action: Action, holds?: readonly Fact[]): void {
    possible(entry, action, (fact) => holds?.includes(fact) ?? true);
  }

  /**
   * Takes a step: the edge of the table whose conditions are met.
   * @throws SkillError `DEBUG_STEP` with the missing step, and as `write` does
   */
  step(
    opened: OpenedSession,
    action: Action,
    change: (entry: SessionEntry) => Partial<SessionEntry> = () => ({}),
    holds: readonly Fact[] = [],
  ): Promise<OpenedSession> {
    const { entry } = opened;
    const { state, outcome } = possible(entry, action, (fact) => holds.includes(fact));
    const { answered: _, ...kept } = entry;
    const next: SessionEntry = {
      ...kept,
      state,
      ...(outcome && { outcome }),
      // Events that were collected for one judgement must not count for the next.
      ...(entry.state === "judging" && state === "instrumenting" && { runs: nextReproduction(entry) }),
    };
    const changed = { ...next, ...change(next) };
    return this.write(opened, { ...changed, past: pastAfter(action, entry, changed) });
  }

  /**
   * Writes the new state of a session, during a turn. A change of the state must first be allowed by the rules; then
   * the record and the entry are written.
   * @throws SkillError `FILE_UNWRITABLE`, and as `Phases.change` does
   */
  async write({ root, entry }: OpenedSession, changed: SessionEntry): Promise<OpenedSession> {
    if (changed.state !== entry.state)
      await this.phases.change({ folder: root, session: entry.id, from: entry.state, to: changed.state });
    const next = { ...changed, runNames: runNamesOf(changed) };
    const found = await this.ledger.server(root, entry.id);
    const recordText = await writeRecord(root, next, found, this.files, this.log);
    const server = found && { url: found.url, pid: found.pid, instance: found.instance };
    const written = { ...next, recordText, ...(server && { server }) };
    await this.#tellChecked(written);
    await this.ledger.write(root, written);
    return { root, entry: written };
  }

  /** Updates the list by which the server flags events of other code. */
  async #tellChecked({ baseline, checked }: SessionEntry): Promise<void> {
    const [place, text] = [checkedPlace(baseline), JSON.stringify(checked ?? null)];
    if ((await this.files.readText(place)) === text) return;
    await this.files.makeFolder(baseline.images);
    await this.files.replace(place, text);
  }
}

export const SESSIONS = token<Sessions>("sessions");

/** The state of a session, as every command reports it. */
export function standing(entry: SessionEntry): Standing {
  const { id, state } = entry;
  return { session: id, state, step: STEPS[state].number, next: nextStep(entry) };
}

/** The answer of most commands: the state of the session, and a text that ends with the next step. */
export function answered<More extends object>(
  entry: SessionEntry,
  lines: readonly string[],
  more: More,
): Standing & More & { readonly text: string } {
  return { ...standing(entry), ...more, text: [...lines, "", ending(entry)].join("\n") };
}

const OBSERVED_ANEW =
  " Points are observed only in the program they were set in: after a fix or a restart, set them again (observe --again).";

/** The state after an action. @throws SkillError `DEBUG_STEP` with the missing condition and a remedy */
function possible(
  entry: SessionEntry,
  action: Action,
  holds: (fact: Fact) => boolean,
): Extract<Transition, { readonly ok: true }> {
  const found = transition(entry.state, action, holds);
  if (found.ok) return found;
  const hint =
    found.missing === "evidence"
      ? `Only events of the run ${runOf(entry)} count.${isObserved(entry) ? OBSERVED_ANEW : ""} \`skillctl run runtime-debug doctor ${entry.id}\` shows why events do not arrive.`
      : nextStep(entry);
  const answered = entry.answered === undefined ? [] : [`The user has answered: ${entry.answered}.`];
  const hints = [...answered, backLine(entry, action), hint].filter((line) => line !== undefined);
  throw new SkillError("DEBUG_STEP", found.sentence, { hint: hints.join("\n") });
}

function none(sentence: string): SkillError {
  return new SkillError("DEBUG_NO_SESSION", sentence, {
    hint: 'Begin one with `skillctl run runtime-debug start "WHAT IS WRONG"`; `status` names records without a session.',
  });
}
