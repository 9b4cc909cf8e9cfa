import { SkillError } from "skillctl";
import type { Language } from "./languages.ts";
import { expressionFault } from "./expression.ts";
import { filled, marker, type Field, type Template } from "./template.ts";
import { TEMPLATES } from "./templates.ts";

/** What a probe shall report. */
export interface ProbeWish {
  readonly language: Language;
  readonly session: string;
  /** A to P. */
  readonly hypothesis: string;
  /** Lower-case words joined by hyphens. */
  readonly point: string;
  readonly data: readonly Field[];
  /** Such as `cart.py:17`; characters that a string could not hold everywhere become `_`. */
  readonly location: string;
  /** Where events go when the program has no DEBUG_SERVER_URL. */
  readonly fallbackUrl: string;
  /** Whether the program is to wait until the event is stored. */
  readonly sync?: boolean;
  /** Whether the data may call what is not known to read only. */
  readonly allowCall?: boolean;
  /** Whether it is to stand in the body that the line holds. */
  readonly inside?: boolean;
}

const NAMED = /^([A-Za-z][\w-]{0,39})=(?![=>~])(.+)$/su;

/** The label of the region that holds what the probes of a file import. */
export const HEAD_LABEL = "shared:imports";

/**
 * The lines of a probe with both markers, without indentation.
 * @throws SkillError `DEBUG_PROBE_INVALID` for a language without probes, or data that could break out of its place
 */
export function probeRegion(wish: ProbeWish, template = templateOf(wish.language)): readonly string[] {
  const { hypothesis, point } = wish;
  return region(template, `${hypothesis}:${point}`, probeLines(wish, template));
}

/** The lines of a probe without markers. @throws SkillError like `probeRegion` */
export function probeLines(wish: ProbeWish, template: Template): readonly string[] {
  for (const { name, expression } of wish.data) {
    const fault = expressionFault(expression, template.expressions, wish.allowCall);
    if (fault) throw invalid(`${name} cannot be reported by ${expression}: ${fault.reason}.`, fault.hint);
  }
  const { hypothesis: H, point: P, session: S, fallbackUrl: U } = wish;
  const L = wish.location.replaceAll(/[^\w./:@+ -]/g, "_");
  return filled(template, { S, U, H, P, L }, wish.data, wish.sync === true);
}

/** The region that a file needs once, at its top, for all its probes; `undefined` where none is needed. */
export function headRegion(language: Language): readonly string[] | undefined {
  const [template] = TEMPLATES[language];
  return template?.head === undefined ? undefined : region(template, HEAD_LABEL, template.head.split("\n"));
}

/** Lines between the markers of a label. */
export function region(template: Template, label: string, lines: readonly string[]): readonly string[] {
  return [
    marker(template, `#region debug-point ${label}`),
    ...lines,
    marker(template, `#endregion debug-point ${label}`),
  ];
}

/** The form that is written when nothing else is known. @throws SkillError `DEBUG_PROBE_INVALID` */
export function templateOf(language: Language): Template {
  const template = TEMPLATES[language][0];
  if (template) return template;
  throw invalid(
    "SQL has no statement that reports over the network on every database, so there is no probe in it.",
    "Set the probe in the program that sends the query, with its text, its parameters and its rows as data.",
  );
}

/** Reads `name=expression` or an expression alone, whose name is made of its words; names are told apart by numbers. */
export function dataFields(words: readonly string[]): readonly Field[] {
  const taken = new Set<string>();
  return words.map((word) => {
    const [, given, named] = NAMED.exec(word) ?? [];
    const expression = (named ?? word).trim();
    const plain = given ?? nameOf(expression);
    let name = plain;
    for (let count = 2; taken.has(name); count += 1) name = `${plain}-${count}`;
    taken.add(name);
    return { name, expression };
  });
}

function nameOf(expression: string): string {
  const name = expression.replaceAll(/[^\w.]+/g, "-").slice(0, 40);
  return name.replace(/^[^A-Za-z]+/, "").replace(/[-.]+$/, "") || "value";
}

function invalid(sentence: string, hint: string): SkillError {
  return new SkillError("DEBUG_PROBE_INVALID", sentence, { hint });
}
