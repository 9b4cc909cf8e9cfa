import { sameBytes } from "./same-bytes.ts";

/** What is known is in sets of four: a new one takes the place of one of its set. */
const SETS = 1024;
const WAYS = 4;
/** Most bytes of the three values together; longer ones are not remembered. */
const LONGEST = 512;
const VALUES = 3;
const ROW = VALUES + 1;

/** Three values among bytes: where each begins, how long it is (0: there is none); and a number that says what they mean. */
export class FieldSpans {
  readonly starts = new Int32Array(VALUES);
  readonly lengths = new Int32Array(VALUES);
  meaning = 0;
}

/** What was made of the bytes of three values, remembered for the next event with the same ones. */
export class FieldMemory<Made> {
  readonly #made: (Made | undefined)[] = Array.from({ length: SETS * WAYS });
  /** Of each place: the meaning, and the lengths of the values. */
  readonly #rows = new Int32Array(SETS * WAYS * ROW);
  readonly #bytes = Buffer.allocUnsafeSlow(SETS * WAYS * LONGEST);
  readonly #view = new DataView(this.#bytes.buffer);
  #next = 0;

  find(view: DataView, spans: FieldSpans): Made | undefined {
    const first = setOf(view, spans);
    for (let place = first; place < first + WAYS; place++) {
      const made = this.#made[place];
      if (made !== undefined && this.#isSame(place, view, spans)) return made;
    }
    return undefined;
  }

  learn(bytes: Buffer, view: DataView, spans: FieldSpans, made: Made): void {
    const { starts, lengths, meaning } = spans;
    const [first = 0, second = 0, third = 0] = lengths;
    if (first + second + third > LONGEST) return;
    this.#next = (this.#next + 1) % WAYS;
    const place = setOf(view, spans) + this.#next;
    this.#made[place] = made;
    this.#rows[place * ROW] = meaning;
    this.#rows.set(lengths, place * ROW + 1);
    let to = place * LONGEST;
    for (let value = 0; value < VALUES; value++) {
      const start = starts[value] as number;
      to += bytes.copy(this.#bytes, to, start, start + (lengths[value] as number));
    }
  }

  forget(): void {
    this.#made.fill(undefined);
  }

  #isSame(place: number, view: DataView, { starts, lengths, meaning }: FieldSpans): boolean {
    const row = place * ROW;
    if (this.#rows[row] !== meaning) return false;
    let at = place * LONGEST;
    for (let value = 0; value < VALUES; value++) {
      const length = lengths[value] as number;
      if (this.#rows[row + 1 + value] !== length) return false;
      if (!isSameText(view, starts[value] as number, this.#view, at, length)) return false;
      at += length;
    }
    return true;
  }
}

/** The first place of the set of some values, by a hash of their bytes. */
function setOf(view: DataView, { starts, lengths }: FieldSpans): number {
  let hash = 0;
  for (let value = 0; value < VALUES; value++) {
    const length = lengths[value] as number;
    const start = starts[value] as number;
    const end = start + Math.min(length, LONGEST);
    let at = start;
    for (; at + 4 <= end; at += 4) hash = mixed(hash, view.getInt32(at, true));
    for (; at < end; at++) hash = mixed(hash, view.getUint8(at));
    hash = mixed(hash, length);
  }
  return ((hash ^ (hash >>> 15)) & (SETS - 1)) * WAYS;
}

function mixed(hash: number, value: number): number {
  const next = Math.imul(hash ^ value, 0x9e3779b1);
  return next ^ (next >>> 13);
}

function isSameText(one: DataView, at: number, other: DataView, otherAt: number, length: number): boolean {
  if (length >= 4) return sameBytes(one, at, other, otherAt, length);
  for (let place = 0; place < length; place++) {
    if (one.getUint8(at + place) !== other.getUint8(otherAt + place)) return false;
  }
  return true;
}
