import type { Language } from "../../probes/languages.ts";
import type { TextLine } from "../../regions/lines.ts";
import type { Region } from "../../regions/regions.ts";

/** How lines tell in a language that a statement can stand between two of them. */
interface Signs {
  /** What can make lines parts of one text or comment. */
  readonly long: RegExp;
  /** The line above a block of statements, up to its end. */
  readonly opens: RegExp;
  /** A line that ends a statement. */
  readonly ends: RegExp;
  /** Statements can stand in no block at all. */
  readonly top: boolean;
}

const CONTROL = String.raw`\b(?:if|for|while|catch|else if)\s*\(.*\)|\b(?:else|try|do|finally)`;
const C_LIKE = /^\s*[^\s#].*;$/;
const SIGNS: Readonly<Partial<Record<Language, Signs>>> = {
  javascript: {
    long: /`|\/\*/,
    opens: new RegExp(
      String.raw`^(?!.*\b(?:class|switch|interface)\b).*(?:${CONTROL}|\bfunction\b.*\).*|=>|^\s*(?:[a-z]+\s+)*[\w$#]+\([^()]*\)(?::[^={]*)?)\s*\{$`,
    ),
    ends: C_LIKE,
    top: true,
  },
  java: {
    long: /"""|\/\*/,
    opens: new RegExp(
      String.raw`^(?!.*\b(?:class|switch|interface|enum|record|new)\b).*(?:${CONTROL}|\w\s+\w+\([^()]*\)[^(]*|->)\s*\{$`,
    ),
    ends: C_LIKE,
    top: false,
  },
  php: {
    long: /<<<|\?>|\/\*|["'][^"'\r\n]*$/m,
    opens: new RegExp(
      String.raw`^(?!.*\b(?:class|switch|interface|enum|trait|match)\b).*(?:${CONTROL}|\bfunction\b.*\).*)\s*\{$`,
    ),
    ends: C_LIKE,
    top: false,
  },
  go: {
    long: /`|\/\*/,
    opens:
      /^(?!.*\b(?:struct|interface|switch|select)\b)\s*(?:func\b.*\).*|(?:\} else )?if\b.*|for\b.*|\} else )\{$/,
    ends: /^\s*(?:[\w.[\]]+\(.*\)|[\w.[\]]+(?:, ?[\w.[\]]+)* :?= [^{]*[\w)\]"])$/,
    top: false,
  },
  python: {
    long: /"""|'''|\\$/m,
    opens: /^\s*(?:(?:async )?def\b[^#]*\)[^#]*|(?:if|for|while|with|elif|try|else|except|finally)\b[^#]*):$/,
    ends: /^\s*(?:[a-z_][\w.]*\(.*\)|[a-z_][\w.[\]]* [-+*/]?= (?!=).*[\w)\]"'])$/i,
    top: true,
  },
};
/** What goes on with what stood before, or has to stand first. */
const GOES_ON =
  /^\s*(?:(?:else|elif|elsif|elseif|catch|except|finally|case|default|in|of|as|instanceof|and|or|import|package|use)\b|[.,?:)\]=+*/%&|<>^`"'([{-]|from __future__)/;
const HEAD = /#region debug-point shared:imports$/;
const COMMENT = /^\s*(?:\/\/|#|$)/;
const BRACKETS: Readonly<Record<string, number>> = { "(": 1, "[": 1, ")": -1, "]": -1 };

/**
 * Whether regions surely stand between two statements, by the lines around them alone, so that most files need no syntax
 * tree. It asks for the usual layout: one statement a line, blocks indented. `false` says nothing.
 */
export function isQuickPlace(
  language: Language,
  lines: readonly TextLine[],
  regions: readonly Region[],
): boolean {
  const signs = SIGNS[/^(?:jsx|typescript|tsx)$/.test(language) ? "javascript" : language];
  if (!signs) return false;
  const outside = new Outside(lines, regions);
  if (signs.long.test(outside.textAbove())) return false;
  return regions.every((region) => {
    const [last, below] = [outside.above(region.first), outside.below(region.last)];
    const own = lines[region.first]?.text ?? "";
    // What a file needs at its top stands behind its imports.
    if (HEAD.test(own)) return isBehindImports(last?.text, below);
    if (!last || (below !== undefined && GOES_ON.test(below)) || !isWhole(last.text)) return false;
    const opens = signs.opens.test(last.text);
    const indent = indentOf(language === "python" ? own : ((opens ? below : last.text) ?? ""));
    // What stands below belongs to the same block, or the block has ended.
    if (below !== undefined && indentOf(below) !== indent && !isDeeper(indent, below)) return false;
    if (isDeeper(indent, last.text))
      return opens && below !== undefined && (indentOf(below) === indent || /^\s*\}/.test(below));
    if (indentOf(last.text) !== indent || !signs.ends.test(last.text)) return false;
    let header = outside.above(last.line);
    while (header && !isDeeper(indent, header.text)) header = outside.above(header.line);
    return header ? signs.opens.test(header.text) && isWhole(header.text) : signs.top && indent === "";
  });
}

/** The lines of code around regions. */
class Outside {
  readonly #gone = new Set<number>();

  constructor(
    private readonly lines: readonly TextLine[],
    private readonly regions: readonly Region[],
  ) {
    for (const { first, last } of regions) for (let at = first; at <= last; at += 1) this.#gone.add(at);
  }

  /** Everything above the last region, without regions. */
  textAbove(): string {
    let from = 0;
    const parts = this.regions.flatMap(({ first, last }) => {
      const part = this.lines.slice(from, first);
      from = last + 1;
      return part;
    });
    return parts.map(({ text }) => text).join("\n");
  }

  /** The nearest line of code above a line. */
  above(line: number): { readonly text: string; readonly line: number } | undefined {
    let at = line - 1;
    while (at >= 0 && this.#isNoCode(at)) at -= 1;
    return at < 0 ? undefined : { text: this.#text(at), line: at };
  }

  below(line: number): string | undefined {
    let at = line + 1;
    while (at < this.lines.length && this.#isNoCode(at)) at += 1;
    return at < this.lines.length ? this.#text(at) : undefined;
  }

  #isNoCode(at: number): boolean {
    return this.#gone.has(at) || COMMENT.test(this.lines[at]?.text ?? "");
  }

  #text(at: number): string {
    return (this.lines[at]?.text ?? "").trimEnd();
  }
}

function isBehindImports(above: string | undefined, below: string | undefined): boolean {
  return (
    above !== undefined &&
    /^(?:\)|import [^(]*|#include .*)$/.test(above) &&
    below !== undefined &&
    /^[a-z]/.test(below)
  );
}

function isDeeper(indent: string, line: string): boolean {
  const outer = indentOf(line);
  return indent.length > outer.length && indent.startsWith(outer);
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** Whether the brackets of a line end in it, or it opens the body of a function that is given to a call. */
function isWhole(line: string): boolean {
  return isClosed(line) || /^[^"'`]*(?:=>|\bfunction\b[^()]*\([^()]*\))\s*\{$/.test(line);
}

/** Whether the brackets and strings of a line end in it. */
function isClosed(line: string): boolean {
  const code = line.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "");
  return !/["']/.test(code) && [...code].reduce((sum, one) => sum + (BRACKETS[one] ?? 0), 0) === 0;
}
