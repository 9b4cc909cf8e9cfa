import { isUtf8 } from "node:buffer";
import { SkillError } from "skillctl";
import { eventRun } from "./run-name.ts";
import { inertJson } from "./inert-text.ts";
import { outline } from "./json-text.ts";
import type { Redaction } from "./redaction.ts";
import { storedText } from "./stored-text.ts";

/** Events of a body. */
const MOST_EVENTS = 1_000;
/** Bytes of an event as it is stored, without what is added to it. */
const MOST_BYTES = 1_048_576;
const LONGEST_SESSION = 256;
/** Of bytes that are no event so many are kept. */
const MOST_KEPT = 4096;
/** What stands last where they end may be the beginning of a secret: so many bytes are looked at for where it began. */
const LAST_BYTES = 512;
const WHOLE = "The body";

/** Where an event came in: by `POST /event`, or by a Cursor probe. */
export type Source = "event" | "ingest";

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

/** A body that is no event, or holds one that is none. */
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

/** What a body becomes: lines, or where anything in it is no event a rejection. */
export interface Stamped {
  /** Of the log, one an event, each ended by one line feed, valid UTF-8, one line for every splitter. */
  readonly lines: readonly string[];
  readonly rejection?: Rejection;
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
  /** How many keys stand in the text. */
  readonly keys: number;
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

  /** Never throws. */
  write(body: Uint8Array, stamp: Stamp): Stamped {
    try {
      if (stamp.session !== undefined && !isPlainSession(stamp.session)) throw badSession("The request");
      return { lines: sentEvents(body).map((sent, at) => this.#lineOf(sent, stamp, stamp.firstSeq + at)) };
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      return { lines: [], rejection: rejection(caught.code, caught.message, body, this.#redaction) };
    }
  }

  #lineOf({ who, ...sent }: Sent, { at, run, session, source, flags = [] }: Stamp, seq: number): string {
    const { json, event: kept, flags: own } = storedText(sent.json, sent.event, sent.keys, this.#redaction);
    const isLong = json.length * 3 > MOST_BYTES && Buffer.byteLength(json) > MOST_BYTES;
    if (isLong) throw refused("BODY_TOO_LARGE", `${who} would be longer than 1 MiB in the log.`);
    const { sessionId, message, timestamp } = kept;
    if (typeof sessionId === "string" && !isPlainSession(sessionId)) throw badSession(who);
    const has = (name: string): boolean => Object.hasOwn(kept, name);
    let line = Object.keys(kept).length === 0 ? "{" : json.slice(0, -1);
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
    const all = [...own, ...flags];
    if (all.length > 0) add("_flags", `[${all.map((flag) => inertJson(flag)).join(",")}]`);
    return `${line}}\n`;
  }
}

/** The events of a body, in order. @throws SkillError for the first part that is none */
function sentEvents(body: Uint8Array): readonly Sent[] {
  if (!isUtf8(body)) throw refused("DEBUG_BAD_JSON", "The body is not UTF-8.");
  const text = Buffer.from(body)
    .toString()
    .replace(/^\uFEFF/, "");
  if (isBlank(text)) throw refused("DEBUG_BAD_JSON", "The body is empty.");
  const { parts, keys, beyond } = outline(text);
  if (beyond !== undefined) throw tooDeep(text, parts.length, beyond);
  const whole = parsed(text);
  const events =
    whole === undefined && text.includes("\n") ? eventsByLine(text) : eventsOf(whole, parts, keys, WHOLE);
  if (events.length > MOST_EVENTS) throw refused("DEBUG_TOO_MANY", "The body holds more than 1,000 events.");
  return events;
}

function eventsByLine(text: string): readonly Sent[] {
  const lines = text.split("\n");
  if (lines.length > MOST_EVENTS && lines.filter((line) => !isBlank(line)).length > MOST_EVENTS)
    throw refused("DEBUG_TOO_MANY", "The body holds more than 1,000 events.");
  return lines.flatMap((line, at) => {
    if (isBlank(line)) return [];
    const { parts, keys, beyond } = outline(line);
    if (beyond !== undefined) throw tooDeep(line, parts.length, beyond, `Line ${at + 1}`);
    return eventsOf(parsed(line), parts, keys, `Line ${at + 1}`);
  });
}

/** Of an object, or of an array of objects. */
function eventsOf(
  value: unknown,
  parts: readonly string[],
  keys: readonly number[],
  who: string,
): readonly Sent[] {
  if (value === undefined) throw refused("DEBUG_BAD_JSON", `${who} is no JSON.`);
  const isArray = Array.isArray(value);
  if (isArray && value.length === 0) throw refused("DEBUG_NOT_OBJECT", `${who} is a list without events.`);
  return (isArray ? (value as readonly unknown[]) : [value]).map((event, at) => {
    const name = isArray ? elementOf(who, at) : who;
    if (typeof event !== "object" || event === null || Array.isArray(event))
      throw refused("DEBUG_NOT_OBJECT", `${name} is no object.`);
    const part = parts[at] ?? "";
    const json = part.slice(part.indexOf("{"), part.lastIndexOf("}") + 1);
    return { json, keys: keys[at] ?? 0, event: event as Sent["event"], who: name };
  });
}

function elementOf(who: string, at: number): string {
  return `Element ${at + 1} of ${who === WHOLE ? "the array" : who.toLowerCase()}`;
}

function isBlank(text: string): boolean {
  return !/[^ \t\r\n]/.test(text);
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
  const head = Buffer.from(bytes.subarray(0, MOST_KEPT));
  if (!redaction) return { code, sentence, bytes: head };
  const sent = head.toString("latin1");
  const whole = bytes.length < MOST_KEPT ? sent : withoutLastWords(sent);
  const text = whole.replace(/\\u00([2-7][0-9a-f])/gi, (_: string, hex: string) => {
    return String.fromCharCode(Number.parseInt(hex, 16));
  });
  const clean = redaction.text(text);
  return {
    code,
    sentence,
    bytes: Buffer.from(clean === text ? whole : clean, "latin1").subarray(0, MOST_KEPT),
  };
}

function withoutLastWords(text: string): string {
  return text.slice(0, -LAST_BYTES) + text.slice(-LAST_BYTES).replace(/[^"'\n,;{}]*$/, "");
}

function badSession(who: string): SkillError {
  return refused("DEBUG_BAD_SESSION", `${who} names a session that could be a path.`);
}

/** @param whole how many parts of the text come before the one that is */
function tooDeep(text: string, whole: number, at: number, line?: string): SkillError {
  const isArray = /^[ \t\r\n]*\[/.test(text);
  const own = line ?? (whole === 0 ? WHOLE : `Line ${text.slice(0, at).split("\n").length}`);
  const who = isArray ? elementOf(line ?? WHOLE, whole) : own;
  return refused("DEBUG_TOO_DEEP", `${who} is nested deeper than 32 levels, or has more than 10,000 keys.`);
}

function refused(code: string, sentence: string): SkillError {
  return new SkillError(code, sentence);
}
