import { LANGUAGES, templateOf, type Language } from "../../probes/languages.ts";
import type { ProbeWish } from "../../probes/probe-text.ts";

/** The languages in which probes are available. */
export const WRITTEN = LANGUAGES.filter((language) => language !== "sql");

/** A probe that reports the variable `sum`, as its language writes it. */
export function sampleWish(language: Language, more: Partial<ProbeWish> = {}): ProbeWish {
  const expression = templateOf(language).expressions?.dollar ? "$sum" : "sum";
  return {
    language,
    session: "sum-is-wrong",
    hypothesis: "A",
    point: "sum",
    data: [{ name: "sum", expression }],
    location: "a:1",
    fallbackUrl: "http://127.0.0.1:7777/event",
    ...more,
  };
}
