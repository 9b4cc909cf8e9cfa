import { escapeUnsafe } from "../event/unsafe-characters.ts";

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
