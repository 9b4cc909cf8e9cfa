import { CLOCK, FILES, inject, injectable, token, type Clock, type Files } from "skillctl";
import { join } from "node:path";
import { LIBRARY, type Library } from "./library/library.ts";
import { text } from "./texts.ts";

/** Asia/Shanghai is eight hours ahead the whole year. */
const SHANGHAI_AHEAD_MS = 8 * 3_600_000;
/** The quota of the remote service, which its sentence names. */
const REMOTE_QUOTA = "10";

/** A counted question. */
export interface Slot {
  /** Takes the question back, when it could not be answered after all. */
  readonly release: () => Promise<void>;
}

/**
 * No quota, unless `serve --quota` rehearses the remote service's. Then it is kept in files: a question takes the first
 * slot `<day>/<account>-<n>` that can be created exclusively. Needs no lock, and holds across processes.
 */
@injectable()
export class Quota {
  #perDay: number | undefined;

  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LIBRARY) private readonly library: Library,
  ) {}

  /** From now on an account has so many questions a calendar day; undefined means any number. */
  limit(perDay: number | undefined): void {
    this.#perDay = perDay;
  }

  /** Today in Asia/Shanghai, `yyyymmdd`. */
  today(): string {
    return new Date(this.clock.now() + SHANGHAI_AHEAD_MS).toISOString().slice(0, 10).replaceAll("-", "");
  }

  /** Counts one question; undefined when the day's are used up. */
  async take(accountId: string): Promise<Slot | undefined> {
    if (this.#perDay === undefined) return { release: () => Promise.resolve() };
    const day = this.today();
    const folder = join(this.#folder, day);
    await this.files.makeFolder(folder);
    for (let number = 1; number <= this.#perDay; number += 1) {
      const path = join(folder, `${accountId}-${number}`);
      if (!(await this.files.create(path, ""))) continue;
      if (number === 1) await this.#removeBefore(day);
      return { release: () => this.files.remove(path) };
    }
    return undefined;
  }

  /** What is said when the day's questions are used up. */
  sentence(): string {
    return text("quota-exceeded").replace(REMOTE_QUOTA, String(this.#perDay));
  }

  get #folder(): string {
    return join(this.library.folder, "quota");
  }

  async #removeBefore(day: string): Promise<void> {
    for (const name of (await this.files.list(this.#folder)) ?? []) {
      if (/^\d{8}$/u.test(name) && name < day) await this.files.remove(join(this.#folder, name));
    }
  }
}

export const QUOTA = token<Quota>("music-gateway/quota");
