import type { Durability, Journal } from "skillctl";
import { SkillError } from "skillctl";
import { EventWriter, type Rejection, type Stamp } from "../event/event-writer.ts";
import { Redaction } from "../event/redaction.ts";
import { runName } from "../event/run-name.ts";
import { FileNames, type OpenLog, type SegmentPath } from "./log-files.ts";
import type { LogPorts, Segment } from "./open-segments.ts";
import { RejectedFile } from "./rejected-file.ts";
import { Segments } from "./segments.ts";

export interface LogStoreOptions {
  /** A checked session id. */
  readonly session: string;
  /** Absolute; must exist. */
  readonly folder: string;
  readonly durability: Durability;
  /** What all segments of the session may hold together. Default 64 MiB. */
  readonly maxBytes?: number;
  /** Do not redact. */
  readonly keepSecrets: boolean;
  /** Secrets whose text is known, to be found wherever they stand; asked again and again. Default none. */
  readonly secrets?: () => Promise<readonly string[]>;
  /** Stamped on events that name none. */
  readonly run: string;
}

/** Where a body came from. */
type Origin = Pick<Stamp, "source" | "session" | "flags">;

/** What became of a body. */
export interface Taken {
  readonly accepted: number;
  /** `_seq` of the last event stored. */
  readonly seq: number;
  /** Why nothing of the body was stored. */
  readonly rejection?: Rejection;
}

/** How a log does. */
export interface LogFacts {
  /** Why the last body could not be stored; `undefined` when it could. */
  readonly storage: SkillError | undefined;
  /** In the visible segment. */
  readonly events: number;
  /** When the last event was received, in milliseconds since the epoch; `undefined` when there is none. */
  readonly lastAt: number | undefined;
  readonly run: string;
  /** Number of the visible segment. */
  readonly segment: number;
  /** `_seq` of the last event that lasts; 0 when there was none. */
  readonly seq: number;
  /** Bodies, or parts of them, since the last purge. */
  readonly rejected: number;
  /** Events left out of the middle of all segments. */
  readonly dropped: number;
  /** Of the visible segment. */
  readonly bytes: number;
  /** What was mended and what others did to the log, at most 20 sentences. */
  readonly findings: readonly string[];
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
/** How often the log is looked at when nothing comes in, in milliseconds: what happens to it is noticed within 1 s. */
const WATCH_MS = 400;
/** So many sentences about what was found are kept, the latest ones. */
const MOST_FINDINGS = 20;
/** How often a body is written again into a new log, because somebody else goes on removing it. */
const MOST_TRIES = 3;

/**
 * The log of a session: numbers events, and answers when they last. Bodies taken one after another are in the files in
 * that order; what a clear finds under way is wholly before it, what comes then wholly after it.
 */
export class LogStore {
  readonly #ports: LogPorts;
  readonly #redaction: Redaction | undefined;
  readonly #secrets: LogStoreOptions["secrets"];
  readonly #writer: EventWriter;
  readonly #segments: Segments;
  readonly #rejected: RejectedFile;
  readonly #findings: Findings;
  readonly #watch: NodeJS.Timeout;
  #run: string;
  /** The last number given. */
  #seq: number;
  /** The last one whose event lasts. */
  #lasting: number;
  #fault: SkillError | undefined;
  /** What the last look found. */
  #seen: SkillError | undefined;
  #looking = false;

  private constructor(
    ports: LogPorts,
    options: LogStoreOptions,
    segments: Segments,
    rejected: RejectedFile,
    findings: Findings,
  ) {
    this.#ports = ports;
    this.#redaction = options.keepSecrets ? undefined : new Redaction();
    this.#secrets = options.secrets;
    this.#writer = new EventWriter({ session: options.session, redaction: this.#redaction });
    this.#run = runName(options.run);
    this.#segments = segments;
    this.#rejected = rejected;
    this.#findings = findings;
    this.#seq = this.#lasting = segments.lastSeq;
    this.#watch = setInterval(() => void this.#look(), WATCH_MS);
    this.#watch.unref();
  }

  /** Opens the log or begins it, and mends what a killed process has left. @throws SkillError as `Journals.open` does */
  static async open(ports: LogPorts, options: LogStoreOptions): Promise<LogStore> {
    const { session, folder, durability, maxBytes = DEFAULT_MAX_BYTES } = options;
    const names = new FileNames(folder, session);
    const findings = new Findings((sentence) => ports.log.notice(sentence));
    const rejected = await RejectedFile.open(ports, names.rejected, durability);
    try {
      const place = { ports, names, durability, rejected, found: findings.add };
      const segments = await Segments.open(place, maxBytes);
      const store = new LogStore(ports, options, segments, rejected, findings);
      await store.#learnSecrets();
      return store;
    } catch (caught) {
      await rejected.close();
      throw caught;
    }
  }

