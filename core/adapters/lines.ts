import type { Readable } from "node:stream";

/** The most characters that are handed on at once: twice the longest token, with room for what stands around it. */
const MAX_LENGTH = 16_384;
/** Stands for a word that is longer. */
const LEFT_OUT = "…";

/**
 * Hands on the lines of a stream in UTF-8 as they come, without their ends. One over 16,384 characters comes in pieces
 * that end at a space, and a word over that is left out: a secret is never cut in two, which nobody could then mask.
 */
export function followLines(stream: Readable, tell: ((line: string) => void) | undefined): void {
  let rest = "";
  const handOn = (line: string): void => pieces(line).forEach((piece) => tell?.(piece));
  stream.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? "";
    lines.forEach(handOn);
    if (rest.length <= MAX_LENGTH) return;
    const lastWord = rest.lastIndexOf(" ") + 1;
    if (lastWord > 0) handOn(rest.slice(0, lastWord));
    // The last word may go on; one that is too long already needs no more of itself to be seen as such.
    rest = rest.slice(lastWord, lastWord + MAX_LENGTH + 1);
  });
  stream.once("close", () => {
    if (rest !== "") handOn(rest);
  });
}

function pieces(line: string): readonly string[] {
  const found: string[] = [];
  let piece = "";
  for (const word of line.split(/(?<= )/)) {
    const shown = word.length > MAX_LENGTH ? LEFT_OUT : word;
    if (piece.length + shown.length > MAX_LENGTH) {
      found.push(piece);
      piece = "";
    }
    piece += shown;
  }
  return [...found, piece];
}
