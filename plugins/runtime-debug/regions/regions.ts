import { diffArrays } from "diff";

/** A line of a text with its line ending: LF, CRLF, CR, or nothing at the end of the text. */
export interface TextLine {
  readonly text: string;
  readonly end: string;
}

const LINE = /([^\r\n]*)(\r\n|\r|\n|$)/gy;

/** The lines of a text. Joined, they are the same text, byte for byte. */
export function linesOf(text: string): readonly TextLine[] {
  const lines: TextLine[] = [];
  if (!text.includes("\r")) {
    const parts = text.split("\n");
    const rest = parts.pop();
    for (const part of parts) lines.push({ text: part, end: "\n" });
    if (rest) lines.push({ text: rest, end: "" });
    return lines;
  }
  for (const [whole, content = "", end = ""] of text.matchAll(LINE)) {
    if (whole === "") break;
    lines.push({ text: content, end });
  }
  return lines;
}

export function textOf(lines: readonly TextLine[]): string {
  return lines.map(({ text, end }) => text + end).join("");
}

/** The content of a line that is nothing but a marker. */
export type Marker =
  /** Begins instrumentation; `label` is the text after the name, such as `A:token`. */
  | { readonly kind: "begin"; readonly label: string }
  /** Begins another fold. */
  | { readonly kind: "other" }
  /** Ends the last one; `own` if it is marked as the end of instrumentation. */
  | { readonly kind: "end"; readonly label: string; readonly own: boolean };

/**
 * A comment of one line in any language, `{/*` of JSX included, and its content. Markers can be in any of them:
 * `// #region`, `# region`, `-- #region`, `<!-- #region -->`, `(* #region *)`, and `#region` alone where it is a directive. A comment that
 * continues on the next line, or ends before the line does, does not count; nor does a text in single quotes.
 */
