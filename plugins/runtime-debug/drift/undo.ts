import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { SkillError, type Files } from "skillctl";
import { treeFiles, type TreeFile } from "../check/tree-files.ts";
import { isFixState } from "../protocol/machine.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { exactTexts, sameBytes } from "../worktree/exact-text.ts";
import type { FileForm } from "../worktree/change.ts";
import type { Worktree } from "../worktree/worktree.ts";
import { putBack } from "./kept-regions.ts";

/** A file that was put back. */
export interface Undone {
  /** From the project folder, with `/`. */
  readonly file: string;
  readonly kind: "changed" | "added" | "removed";
  /** Where what stood there is kept, absolute; missing when nothing stood there. */
  readonly keptAt?: string;
  /** The labels of the probes that went, since their place is not clear any more. */
  readonly gone: readonly string[];
}

/** What could not be put back, and why. */
export interface Stuck {
  readonly file: string;
  readonly sentence: string;
}

/** How a file was: its bytes, or that it was not there. */
interface Former {
  readonly bytes: Uint8Array | undefined;
  readonly form: FileForm | undefined;
}

/** The folder of what was overwritten: it stays after the cleanup. Absolute. */
function shelfOf({ entry }: OpenedSession): string {
  return `${entry.baseline.images}.undone`;
}

/**
 * Puts files back as they were at the start of the session, or as `fix` or `keep` has accepted them. What stands there is
 * kept aside first, whole. Probes stay in where their place is clear.
 */
export class Undo {
  #tree: readonly TreeFile[] | undefined;
  #folder: string | undefined;

  constructor(
    private readonly opened: OpenedSession,
    private readonly files: Files,
    private readonly worktree: Worktree,
  ) {}

  /** @throws SkillError `FILE_UNREADABLE`, `PROGRAM_FAILED`, `DEBUG_STATE_DAMAGED` */
  async run(paths: readonly string[]): Promise<readonly (Undone | Stuck)[]> {
    const results: (Undone | Stuck)[] = [];
    for (const path of paths) {
      try {
        results.push(await this.#one(path));
      } catch (caught) {
        if (!(caught instanceof SkillError)) throw caught;
        results.push({ file: path, sentence: caught.message });
      }
    }
    return results;
  }

  async #one(path: string): Promise<Undone> {
    const { root } = this.opened;
    const former = await this.#former(path);
    await this.#refuseOutside(path);
    const full = join(root, path);
    const [mark] = await this.files.marks([full]);
    const seen = (await this.#files()).find((file) => file.path === path);
    const isFile = former.form?.kind !== "link";
    if (former.bytes && isFile && mark?.kind === "file") {
      const now = seen?.now ?? (await this.files.readBytes(full)) ?? new Uint8Array();
      const { text, before = "", bytes } = exactTexts(now, former.bytes);
      const back = putBack(path, text, before);
      const keptAt = await this.#copied(path, now);
      await this.worktree.write(root, path, bytes(back.text));
      return { file: path, kind: "changed", keptAt, gone: back.gone };
    }
    const keptAt = mark ? await this.#moved(path) : undefined;
    const aside = keptAt === undefined ? {} : { keptAt };
    const gone = seen?.now ? putBack(path, exactTexts(seen.now, undefined).text, "").gone : [];
    if (!former.bytes && !former.form) return { file: path, kind: "added", ...aside, gone };
    await this.files.makeFolder(dirname(full), 0o755);
    if (former.form?.kind === "link") await this.files.makeLink(full, former.form.target ?? "");
    else await this.worktree.write(root, path, former.bytes ?? new Uint8Array(), former.form?.mode);
    return { file: path, kind: mark ? "changed" : "removed", ...aside, gone };
  }

  async #former(path: string): Promise<Former> {
    const { root, entry } = this.opened;
    const hash = entry.accepted[path];
    if (hash === "") return { bytes: undefined, form: undefined };
    const form = await this.worktree.form(root, entry.baseline, path);
    if (hash !== undefined) {
      const bytes = await this.worktree.accepted(entry.baseline, hash);
      if (bytes) return { bytes, form: form?.kind === "link" ? undefined : form };
      // Before the next fix the file may also be as at the start.
      if (isFixState(entry.state)) throw unkept(path);
    }
    if (form?.kind === "link" && form.target === undefined) throw unkept(path);
    return { bytes: await this.worktree.before(root, entry.baseline, path), form };
  }

  async #files(): Promise<readonly TreeFile[]> {
    const { root, entry } = this.opened;
    if (this.#tree) return this.#tree;
    const changes = await this.worktree.changes(root, entry.baseline);
    return (this.#tree = (await treeFiles(this.worktree, this.files, root, entry.baseline, changes)).tree);
  }

  /** A folder above that has become a link may lead out of the project. */
  async #refuseOutside(path: string): Promise<void> {
    const { root } = this.opened;
    for (let at = dirname(path); at !== "."; at = dirname(at)) {
      const folder = await this.files.realPath(join(root, at));
      if (folder === undefined) continue;
      const inside = relative(root, folder);
      if (inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)) return;
      throw new SkillError("STORAGE_UNSAFE", `${at} leads out of the project, so nothing is written there.`);
    }
  }

  async #copied(path: string, now: Uint8Array): Promise<string> {
    const to = await this.#place(path);
    await this.files.replace(to, now);
    const found = await this.files.readBytes(join(this.opened.root, path));
    if (found && sameBytes(found, now)) return to;
    throw new SkillError("DEBUG_CHANGED", "It was written while it was being put back: run undo again.");
  }

  async #moved(path: string): Promise<string> {
    const to = await this.#place(path);
    await this.files.move(join(this.opened.root, path), to);
    return to;
  }

  async #place(path: string): Promise<string> {
    const shelf = shelfOf(this.opened);
    if (this.#folder === undefined) {
      const numbers = ((await this.files.list(shelf)) ?? []).map(Number).filter(Number.isSafeInteger);
      this.#folder = join(shelf, String(Math.max(0, ...numbers) + 1));
    }
    const to = join(this.#folder, path);
    await this.files.makeFolder(dirname(to));
    const isTaken = (await this.files.marks([to]))[0] !== undefined;
    return isTaken ? join(dirname(to), `${basename(to)}.also`) : to;
  }
}

function unkept(path: string): SkillError {
  return new SkillError("FILE_UNREADABLE", `How ${path} was is not kept: put it back by hand, or keep it.`);
}
