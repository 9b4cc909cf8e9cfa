import type { HypothesizeInput, JudgeOutput } from "../contract.ts";
import { NOTICE } from "../store/read/notice.ts";
import type { Hypothesis } from "./entry.ts";

/** The letters that a log can name (specification of runtime debugging, "Rules on instrumentation"). */
const LETTERS = [..."ABCDEFGHIJKLMNOP"];

/**
 * Hypotheses in the order given. One whose text is that of a hypothesis there was keeps its letter and its verdict; a new
 * one gets the next of the letters A to P, so that no probe or event of another one counts for it. `given` are the
 * letters that have been given; when all have been, those that are free now begin again.
 */
export function lettered(
  wished: HypothesizeInput["hypotheses"],
  known: readonly Hypothesis[],
  given: readonly string[] = known.map(({ id }) => id),
): readonly Hypothesis[] {
  const earlierOf = (text: string): Hypothesis | undefined => known.find((one) => one.text === text);
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
