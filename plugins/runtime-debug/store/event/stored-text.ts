import { faithful, isBlank, stringEnd } from "./json-text.ts";
import type { Redaction } from "./redaction.ts";
import { announces, REDACTED, secrecy, type Secrecy } from "./secret-names.ts";
import { escapeUnsafe } from "./inert-text.ts";

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
/** No text of fewer characters is too long. */
const SHORT = MOST_STRING / 3;
const [QUOTE, COMMA, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [
  0x22, 0x2c, 0x7b, 0x7d, 0x5b, 0x5d,
];
/** 9; `true`, `false` and `null` begin beyond. */
const LAST_OF_NUMBERS = 0x39;

/** An event's own text as it is stored, and what was done to it: `renamed`, `number`, `cut`, `redacted:/data/token`. */
export interface StoredText {
  readonly json: string;
  readonly flags: readonly string[];
  /** Whether something in it was replaced. */
  readonly isChanged: boolean;
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
  return look.value(0) ? look.stored() : undefined;
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** JSON pointer of what was redacted, of names as they are stored. */
  readonly place?: string;
}

/** A text that is a member or an element, and its name or number. */
interface TextPart {
  readonly start: number;
  readonly name: string | number;
  readonly text: string;
}

class Look {
  readonly #json: string;
  readonly #redaction: Redaction | undefined;
  readonly #done = new Set<string>();
  /** The names and numbers that lead to where it is. */
  readonly #path: (string | number)[] = [];
  #replacements: Replacement[] = [];
  #at = 0;
  #keys = 0;
  /** What the last value says, where that was a text. */
  #text: string | undefined;

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
    const places = all.flatMap(({ place }) => (place === undefined ? [] : [place]));
    const more = places.length - NAMED_PLACES;
    return {
      json: escapeUnsafe(json + this.#json.slice(copied)),
      flags: [
        ...["renamed", "number", "cut"].filter((flag) => this.#done.has(flag)),
        ...places.slice(0, NAMED_PLACES).map((place) => `redacted:${place}`),
        ...(more > 0 ? [`redacted:…+${more}`] : []),
      ],
      isChanged: all.length > 0,
    };
  }

  /** Looks at the value that begins here and goes behind it. @returns whether it is within the limits */
  value(secret: Secrecy): boolean {
    const first = this.#json.charCodeAt(this.#at);
    this.#text = undefined;
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) {
      if (this.#path.length === MOST_DEPTH) return false;
      this.#at += 1;
      const isWithin = first === OPEN_OBJECT ? this.#object(secret) : this.#array(secret);
      this.#text = undefined;
      return isWithin;
    }
    if (first === QUOTE) this.#string(secret > 0);
    else this.#scalar(secret === 2);
    return true;
  }

  #object(secret: Secrecy): boolean {
    let name: string | undefined;
    let value: TextPart | undefined;
    while (this.#more(CLOSE_OBJECT)) {
      if ((this.#keys += 1) > MOST_KEYS) return false;
      const sent = this.#key();
      this.#skip();
      this.#at += 1;
      this.#skip();
      const start = this.#at;
      const below = this.#redaction ? (Math.max(secret, secrecy(sent)) as Secrecy) : 0;
      if (!this.value(below)) return false;
      if (sent === "name" || sent === "key") name = this.#text;
      if (sent === "value" && this.#text !== undefined) value = { start, name: sent, text: this.#text };
      this.#path.pop();
    }
    if (name !== undefined && value && secrecy(name) > 0) this.#lookAgain(value);
    return true;
  }

  #array(secret: Secrecy): boolean {
    const parts: TextPart[] = [];
    let count = 0;
    for (; this.#more(CLOSE_ARRAY); count += 1) {
      const start = this.#at;
      this.#path.push(count);
      if (!this.value(secret)) return false;
      this.#path.pop();
      if (this.#text !== undefined) parts.push({ start, name: count, text: this.#text });
    }
    if (!this.#redaction || secret > 0) return true;
    for (const [at, { name, text }] of parts.entries()) {
      const next = parts[at + 1];
      if (next?.name === Number(name) + 1 && announces(text, next.text, Number(name), count))
        this.#lookAgain(next);
    }
    return true;
  }

  /** At a text whose neighbour has said that it is a secret. */
  #lookAgain({ start, name }: TextPart): void {
    if (!this.#redaction) return;
    const end = this.#at;
    this.#replacements = this.#replacements.filter((one) => one.start !== start);
    this.#at = start;
    this.#path.push(name);
    this.#string(true);
    this.#path.pop();
    this.#at = end;
  }

  /** Past a key, whose name is then the end of the path. */
  #key(): string {
    const start = this.#at;
    const sent = this.#token();
    this.#path.push(sent);
    const renamed = this.#path.length === 1 && RESERVED.has(sent) ? `_${sent}` : sent;
    if (renamed === sent && this.#isPlain(sent)) return sent;
    const clean = this.#redaction ? this.#redaction.text(renamed) : renamed;
    const kept = cutText(clean);
    if (renamed !== sent) this.#done.add("renamed");
    if (kept !== clean) this.#done.add("cut");
    this.#path[this.#path.length - 1] = kept;
    if (kept !== sent) this.#replace(start, JSON.stringify(kept), clean !== renamed);
    return sent;
  }

  /** Whether a text stays as it is. */
  #isPlain(sent: string): boolean {
    return sent.length < SHORT && (!this.#redaction || this.#redaction.isPlain(sent));
  }

  #string(isSecret: boolean): void {
    const start = this.#at;
    const sent = this.#token();
    this.#text = sent;
    if (!isSecret && this.#isPlain(sent)) return;
    const hidden = isSecret && sent !== "" ? REDACTED : undefined;
    const clean = this.#redaction ? (hidden ?? this.#redaction.text(sent)) : sent;
    const kept = cutText(clean);
    if (kept !== clean) this.#done.add("cut");
    if (kept !== sent) this.#replace(start, JSON.stringify(kept), clean !== sent);
  }

  /** A number, true, false or null. */
  #scalar(isSecret: boolean): void {
    const start = this.#at;
    while (isInScalar(this.#json.charCodeAt(this.#at))) this.#at += 1;
    if (this.#json.charCodeAt(start) > LAST_OF_NUMBERS) return;
    const raw = this.#json.slice(start, this.#at);
    if (isSecret && this.#redaction) this.#replace(start, JSON.stringify(REDACTED), true);
    else if ((raw.length > SAFE_LENGTH || /e/i.test(raw)) && !faithful(raw)) this.#done.add("number");
  }

  #replace(start: number, text: string, isRedacted: boolean): void {
    const place = isRedacted ? shortPlace(`/${this.#path.map(pointed).join("/")}`) : undefined;
    this.#replacements.push({ start, end: this.#at, text, ...(place !== undefined && { place }) });
  }

  /** Whether another member or element follows, and goes to it; past what ends them when not. */
  #more(end: number): boolean {
    this.#skip();
    if (this.#json.charCodeAt(this.#at) === COMMA) {
      this.#at += 1;
      this.#skip();
    }
    if (this.#json.charCodeAt(this.#at) !== end) return true;
    this.#at += 1;
    return false;
  }

  #skip(): void {
    while (isBlank(this.#json.charCodeAt(this.#at))) this.#at += 1;
  }

  /** What the string says that begins here. */
  #token(): string {
    const start = this.#at + 1;
    this.#at = stringEnd(this.#json, this.#at);
    const raw = this.#json.slice(start, this.#at - 1);
    return raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw;
  }
}

/** Of numbers, `true`, `false` and `null`. */
function isInScalar(code: number): boolean {
  return (
    code !== COMMA && code !== CLOSE_OBJECT && code !== CLOSE_ARRAY && !isBlank(code) && !Number.isNaN(code)
  );
}

/** A name as part of a JSON pointer (RFC 6901). */
function pointed(name: string | number): string {
  return String(name).replaceAll("~", "~0").replaceAll("/", "~1");
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
