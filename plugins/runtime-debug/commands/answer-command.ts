import { SkillError, inject, injectable, type Call, type CommandHandler } from "skillctl";
import type { AnswerInput, AnswerOutput } from "../contract.ts";
import { DRIFT, type Drift } from "../drift/drift.ts";
import { QUESTIONS, type Letter, type Question } from "../session/steps.ts";
import { ANSWERS, type Answer, type Answers } from "../session/answers.ts";
import { ending } from "../session/next-step.ts";
import { SESSIONS, standing, type OpenedSession, type Sessions } from "../session/sessions.ts";

/** Passes on what the user has answered. */
@injectable()
export class AnswerCommand implements CommandHandler<AnswerInput, AnswerOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(ANSWERS) private readonly answers: Answers,
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
    return this.sessions.turn(entry.id, call.signal, () => this.#answered(opened, { letter, note }, call));
  }

  async #answered(asked: OpenedSession, answer: Answer, call: Call): Promise<AnswerOutput> {
    const opened = await this.sessions.open(asked.entry.id);
    this.sessions.refuse(opened, `answer ${answer.letter}`);
    if (opened.entry.state !== asked.entry.state) throw otherQuestion(opened);
    // What was seen in the program is said of the code as it was. An abort is always possible.
    const hangs = opened.entry.state === "reproducing" && answer.letter !== "D";
    if (hangs) await this.drift.refuse(opened, `answer ${answer.letter}`);
    const remarks = hangs ? [] : await this.#remarks(opened, answer.letter);
    const { opened: next, said, shown } = await this.answers.take(opened, answer, call);
    const text = [said, "", ...shown, ...remarks, ending(next.entry)].join("\n");
    return { ...standing(next.entry), answer: answer.letter, text };
  }

  /** What has drifted, where the session goes on to its cleanup whatever the look at the code says. */
  async #remarks(opened: OpenedSession, letter: Letter): Promise<readonly string[]> {
    if (letter !== "D" && !(letter === "A" && opened.entry.state === "confirming")) return [];
    try {
      return await this.drift.remarks(opened);
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      return [`Whether the code has changed by more than probes could not be seen: ${caught.message}`, ""];
    }
  }
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
  return { ...standing(entry), ...(rows && { question: rows }), text: `${told}\n\n${ending(entry)}` };
}
