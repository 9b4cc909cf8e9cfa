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
import type { SessionEntry } from "../session/entry.ts";
import { checkWished, hypothesisLines, listed } from "../session/hypotheses.ts";
import { LEDGER, type Ledger } from "../session/ledger.ts";
import { fullEnding } from "../session/next-step.ts";
import { hypothesesOf } from "../session/plain-lines.ts";
import { recordPath } from "../session/record.ts";
import { SESSION_START, type SessionStart } from "../session/session-start.ts";
import { SESSIONS, standing, type Sessions } from "../session/sessions.ts";
import { INFORMATION, questionText } from "../session/steps.ts";

/** Begins a session. */
@injectable()
export class StartCommand implements CommandHandler<StartInput, StartOutput> {
  constructor(
    @inject(SESSION_START) private readonly start: SessionStart,
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(LEDGER) private readonly ledger: Ledger,
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @throws SkillError as `begin` does, `INPUT_INVALID` for hypotheses before anything is begun. */
  async run(input: StartInput, call: Call): Promise<StartOutput> {
    const wished = input.hypotheses && hypothesesOf(input.hypotheses);
    if (wished) {
      const { root } = await this.ledger.project();
      await checkWished(wished, { root, folder: this.environment.workingFolder, files: this.files });
    }
    call.progress("Looking at how the code is now.");
    const begun = await this.start.begin(input, call.signal);
    const { root, entry } = wished
      ? await this.sessions.turn(begun.entry.id, call, (opened) =>
          this.sessions.step(opened, "hypothesize", (now) => listed(wished, now)),
        )
      : begun;
    const record = recordPath(root, entry.id);
    return { ...standing(entry), record, text: textOf(entry, record) };
  }
}

function textOf(entry: SessionEntry, record: string): string {
  const { id, state, hypotheses } = entry;
  return [
    `The session ${id} has begun. Its record: ${record}`,
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
