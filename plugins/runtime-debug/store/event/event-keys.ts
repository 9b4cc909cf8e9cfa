import { QUOTE, SMALL_N } from "./bytes.ts";
import { FieldMemory, FieldSpans } from "./field-memory.ts";
import { fieldText, hypothesisText, probeText } from "./field-text.ts";
import { FIELD } from "./key-names.ts";
import { runName, runText } from "./run-name.ts";
import type { Scanner } from "./scanner.ts";
import type { Sheet } from "./sheet.ts";
import { OTHER, type EventKeys } from "./stamped.ts";

const LONGEST = 1000;
const MOST_KEYS = 65_000;
const MOST_CHARACTERS = 8_388_608;

/** What was made of an event's fields. */
export interface Seen {
  readonly keys: EventKeys;
  /** The event's run, whatever became of the keys. */
  readonly run: string;
}

/**
 * The different keys of a session's events, each kept once. What was made of some bytes is remembered for the next event
 * with the same ones, so that ordinary events cost no string at all.
 */
export class EventKeyBook {
  readonly #keys = new Map<string, EventKeys>();
  readonly #memory = new FieldMemory<Seen>();
  readonly #spans = new FieldSpans();
  #served = "";
  #characters = 0;

  /** @param served the run of events that name none */
  seen(sheet: Sheet, { starts, ends }: Scanner, served: string): Seen {
    const { bytes, view } = sheet;
    if (served !== this.#served) {
      this.#served = served;
      this.#memory.forget();
    }
    const name = nameField(bytes, starts, ends);
    this.#span(0, FIELD.hypothesisId, starts, ends);
    this.#span(1, FIELD.runId, starts, ends);
    this.#span(2, name, starts, ends);
    this.#spans.meaning = name;
    const known = this.#memory.find(view, this.#spans);
    if (known !== undefined) return known;
    const made = this.#make(bytes, name);
    this.#memory.learn(bytes, view, this.#spans, made);
    return made;
  }

  #span(value: number, field: number, starts: Int32Array, ends: Int32Array): void {
    const start = starts[field] as number;
    this.#spans.starts[value] = start;
    this.#spans.lengths[value] = (ends[field] as number) - start;
  }

  #make(bytes: Buffer, field: number): Seen {
    const hypothesis = hypothesisText(valueOf(this.#json(bytes, 0)));
    const run = runName(runText(this.#json(bytes, 1)) || this.#served);
    const name = fieldText(valueOf(this.#json(bytes, 2)));
    const location = field === FIELD.location ? name : "";
    return { keys: this.#intern({ hypothesis, run, location, probe: probeText(location, name) }), run };
  }

  #json(bytes: Buffer, value: number): string {
    const start = this.#spans.starts[value] as number;
    return bytes.toString("utf8", start, start + (this.#spans.lengths[value] as number));
  }

  #intern(keys: EventKeys): EventKeys {
    const { hypothesis, run, location, probe } = keys;
    if (Math.max(hypothesis.length, run.length, location.length) > LONGEST) return OTHER;
    const lengths = `${hypothesis.length},${run.length},${location.length}`;
    const name = `${lengths},${hypothesis}${run}${location}${probe}`;
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

function valueOf(json: string): unknown {
  if (json === "") return undefined;
  return json.startsWith('"') && !json.includes("\\") ? json.slice(1, -1) : JSON.parse(json);
}
