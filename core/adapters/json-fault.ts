import { printParseErrorCode, visit, type JSONVisitor } from "jsonc-parser/lib/esm/main.js";

/**
 * The reason why a text is not JSON, with line and column, as the rest of a sentence. It quotes nothing of the text and is the
 * same on every version of Node. For texts that `JSON.parse` has refused.
 */
export function jsonFault(given: string): string {
  const text = given.replace(/^\uFEFF/, "");
  if (text.trim() === "") return "it is empty";
  if (text.startsWith("\uFFFD")) return "it is not in UTF-8";
  const found: Place[] = [];
  try {
    const onError: JSONVisitor["onError"] = (error, offset, length, line, column) =>
      found.push({ code: printParseErrorCode(error), offset, end: offset + length, line, column });
    visit(text, { onError }, { disallowComments: true, allowTrailingComma: false });
  } catch (caught) {
    if (!(caught instanceof RangeError)) throw caught;
  }
  const [first, second] = found;
  if (!first) return "it is nested too deep";
  return `${reasonOf(text, first, second)} (line ${first.line + 1}, column ${first.column + 1})`;
}

/** An error of the parser; line and column count from 0. */
interface Place {
  readonly code: string;
  readonly offset: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
}

const REASONS: Readonly<Record<string, string>> = {
  InvalidCommentToken: "JSON has no comments",
  UnexpectedEndOfComment: "JSON has no comments",
  UnexpectedEndOfNumber: "a number is incomplete",
  InvalidUnicode: "a string has an invalid escape",
  InvalidEscapeCharacter: "a string has an invalid escape",
  InvalidCharacter: "a string has a control character",
  PropertyNameExpected: "a name in double quotes is missing",
  ColonExpected: "a colon is missing after a name",
  CommaExpected: "a comma is missing",
  ValueExpected: "a value is missing",
  EndOfFileExpected: "text follows its end",
};

function reasonOf(text: string, { code, offset, end }: Place, next: Place | undefined): string {
  if (text[offset] === "#") return REASONS["InvalidCommentToken"] as string;
  if (text[offset] === "'") return "strings in JSON need double quotes";
  if (/[“”„‟‘’«»]/.test(text[offset] ?? ""))
    return "a typographic quote is used in place of a straight double quote";
  if (code === "UnexpectedEndOfString")
    return end < text.length ? "a string has a line break" : "a string has no closing quote";
  if (text.slice(offset).trim() === "") return "it ends too early";
  if (/[}\]]/.test(text[offset] ?? "") && text.slice(0, offset).trimEnd().endsWith(","))
    return "JSON has no comma before a closing brace or bracket";
  if (code === "InvalidSymbol" && next?.code === "PropertyNameExpected")
    return "a name must be in double quotes";
  return REASONS[code] ?? "a character is not allowed there";
}
