import { basename } from "node:path";
import { SkillError, type Clock, type Durability, type Journal, type JournalReader } from "skillctl";
import type { Choice, LogFiles, OpenLog, RejectedFile } from "./log-files.ts";
import { bytesAt, gapLine, lastLineStart, lineStart, linesBetween, type Gap } from "./log-lines.ts";
import { Segment, type Found } from "./segment.ts";

const PIECE_BYTES = 1024 * 1024;
const MIB = 1024 * 1024;
/** Limits for all earlier segments: their bytes in multiples of one segment, and their number. */
const MOST_EARLIER = { times: 2, count: 1_000 };

interface SegmentOptions {
  readonly durability: Durability;
  /** The maximum size of the visible file before its middle is removed. */
  readonly maxBytes: number;
  readonly found: Found;
}

/**
 * The files of a log that is being written, and all changes to the set of files: clears, purges, cuts, and changes by
 * other programs. One such change runs at a time; appends continue except while the visible file is replaced.
 */
export class Segments {
  #open: Segment;
  /** The maximum size of the visible file in bytes before it is shortened. */
  #most: number;
  /** False after a failure: the folder must be read again. */
  #whole = true;
  /** Resolves when the replacement of the visible file ends; `undefined` without one. */
  #closed: Promise<void> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #changes: Promise<unknown> = Promise.resolve();
  #room: Promise<void> | undefined;
  /** The reason why no more data is written. */
  #over: SkillError | undefined;

  constructor(
    open: Segment,
    private readonly log: LogFiles,
    private readonly clock: Clock,
    private readonly rejected: RejectedFile,
    private readonly options: SegmentOptions,
  ) {
    this.#open = open;
    this.#most = options.maxBytes;
  }

  /** The file to append to, when no work is pending. */
  get visible(): Segment {
    return this.#open;
  }

  /** Pending work before the next append; `undefined` without any. Rejects if no append is possible. */
  get wait(): Promise<void> | undefined {
    if (this.#over) return Promise.reject(this.#over);
    if (this.#closed) return this.#closed;
    if (!this.#whole) return this.#alone(() => this.#reopen());
    return this.#open.journal.end >= this.#most ? this.#makeRoom() : undefined;
  }

  /** Appends the lines of a number of events. @throws SkillError as `Journal.append` does */
  async append(
    lines: string,
    events: number,
    last: { readonly seq: number; readonly at: number },
  ): Promise<void> {
    const open = this.#open;
    const { end } = open.journal;
    const written = open.journal.append(lines);
    // An immediate refusal says nothing about earlier appends.
    if (open.journal.end > end) this.#last = written;
    await written;
    open.events += events;
    open.lastSeq = last.seq;
    open.lastAt = last.at;
  }

  /**
   * Opens files of the log to read their durable part. No file is moved during this call, and open files stay readable
   * when they are moved later.
   * @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE`, and what `choose` throws
   */
  async read(choose: Choice): Promise<OpenLog> {
    return this.#alone(async () => {
      // A failed repair does not prevent reading.
      await this.#verified().catch(() => undefined);
      return this.log.open(choose, this.#whole ? this.#open.journal.bytes : undefined);
    });
  }

  /** Records a failure; returns whether the visible file must be created again, which `wait` does. */
  async mend(journal: Journal, caught: unknown): Promise<boolean> {
    this.#note(caught);
    if (!isLost(caught)) return false;
    await this.#alone(() => this.#hold(() => this.#rescue(journal)));
    return true;
  }

  /**
   * Checks whether every file is still in place, and repairs the log if not. @throws SkillError as `Journal.append`
   * does
   */
  async look(): Promise<void> {
    await this.#alone(async () => {
      if (this.#over) throw this.#over;
      await (this.#whole ? this.#verified() : this.#reopen());
    });
  }

  /**
   * Begins a new segment if this one is not empty. Refused if the log would exceed its limits: earlier segments are never
   * dropped for that, and events are still stored.
   * @throws SkillError `STORAGE_FULL`
   */
  async clear(): Promise<void> {
    await this.#changed(async ({ number, journal }) => {
      if (journal.bytes === 0) return;
      await this.#refuseMore(journal.bytes);
      this.#whole = false;
      await journal.close();
      await this.log.journals.rename(this.log.visible, this.log.earlier(number));
      await this.#reopenHeld();
    });
  }

