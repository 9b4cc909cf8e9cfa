import { join } from "node:path";
import type { SessionEntry } from "../session/entry.ts";
import { LEFT_OUT } from "../worktree/exclusions.ts";
import { beginManifest, newest, watchFolder } from "./beginning.ts";
import { BYTECODE_FOLDER } from "./bytecode.ts";
import { compare } from "./comparison.ts";
import { CACHES } from "./harmless.ts";
import { Judging, type Judged } from "./judging.ts";
import { Manifest, type Later } from "./manifest.ts";
import { Reverting } from "./reverting.ts";
import { headOf, surveyTree, type TreeSurvey } from "./survey.ts";
import type { LookOptions, Looked, LookParts } from "./looked.ts";

/** After so many times what is still being written is told as such. */
const ROUNDS = 3;
/** Of the time of a look so much is left for putting files back, in milliseconds. */
const REVERT_MS = 1_500;
const NOTHING: Looked = { reverted: [], regions: 0, stuck: [], moved: false };

/** See `Watch.look`. */
export async function lookAt(
  parts: LookParts,
  root: string,
  entry: SessionEntry,
  options: Required<LookOptions>,
  claimed: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<Looked> {
  const first = await new Look(parts, root, entry, options).quick();
  if (first && (await parts.untold()).length === 0) return first;
  // Only one at a time puts files back: agents call several tools at once. Who has waited asks again what is so now.
  return claimed(async () => {
    const former = await parts.untold();
    const now = await options.current();
    const looked = now ? await new Look(parts, root, now, options).whole() : NOTHING;
    const reverted = [...former, ...looked.reverted];
    if (reverted.length > 0) await parts.told();
    return { ...looked, reverted };
  });
}

function textOf({ ignored, lost, bytecode = [], head }: Later): string {
  return JSON.stringify([ignored, lost, bytecode, head]);
}

class Look {
  readonly #start = performance.now();

  constructor(
    private readonly parts: LookParts,
    private readonly root: string,
    private readonly entry: SessionEntry,
    private readonly options: Required<LookOptions>,
  ) {}

  /** Nothing, when the marks say so; `undefined` when somebody has to look closer. */
  async quick(): Promise<Looked | undefined> {
    const manifest = await this.#manifest();
    if (!manifest) return undefined;
    const { touched, removed, added } = compare(manifest, (await this.#survey(manifest)).found);
    const lost = new Set(manifest.later.lost);
    const { paths } = manifest.names;
    if (touched.length > 0 || removed.some((place) => !lost.has(paths[place] ?? ""))) return undefined;
    // One that is there again may be lost again.
    if (removed.length < lost.size) return undefined;
    if (this.#judging(manifest).unknown(added).length > 0) return undefined;
    return (await headOf(this.parts.files, this.root)) === manifest.later.head ? NOTHING : undefined;
  }

  async whole(): Promise<Looked> {
    const { files } = this.parts;
    const { until } = this.options;
    const manifest = await this.#manifest();
    if (!manifest) {
      // A session of an earlier version, or one whose beginning was cut off: from now on.
      await beginManifest(this.parts, this.root, this.entry);
      return NOTHING;
    }
    const reverting = new Reverting(this.parts, this.root, this.entry, { until, start: this.#start });
    const head = await headOf(files, this.root);
    const moved = head !== manifest.later.head;
    try {
      const regions = await this.#rounds(manifest, reverting, head);
      return { ...reverting.result(), regions, moved };
    } finally {
      await reverting.record();
    }
  }

  /** Answers how many regions there are. */
  async #rounds(first: Manifest, reverting: Reverting, head: string): Promise<number> {
    const { until, current } = this.options;
    let manifest = first;
    for (let round = 0; ; round += 1) {
      const judging = this.#judging(manifest);
      const survey = await this.#survey(manifest);
      const differences = compare(manifest, survey.found);
      const judged = await judging.judge(differences, until - REVERT_MS);
      const { paths } = manifest.names;
      const gone = new Set(differences.removed.map((place) => paths[place] ?? ""));
      await this.#save(manifest, judged, {
        head,
        lost: manifest.later.lost.filter((path) => gone.has(path)),
      });
      const { regions, wrong, left } = judged;
      if (wrong.length === 0 && left === 0) return regions;
      if (round === ROUNDS) {
        reverting.giveUp(wrong.map(({ path }) => path));
        return regions;
      }
      // The evidence may have come since.
      if (!(await current())) return regions;
      if ((await reverting.revert(judged, judging, manifest, survey.repositories)) > 0) return regions;
      manifest = (await this.#manifest()) ?? manifest;
    }
  }

  #judging(manifest: Manifest): Judging {
    return new Judging(this.parts, this.root, this.entry, manifest, this.options.ids);
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

  async #survey({ names, later }: Manifest): Promise<TreeSurvey> {
    const entered = new Set(names.entered);
    const ignored = new Set([...names.ignored, ...later.ignored]);
    const isTools = (name: string, path: string): boolean =>
      LEFT_OUT.has(name) &&
      name !== BYTECODE_FOLDER &&
      !(names.isPlain === false && CACHES.has(name)) &&
      !entered.has(path);
    const options = { ignored, extra: names.extra };
    const survey = await surveyTree(this.parts.files, this.root, options, isTools);
    return survey ?? { found: [], folders: [], repositories: [] };
  }

  async #save(
    manifest: Manifest,
    { seen, ignored, bytecode }: Judged,
    { head, lost }: Pick<Later, "head" | "lost">,
  ): Promise<void> {
    const { files } = this.parts;
    for (const { place, now } of seen) manifest.note(place, now);
    if (seen.length > 0) await manifest.saveMarks(files, performance.now() - this.#start);
    const { later } = manifest;
    const next: Later = { ignored: [...later.ignored, ...ignored], lost, bytecode, head };
    if (textOf(next) !== textOf(later)) await manifest.saveLater(files, next);
  }
}
