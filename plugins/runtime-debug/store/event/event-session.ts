import { BACKSLASH, QUOTE, SLASH } from "./bytes.ts";

const LONGEST = 256;

/** Whether a session that an event or a header names cannot be a path: it is only a field, but somebody may join it to one. */
export function isPlainSession(session: string): boolean {
  return (
    session.length <= LONGEST && session !== "." && session !== ".." && !/[/\\\0-\x1f\x7f-\x9f]/.test(session)
  );
}

/** The same of a JSON value among bytes; what is no text cannot be a path. */
export function isPlainSessionValue(bytes: Buffer, start: number, end: number): boolean {
  if (bytes[start] !== QUOTE) return true;
  let plain = end - start <= LONGEST + 2 && bytes[start + 1] !== 0x2e;
  for (let at = start + 1; at < end - 1 && plain; at++) {
    const byte = bytes[at] as number;
    plain = byte !== SLASH && byte !== BACKSLASH && byte < 0x7f;
  }
  return plain || isPlainSession(JSON.parse(bytes.toString("utf8", start, end)) as string);
}