const COMMENT =
  /^(?:(?:\{\s*)?\/\*((?:[^*]|\*(?!\/))*)\*\/(?:\s*\})?|<!--((?:[^-]|-(?!->))*)-->|\(\*((?:[^*]|\*(?!\)))*)\*\)|(?:\/\/|--|%|;|'(?!.*')|!|(?:rem|REM)\s|(?=#\s?(?:end)?region\b)|#)(.*))$/;
/** Ends a line for a language but not for an editor, or does the opposite, like a backslash in C. */
const HIDDEN_END = /[\v\f\u0085\u2028\u2029]|\\\s*$|\?\?\/\s*$/;
/** Also matches `// region` and `//# endregion`. */
const MARKER = /^#?\s?(end)?region\b[:\s]*([^]*)/i;
const INSTRUMENTATION = /^(debug-point|agent log)\b[:\s]*([^]*)/i;

/**
 * Parses a line as a marker. A line with text outside the comment is not a marker: code before a marker would
 * be removed with it.
 */
export function markerIn(line: string): Marker | undefined {
  if (!/region/i.test(line) || HIDDEN_END.test(line)) return undefined;
  const [, block, page, pascal, rest] = COMMENT.exec(line.trim()) ?? [];
  const marker = MARKER.exec((block ?? page ?? pascal ?? rest ?? "").trim());
  if (!marker) return undefined;
  const [, end, text = ""] = marker;
  const [, format, label = ""] = INSTRUMENTATION.exec(text) ?? [];
  if (end !== undefined)
    return { kind: "end", label: format === undefined ? text : label, own: format !== undefined };
  return format === undefined ? { kind: "other" } : { kind: "begin", label };
}

/** A region of instrumentation. Lines count from 0; both markers belong to it. */
export interface Region {
  readonly first: number;
  readonly last: number;
  readonly label: string;
}

/** A marker without its other half, or in the middle of a region. */
export interface MarkerFault {
  readonly line: number;
  readonly sentence: string;
}

export interface Found {
  readonly regions: readonly Region[];
  readonly faults: readonly MarkerFault[];
}

interface Open {
  readonly line: number;
  readonly label: string;
  readonly own: boolean;
}

/**
 * The regions of instrumentation in a text, outermost only, in order. Other folds are ignored. `isMarker` decides
 * which lines can be markers; lines in a multi-line text cannot.
 */
export function regionsIn(
  lines: readonly TextLine[],
  isMarker: (line: number) => boolean = () => true,
): Found {
  const open: Open[] = [];
  const regions: Region[] = [];
  const faults: MarkerFault[] = [];
  for (const [line, { text }] of lines.entries()) {
    const marker = markerIn(text);
    if (!marker || !isMarker(line)) continue;
    if (marker.kind === "other") open.push({ line, label: "", own: false });
    else if (marker.kind === "begin") {
      if (open.some(({ own }) => own))
        faults.push({ line, sentence: "A region of instrumentation begins inside another one." });
      open.push({ line, label: marker.label, own: true });
    } else {
      const begun = open.pop();
      if (marker.own && !begun?.own)
        faults.push({ line, sentence: "A region of instrumentation ends but has not begun." });
      else if (marker.own && begun && !fit(begun.label, marker.label))
        faults.push({ line, sentence: `This end marker does not match the region "${begun.label}".` });
      if (begun?.own && !open.some(({ own }) => own))
        regions.push({ first: begun.line, last: line, label: begun.label });
    }
  }
  for (const { line, own } of open)
    if (own) faults.push({ line, sentence: "A region of instrumentation does not end." });
  return { regions, faults: faults.sort((one, other) => one.line - other.line) };
}

/** Whether labels belong to one region: people shorten or lengthen the second one. */
function fit(begin: string, end: string): boolean {
  const [one, other] = [begin.toLowerCase(), end.toLowerCase()];
  return one.startsWith(other) || other.startsWith(one);
}

const BYTE_ORDER_MARK = "\uFEFF";
/** The whole line follows, its indentation included. */
const INSTEAD = /^[\t ]*(?:\/\/|#|--|%|;|'|!) instead of: ([^]*)$/;

export type Stripped =
  | { readonly ok: true; readonly text: string; readonly count: number }
  | { readonly ok: false; readonly faults: readonly MarkerFault[] };

/**
 * The text without its regions of instrumentation, with every other byte unchanged. A region after a last line
 * without a line end is removed together with the inserted line end. With a fault in the markers nothing is removed.
 */
export function strip(text: string): Stripped {
  const lines = linesOf(withoutMark(text));
  const { regions, faults } = regionsIn(lines);
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, text: strippedOf(text, lines, regions), count: regions.length };
}

/** The text of these lines without some of its regions, with its byte order mark; replaced lines are restored. */
export function strippedOf(text: string, lines: readonly TextLine[], regions: readonly Region[]): string {
  const rest = (text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "") + textOf(outside(lines, regions));
  const last = regions.find((region) => region.last === lines.length - 1);
  const hadNoEnd = last && lines.at(-1)?.end === "" && !replacedBy(lines, last);
  return hadNoEnd ? rest.replace(/(?:\r\n|\r|\n)$/, "") : rest;
}

/** A byte order mark is not part of the first line: it stays when a region there is removed. */
export function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** A line and its number in a text, from 0. */
export interface PlacedLine extends TextLine {
  readonly line: number;
}

/** The lines outside of some regions, including replaced lines. */
export function outside(lines: readonly TextLine[], regions: readonly Region[]): readonly PlacedLine[] {
  const gone = new Map<number, readonly PlacedLine[]>();
  for (const region of regions) {
    const { first, last } = region;
    const replaced = replacedBy(lines, region);
    for (let line = first; line <= last; line += 1) gone.set(line, []);
    if (replaced) gone.set(last, [{ ...replaced, line: first }]);
  }
  return lines.flatMap((one, line) => gone.get(line) ?? [{ ...one, line }]);
}

/** The line that a region replaces, with its line end; the first line inside the region holds it. */
export function replacedBy(lines: readonly TextLine[], { first, last }: Region): TextLine | undefined {
  const [, text] = first + 1 < last ? (INSTEAD.exec(lines[first + 1]?.text ?? "") ?? []) : [];
  return text === undefined ? undefined : { text, end: lines[last]?.end ?? "" };
}

/** Replaces a line by a region that holds it; lines count from 1. */
export function replace(text: string, line: number, region: readonly string[]): string {
  if (text.startsWith(BYTE_ORDER_MARK)) return BYTE_ORDER_MARK + replace(text.slice(1), line, region);
  const lines = linesOf(text);
  const end = lineEndOf(lines);
  const put = region.join(end) + (lines[line - 1]?.end ?? "");
  return textOf(lines.slice(0, line - 1)) + put + textOf(lines.slice(line));
}

/** Puts a region in front of a line; lines count from 1, and the number of lines plus 1 means the end. */
export function insert(text: string, line: number, region: readonly string[]): string {
  if (text.startsWith(BYTE_ORDER_MARK)) return BYTE_ORDER_MARK + insert(text.slice(1), line, region);
  const lines = linesOf(text);
  const end = lineEndOf(lines);
  const before = lines.slice(0, line - 1);
  const after = lines.slice(line - 1);
  const last = before.at(-1);
  // Only the last line of a text can lack a line end.
  if (last?.end === "") return textOf(before) + end + region.join(end);
  return textOf(before) + region.map((one) => one + end).join("") + textOf(after);
}

function lineEndOf(lines: readonly TextLine[]): string {
  return lines.find((one) => one.end !== "")?.end ?? "\n";
}

/** The lines that both texts have in common, from 0; empty with more edits than `most`. */
export function commonLines(
  one: readonly string[],
  other: readonly string[],
  most = Infinity,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  let [from, to] = [0, 0];
  for (const { added, removed, count } of diffArrays([...one], [...other], { maxEditLength: most }) ?? []) {
    if (!added && !removed) for (let line = 0; line < count; line += 1) found.set(from + line, to + line);
    if (!added) from += count;
    if (!removed) to += count;
  }
  return found;
}
