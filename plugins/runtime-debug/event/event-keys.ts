import { QUOTE, SMALL_N } from "./bytes.ts";
import { fieldText, hypothesisText, probeText } from "./field-text.ts";
import { FIELD } from "./key-names.ts";
import { runName } from "./run-name.ts";
import { sameBytes } from "./same-bytes.ts";
import type { Scanner } from "./scanner.ts";
import type { Sheet } from "./sheet.ts";
import { OTHER, type EventKeys } from "./stamped.ts";

const LONGEST = 1000;
const MOST_KEYS = 65_000;
const MOST_CHARACTERS = 8_388_608;
const SLOTS = 1024;

/** What was made of the bytes of an event's fields. */
export interface Seen {
  readonly keys: EventKeys;
  /** The event's run, whatever became of the keys. */
  readonly run: string;
}

interface Slot extends Seen {
  readonly served: string;
  readonly field: number;
  /** Hypothesis, run, and location or message, as sent, one after the other. */
  readonly parts: DataView;
  readonly lengths: readonly [hypothesis: number, run: number, name: number];
}

/**
 * The different keys of a session's events, each kept once. What was made of some bytes is remembered for the next event
 * with the same ones, so that ordinary events cost no string at all.
 */
export class EventKeyBook {
  readonly #keys = new Map<string, EventKeys>();
  readonly #slots: (Slot | undefined)[] = Array.from({ length: SLOTS });
  #characters = 0;

  /** @param served the run of events that name none */
  seen(sheet: Sheet, { starts, ends }: Scanner, served: string): Seen {
    const { bytes, view } = sheet;
    const field = nameField(bytes, starts, ends);
    const hypothesis = starts[FIELD.hypothesisId] as number;
    const hypothesisLength = (ends[FIELD.hypothesisId] as number) - hypothesis;
    const run = starts[FIELD.runId] as number;
    const runLength = (ends[FIELD.runId] as number) - run;
    const name = starts[field] as number;
    const nameLength = (ends[field] as number) - name;
    const place = slotOf(bytes, hypothesis, run, name, nameLength);
    const slot = this.#slots[place];
    if (
      slot !== undefined &&
      slot.served === served &&
      slot.field === field &&
      slot.lengths[0] === hypothesisLength &&
      slot.lengths[1] === runLength &&
      slot.lengths[2] === nameLength &&
      sameText(view, hypothesis, slot.parts, 0, hypothesisLength) &&
      sameText(view, run, slot.parts, hypothesisLength, runLength) &&
      sameText(view, name, slot.parts, hypothesisLength + runLength, nameLength)
    ) {
      return slot;
    }
    const parts = Buffer.concat([
      bytes.subarray(hypothesis, hypothesis + hypothesisLength),
      bytes.subarray(run, run + runLength),
      bytes.subarray(name, name + nameLength),
    ]);
    const made = this.#make(parts, [hypothesisLength, runLength, nameLength], field, served);
    this.#slots[place] = made;
    return made;
  }

  #make(parts: Buffer, lengths: Slot["lengths"], field: number, served: string): Slot {
    const [first, second] = lengths;
    const hypothesis = hypothesisText(valueOf(parts.toString("utf8", 0, first)));
    const run = runName(runText(parts.toString("utf8", first, first + second)) || served);
    const name = fieldText(valueOf(parts.toString("utf8", first + second)));
    const location = field === FIELD.location ? name : "";
    const keys = this.#intern({ hypothesis, run, location, probe: probeText(location, name) });
    const view = new DataView(parts.buffer, parts.byteOffset, parts.length);
    return { keys, run, served, field, parts: view, lengths };
  }

  #intern(keys: EventKeys): EventKeys {
    const { hypothesis, run, location, probe } = keys;
    if (Math.max(hypothesis.length, run.length, location.length) > LONGEST) return OTHER;
    const name = JSON.stringify([hypothesis, run, location, probe]);
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    if (this.#keys.size >= MOST_KEYS || this.#characters + name.length > MOST_CHARACTERS) return OTHER;
    this.#characters += name.length;
    this.#keys.set(name, keys);
    return keys;
  }
}

/** The field that names the probe: a location that says something, else the message. */
function nameField(bytes: Uint8Array, starts: Int32Array, ends: Int32Array): number {
  const location = starts[FIELD.location] as number;
  if (location !== 0 && bytes[location] !== SMALL_N) {
    if (bytes[location] !== QUOTE || (ends[FIELD.location] as number) - location > 2) return FIELD.location;
  }
  const msg = starts[FIELD.msg] as number;
  return msg !== 0 && bytes[msg] !== SMALL_N ? FIELD.msg : FIELD.message;
}

/** Where the fields of an event are looked for: by the bytes in which probes of one program differ most. */
function slotOf(bytes: Uint8Array, hypothesis: number, run: number, name: number, length: number): number {
  let mix = Math.imul(length, 0x85ebca6b);
  if (hypothesis !== 0) mix ^= bytes[hypothesis + 1] as number;
  if (run !== 0) mix ^= (bytes[run + 1] as number) << 8;
  if (length > 3)
    mix ^= ((bytes[name + length - 2] as number) << 16) | ((bytes[name + length - 3] as number) << 24);
  return Math.imul(mix, 0x9e3779b1) >>> 22;
}

function sameText(view: DataView, at: number, other: DataView, otherAt: number, length: number): boolean {
  if (length >= 4) return sameBytes(view, at, other, otherAt, length);
  for (let place = 0; place < length; place++) {
    if (view.getUint8(at + place) !== other.getUint8(otherAt + place)) return false;
  }
  return true;
}

function valueOf(json: string): unknown {
  return json === "" ? undefined : JSON.parse(json);
}

/** A run as it is stored in `_run`: numbers keep all of their digits. */
function runText(json: string): string {
  return json === "null" ? "" : json.startsWith('"') ? (JSON.parse(json) as string) : json;
}
