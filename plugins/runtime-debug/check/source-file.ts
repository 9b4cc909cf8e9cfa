import { languageOf } from "../probes/languages.ts";

/** Whether a file is code that somebody writes: by its name, or because a program runs it. Data, logs and notes are none. */
export function isSource(path: string, text: string): boolean {
  return languageOf(path) !== undefined || text.startsWith("#!");
}
