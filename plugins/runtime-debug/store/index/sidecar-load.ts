import { SkillError, type JournalReader, type Journals, type Log } from "skillctl";
import type { Gap } from "../log/gap-line.ts";
import { LineIndex } from "./line-index.ts";
import { factsAt, nextTurn } from "./log-scan.ts";
import { GAP, NO_EVENT, WORDS } from "./records.ts";
import { SidecarReader } from "./sidecar-reader.ts";

const PIECE_LINES = 65_536;

export interface LogOnDisk {
  readonly journals: Journals;
  readonly reader: JournalReader;
  /** Of the log; the index lies beside it. */
  readonly path: string;
  readonly log: Log;
}

/** An index out of what the disk holds, and where it came from. */
export interface Loaded {
  readonly lines: LineIndex;
  readonly from: SidecarReader;
}

/** The whole index as the disk has it; `undefined` when there is none, or anything of it does not fit the log. */
export async function loadSidecar({ journals, reader, path, log }: LogOnDisk): Promise<Loaded | undefined> {
  try {
    const sidecar = await SidecarReader.open(journals, path);
    if (!sidecar) return undefined;
    try {
      const lines = await loaded(sidecar, reader);
      if (!lines) log.detail(`The index of ${path} does not fit the log and is made anew.`);
      return lines && { lines, from: sidecar };
    } finally {
      await sidecar.close();
    }
  } catch (caught) {
    if (!(caught instanceof SkillError)) throw caught;
    log.detail(`The index of ${path} is made anew: ${caught.message}`);
    return undefined;
  }
}

async function loaded(sidecar: SidecarReader, reader: JournalReader): Promise<LineIndex | undefined> {
  const end = await sidecar.coveredEnd(reader);
  if (end === undefined) return undefined;
  const words = new Uint32Array(sidecar.lines * WORDS);
  for (let line = 0; line < sidecar.lines; line += PIECE_LINES) {
    const piece = await sidecar.records(line, Math.min(sidecar.lines, line + PIECE_LINES));
    if (!piece) return undefined;
    words.set(piece, line * WORDS);
    await nextTurn();
  }
  if (!areSound(words, sidecar.keys.length)) return undefined;
  const gaps = await gapsOf(words, reader);
  if (!gaps) return undefined;
  const { base } = sidecar.header;
  return new LineIndex({
    words,
    keys: sidecar.keys,
    base,
    end,
    last: words.at(1 - WORDS) ?? 0,
    lastAt: await lastAt(words, reader),
    gaps,
  });
}

/** Offsets and numbers ascend, and every key is known. */
function areSound(words: Uint32Array, keys: number): boolean {
  for (let at = 0; at < words.length; at += WORDS) {
    const key = words[at + 3] as number;
    if (key >= keys && key !== GAP && key !== NO_EVENT) return false;
    if (at === 0) continue;
    if ((words[at] as number) <= (words[at - WORDS] as number)) return false;
    if ((words[at + 1] as number) < (words[at + 1 - WORDS] as number)) return false;
  }
  return true;
}

async function gapsOf(words: Uint32Array, reader: JournalReader): Promise<readonly Gap[] | undefined> {
  const gaps: Gap[] = [];
  for (let at = 0; at < words.length; at += WORDS) {
    if (words[at + 3] !== GAP) continue;
    const facts = (await factsAt(reader, words[at] as number))?.facts;
    if (facts?.kind !== "gap") return undefined;
    gaps.push(facts.gap);
  }
  return gaps;
}

async function lastAt(words: Uint32Array, reader: JournalReader): Promise<number> {
  for (let at = words.length - WORDS; at >= 0; at -= WORDS) {
    if ((words[at + 3] as number) >= GAP) continue;
    const facts = (await factsAt(reader, words[at] as number))?.facts;
    return facts?.kind === "event" ? (facts.at ?? 0) : 0;
  }
  return 0;
}
