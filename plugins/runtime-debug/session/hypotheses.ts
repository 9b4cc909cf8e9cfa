import { SkillError, type Files } from "skillctl";
import type { JudgeOutput } from "../contract.ts";
import { probedFile } from "../probes/probed-file.ts";
import { linesOf } from "../regions/regions.ts";
import type { Hypothesis, Round, SessionEntry } from "./entry.ts";
import { NOTICE } from "../store/event/inert-text.ts";

/** The letters that a log can name (specification of runtime debugging, "Rules on instrumentation"). */
const LETTERS = [..."ABCDEFGHIJKLMNOP"];

/** A hypothesis as it is listed. */
export type Wished = Pick<Hypothesis, "text" | "refutedBy" | "observe" | "likelihood" | "effort">;

const FILE_AND_LINES = /^(.+):([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/s;

/**
 * Refuses hypotheses of which two are the same but for case, spaces and punctuation, and observation points that are no
 * lines of a file of the project.
 * @throws SkillError `INPUT_INVALID` with the element
 */
export async function checkWished(
  wished: readonly Wished[],
  { root, folder, files }: { readonly root: string; readonly folder: string; readonly files: Files },
): Promise<void> {
  for (const [index, { text, observe }] of wished.entries()) {
    const same = wished.findIndex((one) => wordsOf(one.text) === wordsOf(text));
    if (same < index)
      throw invalid(
        `/hypotheses/${index}/text`,
        `The hypotheses ${same + 1} and ${index + 1} are one: "${text}".`,
        "Each must be another cause, refuted by other log lines.",
      );
    const fault = await observationFault(observe, root, folder, files);
    if (fault !== undefined)
      throw invalid(
        `/hypotheses/${index}/observe`,
        `Hypothesis ${index + 1} cannot be observed at "${observe}": ${fault}`,
        "Name the one place that shows it as FILE:LINE or FILE:FROM-TO, as seen from the working folder, such as cart.js:7.",
      );
  }
}

/** What is wrong with an observation point, as a sentence. */
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
    return Number(last) > lines ? `${path} has ${lines} ${lines === 1 ? "line" : "lines"}.` : undefined;
  } catch (caught) {
    if (caught instanceof SkillError && caught.code === "DEBUG_PROBE_PLACE") return caught.message;
    throw caught;
  }
}

function invalid(pointer: string, sentence: string, hint: string): SkillError {
  return new SkillError("INPUT_INVALID", sentence, { pointer, hint });
}

/** A text without case, spaces and punctuation. */
function wordsOf(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\p{P}\p{Z}\p{C}]+/gu, "");
}

/**
 * Hypotheses in the order given. One whose text is that of a hypothesis there was, but for case, spaces and punctuation,
 * keeps its letter and its verdict; a new
 * one gets the next of the letters A to P, so that no probe or event of another one counts for it. `given` are the
 * letters that have been given; when all have been, those that are free now begin again.
 */
export function lettered(
  wished: readonly Wished[],
  known: readonly Hypothesis[],
  given: readonly string[] = known.map(({ id }) => id),
): readonly Hypothesis[] {
  const earlierOf = (text: string): Hypothesis | undefined =>
    known.find((one) => wordsOf(one.text) === wordsOf(text));
  const kept = wished.flatMap(({ text }) => earlierOf(text)?.id ?? []);
  const free = LETTERS.filter((letter) => !given.includes(letter));
  const again = LETTERS.filter((letter) => given.includes(letter) && !kept.includes(letter));
  const letters = [...free, ...again].values();
  return wished.map(({ text, refutedBy, observe, likelihood, effort }) => {
    const earlier = earlierOf(text);
    return {
      id: earlier?.id ?? letters.next().value ?? "",
      text,
      refutedBy,
      observe,
      likelihood,
      effort,
      verdict: earlier?.verdict ?? "pending",
      lines: earlier?.lines ?? [],
      ...(earlier?.because !== undefined && { because: earlier.because }),
      ...(earlier?.cited && { cited: earlier.cited }),
    };
  });
}

/** What a session lists from now on; what was judged before stays told. */
export function listed(
  wished: readonly Wished[],
  entry: SessionEntry,
): Pick<SessionEntry, "hypotheses" | "letters" | "rounds"> {
  const { hypotheses, letters = hypotheses.map(({ id }) => id) } = entry;
  const next = lettered(wished, hypotheses, letters);
  const gone = hypotheses.filter(({ id }) => !next.some((one) => one.id === id));
  return {
    hypotheses: next,
    letters: [...new Set([...letters, ...next.map(({ id }) => id)])],
    rounds: roundsWith(entry, gone),
  };
}

const MOST_ROUNDS = 20;

/** The earlier rounds with those of these hypotheses that have a verdict which is not told there yet. */
export function roundsWith(
  { rounds = [], runs }: Pick<SessionEntry, "rounds" | "runs">,
  hypotheses: readonly Hypothesis[],
): readonly Round[] {
  const known = new Set(rounds.flatMap((round) => round.hypotheses.map(judgement)));
  const judged = hypotheses.filter((one) => one.verdict !== "pending" && !known.has(judgement(one)));
  return judged.length === 0
    ? rounds
    : [...rounds, { run: runs.before, hypotheses: judged }].slice(-MOST_ROUNDS);
}

function judgement({ id, text, verdict, lines }: Hypothesis): string {
  return JSON.stringify([id, text, verdict, lines]);
}

/** A cause that was confirmed and whose fix has not helped is open again. */
export function reopened(hypotheses: readonly Hypothesis[]): readonly Hypothesis[] {
  return hypotheses.map((one) => {
    if (one.verdict !== "confirmed") return one;
    const { because: _because, cited: _cited, ...rest } = one;
    return { ...rest, verdict: "pending", lines: [] };
  });
}

/** As commands answer them. */
export function hypothesisRows(hypotheses: readonly Hypothesis[]): JudgeOutput["hypotheses"] {
  return hypotheses.map(({ id, text, observe, verdict, lines }) => ({
    id,
    text,
    observe,
    verdict,
    lines: [...lines],
  }));
}

/** As people read them, one a line. */
export function hypothesisLines(hypotheses: readonly Hypothesis[]): readonly string[] {
  return hypotheses.map(({ id, text, verdict, lines, observe }) => {
    const found = [verdict, ...lines].join(" ");
    return `  ${id}  ${text} (${found}; seen at ${observe})`;
  });
}

/** The evidence of all verdicts, for the record: what each says, then the events cited. */
export function evidenceLines(hypotheses: readonly Hypothesis[]): readonly string[] {
  const lines = hypotheses.flatMap(({ id, verdict, because, cited = [] }) =>
    cited.length === 0 ? [] : [`${id} ${verdict}${because === undefined ? "" : `: ${because}`}`, ...cited],
  );
  return lines.length === 0 ? [] : [NOTICE, ...lines];
}
