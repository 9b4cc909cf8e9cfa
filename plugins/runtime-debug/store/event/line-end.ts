import { DIGIT, OPEN_OBJECT, QUOTE } from "./bytes.ts";
import { FIELD } from "./key-names.ts";
import type { Scanner } from "./scanner.ts";
import type { Sheet } from "./sheet.ts";
import type { Stamp } from "./stamped.ts";
import { safeJson } from "./unsafe-characters.ts";

const SEQ = Buffer.from(',"_seq":');
const TS = Buffer.from(',"ts":');
const MSG = Buffer.from(',"msg":');
const AT = Buffer.from(',"_at":');
/** Runs whose ends of a line are kept; a body names one, seldom two. */
const MOST_RUNS = 32;

/**
 * What the server writes behind an event: the keys that it lacks, then `_seq _at _run _src _flags`. Times are apart from
 * the rest, which is nearly always what it was for the event before.
 */
export class LineEnd {
  readonly #session: string;
  readonly #ends = new Map<string, Buffer>();
  #stamp: Stamp | undefined;
  #sessionPart: Buffer = Buffer.alloc(0);
  #runPart: Buffer = Buffer.alloc(0);
  #at: Buffer = Buffer.alloc(0);
  #lastRun: string | undefined;
  #lastEnd: Buffer = Buffer.alloc(0);

  /** @param session the server's session */
  constructor(session: string) {
    this.#session = session;
  }

  /** Takes the body whose events come next. */
  begin(stamp: Stamp): void {
    const last = this.#stamp;
    const { at, source, flags, session, run } = stamp;
    if (last === undefined || last.session !== session) {
      this.#sessionPart = Buffer.from(`,"sessionId":${safeJson(session || this.#session)}`);
    }
    if (last?.run !== run) this.#runPart = Buffer.from(`,"runId":${safeJson(run)}`);
    if (last?.at !== at) this.#at = Buffer.from(String(at));
    if (last?.source !== source || last.flags !== flags) {
      this.#ends.clear();
      this.#lastRun = undefined;
    }
    this.#stamp = stamp;
  }

  /** Completes the line of the event that was read last, whose copy is on the sheet without its brace. */
  write(sheet: Sheet, { starts, ends }: Scanner, seq: number, run: string, flags: readonly string[]): void {
    const { bytes } = sheet;
    // An empty object has no member that a comma could follow: the first comma gives way to the brace.
    const hollow = bytes[sheet.written - 1] === OPEN_OBJECT ? --sheet.written : -1;
    if (starts[FIELD.sessionId] === 0) sheet.put(this.#sessionPart);
    if (starts[FIELD.ts] === 0)
      this.#putTime(sheet, starts[FIELD.timestamp] as number, ends[FIELD.timestamp] as number);
    if (starts[FIELD.runId] === 0) sheet.put(this.#runPart);
    const message = starts[FIELD.message] as number;
    if (message !== 0 && starts[FIELD.msg] === 0 && bytes[message] === QUOTE) {
      sheet.putShort(MSG);
      sheet.repeat(message, ends[FIELD.message] as number);
    }
    sheet.putShort(SEQ);
    if (hollow >= 0) bytes[hollow] = OPEN_OBJECT;
    sheet.count(seq);
    sheet.putShort(AT);
    sheet.putShort(this.#at);
    if (flags.length > 0) sheet.put(this.#end(run, flags));
    else {
      if (run !== this.#lastRun) this.#remember(run);
      sheet.put(this.#lastEnd);
    }
  }

  #putTime(sheet: Sheet, start: number, end: number): void {
    let at = start;
    while (DIGIT[sheet.bytes[at] as number] === 1) at++;
    sheet.putShort(TS);
    // A timestamp of whole milliseconds, in as many digits as every reader keeps.
    if (at > start && at === end && end - start <= 15) sheet.repeat(start, end);
    else sheet.putShort(this.#at);
  }

  #remember(run: string): void {
    let end = this.#ends.get(run);
    if (end === undefined) {
      if (this.#ends.size >= MOST_RUNS) this.#ends.clear();
      end = this.#end(run, []);
      this.#ends.set(run, end);
    }
    this.#lastRun = run;
    this.#lastEnd = end;
  }

  #end(run: string, own: readonly string[]): Buffer {
    const { source, flags = [] } = this.#stamp as Stamp;
    const all = [...own, ...flags];
    const flagged = all.length > 0 ? `,"_flags":[${all.map(safeJson).join(",")}]` : "";
    return Buffer.from(`,"_run":${safeJson(run)},"_src":"${source}"${flagged}}\n`);
  }
}
