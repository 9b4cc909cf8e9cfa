import { isBlank, stringEnd } from "./json-text.ts";
import type { Redaction } from "./redaction.ts";
import { announces, REDACTED, secrecy, type Secrecy } from "./secret-names.ts";
import { faithful } from "./number-text.ts";
import { escapeUnsafe } from "./unsafe-characters.ts";

/** Levels of objects and arrays in an event, and keys on all levels together. */
export const MOST_DEPTH = 32;
const MOST_KEYS = 10_000;
/** Longest text, and longest key, in bytes of UTF-8. */
const MOST_STRING = 65_536;
/** Places named in `_flags`; of further ones only their number. */
const NAMED_PLACES = 8;
const LONGEST_PLACE = 200;
/** As many digits and signs every reader of JSON keeps. */
const SAFE_LENGTH = 15;
/** Keys that only the server writes. */
const RESERVED: ReadonlySet<string> = new Set(["_seq", "_at", "_run", "_src", "_flags", "_gap"]);
const SCALAR = /[-+.\w]*/y;

/** An event's own text as it is stored, and what was done to it: `renamed`, `number`, `cut`, `redacted:/data/token`. */
export interface StoredText {
  readonly json: string;
  readonly flags: readonly string[];
  /** Whether something in it was replaced. */
  readonly isChanged: boolean;
  /** The run as it was written, where that is a number: so that it keeps all of its digits. */
  readonly runNumber: string | undefined;
}

/**
 * Looks at a valid object once, and replaces in its text only what must not be stored as it came: secrets, keys that are
 * the server's, what is too long, line ends, and characters that act where they are shown. All else stays, byte for byte.
 * @param redaction none where secrets are kept
 * @returns `undefined` for more than 32 levels or 10,000 keys
 */
export function storedText(sent: string, redaction: Redaction | undefined): StoredText | undefined {
  // No string holds a raw line end: it stands between tokens, and so does the space behind it.
  const json = /[\n\r\t]/.test(sent) ? sent.replaceAll(/[\n\r\t]+ */g, "") : sent;
  const look = new Look(json, redaction);
  return look.value("", 0, 0) ? look.stored() : undefined;
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The place of what was redacted. */
  readonly place?: string;
}

/** A member or element that has been looked at. */
interface Part {
  readonly start: number;
  readonly place: string;
  /** What it says, where it is a text. */
  readonly text: string | undefined;
}

class Look {
  readonly #json: string;
  readonly #redaction: Redaction | undefined;
  readonly #done = new Set<string>();
  #replacements: Replacement[] = [];
  #at = 0;
  #keys = 0;
  #text: string | undefined;
  #runNumber: string | undefined;

  constructor(json: string, redaction: Redaction | undefined) {
    this.#json = json;
    this.#redaction = redaction;
  }

