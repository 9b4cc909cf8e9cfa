import type { Journal } from "skillctl";
import { SkillError } from "skillctl";
import { cleared } from "./clearing.ts";
import { halve, shorten } from "./compaction.ts";
import { openSegments, type BookSegment, type OpenSegments, type Place } from "./open-segments.ts";
import { rescue } from "./rescue.ts";
import { Limits, Pace } from "./room.ts";
import { RetiredReaders } from "./segment-reader.ts";

/**
 * The files of a log, and all that changes which there are: clears, purges, compactions, and what others do to them. One
 * such change at a time; appends go on but for the moment in which the visible file becomes another one.
 */
export class SegmentShelf {
  readonly #place: Place;
  readonly #limits: Limits;
  readonly #pace = new Pace();
  readonly #lock = new Lock();
  readonly #retired: RetiredReaders;
  #open: OpenSegments;
  /** False after a failure: what there is has to be looked up in the folder. */
  #whole = true;
  /** While the visible file changes, the end of that. */
  #closed: Promise<void> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #room: Promise<void> | undefined;
  /** Why nothing is written any more. */
  #over: SkillError | undefined;

  private constructor(place: Place, maxBytes: number, open: OpenSegments) {
    this.#place = place;
    this.#limits = new Limits(maxBytes);
    this.#retired = new RetiredReaders(place.ports.log);
    this.#open = open;
    this.#adopt(open);
  }

  /** @throws SkillError as `Journals.open` and `Journal.append` do */
  static async open(place: Place, maxBytes: number): Promise<SegmentShelf> {
    return new SegmentShelf(place, maxBytes, await openSegments(place));
  }

