import { isUtf8 } from "node:buffer";
import { SkillError } from "skillctl";
import { eventRun } from "./run-name.ts";
import { elementsOf, isBlank, isDeeper, withoutBlanks } from "./json-text.ts";
import type { Redaction } from "./redaction.ts";
import { MOST_DEPTH, storedText } from "./stored-text.ts";
import { inertJson } from "./inert-text.ts";

/** Events of a body. */
const MOST_EVENTS = 1_000;
/** Bytes of an event as it is stored, without what is added to it. */
const MOST_BYTES = 1_048_576;
/** A body that is shorter cannot keep the parser busy with brackets. */
const LONG_BODY = 16_384;
const LONGEST_SESSION = 256;
/** Of bytes that are no event so many are kept. */
const MOST_KEPT = 4096;
/** What is looked at beyond, for a secret that begins before the end. */
const BEYOND = 4096;
const LINE_FEED = 10;
const WHOLE = "The body";

/** Where an event came in: by `POST /event`, by a Cursor probe, from a file that is followed. */
export type Source = "event" | "ingest" | "file";

/** What the server knows of a body beside its bytes. */
export interface Stamp {
  /** `_seq` of the first event; they count up by one. */
  readonly firstSeq: number;
  /** `_at`: when it was received, in milliseconds since the epoch. */
  readonly at: number;
  /** The run that is served: of events that name none, or none that a session would name. */
  readonly run: string;
  readonly source: Source;
  /** Session that the request named in a header, for events that name none. */
  readonly session?: string;
  /** Flags that every event of the body gets, such as `foreign-origin`. */
  readonly flags?: readonly string[];
}

/** A body, or a line of a followed file, that is no event, or holds one that is none. */
export interface Rejection {
  /**
   * Code of the manifest: `DEBUG_BAD_JSON`, `DEBUG_NOT_OBJECT`, `DEBUG_BAD_SESSION`, `DEBUG_TOO_DEEP`, `DEBUG_TOO_MANY`,
   * `BODY_TOO_LARGE`, `MEDIA_TYPE_REFUSED`.
   */
  readonly code: string;
  /** One sentence, with the number of the line or element where there are several. */
  readonly sentence: string;
  /** The bytes as received, at most 4,096 of them; secrets in them are `[redacted]`. */
  readonly bytes: Uint8Array;
}

/** What a body becomes. */
export interface Stamped {
  /** Of the log, one an event, each ended by one line feed, valid UTF-8, one line for every splitter. */
  readonly lines: readonly string[];
  /** A body with anything in it that is no event is refused whole; of a followed file each line for itself. */
  readonly rejected: readonly Rejection[];
}

export interface EventWriterOptions {
  /** The server's session, for events that name none. */
  readonly session: string;
  /** None where secrets are kept. */
  readonly redaction: Redaction | undefined;
}

/** An event by its own text, and the object in it. */
interface Sent {
  readonly json: string;
  readonly event: Readonly<Record<string, unknown>>;
  /** How sentences name it. */
  readonly who: string;
}

/** Makes lines for the log out of a body: one object, an array of objects, or objects one a line. */
export class EventWriter {
  readonly #session: string;
  readonly #redaction: Redaction | undefined;

  constructor({ session, redaction }: EventWriterOptions) {
    this.#session = session;
    this.#redaction = redaction;
  }

