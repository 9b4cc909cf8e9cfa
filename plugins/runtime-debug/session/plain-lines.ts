import { SkillError } from "skillctl";
import type { HypothesizeInput, JudgeInput } from "../contract.ts";
import type { Level } from "./entry.ts";
import type { Wished } from "./hypotheses.ts";

type Verdict = Exclude<JudgeInput["verdicts"][number], string>;

export const HYPOTHESIS_LINE = "TEXT | refuted by: WHAT LINES WOULD SHOW | at FILE:LINE";
export const VERDICT_LINE = "A confirmed #12, #15-18: WHY";

/** What may stand in front of a line of a list. */
const BULLET = /^\s*(?:[-*]|\d{1,2}[.)]|[A-P][.):])\s+/;
const PART = /^(refuted by|at|likelihood|effort)\s*:?\s+(.*)$/is;
const NAMES: Readonly<Record<string, "refutedBy" | "observe" | "likelihood" | "effort">> = {
  "refuted by": "refutedBy",
  at: "observe",
  likelihood: "likelihood",
  effort: "effort",
};
const VERDICT =
  /^([A-P])\s*:?\s+(confirmed|rejected|inconclusive)\s+(none|#?\d[\d\s,;#\u2013-]*?)\s*(?::\s*(.*))?$/is;

/**
 * Hypotheses as objects: a line is the text, then `refuted by: …` and `at FILE:LINE`, with ` | ` between them, and
 * `likelihood: high`, `effort: low` where they are not medium.
 * @throws SkillError `INPUT_INVALID` with the number of the line
 */
export function hypothesesOf(given: HypothesizeInput["hypotheses"]): readonly Wished[] {
  return given.map((one, index) => (typeof one === "string" ? hypothesisIn(one, index) : one));
}

/** Verdicts as objects: a line is letter, verdict and lines, then a colon and why. @throws SkillError `INPUT_INVALID` */
export function verdictsOf(given: JudgeInput["verdicts"]): readonly Verdict[] {
  return given.map((one, index) => {
    if (typeof one !== "string") return one;
    const [, letter, verdict, lines, because] = VERDICT.exec(one.trim().replace(/^[-*]\s+/, "")) ?? [];
    if (letter === undefined || verdict === undefined || lines === undefined)
      throw unread(`/verdicts/${index}`, index, "verdicts", "is no verdict", one, VERDICT_LINE);
    return {
      hypothesis: letter.toUpperCase(),
      verdict: verdict.toLowerCase() as Verdict["verdict"],
      lines: lines.trim(),
      ...(because?.trim() && { because: because.trim() }),
    };
  });
}

function hypothesisIn(line: string, index: number): Wished {
  const [text = "", ...parts] = ` ${line.replace(BULLET, "")} `.split(/\s\|\s/);
  const found: { refutedBy?: string; observe?: string; likelihood?: string; effort?: string } = {};
  const refuse = (what: string): SkillError =>
    unread(`/hypotheses/${index}`, index, "hypotheses", what, line, HYPOTHESIS_LINE);
  for (const part of parts) {
    const [, key = "", value = ""] = PART.exec(part.trim()) ?? [];
    const name = NAMES[key.toLowerCase()];
    if (!name)
      throw refuse(`has a part that begins with none of "refuted by:", "at", "likelihood:", "effort:"`);
    found[name] = value.trim();
  }
  const { refutedBy, observe, likelihood = "medium", effort = "medium" } = found;
  if (text.trim() === "") throw refuse("names no cause");
  if (!refutedBy) throw refuse("does not say what would refute it");
  if (!observe) throw refuse("does not say where it can be seen");
  for (const level of [likelihood, effort])
    if (!/^(?:high|medium|low)$/i.test(level)) throw refuse(`has "${level}" for high, medium or low`);
  return {
    text: text.trim(),
    refutedBy,
    observe,
    likelihood: likelihood.toLowerCase() as Level,
    effort: effort.toLowerCase() as Level,
  };
}

function unread(
  pointer: string,
  index: number,
  list: string,
  what: string,
  line: string,
  form: string,
): SkillError {
  const shown = line.length > 100 ? `${line.slice(0, 100)}…` : line;
  return new SkillError("INPUT_INVALID", `Line ${index + 1} of the ${list} ${what}: ${shown}`, {
    pointer,
    hint: `Write it like this: ${form}`,
  });
}
