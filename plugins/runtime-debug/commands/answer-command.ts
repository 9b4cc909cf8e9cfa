import { inject, injectable, SkillError, type Call, type CommandHandler } from "skillctl";
import { findingsText } from "../check/finding.ts";
import type { AnswerInput, AnswerOutput } from "../contract.ts";
import { DRIFT, type Drift } from "../drift/drift.ts";
import type { SessionEntry } from "../session/entry.ts";
import { allOf, EVIDENCE, type Evidence } from "../session/evidence.ts";
import { earlierWith, reopened } from "../session/hypotheses.ts";
import { judgedByFix, nextReproduction, runOf } from "../session/rounds.ts";
import { SESSIONS, answered, type OpenedSession, type Sessions } from "../session/sessions.ts";
import { QUESTIONS, questionText, type Fact, type Letter, type Question } from "../session/steps.ts";
import { framed } from "../store/event/inert-text.ts";
import { CLEANUP, type Handler } from "./handlers.ts";
import { VERIFY, type VerifyCommand } from "./verify-command.ts";

type Facts = Omit<AnswerInput, "session" | "answer" | "note" | "cleanup" | "report">;

/** The number of newest pieces of material that are kept. */
const MOST_MATERIAL = 50;

/** The note to a letter, and whether the person chose the letter at the terminal, in the client or on the page. */
interface Remark {
  readonly note: string | undefined;
  readonly isOwn: boolean;
}

/** Records the user's answer and further information from the user. */
@injectable()
export class AnswerCommand implements CommandHandler<AnswerInput, AnswerOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(EVIDENCE) private readonly evidence: Evidence,
    @inject(DRIFT) private readonly drift: Drift,
    @inject(VERIFY) private readonly verification: VerifyCommand,
    @inject(CLEANUP) private readonly cleaner: Handler<"cleanup">,
  ) {}

  /** @throws SkillError `DEBUG_STEP`, `DEBUG_DRIFT`, `CANCELLED`, and the errors of finding the session. */
  async run({ cleanup = false, report, ...input }: AnswerInput, call: Call): Promise<AnswerOutput> {
    if (report !== undefined && !cleanup)
      throw new SkillError("USAGE", "--report requires --cleanup, which is missing.");
    const said = await this.#said(input, call);
    if (!cleanup || said.answer === undefined) return said;
    if (said.state !== "cleaning") {
      const text = `${said.text}\nNothing has been cleaned up: the session continues.`;
      return { ...said, text };
    }
    const { session } = said;
    const { cause = "", fixes } = (await this.sessions.open(session)).entry;
    const place = report !== undefined && { report };
    const { state, step, next, text } = await this.cleaner.run({ session, ...place }, call);
    // Earlier steps have already shown the rest of the summary.
    const [closed = "", ...summary] = text.split(/\n\n(?=# )/);
    const told = [
      ...(cause === "" ? [] : [`Root cause: ${cause}`]),
      ...fixes.map((fix) => `Fix: ${fix.summary}`),
    ];
    const facts = summary.length === 0 ? [] : told;
    return { ...said, state, step, next, text: [closed, ...facts].join("\n") };
  }

  async #said(
    { session, answer, note, ...facts }: Omit<AnswerInput, "cleanup" | "report">,
    call: Call,
  ): Promise<AnswerOutput> {
    const opened =
      Object.keys(facts).length > 0
        ? await this.#informed(session, facts, call)
        : await this.sessions.open(session);
    const { entry } = opened;
    const question = QUESTIONS[entry.state];
    if (answer === undefined && Object.keys(facts).length > 0)
      return unanswered(opened, question, TAKEN_DOWN);
    const letter = (answer?.toUpperCase() ?? (await asked(question, call))) as Letter | undefined;
    if (letter === undefined) return unanswered(opened, question);
    // The turn begins once the person has answered; the question must still be the same.
    return this.sessions.turn(entry.id, call, (now) => {
      if (now.entry.state !== entry.state) throw otherQuestion(now);
      return this.#answered(now, letter, { note, isOwn: answer === undefined }, call);
    });
  }

  /** Records information from the user: material is appended, other fields are replaced. */
  #informed(
    session: string | undefined,
    { material = [], ...facts }: Facts,
    call: Call,
  ): Promise<OpenedSession> {
    return this.sessions.turn(session, call, (opened) => {
      const known = opened.entry.material ?? [];
      const all = material.length === 0 ? known : [...known, ...material].slice(-MOST_MATERIAL);
      return this.sessions.write(opened, {
        ...opened.entry,
        ...facts,
        ...(all.length > 0 && { material: all }),
      });
    });
  }

  /** Takes the step of an answer. Answers B and C about the bug begin another round. */
  async #answered(
    opened: OpenedSession,
    letter: Letter,
    { note, isOwn }: Remark,
    call: Call,
  ): Promise<AnswerOutput> {
    const { state, runs } = opened.entry;
    const action = `answer ${letter}` as const;
    this.sessions.refuse(opened, action);
    const option = QUESTIONS[state]?.options[letter] ?? "Abort debugging";
    const told = `${letter}) ${option}${note === undefined ? "" : `: ${note}`}`;
    const said = isOwn ? `${told} (answered by the user)` : told;
    const isKept = isOwn || note !== undefined;
    const recorded = { ...noted(opened.entry, letter, said, isKept), ...(isOwn && { answered: told }) };
    if (state === "verifying" && (letter === "A" || letter === "C")) {
      const verified = await this.verification.of(opened, action, call, recorded);
      return { ...verified, answer: letter, text: `${said}\n\n${verified.text}` };
    }
    // An observation is valid only for unchanged code. An abort is always possible.
    const isTry = state === "reproducing" && letter !== "D";
    if (isTry) await this.drift.refuse(opened, action);
    const counts = isTry ? await this.evidence.count(opened, runs.before) : undefined;
    if (counts?.evidence === 0 && letter === "A")
      await this.evidence.refuseWithout(opened, "answer A", counts, call);
    const holds: readonly Fact[] = counts && counts.evidence > 0 ? ["evidence"] : [];
    const isStill = letter === "B" && state === "confirming";
    const shown =
      isStill || (letter === "A" && isTry)
        ? await this.#eventLines(opened)
        : await this.#remarks(opened, letter);
    const seen = counts && allOf(counts);
    const change = (now: SessionEntry): Partial<SessionEntry> => ({
      ...recorded,
      ...round(state, letter, now, (seen ?? 0) > 0),
      ...(seen !== undefined && { seen }),
    });
    const { entry } = await this.sessions.step(opened, action, change, holds);
    return answered(entry, [said, ...shown], { answer: letter });
  }

  /** The evidence to be judged: that of the newest run. */
  async #eventLines(opened: OpenedSession): Promise<readonly string[]> {
    const { id } = opened.entry;
    const run = runOf(opened.entry);
    const { lines, more, skipped } = await this.evidence.texts(opened, run);
    if (lines.length === 0) return [];
    const passes = `${skipped.toLocaleString("en")} ${skipped === 1 ? "pass was" : "passes were"} not reported`;
    const rest = `${more} more: skillctl run runtime-debug logs ${id} --run-id ${run} (--format summary counts them).`;
    return [
      "",
      framed(lines),
      ...(more > 0 ? [rest] : []),
      ...(skipped > 0 ? [`At least ${passes}: a probe stops at its --limit and --most.`] : []),
    ];
  }

  /** The drift, if the session continues to its cleanup in any case. */
  async #remarks(opened: OpenedSession, letter: Letter): Promise<readonly string[]> {
    if (letter !== "D" && !(letter === "A" && opened.entry.state === "confirming")) return [];
    try {
      const found = await this.drift.of(opened);
      return found.length === 0 ? [] : ["", "Code other than the probes has changed:", findingsText(found)];
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      return ["", `The code could not be checked for changes beyond probes: ${caught.message}`];
    }
  }
}

