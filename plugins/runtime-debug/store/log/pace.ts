/** Appends may be ahead by this part of the room that there was. */
const AHEAD = 1 / 16;

/** Lets a log grow only as fast as room is made for it, so that no append has to wait for all of that. */
export class Pace {
  #from = 0;
  #to = 0;
  /** How much of the work is done, from 0 to 1; 1 while there is none. */
  #done = 1;
  #waiting: Promise<void> | undefined;
  #goOn = (): void => undefined;

  /** Work begins; while it advances the log may grow from one size to another. */
  begin(from: number, to: number): void {
    this.#from = from;
    this.#to = to;
    this.#done = 0;
  }

  advance(done: number): void {
    this.#done = Math.min(1, done);
    this.#waiting = undefined;
    this.#goOn();
  }

  end(): void {
    this.advance(1);
  }

  /** What has to be waited for before a log of that size may grow; `undefined` when there is nothing. */
  wait(bytes: number): Promise<void> | undefined {
    const room = this.#to - this.#from;
    if (this.#done === 1 || bytes < this.#from + room * (this.#done + AHEAD)) return undefined;
    this.#waiting ??= new Promise((resolve) => (this.#goOn = resolve));
    return this.#waiting;
  }
}
