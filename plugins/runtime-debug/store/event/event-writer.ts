import { isUtf8 } from "node:buffer";
import { SkillError } from "skillctl";
import { boundedText, type BoundedText, type EventSize } from "./bounded-text.ts";
import { inertJson } from "./inert-text.ts";
import type { Redaction } from "./redaction.ts";
import { eventRun } from "./run-name.ts";
import { storedText, textOf, valueIn, type Sent } from "./stored-text.ts";

/** The maximum number of events in a body. */
const MOST_EVENTS = 1_000;
/** The maximum size of a stored event in bytes, without the added fields. */
const MOST_BYTES = 1_048_576;
const LONGEST_SESSION = 256;
/** The number of bytes kept of a rejected body. */
const MOST_KEPT = 4096;
const WHOLE = "The body";
/** This decoder drops a byte order mark. */
const UTF8 = new TextDecoder();

/** The origin of an event: `POST /event`, a Cursor probe, or an OpenTelemetry exporter. */
export type Source = "event" | "ingest" | "otlp";

/** Further facts about a body. */
export interface Stamp {
  /** `_seq` of the first event; they count up by one. */
  readonly firstSeq: number;
  /** `_at`: when it was received, in milliseconds since the epoch. */
  readonly at: number;
  /** The current run, for events without the name of a session's run. */
  readonly run: string;
  readonly source: Source;
  /** The session in a header of the request, for events that name none. */
  readonly session?: string;
  /** Flags for every event of the body, such as `foreign-origin`. */
  readonly flags?: readonly string[];
  /** Whether an event that cannot be stored is left out; default: nothing of its body is stored. */
  readonly each?: boolean;
}

/** A body that is not an event, or contains an element that is not. */
export interface Rejection {
  /**
   * Code of the manifest: `DEBUG_BAD_JSON`, `DEBUG_NOT_OBJECT`, `DEBUG_BAD_SESSION`, `DEBUG_TOO_MANY`,
   * `BODY_TOO_LARGE`, `MEDIA_TYPE_REFUSED`.
   */
  readonly code: string;
  /** One sentence, with the number of the line or element where there are several. */
  readonly sentence: string;
  /** The beginning of the body, at most 4,096 bytes; secrets in it are `[redacted]`. */
  readonly text: string;
}

/** The result of a body: lines, or a rejection if an element is not an event. */
export interface Stamped {
  /**
   * Lines for the log, one per event, each with one line feed at its end; valid UTF-8, and one line for every parser.
   */
  readonly lines: readonly string[];
  readonly rejection?: Rejection;
  /** Events that were left out. */
  readonly leftOut?: readonly Rejection[];
}

/** Makes lines for the log out of a body: one object, an array of objects, or one object per line. */
export class EventWriter {
  constructor(
    /** The server's session, for events that name none. */
    private readonly session: string,
    /** Missing if secrets are kept. */
    private readonly redaction: Redaction | undefined,
  ) {}

  /** Removes these secrets from later events, unless secrets are kept. */
  async know(secrets: (() => Promise<readonly string[]>) | undefined): Promise<void> {
    if (this.redaction && secrets) this.redaction.know(await secrets());
  }

