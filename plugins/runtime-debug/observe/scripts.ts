import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  LEAST_UPPER_BOUND,
  generatedPositionFor,
  originalPositionFor,
  TraceMap,
} from "@jridgewell/trace-mapping";
import type { Files } from "skillctl";
import type { Message } from "./inspector.ts";

/** A script of a debuggee. */
export interface Script {
  readonly id: string;
  readonly url: string;
  /** Of its source map; empty when it has none. */
  readonly mapUrl: string;
}

/** A position in a script, both from 0. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The source map of a script, and its folder, from which it names its sources. */
interface Mapped {
  readonly map: TraceMap;
  readonly base: string;
}

export function scriptOf({ scriptId, url, sourceMapURL }: Message): Script {
  const mapUrl = typeof sourceMapURL === "string" ? sourceMapURL : "";
  return { id: String(scriptId), url: String(url), mapUrl };
}

/** The path of a script's file; `undefined` when it is not of this machine's files. */
export function pathOf(url: string): string | undefined {
  try {
    return url.startsWith("file:") ? fileURLToPath(url) : url.startsWith("/") ? url : undefined;
  } catch {
    // An address that names no file here, such as file://host/x.
    return undefined;
  }
}

export function urlOf(path: string): string {
  return pathToFileURL(path).href;
}

/** Whether an address of a page may be that of a file: what is served under some path. */
export function mayServe(url: string, path: string): boolean {
  const served = /^(?:https?|webpack|vite|blob):/.test(url) ? url.replace(/[?#].*$/, "") : "";
  return served !== "" && served.split("/").at(-1) === path.split("/").at(-1);
}

/**
 * Reads the source map of a script, which stands in its address or in a file.
 * @returns `undefined` when there is none that can be read here
 */
export async function mapOf({ url, mapUrl }: Script, files: Files): Promise<Mapped | undefined> {
  const path = pathOf(url);
  const base = path === undefined ? url : dirname(path);
  try {
    const inline = /^data:[^,]*?(?<base64>;base64)?,(?<text>.*)$/s.exec(mapUrl)?.groups;
    if (inline) {
      const text = inline["text"] ?? "";
      const json = inline["base64"] ? Buffer.from(text, "base64").toString() : decodeURIComponent(text);
      return { map: new TraceMap(json), base };
    }
    const file = mapUrl.startsWith("file:") ? fileURLToPath(mapUrl) : path && resolve(base, mapUrl);
    const json = file === undefined ? undefined : await files.readText(file);
    return json === undefined || file === undefined
      ? undefined
      : { map: new TraceMap(json), base: dirname(file) };
  } catch {
    // A map that is missing or broken: the script is looked at as it is.
    return undefined;
  }
}

/** Where the first statement of a line of a source is in the script; `undefined` when the map knows none there. */
export function generated(
  { map, base }: Mapped,
  file: string,
  path: string,
  line: number,
): Position | "elsewhere" | undefined {
  const root = map.sourceRoot ?? "";
  const source = map.sources.find((one) => one !== null && isSource(one, root, base, file, path));
  if (typeof source !== "string") return undefined;
  const found = generatedPositionFor(map, { source, line, column: 0, bias: LEAST_UPPER_BOUND });
  if (found.line === null) return "elsewhere";
  const back = originalPositionFor(map, { line: found.line, column: found.column });
  return back.line === line ? { line: found.line - 1, column: found.column } : "elsewhere";
}

function isSource(source: string, root: string, base: string, file: string, path: string): boolean {
  const named = pathOf(source) ?? pathOf(root + source);
  if (named !== undefined) return named === file;
  if (/^[a-z]+:/i.test(source)) return source.replace(/[?#].*$/, "").endsWith(`/${path}`);
  return resolve(base, root, source) === file;
}
