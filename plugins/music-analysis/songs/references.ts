import { simplified } from "./script.ts";

/** A word that stands for a song, by its place in the text that was searched. */
export interface Reference {
  readonly kind: "pointer" | "pronoun";
  readonly start: number;
  readonly end: number;
}

const SONG_WORD = "(?:歌曲|单曲|曲子|作品|歌|曲)";
const POINTERS = new RegExp(
  [
    `(?:这一?|那一?|该|此|本)(?:[首支个](?:新|老|主打|热门|爆款)?)?${SONG_WORD}(?![手单库目风迷集们])`,
    "[こそあ]の(?:曲|歌)(?!手)",
    "\\b(?:this|that)\\s(?:new\\s|old\\s|latest\\s)?(?:song|track|single|tune)\\b(?!\\s(?:day|week|month|year|record))",
  ].join("|"),
  "u",
);
const PRONOUNS = /(?<!其)它(?!们)|(?:这|那)一?[首支](?![页次先批席])|\b(?:it|its)\b/u;

/**
 * The first pointer of a question, or else its first pronoun. Questions for a choice (哪首, which song) and
 * several songs (这些歌, my songs) point at nothing (docs/music-analysis.md, Song names; spec, States and transitions 1).
 * The text is lower case with single spaces, as keys.ts folds it.
 */
export function firstReference(spaced: string): Reference | undefined {
  const text = simplified(spaced);
  return found(text, POINTERS, "pointer") ?? found(text, PRONOUNS, "pronoun");
}

function found(text: string, pattern: RegExp, kind: Reference["kind"]): Reference | undefined {
  const match = pattern.exec(text);
  return match === null ? undefined : { kind, start: match.index, end: match.index + match[0].length };
}