/** Stores an answer: B and C as the reason for another round; others as a note, except a bare letter from the agent. */
function noted(
  { state, iterations, notes = [] }: SessionEntry,
  letter: Letter,
  said: string,
  isKept: boolean,
): Partial<SessionEntry> {
  const isRound = (letter === "B" || letter === "C") && (state === "reproducing" || state === "confirming");
  if (isRound) return { iterations: [...iterations, said] };
  return isKept || state === "observing" ? { notes: [...notes, said] } : {};
}

function round(
  from: SessionEntry["state"],
  letter: Letter,
  entry: SessionEntry,
  hasEvents: boolean,
): Partial<SessionEntry> {
  if (from === "confirming" && (letter === "B" || letter === "C"))
    return {
      runs: letter === "B" ? judgedByFix(entry) : nextReproduction(entry),
      earlier: earlierWith(entry, entry.hypotheses),
      hypotheses: reopened(entry.hypotheses),
    };
  const isMissed = from === "reproducing" && (letter === "B" || letter === "C");
  // Events of a failed attempt must not count for the next one.
  return isMissed && hasEvents ? { runs: nextReproduction(entry) } : {};
}

/** Asks the person through the surface, if that is possible. */
async function asked(question: Question | undefined, { person }: Call): Promise<string | undefined> {
  if (!question || !person?.choose) return undefined;
  const options = Object.entries(question.options).map(([value, label]) => ({ value, label }));
  return person.choose({ text: question.text, options });
}

function otherQuestion({ entry }: OpenedSession): SkillError {
  return new SkillError(
    "DEBUG_CHANGED",
    `Another command has changed the session ${entry.id} in the meantime.`,
    {
      hint: "Run status: another question may be open now.",
    },
  );
}

const TAKEN_DOWN = "The information is in the record.";
const ASK = "Ask the user and pass the letter on; nothing has been answered yet.";

function unanswered({ entry }: OpenedSession, question: Question | undefined, told = ASK): AnswerOutput {
  if (!question) return answered(entry, [told === ASK ? "No question is open at this step." : told], {});
  const { text, options } = question;
  // The end of an answer shows the other questions.
  const shown = entry.state === "observing" ? ["", questionText(question)] : [];
  return answered(entry, [told, ...shown], { question: { text, options: { ...options } } });
}
