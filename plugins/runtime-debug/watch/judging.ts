import { basename } from "node:path";
import { SkillError, type Surveyed } from "skillctl";
import type { Finding } from "../check/finding.ts";
import type { SessionEntry } from "../session/entry.ts";
import { isIgnoreList, isIn } from "./beginning.ts";
import { isBytecode, isCompared, sourceOf } from "./bytecode.ts";
import type { Differences } from "./comparison.ts";

import { Copies, sha256Of } from "./copies.ts";
import { isHarmlessNew } from "./harmless.ts";
import { Ignored } from "./ignored.ts";
import type { LookParts } from "./looked.ts";
import type { Copy, Manifest } from "./manifest.ts";
import type { RegionVerdict } from "./verdict.ts";

/** Something that is to be put back. */
export type Wrong =
  | { readonly path: string; readonly kind: "added"; readonly now: Surveyed }
  | {
      readonly path: string;
      readonly kind: "changed" | "removed";
      readonly place: number;
      readonly now?: Surveyed;
      /** Its bytes when these may stay, and only its rights are wrong. */
      readonly bytes?: Uint8Array;
      /** Only who may read or write it has changed: put back without a word. */
      readonly isQuiet?: boolean;
      /** What is wrong with a region of it. */
      readonly fault?: Finding;
    };

export interface Judged {
  readonly wrong: readonly Wrong[];
  /** Files that are as they should be under new marks. */
  readonly seen: readonly { readonly place: number; readonly now: Surveyed }[];
  /** New files and folders that the rules of the beginning ignore. */
  readonly ignored: readonly string[];
  /** All compiled Python that may be there, and its mark. */
  readonly bytecode: readonly (readonly [path: string, mark: string])[];
  /** New files that are not wrong, or of which nobody knows yet. */
  readonly staying: readonly string[];
  /** How many files were not judged, as there was no time left. */
  readonly left: number;
  readonly regions: number;
}

/** Tells what is wrong of what differs. */
export class Judging {
  readonly #copies: Copies;
  readonly #ignored: ReadonlySet<string>;
  readonly #bytecode: ReadonlyMap<string, string>;

  constructor(
    private readonly parts: LookParts,
    private readonly root: string,
    private readonly entry: SessionEntry,
    private readonly manifest: Manifest,
    private readonly sessions: readonly string[],
  ) {
    this.#copies = new Copies(parts.files, manifest.folder);
    this.#ignored = new Set([...manifest.names.ignored, ...manifest.later.ignored]);
    this.#bytecode = new Map(manifest.later.bytecode);
  }

