import {
  ENVIRONMENT,
  FILES,
  inject,
  injectable,
  type Call,
  type CommandHandler,
  type Environment,
  type Files,
} from "skillctl";
import type { StartInput, StartOutput } from "../contract.ts";
import { QUESTIONS, questionText } from "../session/steps.ts";
import { SESSION_START, unknownOf, type SessionStart } from "../session/session-start.ts";
import { hypothesisLines } from "../session/hypotheses.ts";
import { LEDGER, type Ledger } from "../session/ledger.ts";
import { fullEnding } from "../session/next-step.ts";
import { RECORD_FILE, type RecordFile } from "../session/record-file.ts";
import { SESSIONS, standing, type OpenedSession, type Sessions } from "../session/sessions.ts";

/** Begins a session. */
@injectable()
export class StartCommand implements CommandHandler<StartInput, StartOutput> {
  constructor(
    @inject(SESSION_START) private readonly start: SessionStart,
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(LEDGER) private readonly ledger: Ledger,
    @inject(RECORD_FILE) private readonly record: RecordFile,
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @throws SkillError as `begin` does, `INPUT_INVALID` for hypotheses before anything is begun. */
  async run(input: StartInput, call: Call): Promise<StartOutput> {
    const [{ checkWished, listed }, { hypothesesOf }] = await Promise.all([
      import("../session/hypotheses.ts"),
      import("../session/plain-lines.ts"),
    ]);
    const wished = input.hypotheses && hypothesesOf(input.hypotheses);
    if (wished) {
      const { root } = await this.ledger.project();
      await checkWished(wished, { root, folder: this.environment.workingFolder, files: this.files });
    }
    call.progress("Looking at how the code is now.");
    const begun = await this.start.begin(input, call.signal);
    const opened = wished
      ? await this.sessions.turn(begun.entry.id, call.signal, () =>
          this.sessions.step(begun, "hypothesize", new Set(), (now) => listed(wished, now)),
        )
      : begun;
    const record = this.record.path(opened.root, opened.entry.id);
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