  stored(): StoredText {
    const all = this.#replacements.toSorted((a, b) => a.start - b.start);
    let json = "";
    let copied = 0;
    for (const { start, end, text } of all) {
      json += this.#json.slice(copied, start) + text;
      copied = end;
    }
    const places = all.flatMap(({ place }) => (place === undefined ? [] : [shortPlace(place)]));
    const more = places.length - NAMED_PLACES;
    return {
      json: escapeUnsafe(json + this.#json.slice(copied)),
      flags: [
        ...["renamed", "number", "cut"].filter((flag) => this.#done.has(flag)),
        ...places.slice(0, NAMED_PLACES).map((place) => `redacted:${place}`),
        ...(more > 0 ? [`redacted:…+${more}`] : []),
      ],
      isChanged: all.length > 0,
      runNumber: this.#runNumber,
    };
  }

  /**
   * Looks at the value that begins here, or after white space, and goes behind it.
   * @param place JSON pointer, of names as they are stored
   * @returns whether it is within the limits
   */
  value(place: string, secret: Secrecy, depth: number): boolean {
    this.#skip();
    const first = this.#json[this.#at];
    this.#text = undefined;
    if (first === "{" || first === "[") {
      if (depth === MOST_DEPTH) return false;
      this.#at += 1;
      return first === "{" ? this.#object(place, secret, depth + 1) : this.#array(place, secret, depth + 1);
    }
    if (first === '"') this.#string(place, secret > 0);
    else this.#scalar(place, secret === 2);
    return true;
  }

  #object(place: string, secret: Secrecy, depth: number): boolean {
    let name: string | undefined;
    let value: Part | undefined;
    while (this.#more("}")) {
      if ((this.#keys += 1) > MOST_KEYS) return false;
      const key = this.#key(place);
      this.#skip();
      this.#at += 1;
      this.#skip();
      const start = this.#at;
      const below = Math.max(secret, this.#redaction ? secrecy(key.sent) : 0) as Secrecy;
      if (!this.value(key.place, below, depth)) return false;
      if (key.sent === "name" || key.sent === "key") name = this.#text;
      if (key.sent === "value") value = { start, place: key.place, text: this.#text };
    }
    if (name !== undefined && value && secrecy(name) > 0) this.#lookAgain(value, depth);
    return true;
  }

  #array(place: string, secret: Secrecy, depth: number): boolean {
    const parts: Part[] = [];
    let count = 0;
    for (; this.#more("]"); count += 1) {
      this.#skip();
      const start = this.#at;
      const element = `${place}/${count}`;
      if (!this.value(element, secret, depth)) return false;
      parts.push({ start, place: element, text: this.#text });
    }
    this.#text = undefined;
    if (!this.#redaction || secret > 0) return true;
    for (const [at, { text }] of parts.entries()) {
      const next = parts[at + 1];
      if (next?.text !== undefined && text !== undefined && announces(text, next.text, at, count))
        this.#lookAgain(next, depth);
    }
    return true;
  }

  /** At a part whose neighbour has said that it is a secret. */
  #lookAgain({ start, place }: Part, depth: number): void {
    if (!this.#redaction) return;
    const end = this.#at;
    this.#at = start;
    const before = this.#replacements;
    this.#replacements = [];
    this.value(place, 2, depth);
    const from = this.#at;
    this.#replacements.unshift(...before.filter((one) => one.start < start || one.start >= from));
    this.#at = end;
    this.#text = undefined;
  }

  #key(place: string): { readonly sent: string; readonly place: string } {
    const start = this.#at;
    const sent = this.#token();
    const renamed = place === "" && RESERVED.has(sent) ? `_${sent}` : sent;
    const clean = this.#redaction ? this.#redaction.text(renamed) : renamed;
    const kept = cutText(clean);
    if (renamed !== sent) this.#done.add("renamed");
    if (kept !== clean) this.#done.add("cut");
    const pointed = `${place}/${kept.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (kept !== sent) this.#replace(start, JSON.stringify(kept), clean !== renamed ? pointed : undefined);
    return { sent, place: pointed };
  }

  #string(place: string, isSecret: boolean): void {
    const start = this.#at;
    const sent = this.#token();
    const clean = this.#redaction ? (isSecret && sent !== "" ? REDACTED : this.#redaction.text(sent)) : sent;
    const kept = cutText(clean);
    if (kept !== clean) this.#done.add("cut");
    if (kept !== sent) this.#replace(start, JSON.stringify(kept), clean !== sent ? place : undefined);
    this.#text = sent;
  }

  /** A number, true, false or null. */
  #scalar(place: string, isSecret: boolean): void {
    const start = this.#at;
    SCALAR.lastIndex = start;
    const [raw = ""] = SCALAR.exec(this.#json) ?? [];
    this.#at += raw.length;
    if (/^[tfn]/.test(raw)) return;
    if (place === "/runId") this.#runNumber = raw;
    if (isSecret && this.#redaction) this.#replace(start, JSON.stringify(REDACTED), place);
    else if ((raw.length > SAFE_LENGTH || /e/i.test(raw)) && !faithful(raw)) this.#done.add("number");
  }

  #replace(start: number, text: string, place?: string): void {
    this.#replacements.push({ start, end: this.#at, text, ...(place !== undefined && { place }) });
  }

  /** Whether another member or element follows; past what ends them when not. */
  #more(end: string): boolean {
    this.#skip();
    if (this.#json[this.#at] === ",") {
      this.#at += 1;
      this.#skip();
    }
    if (this.#json[this.#at] !== end) return true;
    this.#at += 1;
    return false;
  }

  #skip(): void {
    while (isBlank(this.#json.charCodeAt(this.#at))) this.#at += 1;
  }

  /** What the string says that begins here. */
  #token(): string {
    const raw = this.#json.slice(this.#at, stringEnd(this.#json, this.#at));
    this.#at += raw.length;
    return raw.includes("\\") ? (JSON.parse(raw) as string) : raw.slice(1, -1);
  }
}

function shortPlace(place: string): string {
  return place.length > LONGEST_PLACE ? `${place.slice(0, LONGEST_PLACE)}…` : place;
}

/** A text of at most 64 KiB of UTF-8: of a longer one its beginning, and how much is missing. */
function cutText(text: string): string {
  if (text.length * 3 <= MOST_STRING || Buffer.byteLength(text) <= MOST_STRING) return text;
  const bytes = Buffer.from(text);
  let end = MOST_STRING;
  // Not in the middle of a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return `${bytes.toString("utf8", 0, end)}…(+${bytes.length - end} bytes)`;
}
