import type { TextLine } from "../regions/lines.ts";
import type { Language } from "../probes/languages.ts";

/** Which lines open a block that must not be empty, and which ones cannot be its content. */
const OPENING: Readonly<Partial<Record<Language, RegExp>>> = {
  python: /:\s*(?:#.*)?$/,
  shell: /(?:^|[\s;])(?:then|do|else|\{)\s*(?:#.*)?$/,
};
const CLOSING = /^\s*(?:fi|done|else|elif|esac|\}|;;)/;

/**
 * The lines, from 0, that open a block without content, in languages where that is a fault that a syntax tree may not
 * show. A line that ends in a colon within brackets or a string can be taken for one: who asks compares two texts.
 */
export function emptiedBlocks(language: Language | undefined, lines: readonly TextLine[]): readonly number[] {
  const opening = language && OPENING[language];
  if (!opening) return [];
  const found: number[] = [];
  const isCode = ({ text }: TextLine): boolean => !/^\s*(?:#.*)?$/.test(text);
  for (const [line, one] of lines.entries()) {
    if (!isCode(one) || !opening.test(one.text)) continue;
    const next = lines.slice(line + 1).find(isCode);
    if (next === undefined || isOutside(language, one, next)) found.push(line);
  }
  return found;
}

function isOutside(language: Language, { text }: TextLine, next: TextLine): boolean {
  if (language === "shell") return CLOSING.test(next.text);
  return indentation(next.text) <= indentation(text);
}

function indentation(text: string): number {
  return /^\s*/.exec(text)?.[0].replaceAll("\t", "        ").length ?? 0;
}