  /** New files of which nobody knows yet whether they may be there. */
  unknown(added: readonly Surveyed[]): readonly Surveyed[] {
    return added.filter(
      (now) =>
        !isHarmlessNew(now.path, this.sessions) &&
        !(isIgnoreList(now.path)
          ? this.manifest.later.ignored.includes(now.path)
          : isIn(now.path, this.#ignored)) &&
        this.#bytecode.get(now.path) !== markText(now),
    );
  }

  /** `until` is when to stop, as of `monotonicMs`. */
  async judge({ touched, removed, added }: Differences, until: number): Promise<Judged> {
    const { paths } = this.manifest.names;
    const lost = new Set(this.manifest.later.lost);
    const gone = removed.map((place) => ({ path: paths[place] ?? "", kind: "removed" as const, place }));
    const wrong: Wrong[] = gone.filter(({ path }) => !lost.has(path));
    const seen: { readonly place: number; readonly now: Surveyed }[] = [];
    let regions = 0;
    let left = 0;
    // Sources first: what is compiled goes with them.
    const inOrder = [...touched].sort(
      (a, b) => Number(isBytecode(a.now.path)) - Number(isBytecode(b.now.path)),
    );
    for (const [index, { place, now }] of inOrder.entries()) {
      if (this.parts.monotonicMs() > until) {
        left = touched.length - index;
        break;
      }
      const { isRight, bytes, isQuiet, fault, count = 0 } = await this.#look(place, now, wrong);
      if (isRight) seen.push({ place, now });
      else
        wrong.push({
          path: now.path,
          kind: "changed",
          place,
          now,
          ...(bytes && { bytes }),
          ...(isQuiet && { isQuiet }),
          ...(fault && { fault }),
        });
      regions += count;
    }
    const unknown = await this.#withoutLogFolders(this.unknown(added), added);
    const lists = wrong.filter(({ path }) => isIgnoreList(path));
    const fresh = unknown.filter(({ path }) => isIgnoreList(path));
    // What is ignored is asked by the lists as they were: these go back first, alone.
    const ignored = unknown.length === 0 ? new Set<string>() : await this.#among(unknown);
    const hiding = fresh.filter(({ path }) => !ignored.has(path));
    const known = added.flatMap(({ path }): readonly (readonly [string, string])[] => {
      const mark = this.#bytecode.get(path);
      return mark === undefined ? [] : [[path, mark]];
    });
    const judged = (all: readonly Wrong[], more: Partial<Judged> = {}): Judged => {
      const out = new Set(all.map(({ path }) => path));
      const staying = added.filter(({ path }) => !out.has(path)).map(({ path }) => path);
      return { wrong: all, seen, ignored: [], bytecode: known, staying, left, regions, ...more };
    };
    if (lists.length + hiding.length > 0) return judged([...lists, ...hiding.map(asAdded)]);
    const open = unknown.filter(({ path }) => !isIn(path, ignored));
    const bad = new Set(wrong.map(({ path }) => path));
    const bytecode = new Map(known);
    for (const now of open) {
      if (await this.#isFaithful(now.path, (source) => !bad.has(source)))
        bytecode.set(now.path, markText(now));
      else wrong.push(asAdded(now));
    }
    return judged(wrong, { ignored: [...ignored], bytecode: [...bytecode] });
  }

  /** Whether it is compiled Python that is run only as long as it fits to a source that is there and as it should be. */
  async #isFaithful(path: string, isRight: (source: string) => boolean): Promise<boolean> {
    if (!isBytecode(path)) return false;
    const source = sourceOf(path);
    const isKnown = this.manifest.places.has(source) || isIn(source, this.#ignored);
    if (!isKnown || !isRight(source)) return false;
    const bytes = await this.#now(path);
    return bytes !== undefined && isCompared(bytes);
  }

  /** How a file was; `undefined` when nobody knows. @throws SkillError `DEBUG_STATE_DAMAGED`, `FILE_UNREADABLE` */
  async before(one: Wrong): Promise<{ readonly copy: Copy; readonly bytes?: Uint8Array } | undefined> {
    if (one.kind === "added") return undefined;
    const copy = await this.#copies.of(one.place);
    if (copy.kind === "link") return copy.target === undefined ? undefined : { copy };
    const bytes = one.bytes ?? (await this.#bytes(one.path, copy));
    return bytes && { copy, bytes };
  }

  async #look(place: number, now: Surveyed, wrong: readonly Wrong[]): Promise<Look> {
    const copy = await this.#copies.of(place);
    if (copy.kind !== now.kind) return WRONG;
    if (now.kind === "link") return (await this.#targetOf(now.path)) === copy.target ? RIGHT : WRONG;
    // Of these only the marks are known.
    if (copy.sha256 === undefined) return this.manifest.isLikely(place, now) ? RIGHT : WRONG;
    const bytes = await this.#now(now.path);
    if (!bytes) return WRONG;
    const verdict = await this.#verdict(now.path, copy, bytes);
    if (!("count" in verdict))
      return (await this.#isFaithful(now.path, (source) => !wrong.some(({ path }) => path === source)))
        ? RIGHT
        : { isRight: false, ...verdict };
    const { count } = verdict;
    const rights = (now.mode ?? 0) ^ (copy.mode ?? 0);
    return rights === 0
      ? { isRight: true, count }
      : { isRight: false, bytes, count, isQuiet: (rights & EXECUTABLE) === 0 };
  }

  async #verdict(path: string, copy: Copy, now: Uint8Array): Promise<RegionVerdict> {
    if (sha256Of(now) === copy.sha256) return { count: 0 };
    const bytes = await this.#bytes(path, copy);
    if (!bytes) return {};
    const { regionVerdict } = await import("./verdict.ts");
    const first = (): Promise<Uint8Array | undefined> =>
      this.parts.worktree.before(this.root, this.entry.baseline, path);
    return regionVerdict(this.entry, path, { bytes, first }, now);
  }

  /** A file that cannot be read is not as it was. */
  async #now(path: string): Promise<Uint8Array | undefined> {
    try {
      return (await this.parts.files.readMany([`${this.root}/${path}`]))[0];
    } catch (caught) {
      if (caught instanceof SkillError && caught.code === "FILE_UNREADABLE") return undefined;
      throw caught;
    }
  }

  async #targetOf(path: string): Promise<string | undefined> {
    return this.parts.files.linkTarget(`${this.root}/${path}`);
  }

  async #bytes(path: string, copy: Copy): Promise<Uint8Array | undefined> {
    const { worktree } = this.parts;
    if (copy.sha256 === undefined) return undefined;
    if (copy.at) return this.#copies.bytes(copy);
    const bytes = await worktree.before(this.root, this.entry.baseline, path);
    return bytes && sha256Of(bytes) === copy.sha256 ? bytes : undefined;
  }

  /** A folder that a session keeps its log in has a list that ignores all of it. Nothing else in it is let pass by that. */
  async #withoutLogFolders(
    unknown: readonly Surveyed[],
    added: readonly Surveyed[],
  ): Promise<readonly Surveyed[]> {
    const lists = unknown.filter(({ path, bytes }) => isIgnoreList(path) && bytes === ALL.length);
    const own: string[] = [];
    for (const { path } of lists) {
      const folder = path.slice(0, -basename(path).length);
      const isOfLog = added.some((one) =>
        this.sessions.some((id) => one.path === `${folder}svc-debug-log-${id}.ndjson`),
      );
      if (isOfLog && Buffer.from((await this.#now(path)) ?? "").toString() === ALL) own.push(path);
    }
    return own.length === 0 ? unknown : unknown.filter(({ path }) => !own.includes(path));
  }

  /** Of new files those, and of their folders the outermost, that are ignored by lists that are as they were. */
  async #among(unknown: readonly Surveyed[]): Promise<ReadonlySet<string>> {
    const { files, programs } = this.parts;
    const { names, places } = this.manifest;
    const known = new Set(names.folders);
    const asked = new Set<string>();
    for (const { path } of unknown) {
      for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
        const folder = path.slice(0, at + 1);
        if (!known.has(folder)) asked.add(folder);
      }
      asked.add(path);
    }
    const rules = await Ignored.open(files, programs, this.root, this.entry.baseline);
    const found = await rules.among([...asked], (list) => places.has(list));
    return new Set([...found].filter((path) => !isBelow(path, found)));
  }
}

interface Look {
  readonly isRight: boolean;
  readonly bytes?: Uint8Array;
  readonly isQuiet?: boolean;
  readonly fault?: Finding;
  readonly count?: number;
}

function asAdded(now: Surveyed): Wrong {
  return { path: now.path, kind: "added", now };
}

/** Tells whether a file is another one than before. */
function markText({ inode, bytes, modifiedMs, changedMs }: Surveyed): string {
  return [inode, bytes, modifiedMs, changedMs].join(" ");
}

const ALL = "*\n";
const RIGHT: Look = { isRight: true };
const WRONG: Look = { isRight: false };
/** The rights to run a file, as git looks at them, and as whom. */
const EXECUTABLE = 0o7111;

/** Whether a folder above a path is in a list. */
function isBelow(path: string, list: ReadonlySet<string>): boolean {
  for (let at = path.indexOf("/"); at >= 0 && at < path.length - 1; at = path.indexOf("/", at + 1))
    if (list.has(path.slice(0, at + 1))) return true;
  return false;
}
