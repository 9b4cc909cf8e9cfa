import {
  CLOCK,
  FILES,
  LOG,
  PHASES,
  SkillError,
  inject,
  injectable,
  token,
  type Clock,
  type Files,
  type Log,
  type Phases,
} from "skillctl";
import type { StartInput } from "../contract.ts";
import type { Baseline } from "../worktree/baseline.ts";
import { WORKTREE, type Worktree } from "../worktree/worktree.ts";
import { excludeRecord, includeRecord } from "./exclude.ts";
import type { SessionEntry } from "./entry.ts";
import { freeName } from "./free-name.ts";
import { LEDGER, type Ledger } from "./ledger.ts";
import { RECORD_FILE, type RecordFile, recordText } from "./record-file.ts";
import { FIRST_RUNS } from "./rounds.ts";
import type { OpenedSession } from "./sessions.ts";
import { TURNS, type Turns } from "./turns.ts";

/** A session before how the code was is known. */
type Draft = Omit<SessionEntry, "baseline" | "recordText">;

/** Begins sessions. */
@injectable()
export class SessionStart {
  constructor(
    @inject(LEDGER) private readonly ledger: Ledger,
    @inject(RECORD_FILE) private readonly record: RecordFile,
    @inject(WORKTREE) private readonly worktree: Worktree,
    @inject(FILES) private readonly files: Files,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOG) private readonly log: Log,
    @inject(TURNS) private readonly turns: Turns,
    @inject(PHASES) private readonly phases: Phases,
  ) {}

  /**
   * Begins a session: the record first, then how the code is now, then the entry in the ledger. A start that is cut off
   * between leaves a record; the next one with the same words takes it over. One that fails leaves nothing.
   * @throws SkillError `DEBUG_SESSION_TAKEN`, `DEBUG_SESSION_INVALID`, `FILE_UNWRITABLE`, `FILE_UNREADABLE`, as
   * `Phases.change` does, and what the look at the code throws
   */
  async begin(input: StartInput, signal: AbortSignal): Promise<OpenedSession> {
    const { root } = await this.ledger.project();
    // Alone: a second start with the same words would take the record of the first for one that was cut off.
    return this.turns.start(root, signal, () => this.#begun(input, signal));
  }

  async #begun(input: StartInput, signal: AbortSignal): Promise<OpenedSession> {
    const { ledger, record, files, clock } = this;
    const project = await ledger.project();
    const { root } = project;
    const draftOf = (id: string): Draft => firstEntry(id, input, clock.now());
    const firstText = (id: string): string => recordText(draftOf(id));
    const id = await freeName(project, { session: input.session, issue: input.issue, firstText }, files);
    await this.phases.change({ folder: root, session: id, to: "observing" });
    const text = firstText(id);
    const path = record.path(root, id);
    if (!(await files.create(path, text)) && (await files.readText(path)) !== text)
      throw new SkillError("DEBUG_SESSION_TAKEN", `Somebody else has just made ${path}.`, {
        hint: "Try again, or choose another id with --session.",
      });
    let baseline: Baseline | undefined;
    try {
      await this.#exclude(root, id);
      baseline = await this.worktree.begin(root, id, signal, (sentence) => this.log.notice(sentence));
      const entry = { ...draftOf(id), baseline, recordText: text };
      await ledger.write(root, entry);
      return { root, entry };
    } catch (caught) {
      // The record and the images are then those of the session that is there.
      if (!(caught instanceof SkillError && caught.code === "DEBUG_SESSION_TAKEN"))
        await this.#undo(root, id, text, baseline);
      throw caught;
    }
  }

  /** A repository that cannot be written is none of the session's business: the record is only not left out of it. */
  async #exclude(root: string, id: string): Promise<void> {
    try {
      await excludeRecord(root, id, this.files);
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      this.log.notice(`${caught.message} Git does not leave out debug-${id}.md: do not commit it.`);
    }
  }

  async #undo(root: string, id: string, text: string, baseline: Baseline | undefined): Promise<void> {
    const path = this.record.path(root, id);
    try {
      if ((await this.files.readText(path)) === text) await this.files.remove(path);
      await includeRecord(root, id, this.files);
      if (baseline) await this.worktree.forget(baseline);
    } catch (caught) {
      // It must not hide why the start has failed.
      if (!(caught instanceof SkillError)) throw caught;
      this.log.notice(caught.message);
    }
  }
}

export const SESSION_START = token<SessionStart>("session-start");

/** The entry of a session that begins. `now` in milliseconds since 1970. */
function firstEntry(id: string, input: StartInput, now: number): Draft {
  const { issue, expected, actual, steps = [], environment, impact } = input;
  return {
    id,
    revision: 0,
    state: "observing",
    issue,
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { actual }),
    steps,
    ...(environment !== undefined && { environment }),
    ...(impact !== undefined && { impact }),
    createdAt: now,
    hypotheses: [],
    probes: [],
    runs: FIRST_RUNS,
    fixes: [],
    iterations: [],
    conclusion: "",
    accepted: {},
  };
}

/** What the user has not told yet, for people; empty when all is known. */
export function unknownOf({ expected, actual, steps, environment, impact }: Draft): readonly string[] {
  const facts = {
    "what should happen": expected,
    "what happens instead": actual,
    "the steps that show it": steps.length === 0 ? undefined : steps,
    "the environment": environment,
    "who is affected, and since when": impact,
  };
  return Object.entries(facts).flatMap(([name, fact]) => (fact === undefined ? [name] : []));
}
