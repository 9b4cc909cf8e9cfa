import { SkillError } from "skillctl";
import type { Language } from "./languages.ts";
import { expressionFault } from "./expression.ts";
import { filled, readLine, type Field, type Template } from "./template.ts";
import { TEMPLATES } from "./templates.ts";

export type DataField = Field;

/** What a probe shall report. */
export interface ProbeWish {
  readonly language: Language;
  readonly session: string;
  /** A to P. */
  readonly hypothesis: string;
  /** Lower-case words joined by hyphens. */
  readonly point: string;
  readonly data: readonly DataField[];
  /** Such as `cart.py:17`; characters that a string could not hold everywhere become `_`. */
  readonly location: string;
  /** Where events go when the program finds no environment file. */
  readonly fallbackUrl: string;
}

/** A probe that was read again. The imports that some languages need are of no hypothesis: `""`. */
export interface ReadProbe {
  readonly hypothesis: string;
  readonly point: string;
  readonly data: readonly DataField[];
  /** Missing for the imports. */
  readonly session?: string;
}

const HEAD_LABEL = "shared:imports";

/**
 * The lines of a probe with both markers, without indentation.
 * @throws SkillError `DEBUG_PROBE_INVALID` for a language without probes, or data that could break out of its place
 */
export function probeRegion(wish: ProbeWish, template = templateOf(wish.language)): readonly string[] {
  for (const { name, expression } of wish.data) {
    const fault = expressionFault(expression, template.expressions);
    if (fault !== undefined)
      throw invalid(`${name} cannot be reported by ${expression}: ${fault}.`, "Report a plain value of it.");
  }
  const { hypothesis, point, session, fallbackUrl } = wish;
  const location = wish.location.replaceAll(/[^\w./:@+ -]/g, "_");
  const slots = { S: session, U: fallbackUrl, H: hypothesis, P: point, L: location };
  return region(template, `${hypothesis}:${point}`, filled(template, slots, wish.data));
}

/** The region that a file needs once, at its top, for all its probes; `undefined` where none is needed. */
export function headRegion(language: Language): readonly string[] | undefined {
  const [template] = TEMPLATES[language];
  return template?.head === undefined ? undefined : region(template, HEAD_LABEL, template.head);
}

/**
 * What a probe says, when its lines with both markers are letter for letter what `probeRegion` or `headRegion` writes,
 * but for indentation. It is the same probe for every session and address.
 */
export function probeIn(language: Language, lines: readonly string[]): ReadProbe | undefined {
  const [begin, line, end, ...more] = lines.map((one) => one.replace(/^[\t ]+/, ""));
  if (begin === undefined || line === undefined || end === undefined || more.length > 0) return undefined;
  for (const template of TEMPLATES[language]) {
    if (template.head === line && isRegion(template, HEAD_LABEL, begin, end))
      return { hypothesis: "", point: "imports", data: [] };
    const read = readLine(template, line);
    if (!read) continue;
    const { H: hypothesis, P: point, S: session } = read.slots;
    if (isRegion(template, `${hypothesis}:${point}`, begin, end))
      return { hypothesis, point, data: read.data, ...(session !== undefined && { session }) };
  }
  return undefined;
}

/** The form that is written when nothing else is known. @throws SkillError `DEBUG_PROBE_INVALID` */
function templateOf(language: Language): Template {
  const template = TEMPLATES[language][0];
  if (template) return template;
  throw invalid(
    "SQL has no statement that reports over the network on every database, so there is no probe in it.",
    "Set the probe in the program that sends the query, with its text, its parameters and its rows as data.",
  );
}

function region(template: Template, label: string, line: string): readonly string[] {
  return [
    template.mark(`#region debug-point ${label}`),
    line,
    template.mark(`#endregion debug-point ${label}`),
  ];
}

function isRegion(template: Template, label: string, begin: string, end: string): boolean {
  const [first, , last] = region(template, label, "");
  return first === begin && last === end;
}

function invalid(sentence: string, hint: string): SkillError {
  return new SkillError("DEBUG_PROBE_INVALID", sentence, { hint });
}
