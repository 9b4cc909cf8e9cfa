import { BLANK, CLOSE_ARRAY, COMMA, OPEN_ARRAY, OPEN_OBJECT } from "./bytes.ts";
import { isPlainSession } from "./event-session.ts";
import { EventWriter } from "./event-writer.ts";
import type { FaultName } from "./rejection.ts";
import { Rejections } from "./rejections.ts";
import { Sheet } from "./sheet.ts";
import type { EventKeys, Stamp, Stamped } from "./stamped.ts";

/** Events of a body, the bad ones counted too. */
export const MOST_EVENTS = 1000;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

export interface StamperOptions {
  /** The server's session, for events that name none. */
  readonly session: string;
  /** Default false: what looks like a secret becomes `[redacted]`. */
  readonly keepSecrets?: boolean;
}

/**
 * Makes lines for the log out of a body: one object, an array of objects, objects one a line or one after the other. The
 * bytes are read once; an event in which nothing is noticed is copied as it came. One stamper for one session: what keys
 * and names were seen it remembers from body to body.
 */
export class Stamper {
  readonly #writer: EventWriter;
  readonly #sheet = new Sheet();
  readonly #rejections: Rejections;
  #seq = 0;
  #lengths: number[] = [];
  #keys: EventKeys[] = [];
  #traces: number[] = [];

  constructor({ session, keepSecrets = false }: StamperOptions) {
    this.#writer = new EventWriter(session, keepSecrets);
    this.#rejections = new Rejections(keepSecrets);
  }

  /** Never throws: what is no event is among `rejected`. */
  stamp(body: Uint8Array, stamp: Stamp): Stamped {
    const sheet = this.#sheet;
    sheet.load(body);
    this.#writer.begin(stamp);
    this.#rejections.begin(sheet);
    this.#seq = stamp.firstSeq;
    this.#lengths = [];
    this.#keys = [];
    this.#traces = [];
    if (stamp.session !== undefined && !isPlainSession(stamp.session)) this.#refuse("session");
    else this.#values();
    return {
      lines: sheet.take(),
      count: this.#keys.length,
      lengths: this.#lengths,
      keys: this.#keys,
      traces: this.#traces,
      rejected: this.#rejections.list,
    };
  }

  #values(): void {
    const { bytes, start, end } = this.#sheet;
    const marked = BYTE_ORDER_MARK.every((byte, place) => bytes[start + place] === byte);
    let at = this.#skip(marked ? start + BYTE_ORDER_MARK.length : start);
    if (at === end) this.#refuse("empty");
    while (at < end) {
      if (bytes[at] === OPEN_OBJECT) at = this.#object(at);
      else if (bytes[at] === OPEN_ARRAY) at = this.#array(at);
      else at = this.#rejections.other(this.#sheet, at);
      if (this.#keys.length + this.#rejections.list.length > MOST_EVENTS) {
        this.#refuse("many");
        return;
      }
      at = this.#skip(at);
    }
  }

  /** @returns where to go on */
  #object(at: number): number {
    const fault = this.#event(at);
    const { next } = this.#writer;
    if (fault === undefined) return next;
    if (fault === "syntax" || fault === "deep") return this.#rejections.broken(this.#sheet, at, fault, next);
    return this.#rejections.part(this.#sheet, at, next, fault);
  }

  /** All of an array; or nothing of it, nor of what follows. @returns where to go on */
  #array(start: number): number {
    const { bytes, end } = this.#sheet;
    const parts = this.#sheet.flush();
    const count = this.#keys.length;
    let at = this.#skip(start + 1);
    let element = 1;
    let fault: FaultName | undefined = bytes[at] === CLOSE_ARRAY ? "hollow" : undefined;
    while (fault === undefined && this.#keys.length <= MOST_EVENTS) {
      fault = bytes[at] === OPEN_OBJECT ? this.#event(at) : "object";
      if (fault !== undefined) break;
      at = this.#skip(this.#writer.next);
      if (bytes[at] === CLOSE_ARRAY) return at + 1;
      if (bytes[at] !== COMMA) fault = "syntax";
      at = this.#skip(at + 1);
      element++;
    }
    if (fault === undefined) return end;
    this.#sheet.rollBack(parts);
    for (const list of [this.#lengths, this.#keys, this.#traces]) list.length = count;
    return this.#rejections.element(this.#sheet, start, element, fault);
  }

  #event(at: number): FaultName | undefined {
    const writer = this.#writer;
    const fault = writer.write(this.#sheet, at, this.#seq);
    if (fault !== undefined) return fault;
    this.#seq++;
    this.#lengths.push(writer.length);
    this.#keys.push(writer.keys);
    this.#traces.push(writer.trace);
    return undefined;
  }

  #refuse(fault: FaultName): void {
    this.#sheet.rollBack(0);
    this.#lengths = [];
    this.#keys = [];
    this.#traces = [];
    this.#rejections.whole(this.#sheet, fault);
  }

  /** Past white space. */
  #skip(start: number): number {
    const { bytes } = this.#sheet;
    let at = start;
    while (BLANK[bytes[at] as number] === 1) at++;
    return at;
  }
}
