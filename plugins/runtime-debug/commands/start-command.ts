import {
  quotedName,
  CLOCK,
  ENVIRONMENT,
  FILES,
  inject,
  injectable,
  LOG,
  PHASES,
  SkillError,
  type Call,
  type Clock,
  type CommandHandler,
  type Environment,
  type Files,
  type Log,
  type Phases,
} from "skillctl";
import type { StartInput, StartOutput } from "../contract.ts";
import type { SessionEntry } from "../session/entry.ts";
import { excludeRecord, includeRecord } from "../session/exclude.ts";
import { checkedHypotheses, hypothesisLines, listed } from "../session/hypotheses.ts";
import { LEDGER, type Ledger } from "../session/ledger.ts";
import { fullEnding } from "../session/next-step.ts";
import { recordPath, recordText } from "../session/record.ts";
import { freeName, taken } from "../session/session-name.ts";
import { SESSIONS, standing, type OpenedSession, type Sessions } from "../session/sessions.ts";
import { INFORMATION, questionText } from "../session/steps.ts";
import { WORKTREE, type Baseline, type Worktree } from "../worktree/worktree.ts";

/** Begins a session. */
@injectable()
export class StartCommand implements CommandHandler<StartInput, StartOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(LEDGER) private readonly ledger: Ledger,
    @inject(WORKTREE) private readonly worktree: Worktree,
    @inject(FILES) private readonly files: Files,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOG) private readonly log: Log,
    @inject(PHASES) private readonly phases: Phases,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * @throws SkillError `INPUT_INVALID` for hypotheses before anything is begun, `DEBUG_SESSION_TAKEN`, `DEBUG_SESSION_INVALID`,
   * `FILE_UNWRITABLE`, `FILE_UNREADABLE`, as `Phases.change` does, and what the look at the code throws
   */
  async run(input: StartInput, call: Call): Promise<StartOutput> {
    const { root } = await this.ledger.project();
    const { workingFolder } = this.environment;
    const wished =
      input.hypotheses && (await checkedHypotheses(input.hypotheses, root, workingFolder, this.files));
    call.progress("Looking at how the code is now.");
    const busy = taken(
      `Another session is being begun in ${quotedName(root)} still.`,
      "Try again once it has begun.",
    );
    // Alone: a second start with the same words would take the record of the first for one that was cut off.
    const begun = await this.sessions.alone(`start:${root}`, busy, call.signal, () =>
      this.#begun(input, call.signal),
    );
    const opened = wished
      ? await this.sessions.turn(begun.entry.id, call, (now) =>
          this.sessions.step(now, "hypothesize", (entry) => listed(wished, entry)),
        )
      : begun;
    const { entry } = opened;
    const record = recordPath(opened.root, entry.id);
    return { ...standing(entry), record, text: textOf(entry, record) };
  }

  /**
   * The record first, then how the code is now, then the entry in the ledger. A start that is cut off between leaves a
   * record; the next one with the same words takes it over. One that fails leaves nothing.
   */
  async #begun(input: StartInput, signal: AbortSignal): Promise<OpenedSession> {
    const project = await this.ledger.project();
    const { root } = project;
    const draftOf = (id: string): Draft => firstEntry(id, input, this.clock.now());
    const id = await freeName(project, input, (id) => recordText(draftOf(id)), this.files);
    const draft = draftOf(id);
    const text = recordText(draft);
    await this.phases.change({ folder: root, session: id, to: "observing" });
    const path = recordPath(root, id);
    if (!(await this.files.create(path, text)) && (await this.files.readText(path)) !== text)
      throw taken(
        `Somebody else has just made ${quotedName(path)}.`,
        "Try again, or choose another id with --session.",
      );
    const baseline = this.worktree.baselineOf(root, id);
    try {
      await this.#exclude(root, id);
      await this.worktree.begin(root, id, signal, (sentence) => this.log.notice(sentence));
      const entry = { ...draft, baseline, recordText: text };
      await this.ledger.write(root, entry);
      return { root, entry };
    } catch (caught) {
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

  async #undo(root: string, id: string, text: string, baseline: Baseline): Promise<void> {
    const path = recordPath(root, id);
    try {
      if ((await this.files.readText(path)) === text) await this.files.remove(path);
      await this.worktree.forget(baseline);
      await includeRecord(root, id, this.files);
    } catch (caught) {
      // It must not hide why the start has failed.
      if (!(caught instanceof SkillError)) throw caught;
      this.log.notice(caught.message);
    }
  }
}

/** A session before how the code was is known. */
type Draft = Omit<SessionEntry, "baseline" | "recordText">;

/** The entry of a session that begins. `now` in milliseconds since 1970. */
function firstEntry(id: string, input: StartInput, now: number): Draft {
  const { session: _session, hypotheses: _hypotheses, steps = [], ...facts } = input;
  return {
    id,
    state: "observing",
    ...facts,
    steps,
    createdAt: now,
    hypotheses: [],
    probes: [],
    runs: { before: "pre-fix" },
    fixes: [],
    iterations: [],
    conclusion: "",
    accepted: {},
  };
}

function textOf(entry: SessionEntry, record: string): string {
  const { id, state, hypotheses } = entry;
  return [
    `The session ${id} has begun. Its record: ${quotedName(record)}`,
    "No code may be changed before log lines show the cause; probes come after the hypotheses.",
    "",
    ...(state === "observing" ? questionLines(entry) : []),
    ...(hypotheses.length === 0 ? [] : ["Hypotheses:", ...hypothesisLines(hypotheses), ""]),
    fullEnding(entry),
  ].join("\n");
}

/** Asks for what the user has not told yet; nothing when all is known. */
function questionLines({
  id,
  expected,
  actual,
  steps,
  environment,
  impact,
}: SessionEntry): readonly string[] {
  const facts = {
    "what should happen": expected,
    "what happens instead": actual,
    "the steps that show it": steps[0],
    "the environment": environment,
    "who is affected, and since when": impact,
  };
  const unknown = Object.entries(facts).flatMap(([name, fact]) => (fact === undefined ? [name] : []));
  if (unknown.length === 0) return [];
  return [
    `Not known yet: ${unknown.join("; ")}. Ask the user for what would narrow it down:`,
    questionText(INFORMATION),
    `Pass the answer on: skillctl run runtime-debug answer A --session ${id} --note "WHAT THE USER SAID"`,
    "",
  ];
}
