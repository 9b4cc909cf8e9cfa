import { quotedName, SkillError } from "skillctl";
import type { ProbeOutput } from "../contract.ts";
import { linesOf } from "../regions/regions.ts";
import { applied } from "./application.ts";
import { grammarOf } from "../places/grammars.ts";
import { templateOf, type Language } from "./languages.ts";
import type { ProbeWish } from "./probe-text.ts";
import type { ProbedFile } from "./probed-file.ts";

/** A probe and the line before which it is inserted, from 1, in the file before any insertion. */
export interface WantedProbe {
  readonly wish: ProbeWish;
  readonly line: number;
}

/** An inserted probe. */
export interface PutProbe {
  readonly wish: ProbeWish;
  readonly region: readonly string[];
  /** Its first line in the file with all probes, from 1. */
  readonly line: number;
  /** A remark on its place. */
  readonly note?: string;
}

export interface Placement {
  readonly path: string;
  readonly before: string;
  readonly text: string;
  /** In the order of the request. */
  readonly put: readonly PutProbe[];
  readonly refused: ReadonlyMap<number, SkillError>;
}

/**
 * Inserts several probes into a file, from its end to its beginning, so that line numbers stay valid; probes of one line
 * keep their order. `refused` lists the indices of those that cannot be inserted.
 */
export async function placedIn(
  { path, text: before }: ProbedFile,
  wanted: readonly WantedProbe[],
): Promise<Placement> {
  const put = new Map<number, { -readonly [Key in keyof PutProbe]: PutProbe[Key] }>();
  const refused = new Map<number, SkillError>();
  let [text, head] = [before, 0];
  const fromEnd = [...wanted.entries()].sort(
    ([at, one], [otherAt, other]) => other.line - one.line || otherAt - at,
  );
  for (const [at, { wish: given, line }] of fromEnd) {
    const wish = { ...given, language: inHeader(given.language, before) };
    const grammar = await grammarOf(wish.language);
    try {
      const done = applied({ path, text, line: line + head, wish }, grammar);
      const added = linesOf(done.text).length - linesOf(text).length;
      for (const one of put.values()) one.line += added;
      put.set(at, { wish, ...done });
      // The imports for the probes are above.
      head += done.line - (line + head);
      text = done.text;
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      refused.set(at, caught);
    }
  }
  return { path, before, text, put: wanted.flatMap((_, at) => put.get(at) ?? []), refused };
}

/** C++ headers have the same extension as C headers. */
function inHeader(language: Language, text: string): Language {
  return language === "c" && /^[^\S\r\n\u2028\u2029]*(?:class|namespace|template|using)\b|\bstd::/m.test(text)
    ? "cpp"
    : language;
}

/** The faults of the probes of a batch in one error; for a single probe, its own error. */
export function joined(
  faults: readonly (readonly [index: number, fault: SkillError])[],
  count: number,
): SkillError {
  const [[, first] = [], ...more] = faults;
  if (first === undefined) throw new RangeError("No probe is at fault.");
  if (count === 1) return first;
  const sentences = faults.map(([index, { message }]) => `Probe ${index + 1} of ${count}: ${message}`);
  const hints = new Set(faults.flatMap(([, { hint = "" }]) => hint || []));
  return new SkillError(first.code, sentences.join("\n"), {
    cause: more.length === 0 ? first : new AggregateError(faults.map(([, fault]) => fault)),
    hint: [...hints, "No probe of the batch was inserted."].join(" "),
  });
}

type Put = NonNullable<ProbeOutput["probes"]>;

/** Code that may end or block the program before events are sent. */
const ENDS_ITSELF =
  /\bprocess\.(?:exit|reallyExit|abort|kill)\s*\(|\bSIGKILL\b|\bwhile\s*\((?:true|1)\)|\bfor\s*\(\s*;\s*;\s*\)/;

/** The message about inserted probes; for a single one also its language, region and place. */
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
  const notes = all.flatMap(({ file, line, note }) =>
    note === undefined ? [] : [`${quotedName(file)}, line ${line}: ${note}`],
  );
  const text = [putText(probes), ...notes, ...(placements.some(losesEvents) ? [LOSES] : [])].join("\n");
  const [only] = all;
  if (all.length !== 1 || !only) return { probes, text };
  const { wish, region, file, line } = only;
  return { probes, text, only: { language: wish.language, region: [...region], file, line } };
}

const LOSES =
  "The file can end, kill or block its process, and pending events are then lost: with --sync, a probe reports before the program continues.";

/** The inserted probes, one per line. */
function putText(probes: Put): string {
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
