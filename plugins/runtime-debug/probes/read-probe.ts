import { expressionEnd } from "./expression.ts";
import type { Language } from "./languages.ts";
import { HEAD_LABEL } from "./probe-text.ts";
import { marker, SLOT, textOf, type Field, type Template } from "./template.ts";
import { TEMPLATES } from "./templates.ts";

/** A probe that was read again. The imports that some languages need are of no hypothesis: `""`. */
export interface ReadProbe {
  readonly hypothesis: string;
  readonly point: string;
  readonly data: readonly Field[];
  /** Missing for the imports. */
  readonly session?: string;
}

/** What a slot can hold, wherever the text is read again. */
const CONTENT: Readonly<Record<string, RegExp>> = {
  S: /[a-z0-9]+(?:-[a-z0-9]+){1,3}/y,
  U: /https?:\/\/[\w.:[\]-]+\/[\w/?&=.%~-]*/y,
  H: /[A-P]/y,
  P: /[a-z][a-z0-9]*(?:-[a-z0-9]+)*/y,
  L: /[\w./:@+ -]+/y,
  N: /[A-Za-z][\w.-]*/y,
};

/**
 * What a probe says, when its lines with both markers are letter for letter what `probeRegion` or `headRegion` writes,
 * but for indentation. It is the same probe for every session and address.
 */
export function probeIn(language: Language, lines: readonly string[]): ReadProbe | undefined {
  const [indentation = ""] = /^[\t ]*/.exec(lines[0] ?? "") ?? [];
  const [begin, ...body] = lines.map((one) =>
    one.slice(one.startsWith(indentation) ? indentation.length : 0),
  );
  const end = body.pop();
  if (begin === undefined || end === undefined) return undefined;
  const text = body.join("\n");
  for (const template of TEMPLATES[language]) {
    const isRegion = (label: string): boolean =>
      begin === marker(template, `#region debug-point ${label}`) &&
      end === marker(template, `#endregion debug-point ${label}`);
    if (template.head === text && isRegion(HEAD_LABEL)) return { hypothesis: "", point: "imports", data: [] };
    for (const isSync of template.sync === undefined ? [false] : [false, true])
      for (const hasData of [true, false]) {
        const read = new Reader(template, text).whole(textOf(template, isSync, hasData));
        const { H: hypothesis = "", P: point = "", S: session } = read?.found ?? {};
        if (read && isRegion(`${hypothesis}:${point}`))
          return { hypothesis, point, data: read.data, ...(session !== undefined && { session }) };
      }
  }
  return undefined;
}

interface Read {
  readonly at: number;
  readonly found: Readonly<Record<string, string>>;
}

/** Reads a text along a template: what is fixed letter for letter, what was filled in by what it can hold. */
class Reader {
  readonly #data: Field[] = [];

  constructor(
    private readonly template: Template,
    private readonly text: string,
  ) {}

  whole(pattern: string): { readonly found: Read["found"]; readonly data: readonly Field[] } | undefined {
    const read = this.#read(pattern, 0);
    return read?.at === this.text.length ? { found: read.found, data: this.#data } : undefined;
  }

  #read(pattern: string, from: number): Read | undefined {
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
    const { field, between, empty = "" } = this.template;
    for (let at = from; ;) {
      const isFirst = this.#data.length === 0;
      const read =
        isFirst || this.text.startsWith(between, at)
          ? this.#read(field, isFirst ? at : at + between.length)
          : undefined;
      const { N: name, X: expression } = read?.found ?? {};
      if (!read || name === undefined || expression === undefined)
        return isFirst && this.text.startsWith(empty, at) ? at + empty.length : at;
      this.#data.push({ name, expression });
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
