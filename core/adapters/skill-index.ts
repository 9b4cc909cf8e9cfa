import type { Stats } from "node:fs";
import { basename, join } from "node:path";
import type { SkillFault } from "../skill.ts";
import type { ForeignSkills } from "./foreign-skills.ts";
import {
  cachedColumns,
  storeColumns,
  type Columns,
  type IndexPlace,
  type SkillPorts,
} from "./skill-index-file.ts";

// Not imported: see standard-streams.ts.
const { readdirSync, statSync } = process.getBuiltinModule("node:fs");

/** What `list` needs of the skills at one path, in columns; no manifest is read for what the index still knows. */
export interface IndexedSkills {
  /** The folder of each skill is this path and its name; when `single`, the path itself. */
  readonly path: string;
  readonly single: boolean;
  /** Sorted. */
  readonly names: readonly string[];
  /** One for each name. */
  readonly summaries: readonly string[];
  /** Ports by name of the skill, for the few that have any. */
  readonly ports: Readonly<Record<string, SkillPorts>>;
  readonly faults: readonly SkillFault[];
}

/** Reads and checks the manifest in a folder. */
export type ManifestReader = (folder: string) => ForeignSkills;

/** What indexing needs. */
export interface IndexOptions {
  /** Folder of the index files, absolute. They are a cache: delete them and they are rebuilt. */
  readonly cacheFolder: string;
  /** The version of the host; an index of another version counts as none. */
  readonly version: string;
  /** Asked for only when a manifest has to be read. */
  readonly reader: () => Promise<ManifestReader>;
  /** Milliseconds since the epoch. Default: the machine's. */
  readonly now?: () => number;
}

/**
 * A file that was changed this short before it was read may change again within one tick of the file system's
 * clock, with nothing to show for it. Such an entry is read again next time. In milliseconds.
 */
const SETTLING_MS = 2_000;
const UNSETTLED = 0;
const NO_SKILL = -1;
const STAT = { throwIfNoEntry: false } as const;

/**
 * The skills at a configured path: a folder with a skill.json, or one whose subfolders have one. Every skill.json is
 * looked at, and read only when its time or size differs from the index. An index that is missing, broken or not
 * writable changes the time this takes and nothing else.
 */
export async function indexedSkills(path: string, options: IndexOptions): Promise<IndexedSkills> {
  const place: IndexPlace = { cacheFolder: options.cacheFolder, version: options.version, path };
  const single = isFile(path);
  const known = cachedColumns(place);
  const usable = known?.single === single ? known : undefined;
  const columns = await refreshed(path, single, usable, options);
  if (columns !== usable) storeColumns(place, columns);
  return asIndexed(path, columns);
}

async function refreshed(
  path: string,
  single: boolean,
  known: Columns | undefined,
  options: IndexOptions,
): Promise<Columns> {
  const now = (options.now ?? Date.now)();
  const folderStamp = stampOf(path, now).time;
  const sameNames = known !== undefined && known.folderStamp === folderStamp && folderStamp !== UNSETTLED;
  const names = sameNames ? known.names : single ? [basename(path)] : namesIn(path);
  const aligned = sameNames || sameList(names, known?.names) ? known : known && realigned(known, names);
  const changed: number[] = [];
  for (let index = 0; index < names.length; index += 1) {
    const file = single ? `${path}/skill.json` : `${path}/${names[index]}/skill.json`;
    const stats = statsOf(file);
    if (!stats?.isFile()) {
      if (aligned?.times[index] !== NO_SKILL) changed.push(index);
    } else if (timeOf(stats) !== aligned?.times[index] || stats.size !== aligned.sizes[index])
      changed.push(index);
  }
  if (aligned && aligned === known && sameNames && changed.length === 0) return known;
  return reread({ path, single, names, folderStamp, now }, aligned, changed, options);
}

interface Found {
  readonly path: string;
  readonly single: boolean;
  readonly names: readonly string[];
  readonly folderStamp: number;
  readonly now: number;
}

