import { randomBytes } from "node:crypto";
import { escapeUnsafe } from "./inert-text.ts";
import { faithful, MAY_CHANGE, replaceNumbers } from "./json-text.ts";
import type { Redaction } from "./redaction.ts";
import { announces, REDACTED, secrecy, type Secrecy } from "./secret-names.ts";

/** Longest text, and longest key, in bytes of UTF-8. */
const MOST_STRING = 65_536;
/** No text of fewer characters is too long. */
const SHORT = MOST_STRING / 3;
/** Places named in `_flags`; of further ones only their number. */
const NAMED_PLACES = 8;
const LONGEST_PLACE = 200;
/** Keys that only the server writes. */
const RESERVED: ReadonlySet<string> = new Set(["_seq", "_at", "_run", "_src", "_flags", "_gap"]);
/** Before a number that stands as a text for as long as an event is rewritten; nobody can send it. */
const NUMBER = `${randomBytes(16).toString("hex")}:`;
const NUMBERS = new RegExp(`"${NUMBER}([^"]*)"`, "g");

type Event = Readonly<Record<string, unknown>>;

/** An event as it is stored, and what was done to it: `renamed`, `number`, `cut`, `redacted:/data/token`. */
export interface StoredText {
  readonly json: string;
  readonly event: Event;
  readonly flags: readonly string[];
}

/**
 * An event's own text, byte for byte but for line ends and characters that act where they are shown. Written anew where
 * something in it must not be stored as it came: secrets, keys that are the server's, what is too long, and keys that
 * are there twice, of which readers see the last and nobody has looked at the others; numbers keep their digits then too.
 * @param keys how many keys stand in the text
 * @param redaction none where secrets are kept
 */
export function storedText(
  sent: string,
  event: Event,
  keys: number,
  redaction: Redaction | undefined,
): StoredText {
  // No string holds a raw line end: it stands between tokens, and so does the space behind it.
  const json = /[\n\r\t]/.test(sent) ? sent.replaceAll(/[\n\r\t]+ */g, "") : sent;
  const look = new Look(redaction);
  const stored = look.event(event);
  let isUnfaithful = false;
  if (MAY_CHANGE.test(json))
    replaceNumbers(json, (number) => {
      isUnfaithful ||= !faithful(number);
      return "";
    });
  const flags = look.flags(isUnfaithful);
  if (stored === event && (look.keys === keys || !redaction))
    return { json: escapeUnsafe(json), event, flags };
  if (!isUnfaithful) return { json: escapeUnsafe(JSON.stringify(stored)), event: stored, flags };
  const marked = replaceNumbers(json, (number) => (faithful(number) ? number : `"${NUMBER}${number}"`));
  const exact = new Look(redaction).event(JSON.parse(marked) as Event);
  return {
    json: escapeUnsafe(JSON.stringify(exact).replace(NUMBERS, "$1")),
    event: stored,
    flags,
  };
}

/** One look at an event; what need not be replaced stays the same object. */
class Look {
  readonly #redaction: Redaction | undefined;
  readonly #done = new Set<string>();
  /** JSON pointers of what was redacted, of names as they are stored. */
  readonly #places: string[] = [];
  /** The names and numbers that lead to where it is. */
  readonly #path: (string | number)[] = [];
  /** Keys on all levels. */
  keys = 0;

  constructor(redaction: Redaction | undefined) {
    this.#redaction = redaction;
  }

  event(event: Event): Event {
    return this.#object(event, 0);
  }

  flags(isUnfaithful: boolean): readonly string[] {
    const more = this.#places.length - NAMED_PLACES;
    return [
      ...(this.#done.has("renamed") ? ["renamed"] : []),
      ...(isUnfaithful ? ["number"] : []),
      ...(this.#done.has("cut") ? ["cut"] : []),
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
    const isPair = [name, key].some((one) => typeof one === "string" && secrecy(one) > 0);
    let isChanged = false;
    const entries = Object.entries(object).map(([sent, member]) => {
      this.keys += 1;
      this.#path.push(sent);
      const stored = this.#key(sent);
      this.#path[this.#path.length - 1] = stored;
      const own = isPair && sent === "value" && typeof value === "string" ? 1 : 0;
      const below = this.#redaction ? (Math.max(secret, own, secrecy(sent)) as Secrecy) : 0;
      const kept = this.#value(member, below);
      this.#path.pop();
      isChanged ||= kept !== member || stored !== sent;
      return [stored, kept] as const;
    });
    return isChanged ? Object.fromEntries(entries) : object;
  }

  #array(array: readonly unknown[], secret: Secrecy): readonly unknown[] {
    let isChanged = false;
    const kept = array.map((one, at) => {
      const before = array[at - 1];
      const isPair =
        this.#redaction !== undefined &&
        secret === 0 &&
        typeof before === "string" &&
        typeof one === "string" &&
        announces(before, one, at - 1, array.length);
      this.#path.push(at);
      const stored = this.#value(one, isPair ? 1 : secret);
      this.#path.pop();
      isChanged ||= stored !== one;
      return stored;
    });
    return isChanged ? kept : array;
  }

  /** A key as it is stored. */
  #key(sent: string): string {
    const renamed = this.#path.length === 1 && RESERVED.has(sent) ? `_${sent}` : sent;
    if (renamed !== sent) this.#done.add("renamed");
    else if (this.#isPlain(sent)) return sent;
    const clean = this.#redaction?.text(renamed) ?? renamed;
    const kept = this.#cut(clean);
    this.#path[this.#path.length - 1] = kept;
    return clean === renamed ? kept : this.#redacted(kept);
  }

  #string(sent: string, secret: Secrecy): string {
    if (sent.startsWith(NUMBER)) return secret === 2 ? REDACTED : sent;
    if (secret === 0 && this.#isPlain(sent)) return sent;
    const clean = secret > 0 && sent !== "" ? REDACTED : (this.#redaction?.text(sent) ?? sent);
    const kept = this.#cut(clean);
    return clean === sent ? kept : this.#redacted(kept);
  }

  /** Whether a text stays as it is. */
  #isPlain(sent: string): boolean {
    return sent.length < SHORT && (!this.#redaction || this.#redaction.isPlain(sent));
  }

  #redacted(kept: string): string {
    const place = `/${this.#path.map(pointed).join("/")}`;
    this.#places.push(place.length > LONGEST_PLACE ? `${place.slice(0, LONGEST_PLACE)}…` : place);
    return kept;
  }

  /** A text of at most 64 KiB of UTF-8: of a longer one its beginning, and how much is missing. */
  #cut(text: string): string {
    if (text.length < SHORT) return text;
    const bytes = Buffer.from(text);
    if (bytes.length <= MOST_STRING) return text;
    let end = MOST_STRING;
    while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
    this.#done.add("cut");
    return `${bytes.toString("utf8", 0, end)}…(+${bytes.length - end} bytes)`;
  }
}

/** A name as part of a JSON pointer (RFC 6901). */
function pointed(name: string | number): string {
  return String(name).replaceAll("~", "~0").replaceAll("/", "~1");
}
