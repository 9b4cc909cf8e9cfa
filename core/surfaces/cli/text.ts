import type { Terminal, Invocation } from "./verb.ts";

// Characters that a terminal obeys instead of showing: C0 without tab and line feed, DEL, C1, and marks that reorder text.
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

// Select Graphic Rendition, ECMA-48 section 8.3.117, for QR codes. Without blinking (5, 6) and hiding (8).
const ATTRIBUTE = String.raw`(?:[34]8;5;\d+|[34]8;2;\d+;\d+;\d+|[0-47]|[1-9]\d+)`;
const COLOUR = new RegExp(String.raw`(\u001B\[(?:${ATTRIBUTE}(?:;${ATTRIBUTE})*)?m)`);

function escapeOf(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return `\\u${code.padStart(4, "0")}`;
}

/** Escapes the control and bidi characters of untrusted text for a terminal. */
export function printable(text: string): string {
  return text.replace(CONTROL, escapeOf);
}

/** Escapes untrusted text for one row of a list, including line breaks. */
export function row(text: string): string {
  return printable(text).replace(/[\t\n\u2028\u2029]/g, escapeOf);
}

/**
 * Escapes the text of a service, file or program for a terminal, except colours if they are allowed. Text for a pipe (`isTerminal`
 * false) is not changed.
 */
export function onTerminal(text: string, isTerminal: boolean, colours = false): string {
  if (!isTerminal) return text;
  const plain = text.replaceAll("\r\n", "\n");
  return colours
    ? plain
        .split(COLOUR)
        .map((part, index) => (index % 2 === 0 ? printable(part) : part))
        .join("")
    : printable(plain);
}

/** A value as JSON that is safe on a terminal. `indent` in spaces; 0 is one line. Ends in a line feed. */
export function jsonText(value: unknown, indent = 0): string {
  return `${printable(JSON.stringify(value, undefined, indent) ?? "null")}\n`;
}

/** The envelope of a result under `--json`. */
export function jsonResult(output: unknown): string {
  return jsonText({ ok: true, output });
}

/**
 * Writes the result of a verb: its envelope under `--json`, otherwise a text, broken between words at a terminal. `ok` is false if
 * the verb has found faults.
 */
export function answer(
  { terminal, options }: Pick<Invocation, "terminal" | "options">,
  output: unknown,
  text: () => string,
  ok = true,
): void {
  terminal.out(options.json ? jsonText({ ok, output }) : fitting(text(), terminal));
}

/** Breaks a text between words for a terminal. Text for a pipe keeps its lines. */
export function fitting(text: string, { showsOut, columns }: Pick<Terminal, "showsOut" | "columns">): string {
  // The text is escaped first, since escapes take up columns.
  const whole = printable(text);
  return showsOut ? brokenLines(whole, columns) : whole;
}

/** Breaks a message on standard error between words. Text for a pipe keeps its lines. */
export function fittingError(text: string, { errorColumns }: Pick<Terminal, "errorColumns">): string {
  const whole = printable(text);
  return errorColumns === undefined ? whole : brokenLines(whole, errorColumns);
}

// East Asian wide and full-width ranges and common pictographs, approximately: counting too many columns is harmless.
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;

/** The approximate width of a text on a terminal, in columns. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += WIDE.test(character) ? 2 : 1;
  return columns;
}

/** The longest beginning of a text that fits a width. */
export function fitted(text: string, columns: number): string {
  let kept = "";
  let used = 0;
  for (const character of text) {
    used += columnsOf(character);
    if (used > columns) return kept;
    kept += character;
  }
  return kept;
}

// Characters that cannot begin or end a line. A mark of Markdown stays next to its text.
const CLOSING = /^[，。、；：？！）》〉」』】〕”’…～,.;:?!)\]}%*`]/u;
const OPENING = /[《〈（「『【〔“‘([{*`]$/u;

