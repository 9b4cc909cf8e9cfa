/** Where an event came in: by `POST /event`, by a Cursor probe, from a file that is followed. */
export type Source = "event" | "ingest" | "file";

/**
 * What events are counted and searched by. Interned: equal values are one object, so that it can be compared by
 * identity and given a number. When a session has seen 65,000 different ones (or 8 million characters of them), further ones become
 * `OTHER`.
 */
export interface EventKeys {
  /** As text, lists as they were sent (`A,D`); empty when the event names none. */
  readonly hypothesis: string;
  /** The normalised run: `pre-fix`, `post-fix`, or the text or number as sent. */
  readonly run: string;
  /** Empty when the event names none. */
  readonly location: string;
  /** What names the probe: the location, or the message where there is none. At most 200 characters. */
  readonly probe: string;
}

/**
 * Keys of events that are not counted one by one, because a session has seen too many different ones or a text is longer
 * than 1,000 characters. What such an event names only its line says.
 */
export const OTHER: EventKeys = { hypothesis: "", run: "", location: "", probe: "(other)" };

/** A body, or a part of it, that is no event. */
export interface Rejection {
  /**
   * Code of the manifest: `DEBUG_BAD_JSON`, `DEBUG_NOT_OBJECT`, `DEBUG_BAD_SESSION`, `DEBUG_TOO_DEEP`, `DEBUG_TOO_MANY`,
   * `BODY_TOO_LARGE` (as a line it would be longer than 1 MiB).
   */
  readonly code: string;
  /** One sentence, with the number of the line or element where there are several. */
  readonly sentence: string;
  /** The bytes as received, at most 4,096 of them; secrets in them are `[redacted]`. */
  readonly bytes: Uint8Array;
}

/** What a body becomes: lines ready for the journal, and what is told the index. */
export interface Stamped {
  /** Whole lines, each ended by one line feed, valid UTF-8, one line for every splitter. */
  readonly lines: Uint8Array | string;
  readonly count: number;
  /** Bytes of each line, its line feed included. */
  readonly lengths: readonly number[];
  readonly keys: readonly EventKeys[];
  /** A 32-bit hash of each event's trace id; 0 when it names none. */
  readonly traces: readonly number[];
  readonly rejected: readonly Rejection[];
}

/** What the server knows of a body beside its bytes. */
export interface Stamp {
  /** `_seq` of the first event; they count up by one. */
  readonly firstSeq: number;
  /** `_at`: when it was received, in milliseconds since the epoch. */
  readonly at: number;
  /** The run that events get which name none. */
  readonly run: string;
  readonly source: Source;
  /** Session that the request named in a header, for events that name none. */
  readonly session?: string;
  /** Flags that every event of the body gets, such as `foreign-origin`. */
  readonly flags?: readonly string[];
}
