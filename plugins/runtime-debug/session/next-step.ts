import { probeCommand, QUESTIONS, questionText, STEPS, type Question, type State } from "./steps.ts";
import type { SessionEntry } from "./entry.ts";
import { backLine } from "./rounds.ts";
import { HYPOTHESIS_LINE, VERDICT_LINE } from "./hypotheses.ts";

const PROGRAM = "skillctl run runtime-debug";

/** The command to type in each state. The session is always named: another one may begin in the same project at any time. */
const TYPED: Readonly<Record<State, (session: SessionEntry) => string>> = {
  observing: ({ id }) => `${PROGRAM} hypothesize --session ${id} --hypotheses "${HYPOTHESIS_LINE}"`,
  instrumenting: ({ id, hypotheses }) =>
    `${probeCommand(id, letterOf(hypotheses))}; then ${PROGRAM} check ${id}`,
  reproducing: ({ id }) => `${PROGRAM} answer LETTER --session ${id}`,
  judging: (session) =>
    `${PROGRAM} judge --session ${session.id} --verdicts "${letterOf(session.hypotheses)} ${VERDICT_LINE.slice(2)}"`,
  fixing: ({ id }) => `${PROGRAM} fix "WHAT WAS CHANGED" --session ${id}`,
  verifying: ({ id }) => `${PROGRAM} verify ${id}`,
  confirming: ({ id }) => `${PROGRAM} answer LETTER --session ${id}`,
  cleaning: ({ id }) => `${PROGRAM} cleanup ${id}`,
  closed: () => "",
};

/** Flags that may be repeated, in a separate sentence, so that the command can be pasted. */
const REPEATED: Readonly<Partial<Record<State, string>>> = {
  observing: " (one line for each)",
  judging: " (one line for each)",
};

/** The hypothesis to continue with: the first without a verdict. */
function letterOf(hypotheses: SessionEntry["hypotheses"]): string {
  const one = hypotheses.find(({ verdict }) => verdict === "pending") ?? hypotheses[0];
  return one?.id ?? "A";
}

/** The next action, with the command to type. */
export function nextStep(session: SessionEntry): string {
  const { next } = STEPS[session.state];
  const typed = TYPED[session.state](session);
  return typed === "" ? next : `${next} Type${REPEATED[session.state] ?? ""}: ${typed}`;
}

/** The end of the text of a step: the open question, and the next step. */
export function ending(session: SessionEntry): string {
  const { state } = session;
  const question = openQuestion(state);
  return [
    ...(question ? [questionText(question), ""] : []),
    `Step ${STEPS[state].number} of 11. ${nextStep(session)}`,
  ].join("\n");
}

/** The question to the user at a step; the first question is asked only by `start`. */
export function openQuestion(state: State): Question | undefined {
  return state === "observing" ? undefined : QUESTIONS[state];
}

/** The end of a separate text: also tells how to abort the session and undo the last step. */
export function fullEnding(session: SessionEntry): string {
  const { id, state } = session;
  const back = backLine(session);
  return [
    ending(session),
    ...(back === undefined ? [] : [back]),
    ...(state === "cleaning" || state === "closed" || openQuestion(state)
      ? []
      : [`To abort at any time: ${PROGRAM} answer D --session ${id}`]),
  ].join("\n");
}

/**
 * The steps for the user, as numbered lines (specification of runtime debugging, "Rules on instrumentation" 3): `what` is
 * new in the program since it was started; missing if the running program is observed.
 */
export function guidance(steps: readonly string[], what?: "the probes" | "the fix"): readonly string[] {
  const known = steps.length > 0 ? steps : ["Reproduce the bug in the same way as before."];
  const all = [
    ...(what === undefined ? [] : [`Start the program again, so that it runs with ${what}.`]),
    ...known,
  ];
  return ["Steps for the user:", ...all.map((step, index) => `  ${index + 1}. ${step}`)];
}
