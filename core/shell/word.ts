import { OPEN } from "./paths.ts";

/** A word of a command, or a part of one. */
export interface Word {
  /** The text that the program receives; unknown parts stay as they are written, such as `$NAME/a`. */
  readonly text: string;
  /** Whether the whole text is known. */
  readonly known: boolean;
  /** The same text with the characters of `namedPlaces` for unknown parts. */
  readonly pattern: string;
  /** The word as it is written. */
  readonly source: string;
}

export function literalWord(text: string, source = text): Word {
  return { text, known: true, pattern: text, source };
}

export function unknownWord(text: string, pattern = OPEN): Word {
  return { text, known: false, pattern, source: text };
}

/** Words separated by a blank or another text. */
export function joinedWords(words: readonly Word[], between = " "): Word {
  const joined = (key: "text" | "pattern" | "source"): string => words.map((word) => word[key]).join(between);
  return {
    text: joined("text"),
    known: words.every(({ known }) => known),
    pattern: joined("pattern"),
    source: joined("source"),
  };
}

/** A word without its first characters, as the value of `--name=value`. */
export function tailOf(word: Word, from: number): Word {
  const text = word.text.slice(from);
  return { ...word, text, pattern: word.pattern.slice(from), ...(word.known && { source: text }) };
}
