import type { Subject } from "../plugin.ts";
import { isObject } from "../schema/json.ts";
import { Unclear, type Change } from "./desk.ts";
import { loose, type Work } from "./replacement.ts";

/**
 * Parses patches of Codex as codex-rs/apply-patch of github.com/openai/codex does (November 2026). If its versions
 * differ or the place of a change is ambiguous, the result is unclear.
 */

/** The change of one file by a patch. Paths are as written. */
export interface Hunk {
  readonly path: string;
  /** The new path of the file. */
  readonly to?: string;
  readonly change: Change;
}

/** Lines to find below a context line, and their replacement. */
interface Chunk {
  readonly context: string | undefined;
  readonly old: string[];
  readonly put: string[];
  isAtEnd: boolean;
}

/** A call that contains a patch. */
export interface PatchCall {
  /** All text that names files. */
  readonly text: string;
  /** The patch; undefined if the words around it may change it. */
  readonly patch?: string;
  /** The folder that a command enters first. */
  readonly folder?: string;
}

const BEGIN = "*** Begin Patch";

/** The patch of a call: of the tool apply_patch, or of a shell that only calls the program of that name. */
export function patchCall(tool: Subject["tool"], input: unknown): PatchCall | undefined {
  const found: (readonly string[])[] = [];
  const look = (value: unknown, depth: number): void => {
    const words = typeof value === "string" ? [value] : value;
    if (Array.isArray(words) && words.every((one) => typeof one === "string")) {
      if (words.some((one) => one.includes(BEGIN))) found.push(words);
    } else if (depth < 64 && typeof value === "object" && value !== null)
      for (const one of Object.values(value)) look(one, depth + 1);
  };
  look(input, 0);
  const [words = [], ...more] = found;
  const text = found.flat().join("\n");
  if (text === "" || tool === "write" || (tool === "shell" && !/apply_?patch/.test(text))) return undefined;
  const isMoved = isObject(input) && input["workdir"] !== undefined;
  if (more.length > 0 || (tool === "shell" && isMoved)) return { text };
  if (tool === "shell") return { text, ...commandOf(words) };
  return words.length === 1 ? { text, patch: text } : { text };
}

