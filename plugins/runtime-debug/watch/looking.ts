import { join } from "node:path";
import { SkillError, type Surveyed } from "skillctl";
import { placed } from "../check/findings-text.ts";
import type { SessionEntry } from "../session/entry.ts";
import { LEFT_OUT } from "../worktree/exclusions.ts";
import { beginManifest, newest, watchFolder } from "./beginning.ts";
import { compare } from "./comparison.ts";
import { Judging, type Judged, type Wrong } from "./judging.ts";
import { Manifest } from "./manifest.ts";
import { Restoration } from "./restoration.ts";
import { headOf, surveyTree } from "./survey.ts";
import type { Looked, LookParts, Reverted } from "./looked.ts";

/** After so many times what is still being written is told as such. */
const ROUNDS = 3;
const NOTHING: Looked = { reverted: [], regions: 0, stuck: [], moved: false };

/** See `Watch.look`. `others` are the ids of all sessions of the project. */
export async function lookAt(
  parts: LookParts,
  root: string,
  entry: SessionEntry,
  others: readonly string[],
  claimed: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<Looked> {
  const first = await new Look(parts, root, entry, others).quick();
  if (first) return first;
  // Only one at a time puts files back: agents call several tools at once.
  return claimed(() => new Look(parts, root, entry, others).whole());
}

class Look {
  readonly #start = performance.now();
  readonly #reverted: Reverted[] = [];
  readonly #stuck: string[] = [];

  constructor(
    private readonly parts: LookParts,
    private readonly root: string,
    private readonly entry: SessionEntry,
    private readonly sessions: readonly string[],
  ) {}

  /** Nothing, when the marks say so; `undefined` when somebody has to look closer. */
  async quick(): Promise<Looked | undefined> {
    const manifest = await this.#manifest();
    if (!manifest) return undefined;
    const { touched, removed, added } = compare(manifest, await this.#survey(manifest));
    const lost = manifest.later.lost.length;
    if (touched.length > 0 || removed.length > lost) return undefined;
    const unknown = new Judging(this.parts, this.root, this.entry, manifest, this.sessions).unknown(added);
    if (unknown.length > 0 || (await headOf(this.parts.files, this.root)) !== manifest.later.head)
      return undefined;
    return NOTHING;
  }

  async whole(): Promise<Looked> {
    const { files } = this.parts;
    let manifest = await this.#manifest();
    if (!manifest) {
      // A session of an earlier version, or one whose beginning was cut off: from now on.
      await beginManifest(this.parts, this.root, this.entry);
      return NOTHING;
    }
    const head = await headOf(files, this.root);
    const moved = head !== manifest.later.head;
    let regions = 0;
    for (let round = 0; ; round += 1) {
      const judging = new Judging(this.parts, this.root, this.entry, manifest, this.sessions);
      const judged = await judging.judge(compare(manifest, await this.#survey(manifest)));
      ({ regions } = judged);
      await this.#save(manifest, judged, head);
      if (judged.wrong.length === 0) break;
      if (round === ROUNDS) {
        this.#stuck.push(...judged.wrong.map(({ path }) => `${path} is still being written`));
        break;
      }
      await this.#revert(judged, judging, manifest);
      manifest = (await this.#manifest()) ?? manifest;
    }
    return { reverted: this.#reverted, regions, stuck: [...new Set(this.#stuck)], moved };
  }

  async #manifest(): Promise<Manifest | undefined> {
    const { files } = this.parts;
    const folder = watchFolder(this.entry);
    for (let number = await newest(files, folder); number > 0; number -= 1) {
      const manifest = await Manifest.open(files, join(folder, String(number)));
      if (manifest) return manifest;
    }
    return undefined;
  }

  async #survey({ names, later }: Manifest): Promise<readonly Surveyed[]> {
    const entered = new Set(names.entered);
    const ignored = new Set([...names.ignored, ...later.ignored]);
    const isTools = (name: string, path: string): boolean => LEFT_OUT.has(name) && !entered.has(path);
    const options = { ignored, extra: names.extra };
    const survey = await surveyTree(this.parts.files, this.root, options, isTools);
    return survey?.found ?? [];
  }

  async #save(manifest: Manifest, { seen, ignored }: Judged, head: string): Promise<void> {
    const { files } = this.parts;
    for (const { place, now } of seen) manifest.note(place, now);
    if (seen.length > 0) await manifest.saveMarks(files, performance.now() - this.#start);
    if (ignored.length === 0 && head === manifest.later.head) return;
    const { later } = manifest;
    await manifest.saveLater(files, { ...later, head, ignored: [...later.ignored, ...ignored] });
  }

  async #revert({ wrong }: Judged, judging: Judging, manifest: Manifest): Promise<void> {
    const restoration = new Restoration(this.parts.files, this.root, shelfOf(this.entry));
    const folders = new Set(manifest.names.folders);
    const lost: Wrong[] = [];
    await this.parts.files.makeFolder(this.root, 0o755);
    // What is new goes first: it may stand where something else belongs.
    for (const one of [...wrong].sort((a, b) => Number(b.kind === "added") - Number(a.kind === "added"))) {
      const { path, kind } = one;
      try {
        if (kind === "added") {
          this.#reverted.push({ path, kind, keptAt: await restoration.takeOut(path) });
          await restoration.prune(path, (folder) => folders.has(folder));
          continue;
        }
        const before = await judging.before(one);
        if (!before) {
          lost.push(one);
          continue;
        }
        const keptAt = await restoration.putBack(path, before.copy, before.bytes);
        if (one.isQuiet) continue;
        const fault = one.fault && placed(one.fault);
        this.#reverted.push({
          path,
          kind,
          ...(keptAt !== undefined && { keptAt }),
          ...(fault !== undefined && { fault }),
        });
      } catch (caught) {
        if (!(caught instanceof SkillError)) throw caught;
        // What has gone by itself since it was seen, as files that programs need for a moment, is nobody's business.
        const [now] = await this.parts.files.marks([join(this.root, path)]);
        if (kind === "added" && !now) continue;
        this.#stuck.push(`${path} could not be put back: ${caught.message.replace(/\.$/, "")}`);
      }
    }
    if (lost.length > 0) await this.#lose(lost, manifest);
  }

  /** What cannot be put back is told once, and is from then on as it is. */
  async #lose(lost: readonly Wrong[], manifest: Manifest): Promise<void> {
    const { files } = this.parts;
    for (const one of lost) {
      this.#stuck.push(`${one.path} cannot be put back, as no copy of it was kept`);
      if (one.kind === "changed" && one.now) manifest.note(one.place, one.now);
    }
    await manifest.saveMarks(files, performance.now() - this.#start);
    const { later } = manifest;
    const gone = lost.filter(({ kind }) => kind === "removed").map(({ path }) => path);
    await manifest.saveLater(files, { ...later, lost: [...later.lost, ...gone] });
  }
}

/** What is set aside outlives the images of the session. */
function shelfOf({ baseline }: Pick<SessionEntry, "baseline">): string {
  return `${baseline.images}.reverted`;
}
