import { createHash } from "node:crypto";
import { templateOf, type Language, type Template } from "./languages.ts";

export interface Field {
  readonly name: string;
  readonly expression: string;
}

/** A requested probe. */
export interface ProbeWish {
  readonly language: Language;
  readonly session: string;
  /** A to P. */
  readonly hypothesis: string;
  /** Lower-case words joined by hyphens. */
  readonly point: string;
  readonly data: readonly Field[];
  /** Such as `cart.py:17`; characters that are not safe in strings of every language become `_`. */
  readonly location: string;
  /** The address for events if the program has no DEBUG_SERVER_URL. */
  readonly fallbackUrl: string;
  /** Whether the program is to wait until the event is stored. */
  readonly sync?: boolean;
  /** Maximum number of events per second; further passes are counted. Default: 500. */
  readonly perSecond?: number;
  /** Maximum number of events of a process. Default: 10,000. */
  readonly most?: number;
  /** Whether the data may contain calls with possible side effects. */
  readonly allowCall?: boolean;
  /** Whether it is inserted into the body on the line. */
  readonly inside?: boolean;
}

/** A loop with a few hundred passes is reported completely, and a longer one does not slow down the program. */
const PER_SECOND = 500;
/** The total limit in languages without a limit per second. */
const MOST_WAITING = 500;
/** The total limit, also for observed points. */
export const MOST = 10_000;

const NAMED = /^([A-Za-z][\w-]{0,39})=(?![=>~])(.+)$/su;

/** The label of the region with the imports for the probes of a file. */
export const HEAD_LABEL = "shared:imports";

/**
 * The lines of a probe with both markers, without indentation.
 * @throws SkillError `DEBUG_PROBE_INVALID` for a language without probes
 */
export function probeRegion(wish: ProbeWish, template = templateOf(wish.language)): readonly string[] {
  const { hypothesis, point } = wish;
  return region(template, `${hypothesis}:${point}`, probeLines(wish, template));
}

/** The lines of a probe without markers. @throws SkillError like `probeRegion` */
export function probeLines(wish: ProbeWish, template: Template): readonly string[] {
  const { data, hypothesis: H, point: P, session: S, fallbackUrl: U, sync: isSync } = wish;
  const { text, sync = text, around: [before, after] = ["", ""], field, instead = {}, parts = {} } = template;
  const { limit, most } = limitsOf(template);
  const [R, M] = [wish.perSecond ?? limit, wish.most ?? most].map(String);
  const fields = data.map(({ name, expression }) =>
    filled(field.join("\n"), { N: name, X: instead[expression] ?? expression }),
  );
  const lines = (isSync ? sync : text).filter((line) => line !== "@D@" || data.length > 0);
  const L = wish.location.replaceAll(/[^\w./:@+ -]/g, "_");
  const D = fields.length > 0 ? fields.join(template.between) : (template.empty ?? "");
  const whole = filled(filled(`${before}${lines.join("\n")}${after}`, parts), parts);
  return filled(whole, { S, U, H, P, L, D, R, M, F: fileTag(wish.location) }).split("\n");
}

/** The default limits of the probes of a language; `undefined` without limits. */
export function limitsOf({ text, parts = {} }: Template): {
  readonly limit?: number;
  readonly most?: number;
} {
  const all = [...text, ...Object.values(parts)].join("");
  if (all.includes("@R@")) return { limit: PER_SECOND, most: MOST };
  return all.includes("@M@") ? { most: MOST_WAITING } : {};
}

/** The region that a file needs once for all its probes; `undefined` if none is needed. `location` is a place in the file. */
export function headRegion(language: Language, location: string): readonly string[] | undefined {
  const template = templateOf(language);
  const F = fileTag(location);
  return (
    template.head &&
    region(
      template,
      HEAD_LABEL,
      template.head.map((line) => filled(line, { F })),
    )
  );
}

/** Distinguishes the names that files of the same package declare for their probes. */
function fileTag(location: string): string {
  const [path] = /^.*(?=:\d+$)/s.exec(location) ?? [];
  // The file of a probe that is only printed is unknown.
  return path === undefined ? "" : createHash("sha256").update(path).digest("hex").slice(0, 6);
}

/** Lines between the markers of a label. */
export function region(template: Template, label: string, lines: readonly string[]): readonly string[] {
  const [before, after] = template.mark ?? [`${template.comment} `, ""];
  return [
    `${before}#region debug-point ${label}${after}`,
    ...lines,
    `${before}#endregion debug-point ${label}${after}`,
  ];
}

/** The text with letters replaced by their values; letters without a value stay. */
function filled(text: string, values: Readonly<Record<string, string | undefined>>): string {
  return text.replaceAll(/@([A-Z])@/g, (mark, letter: string) => values[letter] ?? mark);
}

/** Parses `name=expression` or an expression alone, whose name is derived from its words; duplicate names get numbers. */
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

/** A probe in a language without a template: the marks, and the body that the statement between them must send. */
export interface HandWritten {
  readonly region: readonly string[];
  readonly text: string;
}

/** The form of a hand-written probe; `comment` has the delimiters of a comment of one line. */
export function byHand(
  wish: Omit<ProbeWish, "language">,
  comment: readonly [before: string, after: string],
  language: string,
): HandWritten {
  const { session, hypothesis, point, location, data, fallbackUrl } = wish;
  const values = data.map(({ name, expression }) => `${JSON.stringify(name)}:<${expression}>`).join(",");
  const marked = (text: string): string => comment[0] + text + comment[1];
  const event = `{"sessionId":"${session}","hypothesisId":"${hypothesis}","location":"${location}","msg":"[DEBUG] ${point}","data":{${values}}}`;
  const region = [
    marked(`#region debug-point ${hypothesis}:${point}`),
    marked(`one statement that posts ${event} to DEBUG_SERVER_URL, else to ${fallbackUrl}`),
    marked(`#endregion debug-point ${hypothesis}:${point}`),
  ];
  const text = `Probes of ${language} are written by hand. Put one statement between these marks, in front of ${location}: it sends this body by HTTP POST, with the values of the program in place of <…>; any HTTP client of the language or a call to curl will do.
${region.join("\n")}
\`check\` accepts every region between such marks.`;
  return { region, text };
}
