import { SkillError, type Clock, type Durability, type Log } from "skillctl";
import type { HealthReply } from "../../contract.ts";
import { EventWriter, type Rejection, type Stamp } from "../event/event-writer.ts";
import { Redaction } from "../event/redaction.ts";
import { runName } from "../event/run-name.ts";
import { RejectedFile, type Choice, type LogFiles } from "./log-files.ts";
import type { LogSource } from "./log-lines.ts";
import { Segment } from "./segment.ts";
import { Segments } from "./segments.ts";

export interface LogStoreOptions {
  readonly durability: Durability;
  /** The most bytes of a segment before its middle is removed. */
  readonly maxBytes: number;
  /** Do not redact. */
  readonly keepSecrets: boolean;
  /** Secrets whose text is known, to be found wherever they stand; asked again and again. Default none. */
  readonly secrets?: () => Promise<readonly string[]>;
  /** Stamped on events that name none. */
  readonly run: string;
}

/** Where a body came from. */
type Origin = Pick<Stamp, "source" | "session" | "flags" | "each">;

/** The result of storing a body. */
interface Receipt {
  readonly accepted: number;
  /** `_seq` of the last event stored. */
  readonly seq: number;
  /** Why nothing of the body was stored. */
  readonly rejection?: Rejection;
  /** Events that were left out. */
  readonly leftOut?: readonly Rejection[];
}

/** How a log does, as `/health` says it. */
type LogFacts = Pick<
  HealthReply,
  "log_count" | "last_event_ts" | "run" | "segment" | "seq" | "rejected" | "dropped" | "bytes" | "recovered"
>;

/** How often the log is looked at when nothing comes in, in milliseconds: what happens to it is noticed within 1 s. */
const WATCH_MS = 400;
const MOST_FINDINGS = 20;
/** How often a body is written again into a new log, because somebody else goes on removing it. */
const MOST_TRIES = 3;

/**
 * The log of a session: numbers events, and answers when they last. Bodies stored one after another are in the files in
 * that order; what a clear finds under way is wholly before it, what comes then wholly after it.
 */
export class LogStore {
  readonly #watch: NodeJS.Timeout;
  #run: string;
  /** The last number given. */
  #seq: number;
  /** The last one whose event lasts. */
  #lasting: number;
  #fault: SkillError | undefined;
  /** The finding of the last look. */
  #seen: SkillError | undefined;
  #looking = false;

  private constructor(
    private readonly segments: Segments,
    private readonly rejected: RejectedFile,
    private readonly clock: Clock,
    private readonly writer: EventWriter,
    private readonly options: Pick<LogStoreOptions, "run" | "secrets"> & {
      readonly findings: readonly string[];
    },
  ) {
    this.#run = runName(options.run);
    this.#seq = this.#lasting = segments.visible.lastSeq;
    this.#watch = setInterval(() => void this.#look(), WATCH_MS);
    this.#watch.unref();
  }

  /**
   * Opens the log or begins it, and mends what a killed process has left.
   * @param files of a folder that exists
   * @throws SkillError as `Journals.open` does
   */
  static async open(files: LogFiles, clock: Clock, log: Log, options: LogStoreOptions): Promise<LogStore> {
    const { durability, maxBytes, keepSecrets, secrets, run } = options;
    const findings: string[] = [];
    const found = (sentence: string): void => {
      if (findings.includes(sentence)) return;
      findings.push(sentence);
      if (findings.length > MOST_FINDINGS) findings.shift();
      log.notice(sentence);
    };
    const rejected = await RejectedFile.open(files, clock, durability);
    const open = await Segment.open(files, durability, rejected, found);
    const segments = new Segments(open, files, clock, rejected, { durability, maxBytes, found });
    const writer = new EventWriter(files.session, keepSecrets ? undefined : new Redaction());
    const store = new LogStore(segments, rejected, clock, writer, {
      run,
      findings,
      ...(secrets && { secrets }),
    });
    await store.#learnSecrets();
    return store;
  }

