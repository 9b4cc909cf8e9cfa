import { SkillError, type Journal } from "skillctl";
import { rescue, shorterLog } from "./log-copies.ts";
import { openLog, type OpenLog, type SegmentPath } from "./log-files.ts";
import { openSegments, type LogPlace, type OpenSegments, type Segment } from "./open-segments.ts";

/**
 * The files of a log that is being written, and all that changes which there are: clears, purges, compactions, and what
 * others do to them. One such change at a time; appends go on but while the visible file becomes another one.
 */
export class Segments {
  readonly #place: LogPlace;
  readonly #maxBytes: number;
  #open: OpenSegments;
  /** What the visible file may become before it is shortened. */
  #most = 0;
  /** False after a failure: what there is has to be looked up in the folder. */
  #whole = true;
  /** While the visible file becomes another one, the end of that. */
  #closed: Promise<void> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #changes: Promise<unknown> = Promise.resolve();
  #room: Promise<void> | undefined;
  /** Why nothing is written any more. */
  #over: SkillError | undefined;

  private constructor(place: LogPlace, maxBytes: number, open: OpenSegments) {
    this.#place = place;
    this.#maxBytes = maxBytes;
    this.#open = open;
    this.#adopt(open);
  }

  /** @throws SkillError as `Journals.open` and `Journal.append` do */
  static async open(place: LogPlace, maxBytes: number): Promise<Segments> {
    return new Segments(place, maxBytes, await openSegments(place));
  }

  /** Oldest first, the visible one last. */
  get all(): readonly Segment[] {
    return [...this.#open.earlier, this.visible];
  }

  get visible(): Segment {
    const { visible, journal } = this.#open;
    return { ...visible, bytes: journal.bytes };
  }

  /** What is written to, once there is nothing to wait for. */
  get journal(): Journal {
    return this.#open.journal;
  }

  /** The greatest `_seq` there was. */
  get lastSeq(): number {
    return Math.max(this.#place.rejected.purged.seq, ...this.all.map(({ facts }) => facts.lastSeq));
  }

  /** What has to be waited for before the next append; `undefined` when there is nothing. Rejects when none is possible. */
  get wait(): Promise<void> | undefined {
    if (this.#over) return Promise.reject(this.#over);
    if (this.#closed) return this.#closed;
    if (!this.#whole) return this.#alone(() => this.#reopen());
    return this.journal.end >= this.#most ? this.#makeRoom() : undefined;
  }

  /** @throws SkillError as `Journal.append` does */
  append(lines: string): Promise<void> {
    const { journal } = this.#open;
    const before = journal.end;
    const written = journal.append(lines);
    // One that is refused at once says nothing of those before it.
    if (journal.end > before) this.#last = written;
    return written;
  }

  /**
   * Opens files of the log to read what lasts in them. Nothing is put into another place meanwhile, and who has them open
   * can read on when that happens later.
   * @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE`, and what `choose` throws
   */
  async read(choose: (paths: readonly SegmentPath[]) => readonly SegmentPath[]): Promise<OpenLog> {
    let log: OpenLog | undefined;
    await this.#alone(async () => {
      // What cannot be put right now does not keep anybody from reading.
      await this.#verified().catch(() => undefined);
      const { visible, journal } = this.#open;
      const { marks } = visible.facts;
      const live = this.#whole ? { path: visible.path, bytes: journal.bytes, marks } : undefined;
      log = await openLog(this.#place.ports, this.#place.names, choose, live);
    });
    return log as OpenLog;
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
    });
  }

  /** Begins a new segment when there is anything in this one; with the last `_seq`, all there was is removed for good. */
  async clear(purgedSeq?: () => number): Promise<void> {
    await this.#alone(async () => {
      if (this.#over) throw this.#over;
      if (!this.#whole) await this.#reopen();
      await this.#hold(async () => {
        await this.#open.journal.verify().catch((caught: unknown) => this.#mendLost(caught));
        const { visible, journal, earlier } = this.#open;
        const isFilled = journal.bytes > 0;
        if (!isFilled && !purgedSeq) return;
        this.#whole = false;
        await journal.close();
        const { ports, names, rejected } = this.#place;
        if (isFilled) await ports.journals.rename(visible.path, names.earlier(visible.number));
        const segment = visible.number + (isFilled ? 1 : 0);
        // From here on it counts as done; the files go when the folder is looked through.
        if (purgedSeq) await rejected.purge({ seq: purgedSeq(), segment });
        this.#adopt(await openSegments(this.#place, purgedSeq ? [] : earlier));
      });
    });
  }

