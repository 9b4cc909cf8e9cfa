import { linesOf, type TextLine } from "../regions/lines.ts";
import { languageOf, type Language } from "../probes/languages.ts";
import { emptiedBlocks } from "./emptied-blocks.ts";

/** Asks the syntax of a language. */
export interface Syntax {
  /** How many faults its grammar finds; `undefined` without a grammar. */
  readonly faults: (language: Language, text: string) => Promise<number | undefined>;
}

/** A file in its three states; `before` is missing when it was not there. */
export interface States {
  readonly path: string;
  readonly before: string | undefined;
  readonly now: string;
  readonly after: string;
}

export interface Harm {
  readonly code: "emptied-block" | "broken-syntax";
  readonly sentence: string;
  readonly hint: string;
}

const HINT =
  "Put back what stood there before, or accept the place with --accept FILE:LINE when it is right all the same.";

/** What taking the regions out would break; `undefined` when nothing, as far as the language tells. */
export async function harmIn(
  { path, before, now, after }: States,
  lines: readonly TextLine[],
  { faults }: Syntax,
): Promise<Harm | undefined> {
  const language = languageOf(path);
  const emptied = emptiedBlocks(language, lines).length;
  const allowed = emptiedBlocks(language, linesOf(before ?? "")).length;
  if (emptied > allowed)
    return {
      code: "emptied-block",
      sentence: "Without the region a block would be empty, which it was not before.",
      hint: HINT,
    };
  if (language === undefined) return undefined;
  const mine = (await faults(language, after)) ?? 0;
  if (mine === 0) return undefined;
  const others = [await faults(language, now)];
  if (before !== undefined) others.push(await faults(language, before));
  if (others.every((count) => count === undefined || mine <= count)) return undefined;
  return {
    code: "broken-syntax",
    sentence: "Without its regions the file would not be valid any more.",
    hint: HINT,
  };
}
