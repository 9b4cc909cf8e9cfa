import type { Language } from "./languages.ts";
import { linesOf } from "../regions/lines.ts";

/** In front of which line of a file the region belongs that imports what its probes need; lines count from 1. */
export function headLine(language: Language, text: string): number {
  const lines = linesOf(text);
  const first = text.startsWith("\ufeff") ? 2 : 1;
  const find = (pattern: RegExp): number => lines.findIndex((line) => pattern.test(line.text)) + 1;
  // Behind the package; all imports of Dart stand behind its library.
  if (language === "go") return find(/^package\s+\w+/) + 1;
  if (language === "dart") return Math.max(first, find(/^library\b[^;]*;/) + 1);
  return first;
}