  async close(): Promise<void> {
    await this.#alone(() =>
      this.#hold(async () => {
        this.#over ??= new SkillError("STORAGE_FAILED", "The log has been closed.", {
          hint: "Open it again.",
        });
        await this.journal.close();
      }),
    );
  }

  /** One change at a time, in the order in which they were asked for. */
  #alone(change: () => Promise<void>): Promise<void> {
    const done = this.#changes.then(change);
    this.#changes = done.catch((caught: unknown) => this.#note(caught));
    return done;
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
    this.#most = Math.max(this.#maxBytes - this.#earlierBytes, this.#maxBytes / 2);
  }

  /** Opens again what is in the folder. */
  async #reopen(): Promise<void> {
    if (this.#whole) return;
    await this.#hold(async () => {
      await this.#open.journal.close();
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
    await lost.close();
    this.#adopt(await openSegments(this.#place, this.#open.earlier));
  }

  /** One compaction for all who need it. */
  #makeRoom(): Promise<void> {
    this.#room ??= this.#alone(() => this.#compact()).finally(() => (this.#room = undefined));
    return this.#room;
  }

  /** First earlier segments give way, the largest first, until they leave the visible one its half. */
  async #compact(): Promise<void> {
    if (!this.#whole || this.#over) return;
    while (this.#earlierBytes > this.#maxBytes / 2 && (await this.#halveLargest())) this.#adopt(this.#open);
    if (this.journal.end < this.#most) return;
    await this.#hold(() => this.#shorten().catch((caught: unknown) => this.#mendLost(caught)));
  }

  /** The visible log becomes a shorter one. Only while held. */
  async #shorten(): Promise<void> {
    const { visible, journal } = this.#open;
    const { ports, durability } = this.#place;
    const shorter = await shorterLog(this.#place, journal, visible.facts.gap, this.#most / 4);
    if (!shorter) {
      // Nothing is left that could go, as with a few huge lines: the log may be larger by an eighth.
      this.#most = journal.end + this.#most / 8;
      return;
    }
    const { path, facts } = shorter;
    try {
      await journal.verify();
      this.#whole = false;
      await ports.journals.replace(path, visible.path);
    } catch (caught) {
      await ports.files.remove(path);
      throw caught;
    }
    const reopened = await ports.journals.open(visible.path, { durability });
    await journal.close();
    this.#adopt({ ...this.#open, visible: { ...visible, facts }, journal: reopened });
  }

  async #halveLargest(): Promise<boolean> {
    const [largest] = this.#open.earlier.toSorted((a, b) => b.bytes - a.bytes);
    const { journals } = this.#place.ports;
    const reader = largest && (await journals.openToRead(largest.path));
    if (!largest || !reader) return false;
    try {
      const shorter = await shorterLog(this.#place, reader, largest.facts.gap, largest.bytes / 4);
      if (!shorter) return false;
      const { path, bytes, facts } = shorter;
      const half = { ...largest, bytes, facts };
      await journals.replace(path, largest.path);
      const earlier = this.#open.earlier.map((segment) => (segment === largest ? half : segment));
      this.#open = { ...this.#open, earlier };
      return true;
    } finally {
      await reader.close();
    }
  }

  get #earlierBytes(): number {
    return this.#open.earlier.reduce((sum, { bytes }) => sum + bytes, 0);
  }
}

function isLost(caught: unknown): boolean {
  return caught instanceof SkillError && caught.code === "STORAGE_LOST";
}
