import type { Journal } from "skillctl";
import { SkillError } from "skillctl";
import { INDEX_ENDINGS } from "./file-names.ts";
import { Limits } from "./limits.ts";
import { Lock } from "./lock.ts";
import { openSegments, type BookSegment, type OpenSegments, type Place } from "./open-segments.ts";
import { rescue } from "./rescue.ts";
import { halve, shorten } from "./shortening.ts";

/** Readers of files that have been replaced stay open for answers under way, the latest ones. */
const MOST_RETIRED = 4;

/**
 * The files of a log, and all that changes which there are: clears, purges, compactions, and what others do to them. One
 * such change at a time; appends go on but for the moment in which the visible file becomes another one.
 */
export class SegmentShelf {
  readonly #place: Place;
  readonly #limits: Limits;
  readonly #lock = new Lock();
  #open: OpenSegments;
  /** False after a failure: what there is has to be looked up in the folder. */
  #whole = true;
  /** While the visible file changes, the end of that. */
  #closed: Promise<void> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #room: Promise<void> | undefined;
  /** Why nothing is written any more. */
  #over: SkillError | undefined;
  #retired: readonly BookSegment["reader"][] = [];

  private constructor(place: Place, maxBytes: number, open: OpenSegments) {
    this.#place = place;
    this.#limits = new Limits(maxBytes);
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
    return this.#limits.reached(this.journal.end) ? this.#makeRoom() : undefined;
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
      if (this.#over) return;
      if (this.#whole) await this.#verified();
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
        for (const { index, reader } of this.segments) {
          await index.close();
          await reader.close();
        }
        for (const reader of this.#retired) await reader.close();
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
      // What they cannot write now is only what they would have found faster.
      await Promise.allSettled(this.segments.map(({ index }) => index.close()));
      this.#retire(this.visible.reader);
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
    this.#retire(this.visible.reader);
    this.#adopt(await openSegments(this.#place, this.#open.earlier));
  }

  async #clear(purgedSeq?: () => number): Promise<void> {
    const { visible, earlier } = this.#open;
    const filled = visible.reader.bytes > 0;
    if (!filled && !purgedSeq) return;
    const { journals, files } = this.#place.ports;
    const path = this.#place.names.earlier(visible.number);
    this.#whole = false;
    await visible.index.close();
    if (filled) {
      await visible.reader.move(path, () => journals.rename(visible.path, path));
      for (const ending of INDEX_ENDINGS) {
        if (await files.facts(visible.path + ending))
          await journals.rename(visible.path + ending, path + ending);
      }
    } else this.#retire(visible.reader);
    if (purgedSeq) await this.#purge(purgedSeq(), visible.number + (filled ? 1 : 0));
    this.#adopt(
      await openSegments(this.#place, purgedSeq ? earlier.filter(({ number }) => number === 0) : earlier),
    );
  }

  /** From the moment it is written down; the files go when the folder is looked through. */
  async #purge(seq: number, segment: number): Promise<void> {
    const own = this.segments.filter(({ number }) => number > 0);
    for (const { reader } of own.slice(-MOST_RETIRED)) {
      await reader.pin();
      this.#retire(reader);
    }
    await this.#place.rejected.purge({ seq, segment });
    for (const { index } of own) await index.drop();
  }

  #retire(reader: BookSegment["reader"]): void {
    const all = [...this.#retired, reader];
    this.#retired = all.slice(-MOST_RETIRED);
    // A reader that nothing depends on any more; that its file could not be closed changes no answer.
    for (const old of all.slice(0, -MOST_RETIRED)) void old.close().catch(this.#place.ports.log.detail);
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
    try {
      const done = await shorten(this.#place, this.#open, this.#limits.keep, {
        hold: (action) => this.#hold(action),
        swap: async (replace) => {
          this.#whole = false;
          this.#adopt(await replace());
          this.#retire(visible.reader);
        },
      });
      if (!done || this.#limits.near(this.journal.end)) this.#limits.widen(this.journal.end);
    } catch (caught) {
      if (!isLost(caught)) throw caught;
      await this.#hold(() => this.#mend(journal));
    }
  }

  async #halveLargest(): Promise<boolean> {
    const own = this.#open.earlier.filter(({ number }) => number > 0);
    const [largest] = own.sort((a, b) => b.reader.bytes - a.reader.bytes);
    if (!largest) return false;
    const half = await halve(this.#place, largest);
    if (half === largest) return false;
    const earlier = this.#open.earlier.map((segment) => (segment === largest ? half : segment));
    this.#open = { ...this.#open, earlier };
    this.#retire(largest.reader);
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
