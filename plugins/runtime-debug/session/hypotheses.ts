import { quotedName, SkillError, type Files } from "skillctl";
import type { HypothesizeInput, JudgeInput, JudgeOutput, ProbeInput } from "../contract.ts";
import { dataFields } from "../probes/probe-text.ts";
import { probedFile } from "../probes/probed-file.ts";
import { linesOf } from "../regions/regions.ts";
import { NOTICE } from "../store/event/inert-text.ts";
import type { Hypothesis, NewHypothesis, SessionEntry } from "./entry.ts";

/** The letters that a log can name (specification of runtime debugging, "Rules on instrumentation"). */
const LETTERS = [..."ABCDEFGHIJKLMNOP"];

type NewVerdict = Exclude<JudgeInput["verdicts"][number], string>;

/** How a hypothesis and a verdict are written as plain lines. */
export const HYPOTHESIS_LINE =
  "TEXT | refuted by: WHAT LINES WOULD SHOW | at FILE:LINE | log: NAME=EXPRESSION";
export const VERDICT_LINE = "A confirmed #12, #15-18: WHY";
const ORDER_LINE = "A confirmed #4, #7: the write #7 comes after the read #4";

/** The bullet or number of a line of a list. */
const BULLET = /^\s*(?:[-*]|\d{1,2}[.)]|[A-P][.):])\s+/;
const PART = /^(refuted by|at|log|likelihood|effort)(?:\s*:)?\s+([^]*)/i;
const NAMES: Readonly<Record<string, "refutedBy" | "observe" | "log" | "likelihood" | "effort">> = {
  "refuted by": "refutedBy",
  at: "observe",
  log: "log",
  likelihood: "likelihood",
  effort: "effort",
};
const VERDICT = /^([A-P])(?:\s*:)?\s+(confirmed|rejected|inconclusive)\s/i;
const CITED = /^(?:none|#?\d[\d\s,;#\u2013-]*)$/i;

/** The maximum number of characters of the name of a point. */
const MOST_POINT = 40;
const FILE_AND_LINES = /^(.+):([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/s;

/**
 * Hypotheses as objects: a line is the text, then `refuted by: …` and `at FILE:LINE`, with ` | ` between them, and optionally `log: NAME=EXPRESSION, EXPRESSION` for the values of a probe,
 * `likelihood: high` and `effort: low`. Refuses two that differ only in case, spaces and punctuation, and observation points that are not lines of a file of the project.
 * @throws SkillError `INPUT_INVALID` with the number of the line or the element
 */
export async function checkedHypotheses(
  given: HypothesizeInput["hypotheses"],
  root: string,
  folder: string,
  files: Files,
): Promise<readonly NewHypothesis[]> {
  const found = given.map((one, index) => (typeof one === "string" ? hypothesisIn(one, index) : one));
  for (const [index, { text, observe }] of found.entries()) {
    const same = found.findIndex((one) => wordsOf(one.text) === wordsOf(text));
    if (same < index)
      throw invalid(
        `/hypotheses/${index}/text`,
        `Hypotheses ${same + 1} and ${index + 1} are the same: "${text}".`,
        "Each must name a different cause, refuted by different log lines.",
      );
    const fault = await observationFault(observe, root, folder, files);
    if (fault !== undefined)
      throw invalid(
        `/hypotheses/${index}/observe`,
        `Hypothesis ${index + 1} cannot be observed at "${observe}": ${fault}`,
        "Name the one place that shows it as FILE:LINE or FILE:FROM-TO, as seen from the working folder, such as cart.js:7.",
      );
  }
  return found;
}

function hypothesisIn(line: string, index: number): NewHypothesis {
  const [text = "", ...parts] = ` ${line.replace(BULLET, "")} `.split(/\s\|\s/);
  const found: Partial<Record<(typeof NAMES)[string], string>> = {};
  const refuse = (what: string): SkillError => unread("hypotheses", index, what, line, HYPOTHESIS_LINE);
  for (const part of parts) {
    const [, key = "", value = ""] = PART.exec(part.trim()) ?? [];
    const name = NAMES[key.toLowerCase()];
    if (!name)
      throw refuse(
        `has a part that does not begin with "refuted by:", "at", "log:", "likelihood:" or "effort:"`,
      );
    found[name] = value.trim();
  }
  const { refutedBy, observe, log, likelihood = "medium", effort = "medium" } = found;
  if (text.trim() === "") throw refuse("names no cause");
  if (!refutedBy) throw refuse("does not state what would refute it");
  if (!observe) throw refuse("does not state the place that shows it");
  for (const level of [likelihood, effort])
    if (!/^(?:high|medium|low)$/i.test(level)) throw refuse(`has "${level}" instead of high, medium or low`);
  return {
    text: text.trim(),
    refutedBy,
    observe,
    ...(log !== undefined && { log: partsOf(log) }),
    likelihood: likelihood.toLowerCase() as NewHypothesis["likelihood"],
    effort: effort.toLowerCase() as NewHypothesis["effort"],
  };
}

/** Expressions between commas; a comma within brackets or quotes belongs to its expression. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let [part, depth, quote] = ["", 0, ""];
  for (const character of text) {
    if (quote !== "") quote = character === quote ? "" : quote;
    else if ("\"'`".includes(character)) quote = character;
    else if ("([{".includes(character)) depth += 1;
    else if (")]}".includes(character)) depth -= 1;
    if (character === "," && depth === 0 && quote === "") {
      parts.push(part.trim());
      part = "";
    } else part += character;
  }
  return [...parts, part.trim()].filter((one) => one !== "");
}

/** The fault of an observation point, as a sentence. */
async function observationFault(
  observe: string,
  root: string,
  folder: string,
  files: Files,
): Promise<string | undefined> {
  const [, name, first, last = first] = FILE_AND_LINES.exec(observe) ?? [];
  if (name === undefined) return "it names no line of a file.";
  try {
    const { path, text } = await probedFile(files, root, folder, name);
    const lines = linesOf(text).length;
    if (Number(last) < Number(first)) return "it ends before it begins.";
    return Number(last) > lines
      ? `${quotedName(path)} has ${lines} ${lines === 1 ? "line" : "lines"}.`
      : undefined;
  } catch (caught) {
    if (caught instanceof SkillError && caught.code === "DEBUG_PROBE_PLACE") return caught.message;
    throw caught;
  }
}

/**
 * Verdicts as objects: a line has the letter, the verdict and the cited lines, then a colon and the reason. @throws
 * SkillError `INPUT_INVALID`
 */
export function verdictsOf(given: JudgeInput["verdicts"]): readonly NewVerdict[] {
  return given.map((one, index) => {
    if (typeof one !== "string") return one;
    const whole = one.trim().replace(/^[-*]\s+/, "");
    const [head = "", letter, verdict] = VERDICT.exec(whole) ?? [];
    const [lines = "", ...because] = whole.slice(head.length).split(":");
    if (letter === undefined || verdict === undefined || !CITED.test(lines.trim()))
      throw unread(
        "verdicts",
        index,
        "is not a verdict",
        one,
        `${VERDICT_LINE}. To cite an order of events, cite its lines and describe it in words: ${ORDER_LINE}`,
      );
    return {
      hypothesis: letter.toUpperCase(),
      verdict: verdict.toLowerCase() as NewVerdict["verdict"],
      lines: lines.trim(),
      ...(because.join(":").trim() && { because: because.join(":").trim() }),
    };
  });
}

function unread(list: string, index: number, what: string, line: string, form: string): SkillError {
  const shown = line.length > 100 ? `${line.slice(0, 100)}…` : line;
  return invalid(
    `/${list}/${index}`,
    `Line ${index + 1} of the ${list} ${what}: ${shown}`,
    `Write it like this: ${form}`,
  );
}

function invalid(pointer: string, sentence: string, hint: string): SkillError {
  return new SkillError("INPUT_INVALID", sentence, { pointer, hint });
}

/** The minimum number of hypotheses in the first round (specification of runtime debugging, "Limits"). */
const FEWEST = 3;

/**
 * Refuses fewer than three hypotheses until a first round has been judged, or the user has seen a different behaviour:
 * after that, the session has already had three.
 * @throws SkillError `INPUT_INVALID`
 */
export function refuseFew(
  wished: readonly NewHypothesis[],
  { state, hypotheses, earlier = [] }: Pick<SessionEntry, "state" | "hypotheses" | "earlier">,
): void {
  const isJudged = hypotheses.every(({ verdict }) => verdict !== "pending");
  const isLater = hypotheses.length > 0 && (state === "observing" || earlier.length > 0 || isJudged);
  if (wished.length >= FEWEST || isLater) return;
  throw invalid(
    "/hypotheses",
    "The first round of a session needs three to five hypotheses.",
    `Give --hypotheses once for each of them: "${HYPOTHESIS_LINE}". In a later round one is enough.`,
  );
}

/** The probes of pending hypotheses: each with its data, placed before the line of its observation point. */
export function probesOf(hypotheses: readonly Hypothesis[]): NonNullable<ProbeInput["from"]> {
  return hypotheses.flatMap(({ id, observe, log, verdict }) => {
    if (!log || verdict !== "pending") return [];
    const [, name = "", line = "1"] = FILE_AND_LINES.exec(observe) ?? [];
    const point = pointOf(dataFields(log).map((field) => field.name));
    return [{ hypothesis: id, point, data: [...log], apply: `${name}:${line}` }];
  });
}

/** The name of a point that reports data of these names. */
export function pointOf(names: readonly string[]): string {
  const words = names.flatMap((name) => name.toLowerCase().match(/[a-z0-9]+/g) ?? []);
  const named = words
    .join("-")
    .slice(0, MOST_POINT)
    .split("-")
    .filter((word) => word !== "");
  return /^[a-z]/.test(named[0] ?? "") ? named.join("-") : ["at", ...named].join("-").slice(0, MOST_POINT);
}

/** A text without case, spaces and punctuation. */
function wordsOf(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\p{P}\p{Z}\p{C}]+/gu, "");
}

/**
 * The new hypotheses of a session, in the given order. A hypothesis with the text of an earlier one, apart from case, spaces and
 * punctuation, keeps its letter and its verdict; a new one gets the next of the letters A to P, so that no probe or event of
 * another one counts for it. When all letters have been used, the free ones are reused.
 */
export function listed(
  wished: readonly NewHypothesis[],
  entry: Pick<SessionEntry, "hypotheses" | "letters" | "earlier">,
): Pick<SessionEntry, "hypotheses" | "letters" | "earlier"> {
  const { hypotheses, letters: given = hypotheses.map(({ id }) => id) } = entry;
  const earlierOf = (text: string): Hypothesis | undefined =>
    hypotheses.find((one) => wordsOf(one.text) === wordsOf(text));
  const kept = wished.flatMap(({ text }) => earlierOf(text)?.id ?? []);
  const free = LETTERS.filter((letter) => !given.includes(letter));
  const again = LETTERS.filter((letter) => given.includes(letter) && !kept.includes(letter));
  const letters = [...free, ...again].values();
  const next = wished.map((one): Hypothesis => {
    const known = earlierOf(one.text) ?? { id: letters.next().value ?? "", verdict: "pending", lines: [] };
    return { ...known, ...one };
  });
  const gone = hypotheses.filter(({ id }) => !next.some((one) => one.id === id));
  return {
    hypotheses: next,
    letters: [...new Set([...given, ...next.map(({ id }) => id)])],
    earlier: earlierWith(entry, gone),
  };
}

const MOST_EARLIER = 100;

/** The hypotheses of earlier rounds, and the current ones with a verdict that is not recorded among them. */
export function earlierWith(
  { earlier = [] }: Pick<SessionEntry, "earlier">,
  hypotheses: readonly Hypothesis[],
): readonly Hypothesis[] {
  const known = new Set(earlier.map(judgement));
  const judged = hypotheses.filter((one) => one.verdict !== "pending" && !known.has(judgement(one)));
  return judged.length === 0 ? earlier : [...earlier, ...judged].slice(-MOST_EARLIER);
}

function judgement({ id, text, verdict, lines, run }: Hypothesis): string {
  return JSON.stringify([id, text, verdict, lines, run]);
}

/** A cause that was confirmed and whose fix has not helped is open again. */
export function reopened(hypotheses: readonly Hypothesis[]): readonly Hypothesis[] {
  return hypotheses.map((one) => (one.verdict === "confirmed" ? pending(one) : one));
}

/** A hypothesis without a verdict. */
export function pending({ because: _because, cited: _cited, run: _run, ...one }: Hypothesis): Hypothesis {
  return { ...one, verdict: "pending", lines: [] };
}

/** The hypotheses in the answers of commands. */
export function hypothesisRows(hypotheses: readonly Hypothesis[]): JudgeOutput["hypotheses"] {
  return hypotheses.map((one) => {
    const { id, text, observe, verdict, lines } = one;
    return { id, text, observe, verdict, lines: [...lines] };
  });
}

/** The hypotheses for reading, one per line. */
export function hypothesisLines(hypotheses: readonly Hypothesis[]): readonly string[] {
  return hypotheses.map(({ id, text, verdict, lines, observe }) => {
    const found = verdict === "pending" ? `pending; seen at ${observe}` : [verdict, ...lines].join(" ");
    return `  ${id}  ${text} (${found})`;
  });
}

/** The verdicts in short: `A confirmed #1, #4; B rejected #2`. */
export function verdictLine(hypotheses: readonly Hypothesis[]): string {
  return hypotheses.map(({ id, verdict, lines }) => `${id} ${verdict} ${lines.join(", ")}`.trim()).join("; ");
}

/** The evidence of all verdicts, for the record: each verdict, then the cited events. */
export function evidenceLines(hypotheses: readonly Hypothesis[]): readonly string[] {
  const lines = hypotheses.flatMap(({ id, verdict, because, cited = [] }) =>
    cited.length === 0 ? [] : [`${id} ${verdict}${because === undefined ? "" : `: ${because}`}`, ...cited],
  );
  return lines.length === 0 ? [] : [NOTICE, ...lines];
}
