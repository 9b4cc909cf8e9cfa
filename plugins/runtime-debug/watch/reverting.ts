import { join } from "node:path";
import { SkillError, type Surveyed } from "skillctl";
import { placed } from "../check/finding.ts";
import type { SessionEntry } from "../session/entry.ts";
import type { Judged, Judging, Wrong } from "./judging.ts";
import { shelfOf, type Looked, type LookParts, type Reverted } from "./looked.ts";
import type { Manifest } from "./manifest.ts";
import { foldersOf, removals } from "./removal.ts";
import { Restoration } from "./restoration.ts";

/** After so many files, or this time in milliseconds, what has been put back is recorded. */
const RECORD = { files: 20, ms: 500 };

type Added = Extract<Wrong, { readonly kind: "added" }>;
type Former = Exclude<Wrong, Added>;

/** Puts back what a look has found to be wrong, in several rounds, as long as there is time. */
export class Reverting {
  readonly #reverted: Reverted[] = [];
  readonly #stuck: string[] = [];
  #recorded = 0;
  #recordedAt: number;
  #isOpen = false;

  constructor(
    private readonly parts: LookParts,
    private readonly root: string,
    private readonly entry: SessionEntry,
    /** `until` as of `monotonicMs`, and when the look began, as of `performance.now`. */
    private readonly times: { readonly until: number; readonly start: number },
  ) {
    this.#recordedAt = parts.monotonicMs();
  }

  /** Answers how much is left, as there was no more time. `repositories` are those that lie in the tree. */
  async revert(
    judged: Judged,
    judging: Judging,
    manifest: Manifest,
    repositories: readonly string[],
  ): Promise<number> {
    const { folders, modes = [] } = manifest.names;
    const known = new Map([...folders, ""].map((folder, index) => [folder, modes[index] ?? DEFAULT_MODE]));
    const modeOf = (folder: string): number => known.get(folder) ?? DEFAULT_MODE;
    const restoration = new Restoration(this.parts.files, this.root, shelfOf(this.entry), modeOf);
    await this.parts.files.makeFolder(this.root, modeOf(""));
    // What is new goes first: it may stand where something else belongs.
    const added = judged.wrong.filter((one): one is Added => one.kind === "added");
    const former = judged.wrong.filter((one): one is Former => one.kind !== "added");
    const old = new Set(folders);
    const fresh = new Set(added.flatMap(({ path }) => foldersOf(path)).filter((one) => !old.has(one)));
    const inside = repositories.filter((path) => fresh.has(path.slice(0, -GIT.length)));
    const marks = new Map(added.map(({ path, now }) => [path, now]));
    const groups = removals([...marks.keys(), ...inside], old, [
      ...judged.staying,
      ...judged.ignored,
      ...manifest.later.ignored,
    ]);
    let left = judged.left;
    for (const [whole, paths] of groups)
      if (this.#isLate()) left += paths.length;
      else await this.#takeOut(whole, paths, marks.get(whole), restoration);
    const lost: Former[] = [];
    for (const one of former)
      if (this.#isLate()) left += 1;
      else await this.#putBack(one, judging, restoration, lost);
    if (lost.length > 0) await this.#lose(lost, manifest);
    if (left > 0) {
      this.#isOpen = true;
      this.#stuck.push(
        `${left} more ${left === 1 ? "file is" : "files are"} not looked at or put back yet, as that takes long: the next call goes on with them`,
      );
    }
    return left;
  }

  /** What is wrong again after several rounds. */
  giveUp(paths: readonly string[]): void {
    this.#stuck.push(...paths.map((path) => `${path} is still being written`));
  }

  /** What has come of it all. */
  result(): Pick<Looked, "reverted" | "stuck" | "isOpen"> {
    return { reverted: this.#reverted, stuck: [...new Set(this.#stuck)], isOpen: this.#isOpen };
  }

  #isLate(): boolean {
    return this.parts.monotonicMs() > this.times.until;
  }

  async #takeOut(
    whole: string,
    paths: readonly string[],
    seen: Surveyed | undefined,
    restoration: Restoration,
  ): Promise<void> {
    const place = whole.replace(/\/$/, "");
    try {
      const keptAt = await restoration.takeOut(place, seen);
      const below = paths.map((path) => ({
        path,
        kind: "added" as const,
        keptAt: keptAt + path.slice(place.length),
      }));
      await this.#note(below);
    } catch (caught) {
      await this.#fail(place, "added", caught);
    }
  }

  async #putBack(one: Former, judging: Judging, restoration: Restoration, lost: Former[]): Promise<void> {
    const { path, kind } = one;
    try {
      const before = await judging.before(one);
      if (!before) {
        lost.push(one);
        return;
      }
      const keptAt = await restoration.putBack(path, before.copy, before.bytes, one.now);
      if (one.isQuiet) return;
      const fault = one.fault && placed(one.fault);
      await this.#note([
        { path, kind, ...(keptAt !== undefined && { keptAt }), ...(fault !== undefined && { fault }) },
      ]);
    } catch (caught) {
      await this.#fail(path, kind, caught);
    }
  }

  /** @throws what is no SkillError */
  async #fail(path: string, kind: Wrong["kind"], caught: unknown): Promise<void> {
    if (!(caught instanceof SkillError)) throw caught;
    // What has gone by itself since it was seen, as files that programs need for a moment, is nobody's business.
    const [now] = await this.parts.files.marks([join(this.root, path)]);
    if (kind === "added" && !now) return;
    this.#isOpen = true;
    this.#stuck.push(`${path} could not be put back: ${caught.message.replace(/\.$/, "")}`);
  }

  async #note(lines: readonly Reverted[]): Promise<void> {
    this.#reverted.push(...lines);
    const now = this.parts.monotonicMs();
    const isDue =
      this.#reverted.length - this.#recorded >= RECORD.files || now - this.#recordedAt >= RECORD.ms;
    if (isDue) await this.record();
  }

  /** @throws SkillError `FILE_UNREADABLE`, `FILE_UNWRITABLE` */
  async record(): Promise<void> {
    const lines = this.#reverted.slice(this.#recorded);
    if (lines.length === 0) return;
    [this.#recorded, this.#recordedAt] = [this.#reverted.length, this.parts.monotonicMs()];
    await this.parts.record(lines);
  }

  /** What cannot be put back is told once, and is from then on as it is. */
  async #lose(lost: readonly Former[], manifest: Manifest): Promise<void> {
    const { files } = this.parts;
    for (const one of lost) {
      this.#stuck.push(`${one.path} cannot be put back, as no copy of it was kept`);
      if (one.kind === "changed" && one.now) manifest.note(one.place, one.now);
    }
    await manifest.saveMarks(files, performance.now() - this.times.start);
    const gone = lost.filter(({ kind }) => kind === "removed").map(({ path }) => path);
    const { later } = manifest;
    await manifest.saveLater(files, { ...later, lost: [...later.lost, ...gone] });
  }
}

const GIT = ".git";
const DEFAULT_MODE = 0o755;
