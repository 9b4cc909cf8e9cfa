import type { Subject } from "../plugin.ts";
import { isObject } from "../schema/json.ts";
import type { Texts, Unclear } from "./desk.ts";
import { TOO_MUCH, type Work } from "./replacement.ts";

/**
 * Patches of Codex, read and applied as codex-rs/apply-patch of github.com/openai/codex does (read November 2026).
 */

/** A part of a patch. Paths are as written. */
export type Hunk =
  | { readonly kind: "add"; readonly path: string; readonly text: string }
  | { readonly kind: "remove"; readonly path: string }
  | {
      readonly kind: "update";
      readonly path: string;
      readonly to?: string;
      readonly chunks: readonly Chunk[];
    };

/** Lines that are looked for below a context line, and those that stand in their place afterwards. */
interface Chunk {
  readonly context?: string;
  readonly old: readonly string[];
  readonly put: readonly string[];
  readonly isAtEnd: boolean;
}

/** A call that holds a patch. */
export interface PatchCall {
  /** All that names files. */
  readonly text: string;
  /** The patch; undefined when the words around it may change it. */
  readonly patch?: string;
  /** The folder that a command enters first. */
  readonly folder?: string;
}

const BEGIN = "*** Begin Patch";
const PROGRAM = /^(?:apply_patch|applypatch)$/;

/** The patch of a call: of the tool apply_patch, or of a shell that does nothing but call the program of that name. */
export function patchCall(tool: Subject["tool"], input: unknown): PatchCall | undefined {
  const found: string[] = [];
  const words: (readonly string[])[] = [];
  const look = (value: unknown, depth: number): void => {
    if (typeof value === "string") {
      if (value.includes(BEGIN)) found.push(value);
    } else if (Array.isArray(value) && value.every((one) => typeof one === "string")) {
      if (value.some((one) => one.includes(BEGIN))) words.push(value);
    } else if (depth < 64 && typeof value === "object" && value !== null)
      for (const one of Object.values(value)) look(one, depth + 1);
  };
  look(input, 0);
  const text = [...found, ...words.flat()].join("\n");
  if (text === "") return undefined;
  const isOne = found.length + words.length === 1;
  if (tool === "edit") return isOne && found[0] !== undefined ? { text, patch: found[0] } : { text };
  if (tool !== "shell" || !/apply_?patch/.test(text)) return undefined;
  const isMoved = isObject(input) && input["workdir"] !== undefined;
  return { text, ...(isOne && !isMoved && commandOf(found[0] ?? words[0] ?? "")) };
}

/** The patch in a command: the words of one, or a script that is one here-document. */
function commandOf(command: string | readonly string[]): Omit<PatchCall, "text"> | undefined {
  if (typeof command === "string") return scriptOf(command);
  const [program = "", second = "", script] = command;
  if (PROGRAM.test(program) && command.length === 2) return { patch: second };
  const isShell = /(?:^|\/)(?:bash|zsh|sh)$/.test(program) && /^-l?c$/.test(second);
  return isShell && script !== undefined && command.length === 3 ? scriptOf(script) : undefined;
}

const START =
  /^(?:cd +(?:'([^']+)'|"([^"$`\\]+)"|([\w./@%+,:-]+)) *&& *)?(?:apply_patch|applypatch) *<< *(?:'(\w+)'|"(\w+)"|(\w+)) *$/;

