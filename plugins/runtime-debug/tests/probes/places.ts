import type { Language } from "../../probes/languages.ts";

/**
 * Texts with the lines at which a probe can stand (`+`) and those at which it cannot (`-`), marked at their first
 * character (`?` where nothing is said); one line more than there are counts as the last letter of `end`.
 */
export interface Places {
  readonly language: Language;
  readonly file: string;
  readonly text: string;
  /** Whether one can stand behind the last line. */
  readonly end: "+" | "-";
}