  /** Opens files of the log for as long as what lasts in them is read. @throws SkillError as `Segments.read` does */
  async read<T>(choose: Choice, read: (sources: readonly LogSource[]) => Promise<T>): Promise<T> {
    const { sources, close } = await this.segments.read(choose);
    try {
      return await read(sources);
    } finally {
      await close();
    }
  }

  /** The run stamped on events that name none. */
  get run(): string {
    return this.#run;
  }

  setRun(run: string): void {
    this.#run = runName(run);
  }

  /**
   * Stores the events of a body, or none of them where it is to be refused. Settles when they last, or what is refused is
   * in the side file. Everything up to the append happens in the turn in which the body came, so that the order stays.
   * @throws SkillError as `Journal.append` does; then nothing of the body counts as accepted.
   */
  async store(bytes: Uint8Array, from: Origin): Promise<Receipt> {
    try {
      for (let tries = 0; ; tries += 1) {
        for (let { wait } = this.segments; wait; { wait } = this.segments) await wait;
        const { journal } = this.segments.visible;
        const at = this.clock.now();
        const stamp = { firstSeq: this.#seq + 1, at, run: this.#run, ...from };
        const { lines, rejection, leftOut = [] } = this.writer.write(bytes, stamp);
        if (rejection) {
          await this.rejected.add(rejection);
          return { accepted: 0, seq: this.#lasting, rejection };
        }
        const seq = (this.#seq += lines.length);
        try {
          if (lines.length > 0) {
            await this.segments.append(lines.join(""), lines.length, { seq, at });
            this.#lasting = seq;
          }
          this.#fault = undefined;
          for (const one of leftOut) await this.rejected.add(one);
          return { accepted: lines.length, seq, leftOut };
        } catch (caught) {
          // Events that the log could not take, because it was removed, go into the one that is begun instead.
          if (!(await this.segments.mend(journal, caught)) || tries >= MOST_TRIES) throw caught;
        }
      }
    } catch (caught) {
      if (caught instanceof SkillError) this.#fault = caught;
      throw caught;
    }
  }

  /** Keeps what was refused before it could be taken, redacted. @throws SkillError as `Journal.append` does */
  async refuse({ code, sentence }: Omit<Rejection, "text">, bytes: Uint8Array): Promise<void> {
    await this.segments.wait;
    await this.rejected.add(this.writer.rejection(code, sentence, bytes));
  }

  /** Begins a new segment; with `purge` what there was, rejected bodies too, is removed. Does nothing to an empty log. */
  async clear({ purge }: { readonly purge: boolean }): Promise<void> {
    await (purge ? this.segments.purge(() => this.#seq) : this.segments.clear());
  }

  /** Why the last body could not be stored; `undefined` when it could. */
  get fault(): SkillError | undefined {
    return this.#fault;
  }

  facts(): LogFacts {
    const { number, events, dropped, lastAt, journal } = this.segments.visible;
    return {
      log_count: events,
      last_event_ts: events > 0 ? lastAt : null,
      run: this.#run.slice(0, 200),
      segment: number,
      seq: this.#lasting,
      rejected: this.rejected.count,
      dropped,
      bytes: journal.bytes,
      // Repairs and changes by others to the log, the latest sentences.
      recovered: [...this.options.findings],
    };
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    clearInterval(this.#watch);
    await this.segments.close();
    await this.rejected.close();
  }

  /** A login may come, or go, while the server runs. */
  async #learnSecrets(): Promise<void> {
    await this.writer.know(this.options.secrets);
  }

  /** Its findings are told by `facts`, until a body is stored or another look finds that they are over. */
  async #look(): Promise<void> {
    // On a disk that hangs there is nothing more to see.
    if (this.#looking) return;
    this.#looking = true;
    try {
      await this.#learnSecrets();
      await this.segments.look();
      if (this.#fault === this.#seen) this.#fault = undefined;
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      this.#fault = this.#seen = caught;
    } finally {
      this.#looking = false;
    }
  }
}
