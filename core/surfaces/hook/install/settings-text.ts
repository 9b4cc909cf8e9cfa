import { jsonValue } from "../../../schema/json.ts";
import { createScanner, parseTree, type Node, type ParseError } from "jsonc-parser/lib/esm/main.js";
import { SkillError } from "../../../errors/skill-error.ts";
import { quotedName } from "../../../quoted-name.ts";

/** The value of a node. */
export { getNodeValue as valueOf } from "jsonc-parser/lib/esm/main.js";

const BOM = "\uFEFF";

/** No settings of an agent nest deeper; the parser itself has no limit. */
const MOST_DEPTH = 200;

/** The text of a file, or `{}` if it is blank, and its byte order mark. @throws SkillError `CONFIG_INVALID` */
export function decoded(bytes: Uint8Array, file: string): { readonly mark: string; readonly text: string } {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw unusable(file, "it is not UTF-8", cause);
  }
  const mark = text.startsWith(BOM) ? BOM : "";
  const rest = text.slice(mark.length);
  return { mark, text: rest.trim() === "" ? "{}" : rest };
}

/**
 * The syntax tree of settings: a JSON object, with or without comments. `text`: without a byte order mark.
 * @throws SkillError `CONFIG_INVALID`
 */
export function readSettings(text: string, file: string): Node {
  if (isDeep(text)) throw unusable(file, `it is nested deeper than ${MOST_DEPTH}`);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  const [error] = errors;
  if (error) {
    const line = text.slice(0, error.offset).split(/\r\n|\n|\r/).length;
    throw unusable(file, `line ${line} is not valid JSON`);
  }
  if (root?.type !== "object") throw unusable(file, "it is not a JSON object");
  return root;
}

function isDeep(text: string): boolean {
  const scanner = createScanner(text, true);
  let depth = 0;
  while (scanner.getPosition() < text.length && depth <= MOST_DEPTH) {
    scanner.scan();
    // The first character distinguishes a bracket from a text that contains one.
    const sign = text[scanner.getTokenOffset()] ?? "";
    if (sign === "{" || sign === "[") depth += 1;
    if (sign === "}" || sign === "]") depth -= 1;
  }
  return depth > MOST_DEPTH;
}

/** The value of a property, or undefined. @throws SkillError `CONFIG_INVALID` for a property that occurs twice. */
export function member(object: Node, name: string, file: string): Node | undefined {
  const found = (object.children ?? []).filter(({ children }) => children?.[0]?.value === name);
  if (found.length > 1) throw unusable(file, `it has "${name}" twice`);
  return found[0]?.children?.[1];
}

/** Whether the text uses an extension of JSON: comments or trailing commas. */
export function hasComments(text: string): boolean {
  return jsonValue(text) === undefined;
}

export function unusable(file: string, reason: string, cause?: unknown): SkillError {
  return new SkillError("CONFIG_INVALID", `${quotedName(file)} is left as it is: ${reason}.`, {
    file,
    hint: "Fix the file, or move it away, and try again.",
    cause,
  });
}

const BLANK = /[ \t\r\n]/;

/**
 * Adds a value, or `"key": value`, at the end of an object or array and changes nothing else. If the container closes on the line of
 * its last part, no white space is added before the bracket, since `removed` could not recognise it.
 */
export function inserted(text: string, container: Node, value: unknown, key?: string): string {
  const close = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  const lastEnd = last && last.offset + last.length;
  let end = close;
  while (BLANK.test(text[end - 1] ?? "")) end -= 1;
  const comma = lastEnd !== undefined && commaAfter(text, lastEnd) === undefined;
  const outer = indentAt(text, /^[ \t]*$/.test(lineBefore(text, close)) ? close : container.offset);
  const first = container.children?.[0];
  const own =
    first && /^[ \t]*$/.test(lineBefore(text, first.offset)) ? indentAt(text, first.offset) : undefined;
  const unit = unitOf(text);
  const eol = eolOf(text);
  const isOpen = /[\r\n]/.test(text.slice(end, close));
  const isEmptyRoot = !container.parent && !first;
  const isOneLine = !isEmptyRoot && !/[\r\n]/.test(text.slice(container.offset, close));
  const inner = isOpen || isEmptyRoot ? (own ?? outer + unit) : outer;
  const json = JSON.stringify(value, undefined, isOneLine ? undefined : unit).replaceAll("\n", eol + inner);
  const written = key === undefined ? json : `${JSON.stringify(key)}:${isOneLine ? "" : " "}${json}`;
  const before = isOpen || isEmptyRoot ? eol + inner : "";
  const tail = isEmptyRoot && !isOpen ? eol + outer : "";
  const body = text.slice(0, end) + before + written + tail + text.slice(end);
  return comma ? `${body.slice(0, lastEnd)},${body.slice(lastEnd)}` : body;
}

/** Removes a part from its object or array, with one comma. Everything else stays, including comments. */
export function removed(text: string, node: Node): string {
  const end = node.offset + node.length;
  const siblings = node.parent?.children ?? [];
  const before = siblings[siblings.indexOf(node) - 1];
  const after = commaAfter(text, end);
  const comma = after ?? (before && commaAfter(text, before.offset + before.length));
  const cuts: (readonly [number, number])[] =
    after === end
      ? [[node.offset, end + 1]]
      : [[node.offset, end], ...(comma === undefined ? [] : [[comma, comma + 1] as const])];
  let left = text;
  for (const [from, to] of cuts.toSorted((a, b) => b[0] - a[0])) left = withoutLine(left, from, to);
  return left;
}

/** Removes a piece, and its lines if they contain nothing else. */
function withoutLine(text: string, from: number, to: number): string {
  const blank = lineBefore(text, from);
  const [rest = ""] = /^[ \t]*(\r\n|\n|\r)?/.exec(text.slice(to)) ?? [];
  if (!/^[ \t]*$/.test(blank) || !/[\r\n]$/.test(rest)) return text.slice(0, from) + text.slice(to);
  return text.slice(0, from - blank.length) + text.slice(to + rest.length);
}

/** The offset of the next comma, past comments and blanks; undefined if something else comes first. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === "," ? at : undefined;
}

/** The beginning of a line up to an offset. */
function lineBefore(text: string, offset: number): string {
  const before = text.slice(0, offset);
  return before.slice(Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1);
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(lineBefore(text, offset))?.[0] ?? "";
}

/** The indentation step of the text. */
function unitOf(text: string): string {
  return /(?:\r\n|\n|\r)([ \t]+)[^\s]/.exec(text)?.[1] ?? "  ";
}

function eolOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
}
