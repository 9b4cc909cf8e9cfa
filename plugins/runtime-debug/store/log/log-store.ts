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
  /** The maximum size of a segment in bytes before its middle is removed. */
  readonly maxBytes: number;
  /** Whether secrets are stored without redaction. */
  readonly keepSecrets: boolean;
  /** Secrets with known text, to be redacted anywhere; called repeatedly. Default: none. */
  readonly secrets?: () => Promise<readonly string[]>;
  /** The run of events that name none. */
  readonly run: string;
}

/** The origin of a body. */
type Origin = Pick<Stamp, "source" | "session" | "flags" | "each">;

/** The result of storing a body. */
interface Receipt {
  readonly accepted: number;
  /** `_seq` of the last event stored. */
  readonly seq: number;
  /** The reason why nothing of the body was stored. */
  readonly rejection?: Rejection;
  /** Events that were left out. */
  readonly leftOut?: readonly Rejection[];
}

/** The state of a log, for `/health`. */
type LogFacts = Pick<
  HealthReply,
  "log_count" | "last_event_ts" | "run" | "segment" | "seq" | "rejected" | "dropped" | "bytes" | "recovered"
>;

/** Polling interval of an idle log, in milliseconds: changes from outside are detected within 1 s. */
const WATCH_MS = 400;
const MOST_FINDINGS = 20;
/** The number of attempts to write a body when another program keeps removing the log. */
const MOST_TRIES = 3;

/**
 * The log of a session: numbers events, and acknowledges them when they are durable. Bodies that are stored one after
 * another are in the files in that order; pending bodies at a clear are wholly before it, later ones wholly after it.
 */
export class LogStore {
  readonly #watch: NodeJS.Timeout;
  #run: string;
  /** The last assigned number. */
  #seq: number;
  /** The number of the last durable event. */
  #lasting: number;
  #fault: SkillError | undefined;
  /** The fault found by the last check. */
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
   * Opens or creates the log, and repairs the remains of a killed process.
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

  /** Opens files of the log while their durable part is read. @throws SkillError as `Segments.read` does */
  async read<T>(choose: Choice, read: (sources: readonly LogSource[]) => Promise<T>): Promise<T> {
    const { sources, close } = await this.segments.read(choose);
    try {
      return await read(sources);
    } finally {
      await close();
    }
  }

  /** The run of events that name none. */
  get run(): string {
    return this.#run;
  }

  setRun(run: string): void {
    this.#run = runName(run);
  }

  /**
   * Stores all events of a body, or none if it must be refused. Resolves when they are durable, or the refused body is in
   * the side file. Everything up to the append happens in the turn of the body's arrival, which preserves the order.
   * @throws SkillError as `Journal.append` does; then no event of the body counts as accepted.
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
          // Events that the log could not take, because it was removed, are written to the new log.
          if (!(await this.segments.mend(journal, caught)) || tries >= MOST_TRIES) throw caught;
        }
      }
    } catch (caught) {
      if (caught instanceof SkillError) this.#fault = caught;
      throw caught;
    }
  }

  /** Stores a body that was refused earlier, redacted. @throws SkillError as `Journal.append` does */
  async refuse({ code, sentence }: Omit<Rejection, "text">, bytes: Uint8Array): Promise<void> {
    await this.segments.wait;
    await this.rejected.add(this.writer.rejection(code, sentence, bytes));
  }

  /**
   * Begins a new segment; with `purge` removes everything before it, including rejected bodies. Does nothing to an
   * empty log.
   */
  async clear({ purge }: { readonly purge: boolean }): Promise<void> {
    await (purge ? this.segments.purge(() => this.#seq) : this.segments.clear());
  }

  /** The reason why the last body could not be stored; `undefined` if it was stored. */
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
      // The latest sentences about repairs, and about changes to the log by other programs.
      recovered: [...this.options.findings],
    };
  }

  /** Waits for pending writes. */
  async close(): Promise<void> {
    clearInterval(this.#watch);
    await this.segments.close();
    await this.rejected.close();
  }

  /** The login token may change while the server runs. */
  async #learnSecrets(): Promise<void> {
    await this.writer.know(this.options.secrets);
  }

  /** `facts` reports its findings, until a body is stored or a later check finds that they are resolved. */
  async #look(): Promise<void> {
    // Further checks are useless while the disk hangs.
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
