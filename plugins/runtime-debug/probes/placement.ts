import { SkillError } from "skillctl";
import { linesOf } from "../regions/regions.ts";
import { hidden, shown } from "../regions/old-marks.ts";
import { applied } from "./application.ts";
import type { Language } from "./languages.ts";
import type { ProbeWish } from "./probe-text.ts";
import type { ProbedFile } from "./probed-file.ts";

/** A probe and the line in front of which it is to be put, from 1, in the file as it is before any of them. */
export interface WantedProbe {
  readonly wish: ProbeWish;
  readonly line: number;
}

/** A probe that was put. */
export interface PutProbe {
  readonly wish: ProbeWish;
  readonly region: readonly string[];
  /** Where it begins in the file with all of them, from 1. */
  readonly line: number;
}

export interface Placement {
  readonly path: string;
  readonly before: string;
  readonly text: string;
  /** In the order in which they were wanted. */
  readonly put: readonly PutProbe[];
}

/**
 * Puts several probes into a file, from its end to its beginning, so that each line is the one that was meant; those of one
 * line stand in the order in which they were wanted.
 * @param former the file at the start of the session: marks that had no other half there are left alone
 * @throws SkillError as `applied` does
 */
export function placedIn(
  { path, text: before }: ProbedFile,
  wanted: readonly WantedProbe[],
  former = "",
): Placement {
  const put = new Map<
    number,
    { readonly wish: ProbeWish; readonly region: readonly string[]; line: number }
  >();
  let [text, head] = [hidden(before, former), 0];
  const fromEnd = [...wanted.entries()].sort(
    ([at, one], [otherAt, other]) => other.line - one.line || otherAt - at,
  );
  for (const [at, { wish, line }] of fromEnd) {
    const language = inHeader(wish.language, before);
    const from = { path, text, line: line + head, wish: { ...wish, language } };
    const done = ofProbe(at, wanted.length, () => applied(from));
    const added = linesOf(done.text).length - linesOf(text).length;
    for (const one of put.values()) one.line += added;
    put.set(at, { wish: { ...wish, language }, region: done.region, line: done.line });
    // What the language imports for its probes has come above.
    head += done.line - (line + head);
    text = done.text;
  }
  return { path, before, text: shown(text), put: wanted.flatMap((_, at) => put.get(at) ?? []) };
}

/** Headers of C++ have the name of those of C. */
function inHeader(language: Language, text: string): Language {
  return language === "c" && /^\s*(?:class|namespace|template|using)\b|\bstd::/m.test(text)
    ? "cpp"
    : language;
}

/** What a probe ends in that is one of several, with its number. */
function ofProbe<T>(index: number, count: number, work: () => T): T {
  try {
    return work();
  } catch (caught) {
    throw numbered(caught, index, count);
  }
}

/** An error of one of several probes says which. */
export function numbered(caught: unknown, index: number, count: number): unknown {
  if (count === 1 || !(caught instanceof SkillError)) return caught;
  const { code, message, hint } = caught;
  return new SkillError(code, `Probe ${index + 1} of ${count}: ${message}`, {
    cause: caught,
    ...(hint !== undefined && { hint }),
  });
}