function scriptOf(script: string): Omit<PatchCall, "text"> | undefined {
  const [first = "", ...rest] = script.trim().split("\n");
  if (first.length > 4_096) return undefined;
  const [, ...parts] = START.exec(first) ?? [];
  const [folder] = parts.slice(0, 3).filter((part) => part !== undefined);
  const [end] = parts.slice(3).filter((part) => part !== undefined);
  const patch = rest.slice(0, -1).join("\n");
  // Without quotes a shell fills in variables.
  const isExpanded = parts[5] !== undefined && /[$`\\]/.test(patch);
  if (end === undefined || isExpanded || rest.indexOf(end) !== rest.length - 1) return undefined;
  return folder === undefined ? { patch } : { patch, folder };
}

/** The files that the lines of a patch name. */
export function filesInPatch(text: string): readonly string[] {
  const named = text.matchAll(/^[ \t]*\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm);
  return [...new Set([...named].map(([, path = ""]) => path.trim()))].slice(0, 1_000);
}

/** The parts of a patch; undefined when it is not one. */
export function hunksOf(patch: string): readonly Hunk[] | undefined {
  let lines = trimmed(patch)
    .split("\n")
    .map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const isPatch = (): boolean =>
    trimmed(lines[0] ?? "") === BEGIN && trimmed(lines.at(-1) ?? "") === "*** End Patch";
  if (!isPatch() && /^<<(?:EOF|'EOF'|"EOF")$/.test(lines[0] ?? "") && lines.at(-1)?.endsWith("EOF"))
    lines = lines.slice(1, -1);
  if (!isPatch() || lines.length < 2) return undefined;
  const hunks: Hunk[] = [];
  for (let at = 1; at < lines.length - 1;) {
    const read = hunkAt(lines, at, lines.length - 1);
    if (!read) return undefined;
    hunks.push(read.hunk);
    at = read.next;
  }
  return hunks;
}

interface HunkRead {
  readonly hunk: Hunk;
  readonly next: number;
}

function hunkAt(lines: readonly string[], start: number, end: number): HunkRead | undefined {
  const [, kind, path = ""] =
    /^\*\*\* (Add|Delete|Update) File: (.*)$/.exec(trimmed(lines[start] ?? "")) ?? [];
  let at = start + 1;
  if (kind === "Delete") return { hunk: { kind: "remove", path }, next: at };
  if (kind === "Add") {
    while (at < end && lines[at]?.startsWith("+")) at += 1;
    const text = lines.slice(start + 1, at).map((line) => `${line.slice(1)}\n`);
    return { hunk: { kind: "add", path, text: text.join("") }, next: at };
  }
  if (kind !== "Update") return undefined;
  const [, to] = (at < end && /^\*\*\* Move to: (.*)$/.exec(lines[at] ?? "")) || [];
  if (to !== undefined) at += 1;
  const chunks: Chunk[] = [];
  while (at < end && !lines[at]?.startsWith("*")) {
    if (trimmed(lines[at] ?? "") === "") {
      at += 1;
      continue;
    }
    const read = chunkAt(lines, at, end, chunks.length === 0);
    if (!read) return undefined;
    chunks.push(read.chunk);
    at = read.next;
  }
  if (chunks.length === 0) return undefined;
  return { hunk: { kind: "update", path, ...(to !== undefined && { to }), chunks }, next: at };
}

function chunkAt(
  lines: readonly string[],
  start: number,
  end: number,
  isFirst: boolean,
): { readonly chunk: Chunk; readonly next: number } | undefined {
  const head = lines[start] ?? "";
  const hasHead = head === "@@" || head.startsWith("@@ ");
  if (!hasHead && !isFirst) return undefined;
  const [old, put]: [string[], string[]] = [[], []];
  const first = hasHead ? start + 1 : start;
  let at = first;
  let isAtEnd = false;
  for (; at < end && !isAtEnd; at += 1) {
    const line = lines[at] ?? "";
    const [sign, rest] = [line.charAt(0), line.slice(1)];
    if (line === "*** End of File") isAtEnd = true;
    else if (!["", " ", "+", "-"].includes(sign)) break;
    else {
      if (sign !== "+") old.push(rest);
      if (sign !== "-") put.push(rest);
    }
  }
  if (old.length + put.length === 0) return undefined;
  return {
    chunk: { old, put, isAtEnd, ...(head.startsWith("@@ ") && { context: head.slice(3) }) },
    next: at,
  };
}

/**
 * The results of the parts of one file, of each text that it may have; none when one does not fit. Older versions of Codex end
 * each new line with LF, newer ones as the first line of the file; both end the last line.
 */
export function patched(texts: Texts, chunks: readonly Chunk[], work: Work): Texts | Unclear {
  const found = new Set<string>();
  for (const text of texts)
    for (const isByEnd of text.includes("\r\n") ? [false, true] : [false]) {
      const result = patchedLines(linesOf(text, isByEnd), chunks, work);
      if (typeof result === "object") return result;
      if (result !== undefined) found.add(result);
    }
  return [...found];
}

/** A line and its end. */
interface Line {
  readonly text: string;
  readonly end: string;
}

function linesOf(text: string, isByEnd: boolean): readonly Line[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line, index) => {
    const isEnded = index < lines.length - 1 || text.endsWith("\n");
    if (isByEnd && isEnded && line.endsWith("\r")) return { text: line.slice(0, -1), end: "\r\n" };
    return { text: line, end: isEnded ? "\n" : "" };
  });
}

function patchedLines(
  lines: readonly Line[],
  chunks: readonly Chunk[],
  work: Work,
): string | undefined | Unclear {
  const texts = lines.map(({ text }) => text);
  const usual = lines[0]?.end || "\n";
  const places: { readonly start: number; readonly length: number; readonly put: readonly string[] }[] = [];
  let from = 0;
  for (const { context, old, put, isAtEnd } of chunks) {
    if (context !== undefined) {
      const at = seek(texts, [context], from, false, work);
      if (typeof at !== "number") return at;
      from = at + 1;
    }
    if (old.length === 0) {
      places.push({ start: texts.at(-1) === "" ? texts.length - 1 : texts.length, length: 0, put });
      continue;
    }
    let [wanted, lead] = [old, put];
    let at = seek(texts, wanted, from, isAtEnd, work);
    if (at === undefined && wanted.at(-1) === "") {
      wanted = wanted.slice(0, -1);
      if (lead.at(-1) === "") lead = lead.slice(0, -1);
      at = seek(texts, wanted, from, isAtEnd, work);
    }
    if (typeof at !== "number") return at;
    places.push({ start: at, length: wanted.length, put: lead });
    from = at + wanted.length;
  }
  const result: string[] = [];
  let next = 0;
  for (const { start, length, put } of places.toSorted((one, other) => one.start - other.start)) {
    result.push(...lines.slice(next, start).map(({ text, end }) => text + (end || usual)));
    result.push(...put.map((text) => text + usual));
    next = Math.max(next, start + length);
  }
  result.push(...lines.slice(next).map(({ text, end }) => text + (end || usual)));
  return result.join("");
}

/** Where lines stand in a file: exactly; else without blanks at their ends, around them, and with plain punctuation. */
function seek(
  lines: readonly string[],
  wanted: readonly string[],
  from: number,
  isAtEnd: boolean,
  work: Work,
): number | undefined | Unclear {
  const last = lines.length - wanted.length;
  if (wanted.length === 0) return from;
  for (const [form, cost] of FORMS) {
    const sought = wanted.map(form);
    for (let at = isAtEnd ? Math.max(last, 0) : from; at <= last; at += 1) {
      let same = 0;
      while (same < sought.length && form(lines[at + same] ?? "") === sought[same]) same += 1;
      if (same === sought.length) return at;
      if (!work.do(cost * (same + 1) + (lines[at + same]?.length ?? 0))) return TOO_MUCH;
    }
  }
  return undefined;
}

/** Each with its work for one line. */
const FORMS: readonly (readonly [form: (line: string) => string, cost: number])[] = [
  [(line) => line, 8],
  [trimmedEnd, 32],
  [trimmed, 64],
  [plain, 256],
];

/** As Rust knows white space, which is not as JavaScript does. */
const BLANK = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

function trimmedEnd(text: string): string {
  let end = text.length;
  while (end > 0 && BLANK.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function trimmed(text: string): string {
  let start = 0;
  while (start < text.length && BLANK.test(text.charAt(start))) start += 1;
  return trimmedEnd(text.slice(start));
}

function plain(line: string): string {
  return trimmed(line)
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll(/[\u2018-\u201b]/g, "'")
    .replaceAll(/[\u201c-\u201f]/g, '"')
    .replaceAll(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, " ");
}
