import { MOST_STRING } from "./scalars.ts";

/** A text of at most 64 KiB of UTF-8: of a longer one its beginning, and how much is missing. */
export function cutText(text: string): string {
  if (text.length <= MOST_STRING && Buffer.byteLength(text) <= MOST_STRING) return text;
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (bytes + size > MOST_STRING) break;
    bytes += size;
    end += character.length;
  }
  return `${text.slice(0, end)}…(+${Buffer.byteLength(text) - bytes} bytes)`;
}