  /** Oldest first, the visible one last. */
  get segments(): readonly BookSegment[] {
    return [...this.#open.earlier, this.#open.visible];
  }

  get visible(): BookSegment {
    return this.#open.visible;
  }

  /** What is written to, once there is nothing to wait for. */
  get journal(): Journal {
    return this.#open.journal;
  }

  /** The greatest `_seq` there was. */
  get lastSeq(): number {
    return this.segments.reduce(
      (most, { index }) => Math.max(most, index.lastSeq),
      this.#place.rejected.purged.seq,
    );
  }

  /** What has to be waited for before the next append; `undefined` when there is nothing. Rejects when none is possible. */
  get wait(): Promise<void> | undefined {
    if (this.#over) return Promise.reject(this.#over);
    if (this.#closed) return this.#closed;
    if (!this.#whole) return this.#alone(() => this.#reopen());
    const { end } = this.journal;
    return this.#pace.wait(end) ?? (this.#limits.reached(end) ? this.#makeRoom() : undefined);
  }

  /** @throws SkillError as `Journal.append` does */
  append(lines: Uint8Array | string): Promise<void> {
    const { journal } = this.#open;
    const before = journal.end;
    const written = journal.append(lines);
    // One that is refused at once says nothing of those before it.
    if (journal.end > before) this.#last = written;
    if (this.#limits.near(journal.end) && !this.#room)
      this.#makeRoom().catch(() => this.#limits.postpone(journal.end));
    return written;
  }

  /** Takes note of a failure; true when the visible file is one to begin anew, which the answer to `wait` does. */
  async mend(journal: Journal, caught: unknown): Promise<boolean> {
    this.#note(caught);
    if (!isLost(caught)) return false;
    await this.#alone(() => this.#hold(() => this.#mend(journal)));
    return true;
  }

  /** Looks whether everything is still in its place, and puts it right. @throws SkillError as `Journal.append` does */
  async look(): Promise<void> {
    await this.#alone(async () => {
      if (this.#over) throw this.#over;
      if (this.#whole) await this.#verified();
      else await this.#reopen();
      await this.#place.rejected.flush();
    });
  }

  /** Begins a new segment when there is anything in this one; with the last `_seq`, all there was is removed for good. */
  async clear(purgedSeq?: () => number): Promise<void> {
    await this.#alone(async () => {
      if (this.#over) throw this.#over;
      if (!this.#whole) await this.#reopen();
      await this.#hold(async () => {
        await this.#open.journal.verify().catch((caught: unknown) => this.#mendLost(caught));
        await this.#clear(purgedSeq);
      });
    });
  }

  async close(): Promise<void> {
    await this.#alone(() =>
      this.#hold(async () => {
        this.#over ??= new SkillError("STORAGE_FAILED", "The log has been closed.", {
          hint: "Open it again.",
        });
        for (const { reader } of this.segments) await reader.close();
        await this.#retired.close();
      }),
    );
  }

  /** One change at a time. */
  #alone(change: () => Promise<void>): Promise<void> {
    return this.#lock.run(change).catch((caught: unknown) => {
      this.#note(caught);
      throw caught;
    });
  }

  /** Where it is not safe to write nothing is written any more. */
  #note(caught: unknown): void {
    if (caught instanceof SkillError && caught.code === "STORAGE_UNSAFE") this.#over = caught;
  }

  /** Nothing is appended meanwhile, and what was is settled before. */
  async #hold(action: () => Promise<void>): Promise<void> {
    let open = (): void => undefined;
    this.#closed = new Promise((resolve) => (open = resolve));
    this.#pace.end();
    try {
      await Promise.allSettled([this.#last]);
      await action();
    } finally {
      this.#closed = undefined;
      open();
    }
  }

  #adopt(open: OpenSegments): void {
    this.#open = open;
    this.#whole = true;
    this.#limits.measure(this.#earlierBytes);
  }

  /** Opens again what is in the folder. */
  async #reopen(): Promise<void> {
    if (this.#whole) return;
    await this.#hold(async () => {
      this.#retired.add(this.visible.reader);
      this.#adopt(await openSegments(this.#place));
    });
  }

  async #verified(): Promise<void> {
    await this.#open.journal.verify().catch((caught: unknown) => this.#hold(() => this.#mendLost(caught)));
  }

  async #mendLost(caught: unknown): Promise<void> {
    if (!isLost(caught)) throw caught;
    await this.#mend(this.#open.journal);
  }

  /** Rescues what a lost log holds, once, and begins another one. Only while held. */
  async #mend(lost: Journal): Promise<void> {
    if (lost !== this.#open.journal || !this.#whole) return;
    await rescue(this.#place, this.#open);
    this.#whole = false;
    this.#retired.add(this.visible.reader);
    this.#adopt(await openSegments(this.#place, this.#open.earlier));
  }

  async #clear(purgedSeq?: () => number): Promise<void> {
    if (this.visible.reader.bytes === 0 && !purgedSeq) return;
    this.#whole = false;
    this.#adopt(await cleared(this.#place, this.#open, this.#retired, purgedSeq?.()));
  }

  /** One compaction for all who need it. */
  #makeRoom(): Promise<void> {
    this.#room ??= this.#alone(() => this.#compact()).finally(() => (this.#room = undefined));
    return this.#room;
  }

  /** First earlier segments give way, the largest first, until they leave the visible one its half. */
  async #compact(): Promise<void> {
    if (!this.#whole || this.#over) return;
    while (this.#limits.crowded(this.#earlierBytes) && (await this.#halveLargest()))
      this.#limits.measure(this.#earlierBytes);
    if (!this.#limits.near(this.journal.end)) return;
    const { visible, journal } = this.#open;
    const { keep, most } = this.#limits;
    const work = 2 * keep + most - journal.end;
    this.#pace.begin(journal.end, most);
    try {
      const done = await shorten(this.#place, this.#open, keep, {
        copied: (bytes) => this.#pace.advance(bytes / work),
        hold: (action) => this.#hold(action),
        swap: async (replace) => {
          this.#whole = false;
          const taken = await replace();
          this.#adopt(taken());
          this.#retired.add(visible.reader);
        },
      });
      if (!done || this.#limits.near(this.journal.end)) this.#limits.widen(this.journal.end);
    } catch (caught) {
      if (!isLost(caught)) throw caught;
      await this.#hold(() => this.#mend(journal));
    } finally {
      this.#pace.end();
    }
  }

  async #halveLargest(): Promise<boolean> {
    const own = this.#open.earlier.filter(({ number }) => number > 0);
    const [largest] = own.sort((a, b) => b.reader.bytes - a.reader.bytes);
    if (!largest) return false;
    const taken = await halve(this.#place, largest);
    if (!taken) return false;
    const half = taken();
    const earlier = this.#open.earlier.map((segment) => (segment === largest ? half : segment));
    this.#open = { ...this.#open, earlier };
    this.#retired.add(largest.reader);
    return true;
  }

  get #earlierBytes(): number {
    const own = this.#open.earlier.filter(({ number }) => number > 0);
    return own.reduce((sum, { reader }) => sum + reader.bytes, 0);
  }
}

function isLost(caught: unknown): boolean {
  return caught instanceof SkillError && caught.code === "STORAGE_LOST";
}

/** Does one thing after another, in the order in which they were asked for. */
class Lock {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(action: () => Promise<T>): Promise<T> {
    const done = this.#last.then(action);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
