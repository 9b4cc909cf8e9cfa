import { relative } from "node:path";
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
import type { HypothesizeInput, HypothesizeOutput, StartInput, StartOutput } from "../contract.ts";
import { reproductionOf } from "../reproduce/reproduction.ts";
import type { Reproduction, SessionEntry } from "../session/entry.ts";
import { excludeRecord, includeRecord } from "../session/exclude.ts";
import { checkedHypotheses, HYPOTHESIS_LINE } from "../session/hypotheses.ts";
import { LEDGER, type Ledger } from "../session/ledger.ts";
import { fullEnding } from "../session/next-step.ts";
import { recordPath, recordText } from "../session/record.ts";
import { freeName, taken } from "../session/session-name.ts";
import { SESSIONS, standing, type OpenedSession, type Sessions } from "../session/sessions.ts";
import { INFORMATION, questionText } from "../session/steps.ts";
import { WORKTREE, type Baseline, type Worktree } from "../worktree/worktree.ts";
import { HYPOTHESIZE } from "./handlers.ts";

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
    @inject(HYPOTHESIZE) private readonly hypothesize: CommandHandler<HypothesizeInput, HypothesizeOutput>,
  ) {}

  /**
   * Goes on through the steps that the input allows, and stops at the first that is not possible.
   * @throws SkillError `INPUT_INVALID` for hypotheses before anything is begun, `DEBUG_SESSION_TAKEN`, `DEBUG_SESSION_INVALID`,
   * `FILE_UNWRITABLE`, `FILE_UNREADABLE`, as `Phases.change` does, and what the look at the code throws
   */
  async run(input: StartInput, call: Call): Promise<StartOutput> {
    refuseRun(input, call);
    const { hypotheses, sync, allowCall, inside } = input;
    const { root } = await this.ledger.project();
    const { workingFolder } = this.environment;
    if (hypotheses) await checkedHypotheses(hypotheses, root, workingFolder, this.files);
    const reproduction = reproductionOf(given({ ...input, command: input.run }), workingFolder);
    call.progress("Looking at how the code is now.");
    const busy = taken(
      `Another session is being begun in ${quotedName(root)} still.`,
      "Try again once it has begun.",
    );
    // Alone: a second start with the same words would take the record of the first for one that was cut off.
    const { entry } = await this.sessions.alone(`start:${root}`, busy, call.signal, () =>
      this.#begun(input, reproduction, call.signal),
    );
    const record = recordPath(root, entry.id);
    const place = relative(workingFolder, record);
    if (!hypotheses) return { ...standing(entry), record, text: textOf(entry, place) };
    const flags = given({ sync, allowCall, inside });
    const listed = await this.hypothesize.run({ session: entry.id, hypotheses, ...flags }, call);
    const { hypotheses: _rows, text, ...more } = listed;
    return { ...more, record, text: `${begunLine(entry, place)}\n${text}` };
  }

  /**
   * The record first, then how the code is now, then the entry in the ledger. A start that is cut off between leaves a
   * record; the next one with the same words takes it over. One that fails leaves nothing.
   */
  async #begun(
    input: StartInput,
    reproduction: Reproduction | undefined,
    signal: AbortSignal,
  ): Promise<OpenedSession> {
    const project = await this.ledger.project();
    const { root } = project;
    const draftOf = (id: string): Draft => firstEntry(id, input, this.clock.now(), reproduction);
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

  /** Leaves the record out of the repository. A repository that cannot be written does not stop the session. */
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
function firstEntry(id: string, input: StartInput, now: number, reproduction?: Reproduction): Draft {
  const { issue, expected, actual, environment, impact, material, run, page, steps = [] } = input;
  const facts = { expected, actual, environment, impact, material, reproduction };
  return {
    id,
    state: "observing",
    issue,
    ...given(facts),
    steps: steps.length > 0 ? steps : shownBy(run, page),
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

/** How the bug is shown, as steps. */
function shownBy(run?: string, page?: string): string[] {
  if (page !== undefined) return [`Open \`${page}\`.`];
  return run === undefined ? [] : [`Run \`${run}\`.`];
}

/** The members that are there. */
function given<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: NonNullable<Members[Name]> } {
  const all = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(all) as { [Name in keyof Members]?: NonNullable<Members[Name]> };
}

/** @throws SkillError `USAGE` for a command that cannot be run */
function refuseRun(
  { run, page, act, inspect, times, failsWhen, timeout, while: server, port, hypotheses = [] }: StartInput,
  { surface }: Call,
): void {
  const [flag] =
    Object.entries({ act, inspect, times, "fails-when": failsWhen, timeout, while: server, port }).find(
      ([, one]) => one !== undefined,
    ) ?? [];
  const shown = run ?? page;
  if (shown === undefined && flag === undefined) return;
  if (shown === undefined)
    throw new SkillError("USAGE", `--${flag} belongs to --run or --page, which is missing.`);
  if (surface === "http")
    throw new SkillError("USAGE", "Commands are not run over HTTP.", {
      hint: "Start the session without run, and let the user show the bug.",
    });
  if (hypotheses.length === 0)
    throw new SkillError(
      "USAGE",
      "--run and --page need --hypotheses: nothing is shown before probes are set.",
      {
        hint: `Give --hypotheses "${HYPOTHESIS_LINE}" once for each.`,
      },
    );
}

function begunLine({ id }: SessionEntry, record: string): string {
  return `The session ${id} has begun. Its record: ${quotedName(record)}`;
}

function textOf(entry: SessionEntry, record: string): string {
  return [
    begunLine(entry, record),
    "No code may be changed before log lines show the cause; probes come after the hypotheses.",
    "",
    ...questionLines(entry),
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
  material,
}: SessionEntry): readonly string[] {
  const facts = {
    "what should happen": expected,
    "what happens instead": actual,
    "the steps that show it": steps[0],
    "the environment": environment,
    "who is affected, and since when": impact,
    "logs, screenshots, stacks or failing tests": material?.[0],
  };
  const unknown = Object.entries(facts).flatMap(([name, fact]) => (fact === undefined ? [name] : []));
  if (unknown.length === 0) return [];
  return [
    `Not known yet: ${unknown.join("; ")}. Ask the user for what would narrow it down:`,
    questionText(INFORMATION),
    `Pass the answer on: skillctl run runtime-debug answer A --session ${id} --note "WHAT THE USER SAID"`,
    "(with --steps, --expected, --actual, --environment, --impact and --material, at any step)",
    "",
  ];
}
