import { join } from "node:path";
import type { Files } from "skillctl";
import type { Baseline } from "../worktree/baseline.ts";
import type { Change } from "../worktree/change.ts";

/** What was found out about a file: its regions are pure, and without them it is what it was. */
interface Verdict {
  /** What git calls the bytes before: `Change.blob`. */
  readonly blob: string;
  readonly regions: number;
  readonly hypotheses: readonly string[];
}

/** Grows when the rules change by which files are judged. */
const RULES = 3;

interface Kept {
  readonly rules: number;
  readonly verdicts: Readonly<Record<string, Verdict>>;
}

/** Verdicts of earlier checks, by name and bytes: the same file is not judged twice. Kept with the images; a cache. */
export class Verdicts {
  readonly #now = new Map<string, Verdict>();

  private constructor(
    private readonly files: Files,
    private readonly place: string,
    private readonly known: Kept["verdicts"],
  ) {}

  static async open(files: Files, { images }: Baseline): Promise<Verdicts> {
    const place = join(images, "verdicts.json");
    const text = await files.readText(place);
    return new Verdicts(files, place, text === undefined ? {} : parsed(text));
  }

  of({ path, nowBlob }: Change): Verdict | undefined {
    const key = `${nowBlob} ${path}`;
    const verdict = this.known[key];
    if (verdict) this.#now.set(key, verdict);
    return verdict;
  }

  /** Nothing is kept of bytes that have no name of git's. */
  note({ path, blob, nowBlob }: Change, regions: number, hypotheses: readonly string[]): void {
    if (blob === undefined || nowBlob === undefined) return;
    this.#now.set(`${nowBlob} ${path}`, { blob, regions, hypotheses });
  }

  /** Keeps those that were asked for or noted since it was opened, unless all are known. @throws SkillError `FILE_UNWRITABLE` */
  async save(): Promise<void> {
    if ([...this.#now.keys()].every((key) => key in this.known)) return;
    const kept: Kept = { rules: RULES, verdicts: Object.fromEntries(this.#now) };
    await this.files.replace(this.place, JSON.stringify(kept));
  }
}

function parsed(text: string): Kept["verdicts"] {
  try {
    const { rules, verdicts } = JSON.parse(text) as Kept;
    return rules === RULES ? verdicts : {};
  } catch {
    // It is made anew.
    return {};
  }
}
