import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JournalReader } from "skillctl";
import { nodePorts } from "skillctl/host";
import { memoryLog } from "skillctl/testing";
import type { EventKeys } from "../store/event/stamped.ts";
import { traceHash } from "../store/event/trace-hash.ts";
import { SegmentIndex } from "../store/index/segment-index.ts";
import type { LogSource } from "../store/read/log-source.ts";

/** An event of a made-up log, before it is a line. */
export interface MadeEvent {
  readonly hypothesis: string;
  readonly run: string;
  readonly location: string;
  readonly trace?: string;
  readonly data?: unknown;
}

/** The line of a made-up event, as the server would store it. */
export function storedLine(event: MadeEvent, seq: number): string {
  const { hypothesis, run, location, trace, data } = event;
  const sent = {
    ...(hypothesis !== "" && { hypothesisId: hypothesis }),
    ...(location !== "" && { location }),
    msg: "[DEBUG] seen",
    ...(trace !== undefined && { traceId: trace }),
    ...(data !== undefined && { data }),
  };
  const added = {
    sessionId: "test-session",
    ts: 5,
    runId: run,
    _seq: seq,
    _at: seq * 10,
    _run: run,
    _src: "event",
  };
  return `${JSON.stringify({ ...sent, ...added })}\n`;
}

/** What the stamper would tell of it. */
export function keysOfMade({ hypothesis, run, location }: MadeEvent): EventKeys {
  return { hypothesis, run, location, probe: location === "" ? "seen" : location };
}

/** A folder with a log in it, which only tests write, and the index beside it. */
export class IndexHarness implements AsyncDisposable {
  readonly folder = fs.mkdtempSync(join(tmpdir(), "log-index-"));
  readonly path = join(this.folder, "log.ndjson");
  readonly log = memoryLog();
  readonly #journals = nodePorts().journals;
  readonly #closers: (() => Promise<void>)[] = [];

  constructor() {
    fs.writeFileSync(this.path, "");
  }

  get bytes(): number {
    return fs.statSync(this.path).size;
  }

  append(text: string | Uint8Array): void {
    fs.appendFileSync(this.path, text);
  }

  async reader(): Promise<JournalReader> {
    const reader = await this.#journals.openToRead(this.path);
    if (!reader) throw new Error("The log is gone.");
    this.#closers.push(() => reader.close());
    return reader;
  }

  async open(journals = this.#journals): Promise<SegmentIndex> {
    const reader = await this.reader();
    return SegmentIndex.open({ journals, reader, path: this.path, log: this.log });
  }

  /** Appends events to log and index. */
  add(index: SegmentIndex, events: readonly MadeEvent[], firstSeq: number): void {
    const lines = events.map((event, at) => storedLine(event, firstSeq + at));
    const offset = this.bytes;
    this.append(lines.join(""));
    index.add(
      {
        count: events.length,
        keys: events.map(keysOfMade),
        lengths: lines.map((line) => Buffer.byteLength(line)),
        traces: events.map(({ trace }) => (trace === undefined || trace === "" ? 0 : traceHash(trace))),
      },
      { firstSeq, at: (firstSeq + events.length - 1) * 10, offset },
    );
  }

  async source(index: SegmentIndex, number = 1): Promise<LogSource> {
    const reader = await this.reader();
    return { number, reader, view: index.view() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const close of this.#closers) await close();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}
