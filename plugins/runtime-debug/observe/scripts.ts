import { fileURLToPath, pathToFileURL } from "node:url";
import {
  LEAST_UPPER_BOUND,
  generatedPositionFor,
  originalPositionFor,
  TraceMap,
} from "@jridgewell/trace-mapping";
import type { Files, Http } from "skillctl";
import type { Message } from "./inspector.ts";

/** A script of a debuggee. */
export interface Script {
  readonly id: string;
  readonly url: string;
  /** The address of its source map; empty without one. */
  readonly mapUrl: string;
}

/** A position in a script; both numbers start at 0. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The sources for looking up the texts of scripts. */
export interface Texts {
  readonly files: Files;
  readonly http: Http;
  /** Files that the fixes of the session have changed: absolute, and relative to the project folder. */
  readonly changed: readonly { readonly file: string; readonly path: string }[];
}

const MAP_MS = 2_000;
const MAP_BYTES = 64 * 1024 * 1024;

export function scriptOf({ scriptId, url, sourceMapURL }: Message): Script {
  const mapUrl = typeof sourceMapURL === "string" ? sourceMapURL : "";
  return { id: String(scriptId), url: String(url), mapUrl };
}

/** The path of a script's file; `undefined` if it is not a file of this machine. */
export function pathOf(url: string): string | undefined {
  try {
    return url.startsWith("file:") ? fileURLToPath(url) : url.startsWith("/") ? url : undefined;
  } catch {
    // An address that names no file on this machine, such as file://host/x.
    return undefined;
  }
}

export function urlOf(path: string): string {
  return pathToFileURL(path).href;
}

function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? "";
}

/** Whether an address of a page may belong to a file, served under some path. */
export function mayServe(url: string, path: string): boolean {
  const served = /^(?:https?|webpack|vite|blob):/.test(url) ? withoutQuery(url) : "";
  return served !== "" && served.split("/").at(-1) === path.split("/").at(-1);
}

/**
 * Reads the source map of a script, from its address, a file, or the server of the script. @returns `undefined`
 * if it cannot be read
 */
export async function mapOf({ url, mapUrl }: Script, { files, http }: Texts): Promise<TraceMap | undefined> {
  const base = url.startsWith("/") ? urlOf(url) : url;
  try {
    const inline = /^data:[^,]*?(?<base64>;base64)?,(?<text>.*)$/s.exec(mapUrl)?.groups;
    if (inline) {
      const text = inline["text"] ?? "";
      const json = inline["base64"] ? Buffer.from(text, "base64").toString() : decodeURIComponent(text);
      return new TraceMap(json, base);
    }
    const { href, origin, protocol } = new URL(mapUrl, base);
    // The map of a page may not be a file of this machine, nor come from another server.
    if (protocol !== new URL(base).protocol || origin !== new URL(base).origin) return undefined;
    const request = { method: "GET", url: href, timeoutMs: MAP_MS, maxBytes: MAP_BYTES } as const;
    const path = pathOf(href);
    const json = path === undefined ? (await http.send(request)).body : await files.readText(path);
    return json === undefined ? undefined : new TraceMap(json, href);
  } catch {
    // The source map cannot be read.
    return undefined;
  }
}

/** The source of a map that corresponds to a file, and its text if the map has it. */
export interface Source {
  readonly url: string;
  readonly text?: string;
}

/** Finds a file among the sources of a map; if several match, the one with the same text. */
export async function sourceOf(
  { resolvedSources, sourcesContent = [] }: TraceMap,
  file: string,
  path: string,
  files: Files,
): Promise<Source | undefined> {
  const all = resolvedSources.flatMap((url, index): readonly Source[] => {
    const text = sourcesContent[index];
    return isSource(url, file, path) ? [{ url, ...(typeof text === "string" && { text }) }] : [];
  });
  if (all.length < 2) return all[0];
  const written = await files.readText(file);
  return all.find(({ text }) => text === written) ?? all[0];
}

/** The position in the script of the first statement of a source line; `undefined` if the map has none. */
export function generated(map: TraceMap, { url: source }: Source, line: number): Position | undefined {
  const found = generatedPositionFor(map, { source, line, column: 0, bias: LEAST_UPPER_BOUND });
  if (found.line === null) return undefined;
  const back = originalPositionFor(map, { line: found.line, column: found.column });
  return back.line === line ? { line: found.line - 1, column: found.column } : undefined;
}

/** Whether a script was built from an earlier text of a source. */
export async function isOlder(
  script: Script,
  { text }: Source,
  file: string,
  files: Files,
): Promise<boolean> {
  if (text !== undefined) return plainText(text) !== plainText((await files.readText(file)) ?? text);
  const path = pathOf(script.url);
  if (path === undefined) return false;
  const [built, source] = await files.marks([path, file]);
  return source !== undefined && built !== undefined && source.modifiedMs > built.modifiedMs;
}

/** A text without its byte-order mark, which engines and builders leave out. */
export function plainText(text: string): string {
  return text.replace(/^\ufeff/, "");
}

/** A line of a text, from 1. */
export function lineIn(text: string, line: number): string {
  return plainText(text).split(/\r?\n/)[line - 1] ?? "";
}

/** The time of the newest fix, in milliseconds since 1970; 0 without one. */
export async function changedAt({ files, changed }: Texts): Promise<number> {
  return Math.max(
    0,
    ...(await files.marks(changed.map(({ file }) => file))).map((mark) => mark?.modifiedMs ?? 0),
  );
}

function isSource(source: string, file: string, path: string): boolean {
  const named = pathOf(source);
  return named === undefined ? withoutQuery(source).endsWith(`/${path}`) : named === file;
}