  /** Oldest first, the visible one last. */
  get segments(): readonly Segment[] {
    return this.#segments.all;
  }

  /** Opens files of the log to read what lasts in them. @throws SkillError as `Segments.read` does */
  read(choose: (paths: readonly SegmentPath[]) => readonly SegmentPath[]): Promise<OpenLog> {
    return this.#segments.read(choose);
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
   * in the side file.
   * @throws SkillError as `Journal.append` does; then nothing of the body counts as accepted.
   */
  take(bytes: Uint8Array, from: Origin): Promise<Taken> {
    return this.#take(bytes, from, 0);
  }

  /** Keeps what was refused before it could be taken, redacted. @throws SkillError as `Journal.append` does */
  async refuse({ code, sentence }: Omit<Rejection, "text">, bytes: Uint8Array): Promise<void> {
    await this.#segments.wait;
    await this.#rejected.add(this.#writer.rejection(code, sentence, bytes));
  }

  /** Begins a new segment; with `purge` what there was, rejected bodies too, is removed. Does nothing to an empty log. */
  async clear({ purge }: { readonly purge: boolean }): Promise<void> {
    await this.#segments.clear(purge ? () => this.#seq : undefined);
  }

  facts(): LogFacts {
    const { all, visible } = this.#segments;
    return {
      storage: this.#fault,
      events: visible.facts.events,
      lastAt: all.findLast(({ facts }) => facts.events > 0)?.facts.lastAt,
      run: this.#run,
      segment: visible.number,
      seq: this.#lasting,
      rejected: this.#rejected.count,
      dropped: all.reduce((sum, { facts }) => sum + facts.dropped, 0),
      bytes: visible.bytes,
      findings: this.#findings.all,
    };
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    clearInterval(this.#watch);
    try {
      await this.#segments.close();
    } finally {
      await this.#rejected.close();
    }
  }

  /** Everything up to the append happens in the turn in which the body came, so that the order stays. */
  #take(bytes: Uint8Array, from: Origin, tries: number): Promise<Taken> {
    const { wait } = this.#segments;
    if (wait) return wait.then(() => this.#take(bytes, from, tries), this.#failed);
    const { journal, visible } = this.#segments;
    const { facts } = visible;
    const stamp = { firstSeq: this.#seq + 1, at: this.#ports.clock.now(), run: this.#run, ...from };
    const { lines, rejection } = this.#writer.write(bytes, stamp);
    if (rejection)
      return this.#rejected.add(rejection).then(() => ({ accepted: 0, seq: this.#lasting, rejection }));
    this.#seq += lines.length;
    const taken = { accepted: lines.length, seq: this.#seq };
    const offset = journal.end;
    return this.#segments.append(lines.join("")).then(
      () => {
        facts.stored(lines.length, { offset, seq: taken.seq, at: stamp.at });
        this.#lasting = taken.seq;
        this.#fault = undefined;
        return taken;
      },
      (caught: unknown) => this.#again(caught, journal, () => this.#take(bytes, from, tries + 1), tries),
    );
  }

  /** What the log could not take because somebody else has removed it, goes into the one that is begun instead. */
  async #again(
    caught: unknown,
    journal: Journal,
    retry: () => Promise<Taken>,
    tries: number,
  ): Promise<Taken> {
    if (!(await this.#segments.mend(journal, caught).catch(this.#failed)) || tries >= MOST_TRIES)
      return this.#failed(caught);
    return retry();
  }

  readonly #failed = (caught: unknown): never => {
    if (caught instanceof SkillError) this.#fault = caught;
    throw caught;
  };

  /** A login may come, or go, while the server runs. */
  async #learnSecrets(): Promise<void> {
    if (this.#redaction && this.#secrets) this.#redaction.know(await this.#secrets());
  }

  /** What it finds is told by `facts`, until a body is stored or another look finds that it is over. */
  async #look(): Promise<void> {
    // On a disk that hangs there is nothing more to see.
    if (this.#looking) return;
    this.#looking = true;
    try {
      await this.#learnSecrets();
      await this.#segments.look();
      if (this.#fault === this.#seen) this.#fault = undefined;
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      this.#fault = this.#seen = caught;
    } finally {
      this.#looking = false;
    }
  }
}

/** What was mended when the log was opened, and what others did to it since: sentences for `health`. */
class Findings {
  readonly #tell: (sentence: string) => void;
  #sentences: readonly string[] = [];

  constructor(tell: (sentence: string) => void) {
    this.#tell = tell;
  }

  get all(): readonly string[] {
    return this.#sentences;
  }

  readonly add = (sentence: string): void => {
    if (this.#sentences.includes(sentence)) return;
    this.#sentences = [...this.#sentences, sentence].slice(-MOST_FINDINGS);
    this.#tell(sentence);
  };
}
