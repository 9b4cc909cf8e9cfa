import { CLOCK, ENVIRONMENT, FILES, LOG, PHASES, inject, injectable } from "skillctl";
import type { Call, Clock, CommandHandler, Environment, Files, Log, Phases } from "skillctl";
import type { StartInput, StartOutput } from "./contract.ts";
import { QUESTIONS, questionText } from "./protocol/questions.ts";
import type { BeginParts } from "./session/begin.ts";
import { unknownOf } from "./session/first-entry.ts";
import { hypothesisLines } from "./session/hypotheses.ts";
import { LEDGER, type Ledger } from "./session/ledger.ts";
import { fullEnding } from "./session/next-step.ts";
import { RECORD_FILE, type RecordFile } from "./session/record-file.ts";
import { SESSIONS, standing, type OpenedSession, type Sessions } from "./session/sessions.ts";
import { TURNS, type Turns } from "./session/turns.ts";
import { WATCH, type Watch } from "./watch/watch.ts";
import { WORKTREE, type Worktree } from "./worktree/worktree.ts";

/** Begins a session. */
@injectable()
export class StartCommand implements CommandHandler<StartInput, StartOutput> {
  readonly #parts: BeginParts;

  constructor(
    @inject(LEDGER) ledger: Ledger,
    @inject(RECORD_FILE) record: RecordFile,
    @inject(WATCH) watch: Watch,
    @inject(WORKTREE) worktree: Worktree,
    @inject(FILES) files: Files,
    @inject(CLOCK) clock: Clock,
    @inject(LOG) log: Log,
    @inject(TURNS) turns: Turns,
    @inject(PHASES) phases: Phases,
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {
    this.#parts = { ledger, record, watch, worktree, files, clock, log, turns, phases };
  }

  /** @throws SkillError as `begin` does, `INPUT_INVALID` for hypotheses before anything is begun. */
  async run(input: StartInput, call: Call): Promise<StartOutput> {
    const [{ begin }, { checkWished, listed }, { hypothesesOf }] = await Promise.all([
      import("./session/begin.ts"),
      import("./session/hypotheses.ts"),
      import("./session/plain-lines.ts"),
    ]);
    const wished = input.hypotheses && hypothesesOf(input.hypotheses);
    if (wished) {
      const [{ root }, { workingFolder: folder }] = [await this.#parts.ledger.project(), this.environment];
      await checkWished(wished, { root, folder, files: this.#parts.files });
    }
    call.progress("Looking at how the code is now.");
    const begun = await begin(input, this.#parts, call.signal);
    const opened = wished
      ? await this.sessions.turn(begun.entry.id, call.signal, () =>
          this.sessions.step(begun, "hypothesize", new Set(), (now) => listed(wished, now)),
        )
      : begun;
    const record = this.#parts.record.path(opened.root, opened.entry.id);
    return { ...standing(opened.entry), record, text: textOf(opened, record) };
  }
}

function textOf({ entry }: OpenedSession, record: string): string {
  const { id } = entry;
  const unknown = unknownOf(entry);
  const question = QUESTIONS.observing;
  const asks = [
    `Not known yet: ${unknown.join("; ")}. Ask the user for what would narrow it down:`,
    ...(question ? [questionText(question)] : []),
    `Pass the answer on: skillctl run runtime-debug answer A --session ${id} --note "WHAT THE USER SAID"`,
    "",
  ];
  return [
    `The session ${id} has begun. Its record: ${record}`,
    "No code may be changed before log lines show the cause; probes come after the hypotheses.",
    "",
    ...(unknown.length === 0 || entry.state !== "observing" ? [] : asks),
    ...(entry.hypotheses.length === 0 ? [] : ["Hypotheses:", ...hypothesisLines(entry.hypotheses), ""]),
    fullEnding(entry),
  ].join("\n");
}
