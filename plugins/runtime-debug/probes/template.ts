import { expressionEnd, type ExpressionRules } from "./expression.ts";

/** How probes of a language are written. `@S@`, `@U@`, `@H@`, `@P@` and `@L@` stand for session, address, hypothesis, point and location. */
export interface Template {
  /** A marker as a comment of the language. */
  readonly mark: (text: string) => string;
  /** The one line; `@D@` stands for its data. */
  readonly line: string;
  /** One field of the data: `@N@` for its name, `(@X@)` for the expression. */
  readonly field: string;
  readonly between: string;
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

/** What a slot can hold, wherever the line is read again. */
const CONTENT: Readonly<Record<string, RegExp>> = {
  S: /[a-z0-9]+(?:-[a-z0-9]+){1,3}/y,
  U: /https?:\/\/[\w.:[\]-]+\/[\w/?&=.%~-]*/y,
  H: /[A-P]/y,
  P: /[a-z][a-z0-9]*(?:-[a-z0-9]+)*/y,
  L: /[\w./:@+ -]+/y,
  N: /[A-Za-z][\w.-]*/y,
};
const SLOT = /@([SUHPLDNX])@/;

/** The line with everything filled in. */
export function filled({ line, field, between }: Template, slots: Slots, data: readonly Field[]): string {
  const fields = data.map(({ name, expression }) => fill(field, { N: name, X: expression }));
  return fill(line, { ...slots, D: fields.join(between) });
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text
    .split(SLOT)
    .map((part, index) => (index % 2 === 0 ? part : (values[part] ?? "")))
    .join("");
}

/** What was filled in, when the whole line is the template's. */
export function readLine(
  template: Template,
  text: string,
): { readonly slots: Slots; readonly data: readonly Field[] } | undefined {
  const reader = new LineReader(template, text);
  const values = reader.read(template.line, 0);
  if (!values || values.at !== text.length) return undefined;
  return { slots: values.found as unknown as Slots, data: reader.data };
}

interface Read {
  readonly at: number;
  readonly found: Readonly<Record<string, string>>;
}

/** Reads a line along a template: what is fixed letter for letter, what was filled in by what it can hold. */
class LineReader {
  readonly data: Field[] = [];

  constructor(
    private readonly template: Template,
    private readonly text: string,
  ) {}

  read(pattern: string, from: number): Read | undefined {
    const found: Record<string, string> = {};
    let at = from;
    for (const [index, part] of pattern.split(SLOT).entries()) {
      if (index % 2 === 0) {
        if (!this.text.startsWith(part, at)) return undefined;
        at += part.length;
      } else if (part === "D") at = this.#fields(at);
      else {
        const value = part === "X" ? this.#expression(at) : this.#content(part, at);
        if (value === undefined || (found[part] !== undefined && found[part] !== value)) return undefined;
        found[part] = value;
        at += value.length;
      }
    }
    return { at, found };
  }

  /** As many fields as there are; where the last one ends. */
  #fields(from: number): number {
    const { field, between } = this.template;
    for (let at = from; ;) {
      const start = this.data.length === 0 ? at : at + between.length;
      const isNext = this.data.length === 0 || this.text.startsWith(between, at);
      const read = isNext ? this.read(field, start) : undefined;
      const { N: name, X: expression } = read?.found ?? {};
      if (!read || name === undefined || expression === undefined) return at;
      this.data.push({ name, expression });
      at = read.at;
    }
  }

  #content(slot: string, at: number): string | undefined {
    const pattern = CONTENT[slot];
    if (!pattern) return undefined;
    pattern.lastIndex = at;
    return pattern.exec(this.text)?.[0];
  }

  #expression(at: number): string | undefined {
    const end = expressionEnd(this.text, at, this.template.expressions);
    return end === undefined ? undefined : this.text.slice(at, end);
  }
}
