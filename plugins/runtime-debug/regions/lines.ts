/** A line of a text with what ends it: LF, CRLF, CR, or nothing at the end of the text. */
export interface TextLine {
  readonly text: string;
  readonly end: string;
}

const LINE = /([^\r\n]*)(\r\n|\r|\n|$)/gy;

/** The lines of a text. Joined again they are the text, byte for byte. */
export function linesOf(text: string): readonly TextLine[] {
  const lines: TextLine[] = [];
  if (!text.includes("\r")) {
    const parts = text.split("\n");
    const rest = parts.pop();
    for (const part of parts) lines.push({ text: part, end: "\n" });
    if (rest) lines.push({ text: rest, end: "" });
    return lines;
  }
  for (const [whole, content = "", end = ""] of text.matchAll(LINE)) {
    if (whole === "") break;
    lines.push({ text: content, end });
  }
  return lines;
}

export function textOf(lines: readonly TextLine[]): string {
  return lines.map(({ text, end }) => text + end).join("");
}
