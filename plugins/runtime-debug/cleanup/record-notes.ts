import { partsOf } from "../record/parts.ts";

/** What tools keep at the head of a record: edited there, it says nothing. */
const HEAD = /^(?:>\s*)?[-*]\s+\*\*(?:Status|Debug Server|Log File)(?:\*\*:|:\*\*)/i;

/** What people have written into a record: its parts that tools have not written like that. */
export function recordNotes(written: string, found: string): readonly string[] {
  const known = new Set(partsOf(written).map(({ text }) => text.trim()));
  const plain = found.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  return partsOf(plain)
    .map(({ text }) => withoutHead(text).trim())
    .filter((text) => text !== "" && !known.has(text));
}

function withoutHead(text: string): string {
  return text
    .split("\n")
    .filter((line) => !HEAD.test(line))
    .join("\n");
}