  async #refuseMore(bytes: number): Promise<void> {
    const earlier = await this.log.earlierNumbers();
    const facts = await Promise.all(earlier.map((number) => this.log.files.facts(this.log.earlier(number))));
    const kept = facts.reduce((sum, one) => sum + (one?.bytes ?? 0), 0);
    const most = MOST_EARLIER.times * this.options.maxBytes;
    if (kept + bytes <= most && earlier.length < MOST_EARLIER.count) return;
    const what = `${earlier.length} earlier segments with ${Math.ceil(kept / MIB)} MiB`;
    throw new SkillError(
      "STORAGE_FULL",
      `The log was not emptied: it keeps ${what}, and may keep at most ${MOST_EARLIER.count} with ${most / MIB} MiB.`,
      {
        hint: "Remove them for good with DELETE /logs?purge=1, or start the server again with a larger --max-mib; events are still stored.",
      },
    );
  }

  /** Removes all events; only the number of the last event stays. */
  async purge(lastSeq: () => number): Promise<void> {
    await this.#changed(async () => {
      const gap = { events: 0, bytes: 0, fromSeq: 0, toSeq: lastSeq() };
      await this.#rewrite((target) => target.append(gapLine(gap, this.clock.now())));
      for (const number of await this.log.earlierNumbers())
        await this.log.files.remove(this.log.earlier(number));
      await this.rejected.clear();
      await this.#reopenHeld();
    });
  }

  async close(): Promise<void> {
    await this.#alone(() =>
      this.#hold(async () => {
        this.#over ??= new SkillError("STORAGE_FAILED", "The log has been closed.", {
          hint: "Open it again.",
        });
        await this.#open.journal.close();
      }),
    );
  }

  /** Runs one change at a time, in the order of the calls. */
  #alone<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#changes.then(change);
    this.#changes = done.catch((caught: unknown) => this.#note(caught));
    return done;
  }

  /** Runs a change on an intact log without pending appends. */
  async #changed(change: (open: Segment) => Promise<void>): Promise<void> {
    await this.#alone(async () => {
      if (this.#over) throw this.#over;
      await this.#reopen();
      await this.#hold(async () => {
        await this.#open.journal.verify().catch((caught: unknown) => this.#mended(caught));
        await change(this.#open);
      });
    });
  }

  /** Stops all writes if it is not safe to write. */
  #note(caught: unknown): void {
    if (caught instanceof SkillError && caught.code === "STORAGE_UNSAFE") this.#over = caught;
  }

  /** Blocks appends during an action; earlier appends are settled first. */
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

  /** Reopens the files of the folder after a failure. */
  async #reopen(): Promise<void> {
    if (!this.#whole) await this.#hold(() => this.#reopenHeld());
  }

  async #reopenHeld(): Promise<void> {
    this.#whole = false;
    await this.#open.journal.close();
    this.#open = await Segment.open(this.log, this.options.durability, this.rejected, this.options.found);
    this.#most = this.options.maxBytes;
    this.#whole = true;
  }

  async #verified(): Promise<void> {
    await this.#open.journal.verify().catch((caught: unknown) => this.#hold(() => this.#mended(caught)));
  }

  async #mended(caught: unknown): Promise<void> {
    if (!isLost(caught)) throw caught;
    await this.#rescue(this.#open.journal);
  }

  /**
   * Rescues a visible log that another program has changed: acknowledged events are read through the open descriptor and written
   * again. A file in its place is kept under another name. Once for each journal, and only while held.
   */
  async #rescue(lost: Journal): Promise<void> {
    const { number, journal, events: before } = this.#open;
    if (lost !== journal || !this.#whole) return;
    const { files, journals } = this.log;
    let kept = "";
    await this.#rewrite(
      async (target) => {
        await copy(journal, 0, journal.bytes, target);
        await target.cut(await lastLineStart(target, target.bytes));
      },
      async () => {
        if (!(await files.facts(this.log.visible))) return;
        let free = number;
        while (await files.facts(this.log.aside(free))) free += 1;
        await journals.rename(this.log.visible, this.log.aside(free));
        kept = `; the file in its place is kept as ${basename(this.log.aside(free))}`;
      },
    );
    await this.#reopenHeld();
    const { events } = this.#open;
    const gone = before - events;
    this.options.found(
      `The log was ${journal.loss ?? "changed"} by another program; ${events} events were written again${gone > 0 ? `, ${gone} are gone` : ""}${kept}.`,
    );
  }

  /** The pending shortening, shared by all callers. */
  #makeRoom(): Promise<void> {
    this.#room ??= this.#alone(async () => {
      if (!this.#whole || this.#over || this.#open.journal.end < this.#most) return;
      await this.#hold(() => this.#shorten().catch((caught: unknown) => this.#mended(caught)));
    }).finally(() => (this.#room = undefined));
    return this.#room;
  }

  /**
   * Removes the middle of the visible log: a quarter of its limit is kept from the beginning and a quarter from the end,
   * with a line between them that states the number of omitted events; an older gap is merged into it. Only while held.
   */
  async #shorten(): Promise<void> {
    const { journal } = this.#open;
    const whole = journal.bytes;
    const keep = Math.floor(this.#most / 4);
    const from = await lineStart(journal, keep, whole);
    const to = await lineStart(journal, whole - keep, whole);
    const line = gapLine(await gapOf(journal, from, to), this.clock.now());
    if (line.length * 2 >= to - from) {
      // No line is left to omit, as with a few huge lines: the log may be larger by an eighth.
      this.#most = journal.end + this.#most / 8;
      return;
    }
    await this.#rewrite(
      async (target) => {
        await copy(journal, 0, from, target);
        await target.append(line);
        await copy(journal, to, whole, target);
      },
      () => journal.verify(),
    );
    await this.#reopenHeld();
  }

  /** Replaces the visible log atomically by another file. The old one stays readable through open descriptors. */
  async #rewrite(
    write: (target: Journal) => Promise<void>,
    before: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    const { files, journals, unfinished, visible } = this.log;
    await files.remove(unfinished);
    const target = await journals.open(unfinished, { durability: this.options.durability });
    try {
      try {
        await write(target);
      } finally {
        await target.close();
      }
      await before();
    } catch (caught) {
      await files.remove(unfinished);
      throw caught;
    }
    this.#whole = false;
    await journals.replace(unfinished, visible);
  }
}

function isLost(caught: unknown): boolean {
  return caught instanceof SkillError && caught.code === "STORAGE_LOST";
}

/** Copies the existing part of a range to the end of a journal: a file may have become shorter. */
async function copy(source: JournalReader, from: number, to: number, target: Journal): Promise<void> {
  for (let at = from; at < to;) {
    const piece = await bytesAt(source, at, Math.min(PIECE_BYTES, to - at));
    if (piece.length === 0) return;
    await target.append(piece);
    at += piece.length;
  }
}

/** The content of a stretch of whole lines, gaps in it included. */
async function gapOf(reader: JournalReader, from: number, to: number): Promise<Gap> {
  let [events, bytes, first, last] = [0, 0, Number.POSITIVE_INFINITY, 0];
  for await (const lines of linesBetween(reader, from, to)) {
    for (const { raw, seq, event, gap } of lines) {
      bytes += gap ? gap.bytes : raw.length + 1;
      events += gap ? gap.events : event ? 1 : 0;
      first = Math.min(first, (gap ? gap.fromSeq : seq) || first);
      last = Math.max(last, seq);
    }
  }
  return { events, bytes, fromSeq: last === 0 ? 0 : first, toSeq: last };
}
