import { CLOCK, FILES, LOG, PHASES, inject, injectable } from "skillctl";
import type { Call, Clock, CommandHandler, Files, Log, Phases } from "skillctl";
import type { StartInput, StartOutput } from "./contract.ts";
import { QUESTIONS, questionText } from "./protocol/questions.ts";
import type { BeginParts } from "./session/begin.ts";
import { unknownOf } from "./session/first-entry.ts";
import { LEDGER, type Ledger } from "./session/ledger.ts";
import { ending } from "./session/next-step.ts";
import { RECORD_FILE, type RecordFile } from "./session/record-file.ts";
import { standing, type OpenedSession } from "./session/sessions.ts";
import { TURNS, type Turns } from "./session/turns.ts";
import { WORKTREE, type Worktree } from "./worktree/worktree.ts";

/** Begins a session. */
@injectable()
export class StartCommand implements CommandHandler<StartInput, StartOutput> {
  readonly #parts: BeginParts;

  constructor(
    @inject(LEDGER) ledger: Ledger,
    @inject(RECORD_FILE) record: RecordFile,
    @inject(WORKTREE) worktree: Worktree,
    @inject(FILES) files: Files,
    @inject(CLOCK) clock: Clock,
    @inject(LOG) log: Log,
    @inject(TURNS) turns: Turns,
    @inject(PHASES) phases: Phases,
  ) {
    this.#parts = { ledger, record, worktree, files, clock, log, turns, phases };
  }

  /** @throws SkillError as `begin` does. */
  async run(input: StartInput, call: Call): Promise<StartOutput> {
    const { begin } = await import("./session/begin.ts");
    call.progress("Looking at how the code is now.");
    const opened = await begin(input, this.#parts, call.signal);
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
    ...(unknown.length === 0 ? [] : asks),
    ending(entry),
  ].join("\n");
}
