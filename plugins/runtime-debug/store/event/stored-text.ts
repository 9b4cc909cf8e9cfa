import { randomBytes } from "node:crypto";
import { missing, type EventSize } from "./bounded-text.ts";
import { escapeUnsafe } from "./inert-text.ts";
import { announces, REDACTED, secrecy, type Redaction, type Secrecy } from "./redaction.ts";

/** The maximum length of a text and of a key, in bytes of UTF-8. */
const MOST_STRING = 65_536;
const MOST_KEY = 1_024;
/** The number of places named in `_flags`; further ones are only counted. */
const NAMED_PLACES = 8;
const LONGEST_PLACE = 200;
/** Keys that only the server writes. */
const RESERVED: ReadonlySet<string> = new Set(["_seq", "_at", "_run", "_src", "_flags", "_gap"]);
/** The internal prefix of a number that will be stored as text. */
const DIGITS = `${randomBytes(16).toString("hex")}:`;
const STRING = '"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"';
const NUMBERS = new RegExp(`${STRING}|-?\\d[\\d.eE+-]*`, "g");
/** Whether JSON parsers may change some number in a list or object. */
const MAY_CHANGE = /[\s:,[](?:-0|-?[\d.]{16}|-?[\d.]+[eE])/;
/** The number of digits that a double preserves. */
const SIGNIFICANT = 17;

type Event = Readonly<Record<string, unknown>>;

/** An event as it was received. */
export interface Sent extends EventSize {
  /** Its own text; missing for an element of a list. */
  readonly own: string | undefined;
  readonly event: Event;
  /** Its name in sentences. */
  readonly who: string;
}

/** A stored event, and its flags: `renamed`, `number`, `cut`, `doubled`, `redacted:/data/token`. */
export interface StoredText {
  readonly json: string;
  readonly event: Event;
  readonly flags: readonly string[];
}

/**
 * The value of a JSON text; numbers that JSON parsers would change are marked, to be stored as texts. `undefined` if it
 * is not JSON.
 */
export function valueIn(json: string): unknown {
  try {
    const value = JSON.parse(json) as unknown;
    if (!MAY_CHANGE.test(json)) return value;
    const marked = json.replace(NUMBERS, (token) => (isFaithful(token) ? token : `"${DIGITS}${token}"`));
    return marked === json ? value : (JSON.parse(marked) as unknown);
  } catch {
    return undefined;
  }
}

/**
 * Whether JSON parsers preserve a number: integers exactly, others to the 17 digits of a double, without overflow to
 * infinity or underflow to 0, including -0. Strings are always preserved.
 */
function isFaithful(token: string): boolean {
  if (token.startsWith('"')) return true;
  const value = Number(token);
  if (token.length > 400 || !Number.isFinite(value) || Object.is(value, -0)) return false;
  if (/^-?\d+$/.test(token)) return BigInt(token) === BigInt(value);
  const [written = ""] = token.split(/e/i, 1);
  const digits = written.replace(/[-.]/g, "").replace(/^0+|(?<!0)0+$/g, "");
  return digits.length <= SIGNIFICANT && (value !== 0 || digits === "");
}

/**
 * An event's own text, except line ends and characters with an effect on displays. It is rewritten if a part must not
 * be stored as received: secrets, reserved keys, overlong values, numbers that parsers would change, and duplicate
 * keys, of which only the last was checked. @param redaction missing if secrets are kept
 */
export function storedText({ own, keys, isCut, event }: Sent, redaction: Redaction | undefined): StoredText {
  const look = new Look(redaction, isCut);
  const stored = look.event(event, keys);
  // JSON strings contain no raw line end: such a line end is between tokens, and so is the space after it.
  const text =
    own !== undefined && stored === event && look.keys === keys
      ? own.replaceAll(/[\n\r\t]+ */g, "")
      : JSON.stringify(stored);
  return { json: escapeUnsafe(text), event: stored, flags: look.flags };
}

/** An event as text; numbers that parsers would change are strings, without the internal mark. */
export function textOf({ event }: Sent): string {
  return JSON.stringify(event).replaceAll(DIGITS, "");
}

/** One pass over an event; unchanged parts stay the same objects. */
class Look {
  readonly #redaction: Redaction | undefined;
  readonly #done = new Set<"renamed" | "number" | "cut" | "doubled">();
  /** JSON pointers of redacted values, with stored names. */
  readonly #places: string[] = [];
  /** The names and indices of the current position. */
  readonly #path: (string | number)[] = [];
  /** Keys on all levels. */
  keys = 0;

  constructor(redaction: Redaction | undefined, isCut: boolean) {
    this.#redaction = redaction;
    if (isCut) this.#done.add("cut");
  }

  /** @param sent the number of keys in its text */
  event(event: Event, sent: number): Event {
    const stored = this.#object(event, 0);
    if (this.keys !== sent) this.#done.add("doubled");
    return stored;
  }

  get flags(): readonly string[] {
    const more = this.#places.length - NAMED_PLACES;
    return [
      ...this.#done,
      ...this.#places.slice(0, NAMED_PLACES).map((place) => `redacted:${place}`),
      ...(more > 0 ? [`redacted:…+${more}`] : []),
    ];
  }

  #value(value: unknown, secret: Secrecy): unknown {
    if (typeof value === "string") return this.#string(value, secret);
    if (typeof value === "number") return secret === 2 ? this.#redacted(REDACTED) : value;
    if (typeof value !== "object" || value === null) return value;
    return Array.isArray(value) ? this.#array(value, secret) : this.#object(value as Event, secret);
  }

  #object(object: Event, secret: Secrecy): Event {
    const { name, key, value } = object;
    const isPair =
      this.#redaction !== undefined &&
      typeof value === "string" &&
      [name, key].some((one) => typeof one === "string" && secrecy(one) > 0);
    let entries: (readonly [string, unknown])[] | undefined;
    const names = Object.keys(object);
    for (let at = 0; at < names.length; at += 1) {
      const sent = names[at] as string;
      const member = object[sent];
      this.keys += 1;
      const { clean, secrecy: named } = this.#redaction?.name(sent) ?? { clean: sent, secrecy: 0 };
      const stored = this.#key(sent, clean);
      this.#path.push(stored);
      const own = isPair && sent === "value" ? 1 : named;
      const kept = this.#value(member, own > secret ? own : secret);
      this.#path.pop();
      if (kept !== member || stored !== sent)
        entries ??= names.slice(0, at).map((name) => [name, object[name]]);
      entries?.push([stored, kept]);
    }
    if (!entries) return object;
    const changed = Object.fromEntries(entries);
    // Keys that were cut or renamed may now be equal.
    if (Object.keys(changed).length < entries.length) this.#done.add("doubled");
    return changed;
  }

  #array(array: readonly unknown[], secret: Secrecy): readonly unknown[] {
    let isChanged = false;
    const kept = array.map((one, at) => {
      const before = array[at - 1];
      const isPair =
        this.#redaction !== undefined &&
        typeof before === "string" &&
        typeof one === "string" &&
        announces(before, one, at - 1, array.length);
      this.#path.push(at);
      const stored = this.#value(one, isPair && secret === 0 ? 1 : secret);
      this.#path.pop();
      isChanged ||= stored !== one;
      return stored;
    });
    return isChanged ? kept : array;
  }

  /** The stored form of a key. */
  #key(sent: string, clean: string): string {
    const isReserved = this.#path.length === 0 && RESERVED.has(sent);
    if (isReserved) this.#done.add("renamed");
    const kept = this.#cut(isReserved ? `_${clean}` : clean, MOST_KEY);
    if (clean !== sent) this.#place([...this.#path, kept]);
    return kept;
  }

  #string(sent: string, secret: Secrecy): string {
    const isNumber = sent.startsWith(DIGITS);
    if (isNumber) this.#done.add("number");
    if (secret > (isNumber ? 1 : 0) && sent !== "") return this.#redacted(REDACTED);
    if (isNumber) return sent.slice(DIGITS.length);
    const clean = this.#redaction?.text(sent) ?? sent;
    const kept = this.#cut(clean, MOST_STRING);
    return clean === sent ? kept : this.#redacted(kept);
  }

  #redacted(kept: string): string {
    this.#place(this.#path);
    return kept;
  }

  #place(path: readonly (string | number)[]): void {
    const place = `/${path.map(pointed).join("/")}`;
    this.#places.push(place.length > LONGEST_PLACE ? `${place.slice(0, LONGEST_PLACE)}…` : place);
  }

  /** A text cut to a number of bytes of UTF-8, with the length of the omitted part. */
  #cut(text: string, most: number): string {
    if (text.length * 3 < most) return text;
    const bytes = Buffer.from(text);
    if (bytes.length <= most) return text;
    let end = most;
    while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
    this.#done.add("cut");
    return `${bytes.toString("utf8", 0, end)}${missing(bytes.length - end)}`;
  }
}

/** A name as part of a JSON pointer (RFC 6901). */
function pointed(name: string | number): string {
  return String(name).replaceAll("~", "~0").replaceAll("/", "~1");
}
