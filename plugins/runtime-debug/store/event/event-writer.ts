import { isUtf8 } from "node:buffer";
import { carefulLine } from "./careful-line.ts";
import { EventKeyBook } from "./event-keys.ts";
import { isPlainSessionValue } from "./event-session.ts";
import { FIELD } from "./key-names.ts";
import { LineEnd } from "./line-end.ts";
import type { FaultName } from "./rejection.ts";
import { Scanner } from "./scanner.ts";
import { Sheet } from "./sheet.ts";
import { OTHER, type EventKeys, type Stamp } from "./stamped.ts";
import { traceHashOf } from "./trace-hash.ts";

/** Bytes of an event as it is stored, without what is added to it. */
const MOST_BYTES = 1_048_576;

/** Reads an event off a sheet and writes its line there. What it says of an event holds until the next. */
export class EventWriter {
  keys: EventKeys = OTHER;
  trace = 0;
  /** Bytes of the line. */
  length = 0;
  /** Where the event ends among what is read, or the byte that is wrong. */
  next = 0;

  readonly #keepSecrets: boolean;
  readonly #scanner: Scanner;
  readonly #end: LineEnd;
  readonly #book = new EventKeyBook();
  /** For events that are written anew. */
  readonly #side = new Sheet();
  #run = "";
  /** Whether all of the body is UTF-8; looked at when a byte beyond ASCII shows up. */
  #encoded: boolean | undefined;

  constructor(session: string, keepSecrets: boolean) {
    this.#keepSecrets = keepSecrets;
    this.#scanner = new Scanner(keepSecrets);
    this.#end = new LineEnd(session);
  }

  /** Takes the body whose events come next. */
  begin(stamp: Stamp): void {
    this.#end.begin(stamp);
    this.#scanner.begin();
    this.#run = stamp.run;
    this.#encoded = undefined;
  }

  /** Writes the line of the event that begins at `at`. @returns what is wrong with it, when nothing was written */
  write(sheet: Sheet, at: number, seq: number): FaultName | undefined {
    const scanner = this.#scanner;
    sheet.makeRoom(sheet.end - at);
    const from = sheet.written;
    const read = scanner.read(sheet, at, from);
    this.next = scanner.end;
    if (!read) return scanner.fault === "deep" ? "deep" : "syntax";
    if (scanner.noticed.foreign && !this.#isUtf8(sheet, at)) return "encoding";
    if (scanner.noticed.careful) return this.#rewrite(sheet, at, seq);
    sheet.written = scanner.copyEnd;
    if (!this.#finish(sheet, seq, NONE)) {
      sheet.written = from;
      return "session";
    }
    this.length = sheet.written - from;
    return undefined;
  }

  #rewrite(sheet: Sheet, at: number, seq: number): FaultName | undefined {
    const { json, flags } = carefulLine(sheet.bytes.toString("utf8", at, this.next), this.#keepSecrets);
    const bytes = Buffer.byteLength(json);
    if (bytes > MOST_BYTES) return "long";
    const side = this.#side;
    side.prepare(bytes);
    side.bytes.write(json);
    this.#scanner.begin();
    this.#scanner.read(side, 0, 0);
    this.#scanner.begin();
    side.written = this.#scanner.copyEnd;
    if (!this.#finish(side, seq, flags)) return "session";
    this.length = side.written;
    sheet.append(side.bytes.subarray(0, side.written));
    return undefined;
  }

  #finish(sheet: Sheet, seq: number, flags: readonly string[]): boolean {
    const { bytes } = sheet;
    const { starts, ends } = this.#scanner;
    const session = starts[FIELD.sessionId] as number;
    if (session !== 0 && !isPlainSessionValue(bytes, session, ends[FIELD.sessionId] as number)) return false;
    const { keys, run } = this.#book.seen(sheet, this.#scanner, this.#run);
    this.keys = keys;
    const trace = starts[FIELD.traceId] as number;
    this.trace = trace === 0 ? 0 : traceHashOf(bytes, trace, ends[FIELD.traceId] as number);
    this.#end.write(sheet, this.#scanner, seq, run, flags);
    return true;
  }

  #isUtf8(sheet: Sheet, at: number): boolean {
    this.#encoded ??= isUtf8(sheet.bytes.subarray(sheet.start, sheet.end));
    return this.#encoded || isUtf8(sheet.bytes.subarray(at, this.next));
  }
}

const NONE: readonly string[] = [];
