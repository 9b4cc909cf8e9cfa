import meanings from "./meanings.json" with { type: "json" };

/** The meanings of columns, derived from the words of their names. */
export type Meaning = Exclude<keyof typeof meanings, "breakdown" | "harmless">;

interface MeaningData {
  readonly words: readonly string[];
  /** Parts of names in scripts that are written without spaces. */
  readonly parts?: readonly string[];
  /** Whole names. */
  readonly names?: readonly string[];
  /** Words that rule the meaning out. */
  readonly not?: readonly string[];
}

function plain(header: string): string {
  return header.normalize("NFKC").toLowerCase().trim();
}

function has({ words, parts = [], names = [] }: MeaningData, header: string): boolean {
  const own = new Set(header.split(/[^\p{L}]+/u));
  return (
    names.includes(header.replaceAll(/[\s_]+/gu, " ")) ||
    parts.some((part) => header.includes(part)) ||
    words.some((word) => own.has(word))
  );
}

/** Whether figures could be wrong if the column is not read. */
export function carriesMeaning(header: string): boolean {
  const { title: _, isrc: __, harmless: ___, ...others } = meanings;
  return Object.values<MeaningData>(others).some((data) => has(data, plain(header)));
}

/** Whether a column can have this meaning. */
export function means(header: string, meaning: Meaning): boolean {
  const data: MeaningData = meanings[meaning];
  const own = new Set(plain(header).split(/[^\p{L}]+/u));
  return has(data, plain(header)) && data.not?.some((word) => own.has(word)) !== true;
}

/** Whether a table can be read without the column: it only describes a song or a sale, or repeats other columns. */
export function isHarmless(header: string): boolean {
  return plain(header) === "" || has(meanings.harmless, plain(header));
}
