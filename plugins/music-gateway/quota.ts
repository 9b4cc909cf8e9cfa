import { CLOCK, FILES, inject, injectable, token, type Clock, type Files } from "skillctl";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { LIBRARY, type Library } from "./library.ts";

/** Questions per account and calendar day. */
export const QUESTIONS_PER_DAY = 10;

/** Asia/Shanghai is eight hours ahead the whole year. */
const SHANGHAI_AHEAD_MS = 8 * 3_600_000;

/** A counted question. */
export interface Slot {
  /** Takes the question back, when it could not be answered after all. */
  readonly release: () => Promise<void>;
}

/**
 * Ten questions a day, kept in files: a question takes the first slot `<day>/<account>-<n>` that can be created
 * exclusively. Needs no lock, and holds across processes.
 */
@injectable()
export class Quota {
  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LIBRARY) private readonly library: Library,
  ) {}

  /** Today in Asia/Shanghai, `yyyymmdd`. */
  today(): string {
    return new Date(this.clock.now() + SHANGHAI_AHEAD_MS).toISOString().slice(0, 10).replaceAll("-", "");
  }

  /**
   * Makes sure that questions can be counted, before one is asked.
   * @throws SkillError `FILE_UNWRITABLE` with the folder.
   */
  async prepare(): Promise<void> {
    const folder = join(this.#folder, this.today());
    await this.files.makeFolder(folder);
    const probe = join(folder, `.probe-${randomUUID()}`);
    await this.files.create(probe, "");
    await this.files.remove(probe);
  }

  /** Counts one question; undefined when the day's are used up. */
  async take(accountId: string): Promise<Slot | undefined> {
    const day = this.today();
    const folder = join(this.#folder, day);
    await this.files.makeFolder(folder);
    for (let number = 1; number <= QUESTIONS_PER_DAY; number += 1) {
      const path = join(folder, `${accountId}-${number}`);
      if (!(await this.files.create(path, ""))) continue;
      if (number === 1) await this.#removeBefore(day);
      return { release: () => this.files.remove(path) };
    }
    return undefined;
  }

  /** How many questions of today are used. */
  async used(accountId: string): Promise<number> {
    const names = (await this.files.list(join(this.#folder, this.today()))) ?? [];
    return names.filter((name) => name.startsWith(`${accountId}-`)).length;
  }

  get #folder(): string {
    return join(this.library.folder, "quota");
  }

  async #removeBefore(day: string): Promise<void> {
    for (const name of (await this.files.list(this.#folder)) ?? []) {
      if (/^\d{8}$/.test(name) && name < day) await this.files.remove(join(this.#folder, name));
    }
  }
}

export const QUOTA = token<Quota>("music-gateway/quota");
