import type { TextLine } from "../../regions/lines.ts";
import type { Region } from "../../regions/regions.ts";
import { type ReadProbe, probeIn } from "../../probes/read-probe.ts";
import { LANGUAGES, type Language } from "../../probes/languages.ts";

/** A region that is letter for letter what `probe` writes. */
export interface OwnProbe extends ReadProbe {
  readonly language: Language;
}

/** Reads a region as a probe of a language; of all languages where the file has none. */
export function ownProbeIn(
  language: Language | undefined,
  lines: readonly TextLine[],
  { first, last }: Region,
): OwnProbe | undefined {
  // A long region is none.
  if (last - first > 60) return undefined;
  const texts = lines.slice(first, last + 1).map(({ text }) => text);
  for (const one of language ? formsOf(language) : LANGUAGES) {
    const probe = probeIn(one, texts);
    if (probe) return { ...probe, language: one };
  }
  return undefined;
}

/**
 * Lines of a region that are letter for letter the line of a probe with its markers, by their numbers from 0, though
 * other lines stand beside them.
 */
export function ownLinesIn(
  language: Language | undefined,
  lines: readonly TextLine[],
  { first, last, label }: Region,
): ReadonlyMap<number, OwnProbe> {
  const found = new Map<number, OwnProbe>();
  const [begin, end] = [lines[first], lines[last]];
  for (const [index, line] of lines.slice(first + 1, last).entries()) {
    if (!begin || !end) continue;
    const own = ownProbeIn(language, [begin, line, end], { first: 0, last: 2, label });
    if (own && own.hypothesis !== "") found.set(first + 1 + index, own);
  }
  return found;
}

/** A language and those whose probes can stand in its files too. */
function formsOf(language: Language): readonly Language[] {
  return [language, ...(FAMILIES.find((family) => family.includes(language)) ?? [])];
}

const FAMILIES: readonly (readonly Language[])[] = [
  ["javascript", "typescript", "jsx", "tsx", "vue", "html"],
  ["c", "cpp"],
];
