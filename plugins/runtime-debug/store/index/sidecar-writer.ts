import { randomBytes } from "node:crypto";
import { SkillError, type Journal, type Journals, type Log } from "skillctl";
import type { EventKeys } from "../event/stamped.ts";
import { RECORD_BYTES, type RecordsOf } from "./records.ts";
import { HEADER_BYTES, headerBytes, withChecks, type SidecarHeader } from "./sidecar-format.ts";
import { keyLine, keysHeader } from "./sidecar-keys.ts";
import { logIdentity } from "./sidecar-reader.ts";

/** 1 MiB. */
const PIECE_LINES = 65_536;
/** After a failure so many lines pass before the next attempt. */
const LINES_AFTER_FAILURE = 65_536;
const LF = 10;

/** What is to be on the disk. */
export interface Indexed {
  readonly lines: number;
  readonly records: RecordsOf;
  readonly keys: readonly EventKeys[];
  readonly base: number;
}

/** What is on the disk. */
interface Written {
  readonly header: SidecarHeader;
  lines: number;
  keys: number;
}

/** Keeps an index on the disk, as far as that works: it is a cache, and a failure only means that it covers less. */
export class SidecarWriter {
  readonly #journals: Journals;
  readonly #path: string;
  readonly #log: Log;
  #files: { readonly records: Journal; readonly keys: Journal } | undefined;
  /** None when what is there, if anything, does not fit. */
  #written: Written | undefined;
  #notBefore = 0;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(journals: Journals, path: string, log: Log) {
    this.#journals = journals;
    this.#path = path;
    this.#log = log;
  }

  /** How many lines the disk covers. */
  get lines(): number {
    return this.#written?.lines ?? 0;
  }

  get busy(): boolean {
    return this.#waiting > 0;
  }

  /** Goes on after what is there. */
  resume(there: { header: SidecarHeader; lines: number; keys: readonly unknown[] }): void {
    this.#written = { header: there.header, lines: there.lines, keys: there.keys.length };
  }

  /** What is there no longer fits; the next flush begins anew. */
  restart(): void {
    this.#written = undefined;
  }

  /** Writes what is new at the time when it begins. Never rejects. */
  flush(indexed: () => Indexed): Promise<void> {
    this.#waiting += 1;
    this.#last = this.#last
      .then(() => this.#flush(indexed()))
      .finally(() => {
        this.#waiting -= 1;
      });
    return this.#last;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#release();
  }

  async #flush({ lines, records, keys, base }: Indexed): Promise<void> {
    if (this.#written?.header.base !== base) this.restart();
    if (lines === this.lines || lines < this.#notBefore) return;
    try {
      const written = (await this.#resumed()) ?? (await this.#begun(base));
      await this.#write(written, { lines, records, keys });
    } catch (caught) {
      this.#note(caught);
      this.#notBefore = lines + LINES_AFTER_FAILURE;
      this.restart();
      await this.#release();
    }
  }

  /** Stops when a restart has made it void. */
  async #write(written: Written, { lines, records, keys }: Omit<Indexed, "base">): Promise<void> {
    const { nonce } = written.header;
    // Keys first: a record whose key cannot be read is worth nothing.
    const fresh = keys.slice(written.keys);
    if (fresh.length > 0) await this.#files?.keys.append(fresh.map((one) => keyLine(one, nonce)).join(""));
    written.keys += fresh.length;
    while (written.lines < lines && written === this.#written) {
      const to = Math.min(lines, written.lines + PIECE_LINES);
      const piece = withChecks(records(written.lines, to), nonce);
      await this.#files?.records.append(new Uint8Array(piece.buffer));
      written.lines = to;
    }
  }

  /** What can be gone on with, after what a killed process did not finish is cut off. */
  async #resumed(): Promise<Written | undefined> {
    const written = this.#written;
    if (!written || this.#files) return written;
    const { records, keys } = await this.#open();
    const bytes = HEADER_BYTES + written.lines * RECORD_BYTES;
    const end = endOfLine(await keys.read(0, keys.bytes), written.keys + 1);
    if (records.bytes < bytes || end === undefined) return undefined;
    if (records.bytes > bytes) await records.cut(bytes);
    if (keys.bytes > end) await keys.cut(end);
    return written;
  }

  async #begun(base: number): Promise<Written> {
    const header = { nonce: randomBytes(4).readUInt32LE(), log: await this.#identity(), base };
    const written = (this.#written = { header, lines: 0, keys: 0 });
    const { records, keys } = this.#files ?? (await this.#open());
    if (records.bytes > 0) await records.cut(0);
    if (keys.bytes > 0) await keys.cut(0);
    await keys.append(keysHeader(header.nonce));
    await records.append(headerBytes(header));
    return written;
  }

  async #open(): Promise<{ readonly records: Journal; readonly keys: Journal }> {
    const records = await this.#journals.open(`${this.#path}.idx`, { durability: "process" });
    try {
      const keys = await this.#journals.open(`${this.#path}.keys`, { durability: "process" });
      this.#files = { records, keys };
      return this.#files;
    } catch (caught) {
      await records.close();
      throw caught;
    }
  }

  async #release(): Promise<void> {
    const { records, keys } = this.#files ?? {};
    this.#files = undefined;
    const closed = await Promise.allSettled([records?.close(), keys?.close()]);
    for (const one of closed) if (one.status === "rejected") this.#note(one.reason);
  }

  /** Whatever it is, the log goes on without its cache. */
  #note(caught: unknown): void {
    const why = caught instanceof Error ? caught.message : String(caught);
    this.#log.detail(`The index of ${this.#path} stays behind: ${why}`);
  }

  async #identity(): Promise<number> {
    const reader = await this.#journals.openToRead(this.#path);
    if (!reader) throw new SkillError("FILE_UNREADABLE", `${this.#path} is gone.`, { file: this.#path });
    try {
      return await logIdentity(reader);
    } finally {
      await reader.close();
    }
  }
}

/** Where the line of this number, from 1, ends. */
function endOfLine(bytes: Uint8Array, number: number): number | undefined {
  let end = 0;
  for (let line = 0; line < number; line++) {
    end = bytes.indexOf(LF, end) + 1;
    if (end === 0) return undefined;
  }
  return end;
}
