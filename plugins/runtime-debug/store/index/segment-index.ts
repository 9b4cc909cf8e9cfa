import type { Stamped } from "../event/stamped.ts";
import type { GapCount } from "../log/gap-line.ts";
import type { IndexView } from "./index-view.ts";
import { LineIndex } from "./line-index.ts";
import { scanLog } from "./log-scan.ts";
import { loadSidecar, type LogOnDisk } from "./sidecar-load.ts";
import { SidecarWriter } from "./sidecar-writer.ts";

/** So many lines wait for the sidecar at most, or so long. 64 KiB. */
const LINES_A_FLUSH = 4_096;
const FLUSH_AFTER_MS = 1_000;

/**
 * Where in a segment of the log which events are: at most 20 bytes an event, kept while the log grows, and lazily on
 * the disk. What the disk holds is a cache: whatever is wrong with it, the index is made from the log.
 */
export class SegmentIndex {
  readonly #lines: LineIndex;
  readonly #sidecar: SidecarWriter;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  private constructor(lines: LineIndex, sidecar: SidecarWriter) {
    this.#lines = lines;
    this.#sidecar = sidecar;
  }

  /** @throws SkillError `FILE_UNREADABLE` when the log cannot be read */
  static async open(log: LogOnDisk): Promise<SegmentIndex> {
    const sidecar = new SidecarWriter(log.journals, log.path, log.log);
    const loaded = await loadSidecar(log);
    if (loaded) sidecar.resume(loaded.from);
    const lines = loaded?.lines ?? new LineIndex();
    await scanLog(log.reader, lines.end, (facts, length) => lines.addLine(facts, length));
    const index = new SegmentIndex(lines, sidecar);
    index.#schedule();
    return index;
  }

  /** Events in the log; those of gaps are no longer. */
  get events(): number {
    return this.#lines.counts.events;
  }

  /** Events that gaps say were left out. */
  get dropped(): number {
    return this.#lines.counts.droppedEvents;
  }

  /** Lines that are neither events nor gaps. */
  get noEvents(): number {
    return this.#lines.counts.noEvents;
  }

  /** The greatest `_seq`, of events or in gaps; 0 when there is none. */
  get lastSeq(): number {
    return this.#lines.lastSeq;
  }

  /** When the last event was received, in milliseconds since the epoch; 0 when that is not known. */
  get lastAt(): number {
    return this.#lines.lastAt;
  }

  /** The probes that have reported. */
  get probes(): ReadonlySet<string> {
    const { keys, counts } = this.#lines;
    return new Set(keys.filter((_, number) => counts.total(number) > 0).map(({ probe }) => probe));
  }

  /** For who reads: take it in the same turn of the loop as the reader. */
  view(): IndexView {
    return this.#lines.view();
  }

  /** Takes in what has been committed. */
  add(
    stamped: Pick<Stamped, "count" | "keys" | "lengths" | "traces">,
    at: { readonly firstSeq: number; readonly at: number; readonly offset: number },
  ): void {
    this.#lines.add(stamped, at);
    this.#schedule();
  }

  /** How many events of which keys begin from one offset to before another. Gaps in between do not count. */
  counts(from: number, to: number): readonly GapCount[] {
    return this.#lines.counted(from, to);
  }

  /**
   * What begins from one offset to before another goes, and a line of a gap of `inserted` bytes comes in its place,
   * whose events and those of gaps in between stay counted.
   */
  cut(from: number, to: number, inserted: number): void {
    this.#lines.cut(from, to, inserted);
    this.#sidecar.restart();
    this.#schedule();
  }

  /** Writes what the disk does not hold yet. Never rejects: what cannot be written is made anew from the log. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#sidecar.flush(() => this.#lines.view());
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
    await this.#sidecar.close();
  }

  /** Closes without writing, for who removes the files. */
  async drop(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#sidecar.close();
  }

  #schedule(): void {
    const waiting = this.#lines.length - this.#sidecar.lines;
    if (waiting === 0 || this.#closed) return;
    if (waiting >= LINES_A_FLUSH && !this.#sidecar.busy) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS).unref();
  }
}