async function reread(
  { path, single, names, folderStamp, now }: Found,
  known: Columns | undefined,
  changed: readonly number[],
  options: IndexOptions,
): Promise<Columns> {
  const summaries = known ? [...known.summaries] : names.map(() => "");
  const times = known ? [...known.times] : names.map(() => NO_SKILL);
  const sizes = known ? [...known.sizes] : names.map(() => 0);
  // Without a prototype: a folder may be called __proto__.
  const faults = Object.assign(Object.create(null) as Record<string, SkillFault>, known?.faults);
  const ports = Object.assign(Object.create(null) as Record<string, SkillPorts>, known?.ports);
  for (const index of changed) {
    const name = names[index] as string;
    const folder = single ? path : join(path, name);
    const stamp = stampOf(join(folder, "skill.json"), now);
    [times[index], sizes[index], summaries[index]] = [stamp.time, stamp.size, ""];
    delete faults[name];
    delete ports[name];
    if (stamp.time === NO_SKILL) continue;
    const { skills, faults: found } = (await options.reader())(folder);
    if (found[0]) faults[name] = found[0];
    const read = skills[0]?.manifest;
    if (!read) continue;
    summaries[index] = read.summary.replaceAll(/\s+/g, " ");
    const { provides, requires } = read;
    if (provides || requires) ports[name] = { ...(provides && { provides }), ...(requires && { requires }) };
  }
  return { single, folderStamp, names, summaries, times, sizes, faults: { ...faults }, ports: { ...ports } };
}

function asIndexed(path: string, { single, names, summaries, times, faults, ports }: Columns): IndexedSkills {
  const all = Object.values(faults);
  const found = { path, single, ports };
  if (!times.some((time) => time !== NO_SKILL))
    return { ...found, names: [], summaries: [], faults: [nothingAt(path)] };
  if (all.length === 0 && !times.includes(NO_SKILL)) return { ...found, names, summaries, faults: all };
  const kept = [...names.keys()].filter(
    (index) => times[index] !== NO_SKILL && !Object.hasOwn(faults, names[index] as string),
  );
  const pick = (column: readonly string[]) => kept.map((index) => column[index] as string);
  return { ...found, names: pick(names), summaries: pick(summaries), faults: all };
}

function nothingAt(path: string): SkillFault {
  const sentence = `There is no skill.json in ${path} or in a folder of it.`;
  return {
    code: "MANIFEST_INVALID",
    skill: basename(path),
    file: join(path, "skill.json"),
    pointer: "",
    sentence,
  };
}

function stampOf(path: string, now: number): { readonly time: number; readonly size: number } {
  const stats = statsOf(path);
  if (!stats || (!stats.isFile() && !stats.isDirectory())) return { time: NO_SKILL, size: 0 };
  const settled = Math.max(stats.mtimeMs, stats.ctimeMs) < now - SETTLING_MS;
  return { time: settled ? timeOf(stats) : UNSETTLED, size: stats.size };
}

/** The sum moves when either does: contents may be put back with an old time, and some systems have only one. */
function timeOf(stats: Stats): number {
  return stats.mtimeMs + stats.ctimeMs;
}

/** Undefined when there is nothing to look at: no such file, none under a file, a circle of links. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, STAT);
  } catch {
    return undefined;
  }
}

/** The columns of the names that are still there, and empty places for the new ones. */
function realigned(known: Columns, names: readonly string[]): Columns {
  const before = new Map(known.names.map((name, index) => [name, index]));
  const take = <T>(column: readonly T[], empty: T): T[] =>
    names.map((name) => column[before.get(name) ?? -1] ?? empty);
  const still = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
  return {
    ...known,
    names,
    summaries: take(known.summaries, ""),
    times: take(known.times, UNSETTLED),
    sizes: take(known.sizes, 0),
    faults: still(known.faults),
    ports: still(known.ports),
  };
}

function sameList(left: readonly string[], right: readonly string[] | undefined): boolean {
  return left.length === right?.length && left.every((name, index) => name === right[index]);
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path).sort();
  } catch {
    // A folder that cannot be listed is reported as one without a skill.
    return [];
  }
}

function isFile(path: string): boolean {
  return statsOf(join(path, "skill.json"))?.isFile() ?? false;
}
