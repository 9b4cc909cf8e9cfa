import { Buffer } from "node:buffer";
import type { JournalReader, Journals } from "skillctl";
import { OTHER, type EventKeys } from "../event/stamped.ts";
import { wordsOf } from "./bytes-as-words.ts";
import { textHash } from "./hash.ts";
import type { LineFacts } from "./line-facts.ts";
import { factsAt } from "./log-scan.ts";
import { GAP, NO_EVENT, RECORD_BYTES } from "./records.ts";
import { HEADER_BYTES, readHeader, takeChecks, type SidecarHeader } from "./sidecar-format.ts";
import { readKeyLines } from "./sidecar-keys.ts";

const IDENTITY_BYTES = 4_096;
const LF = 10;

/** What the disk holds of an index. It is believed only as far as its checks hold and as it fits the log. */
export class SidecarReader {
  readonly header: SidecarHeader;
  /** By number. */
  readonly keys: readonly EventKeys[];
  /** How many lines of the log it covers. */
  readonly lines: number;
  readonly #file: JournalReader;

  private constructor(file: JournalReader, header: SidecarHeader, keys: readonly EventKeys[]) {
    this.#file = file;
    this.header = header;
    this.keys = keys;
    this.lines = Math.floor((file.bytes - HEADER_BYTES) / RECORD_BYTES);
  }

  /** `undefined` when there is none, or none that can be believed. @throws SkillError as JOURNALS does */
  static async open(journals: Journals, path: string): Promise<SidecarReader | undefined> {
    const file = await journals.openToRead(`${path}.idx`);
    if (!file) return undefined;
    try {
      const header = readHeader(await file.read(0, HEADER_BYTES));
      const keys = header && (await readKeys(journals, `${path}.keys`, header.nonce));
      if (keys) return new SidecarReader(file, header, keys);
    } catch (caught) {
      await file.close();
      throw caught;
    }
    await file.close();
    return undefined;
  }

  /** The records of some lines; `undefined` when one of them is damaged. */
  async records(from: number, to: number): Promise<Uint32Array | undefined> {
    const bytes = await this.#file.read(HEADER_BYTES + from * RECORD_BYTES, (to - from) * RECORD_BYTES);
    if (bytes.length < (to - from) * RECORD_BYTES) return undefined;
    const words = wordsOf(bytes);
    return takeChecks(words, this.header.nonce) ? words : undefined;
  }

  /** Where the line after the covered ones begins; `undefined` when this is not the index of that log. */
  async coveredEnd(log: JournalReader): Promise<number | undefined> {
    if (this.lines === 0) return undefined;
    const last = await this.records(this.lines - 1, this.lines);
    if (!last || this.header.log !== (await logIdentity(log))) return undefined;
    const [offset = 0, number = 0, trace = 0, key = 0] = last;
    const line = await factsAt(log, offset);
    if (!line) return undefined;
    const is = { seq: this.header.base + number, trace, key, keys: this.keys[key] };
    return fits(line.facts, is) ? offset + line.length : undefined;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** A hash of the first line, which holds when the log began. */
export async function logIdentity(log: JournalReader): Promise<number> {
  const bytes = Buffer.from(await log.read(0, IDENTITY_BYTES));
  const end = bytes.indexOf(LF);
  return textHash(bytes.toString("latin1", 0, end === -1 ? bytes.length : end));
}

async function readKeys(
  journals: Journals,
  path: string,
  nonce: number,
): Promise<readonly EventKeys[] | undefined> {
  const file = await journals.openToRead(path);
  if (!file) return undefined;
  try {
    return readKeyLines(await file.read(0, file.bytes), nonce);
  } finally {
    await file.close();
  }
}

function fits(
  facts: LineFacts,
  is: { seq: number; trace: number; key: number; keys: EventKeys | undefined },
): boolean {
  if (is.key === NO_EVENT) return facts.kind === "none";
  if (is.key === GAP) return facts.kind === "gap";
  if (facts.kind !== "event" || facts.trace !== is.trace || (facts.seq ?? is.seq) !== is.seq) return false;
  const { keys } = is;
  if (keys === OTHER || !keys) return keys === OTHER;
  const names = ["hypothesis", "run", "location", "probe"] as const;
  return names.every((name) => facts.keys[name] === keys[name]);
}
