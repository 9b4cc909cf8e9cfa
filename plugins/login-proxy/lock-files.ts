import { join } from "node:path";
import { SkillError, type Files } from "skillctl";
import { recordOf, type Generation, type LockRecord } from "./lock-record.ts";

const NAME = /^refresh\.lock\.([1-9]\d{0,14})$/;

/**
 * The files `refresh.lock.N` of a lock: the highest N counts. The lock is taken by creating N + 1, which one process can
 * only, and the highest is never removed: so nobody can take away what somebody else holds, and a number that was
 * overtaken while it was created is seen to be so.
 */
export class LockFiles {
  readonly #files: Files;
  readonly #folder: string;

  constructor(files: Files, folder: string) {
    this.#files = files;
    this.#folder = folder;
  }

  async highest(): Promise<Generation> {
    const number = Math.max(0, ...(await this.#numbers()));
    // One that is gone by now has a later one after it, which the attempt to follow it will find.
    const text = number === 0 ? "" : ((await this.#files.readText(this.#path(number))) ?? "");
    return { number, text, record: recordOf(text) };
  }

  /** Takes the turn after a generation that is over; undefined when another process has been faster. */
  async follow(over: Generation, record: LockRecord): Promise<number | undefined> {
    const number = over.number + 1;
    if (!(await this.#files.create(this.#path(number), JSON.stringify(record)))) return undefined;
    const numbers = await this.#numbers();
    // Others have gone on from here meanwhile and removed what stood under this number.
    const late = numbers.some((other) => other > number);
    const useless = late ? [number] : numbers.filter((other) => other < number);
    for (const other of useless) await this.#tidied(this.#path(other));
    return late ? undefined : number;
  }

  /** Writes what the holder of a turn has to say, unless somebody has taken over. */
  async say(number: number, record: LockRecord): Promise<void> {
    if ((await this.#numbers()).some((other) => other > number)) return;
    await this.#files.replace(this.#path(number), JSON.stringify(record));
  }

  /** Lower numbers never count, so one that cannot be removed is left to whoever takes the next turn. */
  async #tidied(path: string): Promise<void> {
    try {
      await this.#files.remove(path);
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
    }
  }

  async #numbers(): Promise<readonly number[]> {
    const names = (await this.#files.list(this.#folder)) ?? [];
    return names.flatMap((name) => {
      const [, digits] = NAME.exec(name) ?? [];
      return digits === undefined ? [] : [Number.parseInt(digits, 10)];
    });
  }

  #path(number: number): string {
    return join(this.#folder, `refresh.lock.${number}`);
  }
}
