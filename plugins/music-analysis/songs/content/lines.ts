/** A content line by line. */
export interface ContentLines {
  readonly lines: readonly string[];
  /** What ends each of them. */
  readonly lineEnd: string;
}

/** What a block that was read is, and where the next one begins. */
export interface Read<Block> {
  readonly blocks: readonly Block[];
  /** The number of the first line behind it. */
  readonly next: number;
}

const FENCE = /^(?:(`{3,})[^`]*|(~{3,}).*)$/u;
const HEADING = /^#{1,6}(?:[ \t]|$)/u;
const BULLETS = "-+*";
const ORDERED = ".)";
const MOST_DIGITS = 9;
/** Spaces between a marker and words; with more of them it is code. */
const MOST_SPACES = 4;
const SPACE = 0x20;
const TAB = 0x09;
const MARKER_LIKE = /^ {0,3}(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]|$)/u;
const UNSURE =
  /^(?:[>|<=:+\-\t]|#{1,6}(?:[ \t]|$)|```|~~~|[0-9]{1,9}[.)](?:[ \t]|$)|\*(?:[ \t]|$)|[*_ \t]+$)/u;

/** An item's marker at the beginning of a line. */
export interface Marker {
  /** Spaces before it. */
  readonly indent: number;
  /** How far its content is from the beginning of the line. */
  readonly width: number;
  /** What tells one list from the next: the sign, or what stands behind the number. */
  readonly kind: string;
  /** The number of an item of an ordered list. */
  readonly number: number | undefined;
}

/** The marker of an item that begins with words: neither empty nor with a block of code. */
export function itemMarker(line: string): Marker | undefined {
  const indent = leadingSpaces(line);
  let end = indent;
  while (end - indent < MOST_DIGITS && isDigit(line.charCodeAt(end))) end += 1;
  const kind = line.charAt(end);
  const isOrdered = end > indent;
  if (kind === "" || !(isOrdered ? ORDERED : BULLETS).includes(kind)) return undefined;
  const width = end + 1 + leadingSpaces(line, end + 1);
  const spaces = width - end - 1;
  if (spaces < 1 || spaces > MOST_SPACES || width === line.length || line.startsWith("\t", width))
    return undefined;
  return { indent, width, kind, number: isOrdered ? Number(line.slice(indent, end)) : undefined };
}

/** Whether a line may be an item at the outermost level, whatever its content. */
export function isMarkerLike(line: string): boolean {
  return MARKER_LIKE.test(line);
}

/** Whether a line without the spaces before it may be more than words that belong to a paragraph. */
export function isUnsure(text: string): boolean {
  return UNSURE.test(text);
}

/** Nothing but spaces and tabs; the end of a content counts as blank. */
export function isBlank(line: string | undefined): boolean {
  if (line === undefined) return true;
  let at = 0;
  while (line.charCodeAt(at) === SPACE || line.charCodeAt(at) === TAB) at += 1;
  return at === line.length;
}

/** Whether a line without spaces before it is a heading, which ends whatever stands before it. */
export function isHeading(line: string): boolean {
  return line.startsWith("#") && HEADING.test(line);
}

/** The marks that open a block of code at the beginning of a line, which ends whatever stands before it. */
export function openingFence(line: string): string | undefined {
  const match = line.startsWith("`") || line.startsWith("~") ? FENCE.exec(line) : null;
  return match === null ? undefined : (match[1] ?? match[2]);
}

/** The number of the line that closes a block of code; the last one where none does. */
export function closingFence({ lines }: ContentLines, opening: number, fence: string): number {
  const closes = new RegExp(`^ {0,3}${fence}${fence.charAt(0)}*[ \\t]*$`, "u");
  let next = opening + 1;
  while (next < lines.length && !closes.test(lines[next] ?? "")) next += 1;
  return next;
}

/** How many spaces a line has from a place on. */
export function leadingSpaces(line: string, from = 0): number {
  let at = from;
  while (line.charCodeAt(at) === SPACE) at += 1;
  return at - from;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** Whether there is something at the very beginning of a line. */
export function startsAtEdge(line: string): boolean {
  return line !== "" && !line.startsWith(" ") && !line.startsWith("\t");
}
