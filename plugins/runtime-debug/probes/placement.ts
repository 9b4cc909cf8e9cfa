import { quotedName, SkillError } from "skillctl";
import type { ProbeOutput } from "../contract.ts";
import { linesOf } from "../regions/regions.ts";
import { applied, type Application, type Applied } from "./application.ts";
import { templateOf, type Language } from "./languages.ts";
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
 * @throws SkillError as `applied` does
 */
export function placedIn({ path, text: before }: ProbedFile, wanted: readonly WantedProbe[]): Placement {
  const put = new Map<
    number,
    { readonly wish: ProbeWish; readonly region: readonly string[]; line: number }
  >();
  let [text, head] = [before, 0];
  const fromEnd = [...wanted.entries()].sort(
    ([at, one], [otherAt, other]) => other.line - one.line || otherAt - at,
  );
  for (const [at, { wish, line }] of fromEnd) {
    const language = inHeader(wish.language, before);
    const from = { path, text, line: line + head, wish: { ...wish, language } };
    const done = appliedAs(at, wanted.length, from);
    const added = linesOf(done.text).length - linesOf(text).length;
    for (const one of put.values()) one.line += added;
    put.set(at, { wish: { ...wish, language }, region: done.region, line: done.line });
    // What the language imports for its probes has come above.
    head += done.line - (line + head);
    text = done.text;
  }
  return { path, before, text, put: wanted.flatMap((_, at) => put.get(at) ?? []) };
}

/** Headers of C++ have the name of those of C. */
function inHeader(language: Language, text: string): Language {
  return language === "c" && /^[^\S\r\n\u2028\u2029]*(?:class|namespace|template|using)\b|\bstd::/m.test(text)
    ? "cpp"
    : language;
}

function appliedAs(index: number, count: number, application: Application): Applied {
  try {
    return applied(application);
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

type Put = NonNullable<ProbeOutput["probes"]>;

/** A program that gives events no time to leave. */
const ENDS_ITSELF =
  /\bprocess\.(?:exit|reallyExit|abort|kill)\s*\(|\bSIGKILL\b|\bwhile\s*\((?:true|1)\)|\bfor\s*\(\s*;\s*;\s*\)/;

/** What is told of probes that were put into files; of a single one also how it looks. */
export function told(placements: readonly Placement[]): {
  readonly probes: Put;
  readonly text: string;
  readonly only?: Pick<ProbeOutput, "language" | "region" | "file" | "line">;
} {
  const all = placements.flatMap(({ path, put }) => put.map((one) => ({ file: path, ...one })));
  const probes = all.map(({ file, line, wish: { hypothesis, point, language, data } }) => ({
    hypothesis,
    point,
    language,
    file,
    line,
    data: data.map(({ name }) => name),
  }));
  const text = [putText(probes), ...(placements.some(losesEvents) ? [LOSES] : [])].join("\n");
  const [only] = all;
  if (all.length !== 1 || !only) return { probes, text };
  const { wish, region, file, line } = only;
  return { probes, text, only: { language: wish.language, region: [...region], file, line } };
}

const LOSES =
  "The file can end, kill or hold its process, and events under way are lost then: --sync reports before the program goes on.";

/** The probes that were put, one a line. */
export function putText(probes: Put = []): string {
  return probes
    .map(({ hypothesis, point, file, line, data }) => {
      const reported = data.length === 0 ? "no data" : data.join(", ");
      return `Put into ${quotedName(file)}, line ${line}: the probe ${hypothesis}:${point}, which reports ${reported}.`;
    })
    .join("\n");
}

function losesEvents({ before, put }: Placement): boolean {
  const waitsNot = put.some(({ wish }) => wish.sync !== true && templateOf(wish.language).sync !== undefined);
  return waitsNot && ENDS_ITSELF.test(before);
}
