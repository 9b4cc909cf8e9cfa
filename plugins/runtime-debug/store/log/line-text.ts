import { escapeUnsafe } from "../event/unsafe-characters.ts";

/**
 * No line of ours is longer: that of an event has 1 MiB and what the server adds, that of a gap at most 200 rows of
 * 3,200 characters, 6 bytes each.
 */
export const LONGEST_LINE_BYTES = 4 * 1024 * 1024;

/** One line of the server's own, with its line feed: no character in it that a reader would not see. */
export function ownLine(value: object): string {
  return `${escapeUnsafe(JSON.stringify(value))}\n`;
}

/** What a line holds when it is a JSON object. */
export function objectOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