const HERE_DOCUMENT =
  /^(?:cd (['"]?)([\w./@%+,:-]+(?: [\w./@%+,:-]+)*)\1 ?&& ?)?apply_?patch ?<< ?(['"]?)(\w+)\3\n([^]*)\n\4$/;

/** The patch in the words of a command: the second of two, or a script that is one here-document. */
function commandOf(words: readonly string[]): Omit<PatchCall, "text"> | undefined {
  const [program = "", second = ""] = words;
  if (words.length === 2 && /^apply_?patch$/.test(program)) return { patch: second };
  const isShell = words.length === 3 && /(?:^|\/)(?:bash|zsh|sh)$/.test(program) && /^-l?c$/.test(second);
  const script = words.length === 1 || isShell ? words.at(-1) : undefined;
  const [, , folder, quote, end, patch] = HERE_DOCUMENT.exec(script?.trim() ?? "") ?? [];
  if (patch === undefined || patch.split("\n").includes(end ?? "")) return undefined;
  // Without quotes a shell expands variables.
  if (quote === "" && /[$`\\]/.test(patch)) return undefined;
  return folder === undefined ? { patch } : { patch, folder };
}

/** The files that the lines of a patch name. */
export function filesInPatch(text: string): readonly string[] {
  // In a longer command the lines may be separate words, or have escaped line ends.
  const named = text.matchAll(/\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)(?=$|\\n|['"] )/gm);
  return [...new Set([...named].map(([, path = ""]) => trimmedEnd(path)))].slice(0, 1_000);
}

/** Rust has a blank character that JavaScript lacks. */
function trimmedEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s\u0085]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** A line that some versions read as a context line and others as the beginning of a part. */
const TWOFOLD = /^[\s\u0085]+(?:\*\*\* (?:(?:Add|Delete|Update) File: |Move to: |End )|@@(?:[\s\u0085]|$))/;

/** The parts of a patch; undefined when it is not one, or when versions of Codex read it in different ways. */
export function hunksOf(patch: string, work: Work): readonly Hunk[] | undefined {
  const [first = "", ...lines] = patch.trim().split(/\r?\n/);
  const last = lines.pop()?.trim();
  if (first.trim() !== BEGIN || last !== "*** End Patch" || lines.some((line) => TWOFOLD.test(line)))
    return undefined;
  const parts: { readonly kind: string; readonly path: string; readonly body: string[] }[] = [];
  for (const line of lines) {
    const [, kind, path = ""] = /^\*\*\* (Add|Delete|Update) File: (.*)$/.exec(line) ?? [];
    if (kind !== undefined) parts.push({ kind, path: trimmedEnd(path), body: [] });
    else if (parts.length === 0) return undefined;
    else parts.at(-1)?.body.push(line);
  }
  const hunks = parts.map(({ kind, path, body }) => hunkOf(kind, path, body, work));
  return hunks.every((hunk) => hunk !== undefined) ? hunks : undefined;
}

function hunkOf(kind: string, path: string, body: readonly string[], work: Work): Hunk | undefined {
  if (kind === "Delete") return body.length === 0 ? { path, change: () => undefined } : undefined;
  if (kind === "Add") {
    if (!body.every((line) => line.startsWith("+"))) return undefined;
    const text = body.map((line) => `${line.slice(1)}\n`).join("");
    return { path, change: () => [text] };
  }
  const [, to] = /^\*\*\* Move to: (.*)$/.exec(body[0] ?? "") ?? [];
  const chunks = chunksOf(to === undefined ? body : body.slice(1));
  const change: Change = (read) => patched(read() ?? [], chunks ?? [], work);
  return chunks && { path, ...(to !== undefined && { to: trimmedEnd(to) }), change };
}

/** Marks of unchanged, added and removed lines; some programs omit the blank of an empty line. */
const SIGNS = new Set(["", " ", "+", "-"]);

/** The parts of an update; undefined if it is malformed. */
function chunksOf(lines: readonly string[]): readonly Chunk[] | undefined {
  const chunks: Chunk[] = [];
  for (const line of lines) {
    const [sign, rest] = [line.charAt(0), line.slice(1)];
    const isHead = line === "@@" || line.startsWith("@@ ");
    const isFirst = chunks.length === 0 && SIGNS.has(sign);
    if (isHead || isFirst) {
      // Versions parse blanks at these places differently.
      if (line !== "@@" && line.slice(isHead ? 3 : 0).trim() === "") return undefined;
      const context = isHead && line !== "@@" ? line.slice(3) : undefined;
      chunks.push({ context, old: [], put: [], isAtEnd: false });
    }
    if (isHead) continue;
    const chunk = chunks.at(-1);
    if (!chunk || chunk.isAtEnd) return undefined;
    if (line === "*** End of File") chunk.isAtEnd = true;
    else if (!SIGNS.has(sign)) return undefined;
    else {
      if (sign !== "+") chunk.old.push(rest);
      if (sign !== "-") chunk.put.push(rest);
    }
  }
  const isFilled = chunks.length > 0 && chunks.every(({ old, put }) => old.length + put.length > 0);
  return isFilled ? chunks : undefined;
}

/**
 * The results of the parts of one file, for each of its possible texts; none if one does not fit. Older versions of
 * Codex end each new line with LF, newer ones like the first line of the file; both end the last line.
 */
function patched(texts: readonly string[], chunks: readonly Chunk[], work: Work): readonly string[] {
  const results = texts.flatMap((text) => [
    ...patchedBy(/\n$/, text, chunks, work),
    ...(text.includes("\r\n") ? patchedBy(/\r?\n$/, text, chunks, work) : []),
  ]);
  return [...new Set(results)];
}

/** The result if lines end with `end`, or none. */
function patchedBy(end: RegExp, text: string, chunks: readonly Chunk[], work: Work): readonly string[] {
  const whole = text === "" ? [] : text.split(/(?<=\n)/);
  const lines = whole.map((line) => line.replace(end, ""));
  const usual = end.exec(whole[0] ?? "")?.[0] ?? "\n";
  const ended = whole.map((line) => (line.endsWith("\n") ? line : line + usual));
  const seek = seekIn(lines, work);
  const places: { readonly start: number; readonly length: number; readonly put: readonly string[] }[] = [];
  let from = 0;
  for (const { context, old, put, isAtEnd } of chunks) {
    if (context !== undefined) {
      const at = seek([context], from, false);
      if (at === undefined) return [];
      from = at + 1;
    }
    if (old.length === 0) {
      places.push({ start: lines.at(-1) === "" ? lines.length - 1 : lines.length, length: 0, put });
      continue;
    }
    let [wanted, lead] = [old, put];
    let start = seek(wanted, from, isAtEnd);
    if (start === undefined && wanted.at(-1) === "") {
      wanted = wanted.slice(0, -1);
      if (lead.at(-1) === "") lead = lead.slice(0, -1);
      start = seek(wanted, from, isAtEnd);
    }
    if (start === undefined) return [];
    places.push({ start, length: wanted.length, put: lead });
    from = start + wanted.length;
  }
  const result: string[] = [];
  let next = 0;
  for (const { start, length, put } of places.toSorted((one, other) => one.start - other.start)) {
    result.push(ended.slice(next, start).join(""), ...put.map((line) => line + usual));
    next = Math.max(next, start + length);
  }
  return [[...result, ended.slice(next).join("")].join("")];
}

/**
 * Finds lines in a file: an exact match, otherwise the only similar place. Codex ignores blanks and punctuation in
 * three steps, each less strict than the previous one; all of its matches are similar to the lines.
 */
function seekIn(
  lines: readonly string[],
  work: Work,
): (wanted: readonly string[], from: number, isAtEnd: boolean) => number | undefined {
  let likes: readonly string[] | undefined;
  const placesOf = (within: readonly string[], wanted: readonly string[], from: number, most: number) => {
    const places: number[] = [];
    for (let at = from; at <= within.length - wanted.length && places.length < most; at += 1) {
      let same = 0;
      while (same < wanted.length && within[at + same] === wanted[same]) same += 1;
      if (same === wanted.length) places.push(at);
      work.do(8 * (same + 1) + (within[at + same]?.length ?? 0));
    }
    return places;
  };
  return (wanted, from, isAtEnd) => {
    if (wanted.length === 0) return from;
    if (wanted.length > lines.length) return undefined;
    const first = isAtEnd ? Math.max(lines.length - wanted.length, 0) : from;
    const [exact] = placesOf(lines, wanted, first, 1);
    if (exact !== undefined) return exact;
    if (!likes) {
      const text = lines.join("\n");
      work.do(8 * text.length);
      likes = loose(text).split("\n");
    }
    const [like, other] = placesOf(likes, wanted.map(loose), first, 2);
    if (other !== undefined) throw new Unclear("several places in the file match the lines of the patch");
    return like;
  };
}