// Code in backticks, and a command line that follows a colon or a bracket or begins a line, up to the end of its clause.
const COMMAND =
  /(`[^`]*`|(?<=^ {0,6}|: |\()skillctl (?=[a-z-])(?:"[^"]*"|'[^']*'|[^ "';,.()[]| (?! )|[,.](?!\s|$))*)/u;

/** Splits a text where a line may end: outside of commands at spaces and, in Chinese and Japanese, between words. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (const [index, part] of text.split(COMMAND).entries()) {
    if (part === "") continue;
    const isCommand = index % 2 === 1;
    const [first = "", ...more] = isCommand ? [part] : wordsOf(part);
    const last = pieces.at(-1) ?? "";
    // A bracket or a full stop stays next to its command.
    const isGlued = isCommand ? /[!-~]$/.test(last) : CLOSING.test(first) || /^[!-~]/.test(first);
    if (isGlued && !/\s$/.test(last)) pieces.push((pieces.pop() ?? "") + first, ...more);
    else pieces.push(first, ...more);
  }
  return pieces;
}

function wordsOf(text: string): readonly string[] {
  if (!WIDE.test(text)) return text.split(/(?<=\s)(?=\S)/);
  const pieces: string[] = [];
  for (const { segment } of new Intl.Segmenter("zh", { granularity: "word" }).segment(text)) {
    const last = pieces.at(-1) ?? "";
    const isBreak = /\s$/.test(last) || WIDE.test([...last].at(-1) ?? "") || WIDE.test(segment);
    if (last === "" || (isBreak && !/^\s/.test(segment) && !CLOSING.test(segment) && !OPENING.test(last)))
      pieces.push(segment);
    else pieces[pieces.length - 1] = last + segment;
  }
  return pieces;
}

/** Breaks a text between words into lines of at most `columns`; a word that is wider stays whole. */
export function linesOf(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const piece of piecesOf(text)) {
    if (line !== "" && columnsOf(line) + columnsOf(piece.trimEnd()) > columns) {
      lines.push(line.trimEnd());
      line = piece;
    } else line += piece;
  }
  return [...lines, line];
}

/** Breaks each line of a text between words. Lines that fit are not changed. */
export function brokenLines(text: string, columns: number): string {
  const lines = text.split("\n").map((line) => linesOf(line, columns).join("\n"));
  return lines.join("\n");
}

/** Breaks instructions between words. Code, which is indented by four spaces, and coloured drawings keep their lines. */
export function brokenInstructions(text: string, columns: number): string {
  const isKept = (line: string): boolean => line.startsWith("    ") || line.includes("\u001B");
  const lines = text.split("\n").map((line) => (isKept(line) ? line : brokenLines(line, columns)));
  return lines.join("\n");
}

/** Breaks a text between words into lines of at most `columns`, each after the first indented by `indent` spaces. */
export function wrapped(text: string, columns: number, indent = 0): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return linesOf(line, Math.max(columns - indent, 20)).join(`\n${" ".repeat(indent)}`);
}

const MOST_LEFT = 34;
/** The indent below a name that has its own line. */
const BELOW = 6;

/** Formats rows of two columns. The right one is wrapped, and goes below a left one that is too wide. */
export function table(rows: readonly (readonly [string, string])[], columns: number): string {
  const most = Math.min(MOST_LEFT, Math.floor(columns / 2) - 4);
  const widest = Math.max(0, ...rows.map(([name]) => columnsOf(name)).filter((width) => width <= most));
  const left = widest > 0 ? widest + 4 : BELOW;
  return rows
    .map(([name, text]) => {
      const width = columnsOf(name);
      const isLong = width > left - 4;
      const shown = isLong ? wrapped(name, columns - 2, BELOW) : name;
      const gap = isLong ? `\n${" ".repeat(left)}` : " ".repeat(left - 2 - width);
      return `  ${shown}${gap}${wrapped(text, columns, left)}`.trimEnd();
    })
    .map((row) => `${row}\n`)
    .join("");
}

/** Fits a help text, written for 80 columns, into fewer. A wrapped row continues below its right column if there is room. */
export function fittingHelp(help: string, columns: number): string {
  // The text contains summaries and schemas of third-party skills.
  const lines = printable(help)
    .split("\n")
    .map((line) => {
      if (columnsOf(line) <= columns) return line;
      const [left = ""] = /^ *(?:\S.*? {2,}(?=\S))?/.exec(line) ?? [];
      const isLong = left.length > columns / 2;
      const indent = isLong ? BELOW : left.length;
      const text = linesOf(line.slice(left.length), columns - indent).join(`\n${" ".repeat(indent)}`);
      if (!isLong) return left + text;
      const name = left.trim() === "" ? "" : `  ${wrapped(left, columns - 2, BELOW)}\n`;
      return `${name}${" ".repeat(indent)}${text}`;
    });
  return lines.join("\n");
}
