import { basename, join } from "node:path";
import type { SkillManifest } from "../contract.ts";
import type { SkillFault } from "../skill.ts";

// Not imported: see standard-streams.ts.
const { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = process.getBuiltinModule("node:fs");

/** The ports a skill lends and borrows. */
export type SkillPorts = Pick<SkillManifest, "provides" | "requires">;

/** The index of one path: one place a child of it, in columns, because columns are read fastest. */
export interface Columns {
  /** The path is itself a skill. */
  readonly single: boolean;
  /** Time of the path's folder; 0 when it was changed too recently to be relied on. */
  readonly folderStamp: number;
  readonly names: readonly string[];
  readonly summaries: readonly string[];
  /** Sum of both times of each skill.json; 0: to be read again, -1: the child is no skill. */
  readonly times: readonly number[];
  /** Bytes of each skill.json. */
  readonly sizes: readonly number[];
  /** By name, for the few that have one. */
  readonly faults: Readonly<Record<string, SkillFault>>;
  readonly ports: Readonly<Record<string, SkillPorts>>;
}

/** Which index. */
export interface IndexPlace {
  readonly cacheFolder: string;
  readonly version: string;
  readonly path: string;
}

interface Stored extends Columns {
  readonly form: typeof FORM;
  readonly version: string;
  readonly path: string;
}

const FORM = "skillctl-index-1";

/** The stored columns, or undefined when there are none that can be used. */
export function cachedColumns(place: IndexPlace): Columns | undefined {
  try {
    const stored = JSON.parse(readFileSync(fileOf(place), "utf8")) as Stored;
    return isUsable(stored, place) ? stored : undefined;
  } catch {
    // A cache: what cannot be read is built again.
    return undefined;
  }
}

/** Replaces the file as a whole, so that two processes at once leave one of two good ones. */
export function storeColumns(place: IndexPlace, columns: Columns): void {
  const file = fileOf(place);
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  const { version, path } = place;
  const stored: Stored = { ...columns, form: FORM, version, path };
  try {
    mkdirSync(place.cacheFolder, { recursive: true, mode: 0o700 });
    writeFileSync(temporary, JSON.stringify(stored), { flag: "wx", mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    // A cache: where it cannot be written, everything works without it.
    discard(temporary);
  }
}

function discard(temporary: string): void {
  try {
    rmSync(temporary, { force: true });
  } catch {
    // The folder cannot be written at all, so there is nothing to discard.
  }
}

function isUsable(stored: Stored, { version, path }: IndexPlace): boolean {
  if (stored.form !== FORM || stored.version !== version || stored.path !== path) return false;
  const { names, summaries, times, sizes, faults, ports } = stored;
  const columns: readonly unknown[] = [names, summaries, times, sizes];
  if (!columns.every((column) => Array.isArray(column) && column.length === names.length)) return false;
  if (![names, summaries].every((column) => column.every((text: unknown) => typeof text === "string")))
    return false;
  return [faults, ports].every((record: unknown) => typeof record === "object" && record !== null);
}

function fileOf({ cacheFolder, path }: IndexPlace): string {
  const readable = basename(path)
    .replaceAll(/[^A-Za-z0-9-]/g, "")
    .slice(0, 40);
  return join(cacheFolder, `index-${readable}-${hashOf(path)}.json`);
}

/** 53 bits (cyrb53): only tells paths apart, and the path inside is compared; node:crypto would cost 2 ms to load. */
function hashOf(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
