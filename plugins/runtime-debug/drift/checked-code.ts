import { basename, dirname, join } from "node:path";
import { FILES, SkillError, inject, injectable, type FileMark, type Files } from "skillctl";
import type { CodeWatch, OpenSession } from "../open-session.ts";
import { DEFAULT_FOLDER } from "../session-files.ts";
import type { SessionEntry } from "../session/entry.ts";
import { fileNow, markHash } from "../worktree/change.ts";
import { checkedPlace, WORKTREE, type Worktree } from "../worktree/worktree.ts";

/** The pause between two checks, in milliseconds. Starting a program takes longer: no edit and run fit in between. */
const LEAST_MS = 10;
/** The longest pause, for many files, since reading their times takes long. */
const MOST_MS = 100;
/** Checks take about 1/PART of the time. */
const PART = 20;

/** Compares the code of the served session with its state at the last check. */
@injectable()
export class CheckedCode implements CodeWatch {
  readonly #looks = new WeakMap<OpenSession, Looks>();

  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(WORKTREE) private readonly worktree: Worktree,
  ) {}

  isAsChecked(session: OpenSession): Promise<boolean> {
    const looks = this.#looks.get(session) ?? this.#begun(session);
    this.#looks.set(session, looks);
    return looks.newest();
  }

  #begun({ id, folder }: OpenSession): Looks {
    const root = dirname(folder);
    // A server in another folder serves no session that is run by commands.
    const list = basename(folder) === DEFAULT_FOLDER && checkedPlace(this.worktree.baselineOf(root, id));
    return new Looks(this.files, root, list || undefined, id);
  }
}

class Looks {
  #next = 0;
  #restMs = LEAST_MS;
  #newest: Promise<boolean> = Promise.resolve(true);
  #listMark = "";
  #checked: SessionEntry["checked"] | null = null;
  /** By path: the mark and the hash of the file when it was last read. */
  readonly #known = new Map<string, { readonly mark: string; readonly hash: string }>();

  constructor(
    private readonly files: Files,
    private readonly root: string,
    private readonly list: string | undefined,
    private readonly session: string,
  ) {}

  newest(): Promise<boolean> {
    if (performance.now() >= this.#next) {
      this.#next = Number.POSITIVE_INFINITY;
      this.#newest = this.#look();
    }
    return this.#newest;
  }

  async #look(): Promise<boolean> {
    try {
      return await this.#isAsChecked();
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      // A file that cannot be read counts as changed.
      return false;
    } finally {
      this.#next = performance.now() + this.#restMs;
    }
  }

  async #isAsChecked(): Promise<boolean> {
    if (this.list === undefined || !(await this.#readList(this.list))) return true;
    if (!this.#checked) return false;
    const checked = Object.entries(this.#checked);
    const begun = performance.now();
    const marks = await this.files.marks(checked.map(([path]) => join(this.root, path)));
    this.#restMs = Math.min(MOST_MS, Math.max(LEAST_MS, PART * (performance.now() - begun)));
    for (const [index, [path, hash]] of checked.entries())
      if ((await this.#hashOf(path, lookOf(marks[index]))) !== hash) return false;
    return true;
  }

  /** Whether a session of commands exists, which record their checks. */
  async #readList(list: string): Promise<boolean> {
    const [mark] = await this.files.marks([list]);
    if (!mark) return false;
    if (lookOf(mark) === this.#listMark) return true;
    this.#checked = JSON.parse((await this.files.readText(list)) ?? "null") as SessionEntry["checked"] | null;
    this.#listMark = lookOf(mark);
    return true;
  }

  async #hashOf(path: string, mark: string): Promise<string> {
    const known = this.#known.get(path);
    if (known?.mark === mark) return known.hash;
    const { codeHash } = await import("../check/check-tree.ts");
    const hash = codeHash(await fileNow(this.files, this.root, path), this.session);
    this.#known.set(path, { mark, hash });
    return hash;
  }
}

/** Unchanged as long as a file has not been written, even if its time was reset. */
function lookOf(mark: FileMark | undefined): string {
  return `${markHash(mark)} ${mark?.changedMs}`;
}