  /** Never throws: what is no event is among `rejected`. */
  write(body: Uint8Array, stamp: Stamp): Stamped {
    const lines: string[] = [];
    const rejected: Rejection[] = [];
    for (const part of stamp.source === "file" ? linesOf(body) : [body]) {
      try {
        lines.push(...this.#linesOf(part, { ...stamp, firstSeq: stamp.firstSeq + lines.length }));
      } catch (caught) {
        if (!(caught instanceof SkillError)) throw caught;
        rejected.push(rejection(caught.code, caught.message, part, this.#redaction));
      }
    }
    return { lines, rejected };
  }

  /** @throws SkillError for the first part of a body that is no event */
  #linesOf(body: Uint8Array, stamp: Stamp): readonly string[] {
    if (stamp.session !== undefined && !isPlainSession(stamp.session)) throw badSession("The request");
    return sentEvents(body).map((sent, at) => this.#lineOf(sent, stamp, stamp.firstSeq + at));
  }

  #lineOf({ json, event, who }: Sent, { at, run, session, source, flags = [] }: Stamp, seq: number): string {
    const stored = storedText(json, this.#redaction);
    if (!stored) throw tooDeep(who);
    const isLong = stored.json.length * 3 > MOST_BYTES && Buffer.byteLength(stored.json) > MOST_BYTES;
    if (isLong) throw refused("BODY_TOO_LARGE", `${who} would be longer than 1 MiB in the log.`);
    const kept = stored.isChanged ? (JSON.parse(stored.json) as typeof event) : event;
    const { sessionId, message, timestamp } = kept;
    if (typeof sessionId === "string" && !isPlainSession(sessionId)) throw badSession(who);
    const has = (name: string): boolean => Object.hasOwn(kept, name);
    let line = Object.keys(kept).length === 0 ? "{" : stored.json.slice(0, -1);
    const add = (name: string, value: string | number): void => {
      line += `${line === "{" ? "" : ","}"${name}":${value}`;
    };
    if (!has("sessionId")) add("sessionId", inertJson(session || this.#session));
    const isTime = Number.isSafeInteger(timestamp) && (timestamp as number) > 0;
    if (!has("ts")) add("ts", isTime ? (timestamp as number) : at);
    if (!has("runId")) add("runId", inertJson(run));
    if (!has("msg") && typeof message === "string") add("msg", inertJson(message));
    add("_seq", seq);
    add("_at", at);
    add("_run", inertJson(eventRun(kept["runId"], run)));
    add("_src", `"${source}"`);
    const all = [...stored.flags, ...flags];
    if (all.length > 0) add("_flags", `[${all.map((flag) => inertJson(flag)).join(",")}]`);
    return `${line}}\n`;
  }
}

/** The events of a body, in order. @throws SkillError for the first part that is none */
function sentEvents(body: Uint8Array): readonly Sent[] {
  if (!isUtf8(body)) throw refused("DEBUG_BAD_JSON", "The body is not UTF-8.");
  const text = withoutBlanks(
    Buffer.from(body)
      .toString()
      .replace(/^\uFEFF/, ""),
  );
  if (text === "") throw refused("DEBUG_BAD_JSON", "The body is empty.");
  if (text.length > LONG_BODY && isDeeper(text, MOST_DEPTH + 1)) throw tooDeep(WHOLE);
  const whole = parsed(text);
  const events =
    whole === undefined && text.includes("\n") ? eventsByLine(text) : eventsOf(text, whole, WHOLE);
  if (events.length > MOST_EVENTS) throw refused("DEBUG_TOO_MANY", "The body holds more than 1,000 events.");
  return events;
}

function eventsByLine(text: string): readonly Sent[] {
  const lines = text.split("\n");
  if (lines.length > MOST_EVENTS && lines.filter((line) => withoutBlanks(line) !== "").length > MOST_EVENTS)
    throw refused("DEBUG_TOO_MANY", "The body holds more than 1,000 events.");
  return lines.flatMap((raw, at) => {
    const line = withoutBlanks(raw);
    return line === "" ? [] : eventsOf(line, parsed(line), `Line ${at + 1}`);
  });
}

/** Of an object, or of an array of objects. */
function eventsOf(json: string, value: unknown, who: string): readonly Sent[] {
  if (value === undefined) throw refused("DEBUG_BAD_JSON", `${who} is no JSON.`);
  if (!Array.isArray(value)) return [sentOf(json, value, who)];
  if (value.length === 0) throw refused("DEBUG_NOT_OBJECT", `${who} is a list without events.`);
  const texts = elementsOf(json);
  const array = who === WHOLE ? "the array" : who.toLowerCase();
  return value.map((one, at) => sentOf(texts[at] ?? "", one, `Element ${at + 1} of ${array}`));
}

function sentOf(json: string, value: unknown, who: string): Sent {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw refused("DEBUG_NOT_OBJECT", `${who} is no object.`);
  return { json, event: value as Sent["event"], who };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a session that an event or a header names cannot be a path: it is only a field, but somebody may join it to one. */
function isPlainSession(session: string): boolean {
  // oxlint-disable-next-line no-control-regex
  const isPath = session === "." || session === ".." || /[/\\\0-\x1f\x7f-\x9f]/.test(session);
  return session.length <= LONGEST_SESSION && !isPath;
}

/** The lines of a followed file, each with its end. */
function linesOf(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(LINE_FEED, start) + 1 || bytes.length;
    if (bytes.subarray(start, end).some((byte) => !isBlank(byte))) lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}

/**
 * What is kept of bytes that are no event. Secrets are looked for in them as in events, as far as that can be done in
 * what is no JSON; where one is found, escaped letters become plain ones.
 * @param redaction none where secrets are kept
 */
export function rejection(
  code: string,
  sentence: string,
  bytes: Uint8Array,
  redaction: Redaction | undefined,
): Rejection {
  const head = Buffer.from(bytes.subarray(0, MOST_KEPT + (redaction ? BEYOND : 0)));
  if (!redaction) return { code, sentence, bytes: head };
  const text = head.toString("latin1").replace(/\\u00([2-7][0-9a-f])/gi, (_: string, hex: string) => {
    return String.fromCharCode(Number.parseInt(hex, 16));
  });
  const clean = redaction.text(text);
  const kept = clean === text ? head : Buffer.from(clean, "latin1");
  return { code, sentence, bytes: kept.subarray(0, MOST_KEPT) };
}

function badSession(who: string): SkillError {
  return refused("DEBUG_BAD_SESSION", `${who} names a session that could be a path.`);
}

function tooDeep(who: string): SkillError {
  return refused("DEBUG_TOO_DEEP", `${who} is nested deeper than 32 levels, or has more than 10,000 keys.`);
}

function refused(code: string, sentence: string): SkillError {
  return new SkillError(code, sentence);
}