  /** Never throws. */
  write(body: Uint8Array, stamp: Stamp): Stamped {
    try {
      if (stamp.session !== undefined && !isPlainSession(stamp.session)) throw badSession("The request");
      const lines: string[] = [];
      const leftOut: Rejection[] = [];
      for (const sent of sentEvents(body))
        try {
          lines.push(this.#lineOf(sent, stamp, stamp.firstSeq + lines.length));
        } catch (caught) {
          if (!stamp.each || !(caught instanceof SkillError)) throw caught;
          const bytes = Buffer.from(textOf(sent));
          leftOut.push(this.rejection(caught.code, caught.message, bytes));
        }
      return { lines, leftOut };
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      return { lines: [], rejection: this.rejection(caught.code, caught.message, body) };
    }
  }

  /** The stored part of bytes that are not an event, without known secrets. */
  rejection(code: string, sentence: string, bytes: Uint8Array): Rejection {
    const text = Buffer.from(bytes.subarray(0, MOST_KEPT)).toString();
    // The last characters may be the beginning of a secret.
    const whole = bytes.length < MOST_KEPT ? text : withoutLastWord(text);
    return { code, sentence, text: this.redaction?.text(whole) ?? text };
  }

  #lineOf(sent: Sent, { at, run, session, source, flags = [] }: Stamp, seq: number): string {
    const { json, event: kept, flags: own } = storedText(sent, this.redaction);
    if (Buffer.byteLength(json) > MOST_BYTES)
      throw new SkillError("BODY_TOO_LARGE", `${sent.who} would be longer than 1 MiB in the log.`);
    const { sessionId, message, timestamp } = kept;
    if (typeof sessionId === "string" && !isPlainSession(sessionId)) throw badSession(sent.who);
    const has = (name: string): boolean => Object.hasOwn(kept, name);
    let line = Object.keys(kept).length === 0 ? "{" : json.slice(0, -1);
    const add = (name: string, value: string | number): void => {
      line += `${line === "{" ? "" : ","}"${name}":${value}`;
    };
    if (!has("sessionId")) add("sessionId", inertJson(session || this.session));
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

/** The events of a body, in order. @throws SkillError for the first element that is not an event */
function sentEvents(body: Uint8Array): readonly Sent[] {
  if (!isUtf8(body)) throw new SkillError("DEBUG_BAD_JSON", "The body is not UTF-8.");
  const text = UTF8.decode(body);
  if (isBlank(text)) throw new SkillError("DEBUG_BAD_JSON", "The body is empty.");
  const bounded = boundedText(text);
  const value = valueIn(bounded.text);
  const events =
    value === undefined && text.includes("\n") ? eventsByLine(text) : eventsOf(bounded, value, WHOLE);
  if (events.length > MOST_EVENTS) throw tooMany();
  return events;
}

function eventsByLine(text: string): readonly Sent[] {
  const lines = text.split("\n");
  if (lines.filter((line) => !isBlank(line)).length > MOST_EVENTS) throw tooMany();
  return lines.flatMap((json, at) => {
    if (isBlank(json)) return [];
    const bounded = boundedText(json);
    return eventsOf(bounded, valueIn(bounded.text), `Line ${at + 1}`);
  });
}

/** The events of an object, which keeps its own text, or of a list of objects. */
function eventsOf({ text, events }: BoundedText, value: unknown, who: string): readonly Sent[] {
  if (value === undefined) throw new SkillError("DEBUG_BAD_JSON", `${who} is not JSON.`);
  if (!Array.isArray(value)) return [sentEvent(text.trim(), events[0], value, who)];
  if (value.length === 0) throw new SkillError("DEBUG_NOT_OBJECT", `${who} is a list without events.`);
  const whole = who === WHOLE ? "the array" : who.toLowerCase();
  return value.map((event: unknown, at) =>
    sentEvent(undefined, events[at], event, `Element ${at + 1} of ${whole}`),
  );
}

function sentEvent(own: Sent["own"], size: EventSize | undefined, event: unknown, who: string): Sent {
  if (typeof event !== "object" || event === null || Array.isArray(event))
    throw new SkillError("DEBUG_NOT_OBJECT", `${who} is not an object.`);
  return { own, keys: 0, isCut: false, ...size, event: event as Sent["event"], who };
}

function isBlank(text: string): boolean {
  return !/[^ \t\r\n]/.test(text);
}

/** Whether the session in an event or header is safe: it is only a field, but other programs may use it in a path. */
function isPlainSession(session: string): boolean {
  // oxlint-disable-next-line no-control-regex
  const isPath = session === "." || session === ".." || /[/\\\0-\x1f\x7f-\x9f]/.test(session);
  return session.length <= LONGEST_SESSION && !isPath;
}

function badSession(who: string): SkillError {
  return new SkillError("DEBUG_BAD_SESSION", `${who} names a session that could be a path.`);
}

function tooMany(): SkillError {
  return new SkillError("DEBUG_TOO_MANY", "The body holds more than 1,000 events.");
}

/** Removes the text after the last quote, comma, bracket or line end, at most 512 characters. */
function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && text.length - end < 512 && !"\"'\n,;{}".includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
