import type { ExpressionRules } from "./expression.ts";

/** How probes of a language are written. `@S@`, `@U@`, `@H@`, `@P@` and `@L@` stand for session, address, hypothesis, point and location. */
export interface Template {
  /** What begins a comment of one line. */
  readonly comment: string;
  /** What stands around a marker; default: it is such a comment. */
  readonly mark?: readonly [before: string, after: string];
  /** The lines between the markers; `@D@` stands for the data, and its line goes when there is none. */
  readonly text: string;
  /** The same where the program is to wait for the answer; default: `text` waits. */
  readonly sync?: string;
  /** One field of the data: `@N@` for its name, `@X@` for the expression. */
  readonly field: string;
  readonly between: string;
  /** What stands for no data within a line. */
  readonly empty?: string;
  /** Expressions that something else stands for. */
  readonly instead?: Readonly<Record<string, string>>;
  /** What stands at the top of a file beside its probes, where the language has no other way. */
  readonly head?: string;
  /** How strings and comments begin in its expressions. */
  readonly expressions: ExpressionRules;
}

/** What is filled in beside the data. */
export type Slots = Readonly<Record<"S" | "U" | "H" | "P" | "L", string>>;

export interface Field {
  readonly name: string;
  readonly expression: string;
}

export const SLOT = /@([SUHPLDNX])@/;

/** The lines of a probe with everything filled in, without markers. */
export function filled(
  template: Template,
  slots: Slots,
  data: readonly Field[],
  isSync: boolean,
): readonly string[] {
  const { field, between, empty = "", instead = {} } = template;
  const fields = data.map(({ name, expression }) =>
    fill(field, { N: name, X: instead[expression] ?? expression }),
  );
  const text = textOf(template, isSync, data.length > 0);
  return fill(text, { ...slots, D: fields.length > 0 ? fields.join(between) : empty }).split("\n");
}

/** The text that is filled in. */
export function textOf({ text, sync = text }: Template, isSync: boolean, hasData: boolean): string {
  const chosen = isSync ? sync : text;
  return hasData ? chosen : chosen.replace(/^@D@\n/m, "");
}

export function marker({ comment, mark = [`${comment} `, ""] }: Template, text: string): string {
  return mark[0] + text + mark[1];
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text
    .split(SLOT)
    .map((part, index) => (index % 2 === 0 ? part : (values[part] ?? "")))
    .join("");
}
