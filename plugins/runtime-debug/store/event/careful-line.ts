import { SPACE } from "./bytes.ts";
import { RESERVED } from "./key-names.ts";
import { faithful } from "./number-text.ts";
import { redact } from "./redaction.ts";
import { secrecy, REDACTED, type Secrecy } from "./secret-names.ts";
import { cutText } from "./text-cut.ts";
import { escapeUnsafe, safeJson } from "./unsafe-characters.ts";

/** Places named in `_flags`; of further ones only their number. */
const NAMED_PLACES = 8;
const LONGEST_PLACE = 200;
const PLAIN = /[-+.\w]*/y;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;

/** An event as it is stored, and what was done to it: `renamed`, `duplicate`, `number`, `cut`, `redacted:/data/token`. */
export interface CarefulLine {
  readonly json: string;
  readonly flags: readonly string[];
}

/**
 * The careful way for an event in which something was noticed: writes valid JSON anew, value by value, and keeps the
 * text of everything that need not change (docs/runtime-debug.md, section "Stored events").
 */
export function carefulLine(json: string, keepSecrets: boolean): CarefulLine {
  const writer = new Writer(json, keepSecrets);
  return { json: writer.value("", 0), flags: writer.flags() };
}

class Writer {
  readonly #json: string;
  readonly #keepSecrets: boolean;
  readonly #done = new Set<string>();
  readonly #places: string[] = [];
  #at = 0;

  constructor(json: string, keepSecrets: boolean) {
    this.#json = json;
    this.#keepSecrets = keepSecrets;
  }

  flags(): readonly string[] {
    const more = this.#places.length - NAMED_PLACES;
    return [
      ...["renamed", "duplicate", "number", "cut"].filter((flag) => this.#done.has(flag)),
      ...this.#places.slice(0, NAMED_PLACES).map((place) => `redacted:${place}`),
      ...(more > 0 ? [`redacted:…+${more}`] : []),
    ];
  }

  /** @param place JSON pointer, of names as they are stored */
  value(place: string, secret: Secrecy): string {
    this.#skip();
    const first = this.#json[this.#at];
    if (first === "{") return this.#object(place, secret);
    if (first === "[") return this.#array(place, secret);
    if (first === '"') return this.#string(place, secret > 0);
    return this.#plain(place, secret === 2);
  }

  #object(place: string, secret: Secrecy): string {
    const members: string[] = [];
    const names = new Set<string>();
    for (this.#at++; this.#more("}");) {
      const { name, json } = this.#name(place, names);
      this.#skip();
      this.#at++;
      const below: Secrecy = this.#keepSecrets ? 0 : (Math.max(secret, secrecy(name.sent)) as Secrecy);
      members.push(`${json}:${this.value(`${place}/${name.stored}`, below)}`);
    }
    return `{${members.join(",")}}`;
  }

  #array(place: string, secret: Secrecy): string {
    const elements: string[] = [];
    for (this.#at++; this.#more("]");) elements.push(this.value(`${place}/${elements.length}`, secret));
    return `[${elements.join(",")}]`;
  }

  #name(place: string, names: Set<string>): { name: { sent: string; stored: string }; json: string } {
    const raw = this.#token();
    const sent = text(raw);
    const renamed = place === "" && RESERVED.has(sent) ? `_${sent}` : sent;
    const stored = this.#keepSecrets ? renamed : redact(renamed);
    if (renamed !== sent) this.#done.add("renamed");
    if (names.has(renamed)) this.#done.add("duplicate");
    names.add(renamed);
    if (stored !== renamed) this.#redacted(`${place}/${pointed(stored)}`);
    return {
      name: { sent, stored: pointed(stored) },
      json: stored === sent ? escapeUnsafe(raw) : safeJson(stored),
    };
  }

  #string(place: string, secret: boolean): string {
    const raw = this.#token();
    const sent = text(raw);
    const clean = this.#keepSecrets ? sent : secret && sent !== "" ? REDACTED : redact(sent);
    if (clean !== sent) this.#redacted(place);
    const kept = cutText(clean);
    if (kept !== clean) this.#done.add("cut");
    return kept === sent ? escapeUnsafe(raw) : safeJson(kept);
  }

  /** A number, true, false or null. */
  #plain(place: string, secret: boolean): string {
    PLAIN.lastIndex = this.#at;
    const [raw = ""] = PLAIN.exec(this.#json) ?? [];
    this.#at += raw.length;
    if (/^[tfn]/.test(raw)) return raw;
    if (secret) {
      this.#redacted(place);
      return JSON.stringify(REDACTED);
    }
    if (!faithful(raw)) this.#done.add("number");
    return raw;
  }

  #redacted(place: string): void {
    this.#places.push(place.length > LONGEST_PLACE ? `${place.slice(0, LONGEST_PLACE)}…` : place);
  }

  /** Whether another member or element follows; past what ends them when not. */
  #more(end: string): boolean {
    this.#skip();
    if (this.#json[this.#at] === ",") {
      this.#at++;
      this.#skip();
    }
    if (this.#json[this.#at] !== end) return true;
    this.#at++;
    return false;
  }

  #skip(): void {
    // Above the space there is no white space; of what is below it valid JSON has no other here.
    while (this.#json.charCodeAt(this.#at) <= SPACE) this.#at++;
  }

  /** The string that begins here, with its quotes. */
  #token(): string {
    STRING.lastIndex = this.#at;
    const [raw = ""] = STRING.exec(this.#json) ?? [];
    this.#at += raw.length;
    return raw;
  }
}

function text(raw: string): string {
  return raw.includes("\\") ? (JSON.parse(raw) as string) : raw.slice(1, -1);
}

/** A name as part of a JSON pointer (RFC 6901). */
function pointed(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
