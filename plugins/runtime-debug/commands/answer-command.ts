import { inject, injectable, SkillError, type Call, type CommandHandler } from "skillctl";
import { findingsText } from "../check/finding.ts";
import type { AnswerInput, AnswerOutput } from "../contract.ts";
import { DRIFT, type Drift } from "../drift/drift.ts";
import { DEBUG_SERVERS, type DebugServers } from "../session/debug-servers.ts";
import type { SessionEntry } from "../session/entry.ts";
import { allOf, EVIDENCE, refuseWithoutEvidence, type Evidence } from "../session/evidence.ts";
import { reopened, roundsWith } from "../session/hypotheses.ts";
import { judgedByFix, nextReproduction, otherSymptoms } from "../session/rounds.ts";
import { SESSIONS, answered, type OpenedSession, type Sessions } from "../session/sessions.ts";
import { QUESTIONS, type Fact, type Letter, type Question } from "../session/steps.ts";
import { framed } from "../store/event/inert-text.ts";

/** Passes on what the user has answered. */
@injectable()
export class AnswerCommand implements CommandHandler<AnswerInput, AnswerOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(EVIDENCE) private readonly evidence: Evidence,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
    @inject(DRIFT) private readonly drift: Drift,
  ) {}

  /** @throws SkillError `DEBUG_STEP`, `DEBUG_DRIFT`, `CANCELLED`, and what finding the session throws. */
  async run({ session, answer, note }: AnswerInput, call: Call): Promise<AnswerOutput> {
    const opened = await this.sessions.open(session);
    const { entry } = opened;
    const question = QUESTIONS[entry.state];
    const letter = (answer?.toUpperCase() ?? (await asked(question, call))) as Letter | undefined;
    if (letter === undefined) return unanswered(opened, question);
    // The turn begins when the person has answered; the question must still be the one that was asked.
    return this.sessions.turn(entry.id, call, (now) => {
      if (now.entry.state !== entry.state) throw otherQuestion(now);
      return this.#answered(now, letter, note, call);
    });
  }

  /** Takes the step of an answer. Answers B and C to what was seen of the bug begin another round. */
  async #answered(
    opened: OpenedSession,
    letter: Letter,
    note: string | undefined,
    call: Call,
  ): Promise<AnswerOutput> {
    const { state, runs } = opened.entry;
    this.sessions.refuse(opened, `answer ${letter}`);
    // What was seen in the program is said of the code as it was. An abort is always possible.
    const isTry = state === "reproducing" && letter !== "D";
    if (isTry) await this.drift.refuse(opened, `answer ${letter}`);
    const counts = isTry ? await this.evidence.count(opened, runs.before) : undefined;
    if (counts?.evidence === 0 && letter === "A")
      await refuseWithoutEvidence(opened, "answer A", counts, this.servers, call);
    const holds: readonly Fact[] = counts && counts.evidence > 0 ? ["evidence"] : [];
    const shown =
      letter === "A" && isTry ? await this.#eventLines(opened) : await this.#remarks(opened, letter);
    const seen = counts && allOf(counts);
    const option = QUESTIONS[state]?.options[letter] ?? "Abort debugging";
    const said = `${letter}) ${option}${note === undefined ? "" : `: ${note}`}`;
    const change = (now: SessionEntry): Partial<SessionEntry> => ({
      ...noted(opened.entry, letter, said, note),
      ...round(state, letter, now, (seen ?? 0) > 0),
      ...(seen !== undefined && { seen }),
    });
    const { entry } = await this.sessions.step(opened, `answer ${letter}`, change, holds);
    return answered(entry, [said, ...shown], { answer: letter });
  }

  /** The evidence that is to be judged, which has just come in. */
  async #eventLines(opened: OpenedSession): Promise<readonly string[]> {
    const { id, runs } = opened.entry;
    const { lines, more } = await this.evidence.texts(opened, runs.before);
    if (lines.length === 0) return [];
    const rest = `${more} more: skillctl run runtime-debug logs ${id} --run-id ${runs.before}, with --format summary too.`;
    return ["", framed(lines), ...(more > 0 ? [rest] : [])];
  }

  /** What has drifted, where the session goes on to its cleanup whatever the look at the code says. */
  async #remarks(opened: OpenedSession, letter: Letter): Promise<readonly string[]> {
    if (letter !== "D" && !(letter === "A" && opened.entry.state === "confirming")) return [];
    try {
      const found = await this.drift.of(opened);
      return found.length === 0 ? [] : ["", "Beside probes, the code has changed:", findingsText(found)];
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      return ["", `Whether the code has changed by more than probes could not be seen: ${caught.message}`];
    }
  }
}

/** Where an answer is kept: B and C as the reason of another round, what else was said as a note. */
function noted(
  { state, iterations, notes = [] }: SessionEntry,
  letter: Letter,
  said: string,
  note: string | undefined,
): Partial<SessionEntry> {
  const isRound = (letter === "B" || letter === "C") && state !== "observing";
  if (isRound) return { iterations: [...iterations, said] };
  return note === undefined && state !== "observing" ? {} : { notes: [...notes, said] };
}

function round(
  from: SessionEntry["state"],
  letter: Letter,
  entry: SessionEntry,
  hasEvents: boolean,
): Partial<SessionEntry> {
  if (from === "confirming" && (letter === "B" || letter === "C"))
    return {
      runs: letter === "B" ? judgedByFix(entry) : otherSymptoms(entry),
      rounds: roundsWith(entry, entry.hypotheses),
      hypotheses: reopened(entry.hypotheses),
    };
  const isMissed = from === "reproducing" && (letter === "B" || letter === "C");
  // Events of a try that was none must not count for the next one.
  return isMissed && hasEvents ? { runs: nextReproduction(entry) } : {};
}

/** Asks whoever sits at the surface, where that is possible. */
async function asked(question: Question | undefined, { person }: Call): Promise<string | undefined> {
  if (!question || !person?.choose) return undefined;
  const options = Object.entries(question.options).map(([value, label]) => ({ value, label }));
  return person.choose({ text: question.text, options });
}

function otherQuestion({ entry }: OpenedSession): SkillError {
  return new SkillError("DEBUG_CHANGED", `Another command has changed the session ${entry.id} meanwhile.`, {
    hint: "Look at it with status: another question may be open now.",
  });
}

function unanswered({ entry }: OpenedSession, question: Question | undefined): AnswerOutput {
  const told = question
    ? "Ask the user and pass the letter on; nothing has been answered yet."
    : "No question is open at this step.";
  const rows = question && { text: question.text, options: { ...question.options } };
  return answered(entry, [told], rows ? { question: rows } : {});
}
