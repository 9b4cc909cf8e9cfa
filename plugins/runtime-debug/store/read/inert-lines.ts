import { escapeUnsafe } from "../event/unsafe-characters.ts";

/**
 * Stored lines as they may be shown. What this server has stored is so already; what somebody else has put into the log
 * may hold characters that do something, and white space between tokens that other readers take for the end of a line.
 */
export function inertLines(lines: string): string {
  if (!/[^\n -~]/.test(lines)) return lines;
  // Within strings JSON has neither of the two.
  return escapeUnsafe(lines).replaceAll(/[\r\t]/g, " ");
}
