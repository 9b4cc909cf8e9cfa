import { QUESTIONS, questionText } from "../protocol/questions.ts";
import { STEPS, type State } from "../protocol/steps.ts";
import type { SessionEntry } from "./entry.ts";
import { runOf } from "./rounds.ts";

const PROGRAM = "skillctl run runtime-debug";

const HYPOTHESIS =
  '{"text":"CAUSE","refutedBy":"WHAT LINES WOULD SHOW","observe":"FILE:LINE","likelihood":"high","effort":"low"}';
const VERDICT = ',"verdict":"confirmed","lines":"#12, #15-18","because":"WHY"}';

type Told = Pick<SessionEntry, "id" | "state" | "runs" | "hypotheses">;

/** What to type in each state. The session is always named: another one may begin in the same project at any time. */
const TYPED: Readonly<Record<State, (session: Told) => string>> = {
  observing: ({ id }) => `${PROGRAM} hypothesize --session ${id} --hypotheses '${HYPOTHESIS}'`,
  instrumenting: ({ id, hypotheses }) =>
    `${PROGRAM} probe --session ${id} --hypothesis ${letterOf(hypotheses)} --point NAME --data EXPRESSION --apply FILE:LINE; ` +
    `then ${PROGRAM} check ${id}`,
  reproducing: ({ id }) => `${PROGRAM} answer LETTER --session ${id}`,
  judging: (session) =>
    `${PROGRAM} logs ${session.id} --run-id ${runOf(session)}; ` +
    `then ${PROGRAM} judge --session ${session.id} --verdicts '{"hypothesis":"${letterOf(session.hypotheses)}"${VERDICT}'`,
  fixing: ({ id }) => `${PROGRAM} fix "WHAT WAS CHANGED" --session ${id}`,
  verifying: ({ id }) => `${PROGRAM} verify ${id}`,
  confirming: ({ id }) => `${PROGRAM} answer LETTER --session ${id}`,
  cleaning: ({ id }) => `${PROGRAM} cleanup ${id}`,
  closed: () => "",
};

/** What is given several times; beside the command, so that the command can be pasted. */
const REPEATED: Readonly<Partial<Record<State, string>>> = {
  observing: " (--hypotheses once for each)",
  judging: " (--verdicts once for each)",
};

/** The one to go on with: the first that is not judged. */
function letterOf(hypotheses: SessionEntry["hypotheses"]): string {
  const one = hypotheses.find(({ verdict }) => verdict === "pending") ?? hypotheses[0];
  return one?.id ?? "A";
}

/** What is to be done now, with the command to type. */
export function nextStep(session: Told): string {
  const { next } = STEPS[session.state];
  const typed = TYPED[session.state](session);
  return typed === "" ? next : `${next} Type${REPEATED[session.state] ?? ""}: ${typed}`;
}

/** How every text of a session ends: the question that is open, what comes next, and that it can be aborted. */
export function ending(session: Told): string {
  const { id, state } = session;
  const question = QUESTIONS[state];
  const isAsked = question && state !== "observing";
  const lines = [
    ...(isAsked ? [questionText(question), ""] : []),
    `Step ${STEPS[state].number} of 11. ${nextStep(session)}`,
    ...(state === "cleaning" || state === "closed"
      ? []
      : [`To abort at any time: ${PROGRAM} answer D --session ${id}`]),
  ];
  return lines.join("\n");
}

/**
 * What the user is to do, as numbered lines (specification of runtime debugging, "Rules on instrumentation" 3): `what` is
 * new in the program since it was started.
 */
export function guidance(steps: readonly string[], what: "the probes" | "the fix"): readonly string[] {
  const known = steps.length > 0 ? steps : ["Do what shows the bug, the same way as before."];
  const all = [`Start the program again, so that it runs with ${what}.`, ...known];
  return ["What the user does now:", ...all.map((step, index) => `  ${index + 1}. ${step}`)];
}
