import { CAREFUL_KEY, keyKind, TWICE } from "./key-names.ts";
import { sameBytes } from "./same-bytes.ts";

const MOST_NODES = 2048;
const MOST_BYTES = 65_536;
/** Keys of one object that are compared with each other when one is new; with more the careful way is quicker. */
const COMPARED = 32;
/** Different keys that are remembered in one place. */
const MOST_ALTERNATIVES = 8;

/**
 * The keys of earlier events as a tree: which key came after which, and which first in its value. Programs send few
 * shapes of events, so that a key is nearly always one that was seen in the same place: then neither what it means nor
 * whether it is there twice has to be asked again.
 *
 * A node is a key in its place; its two links, `2 * node` and `2 * node + 1`, lead to the keys that came first in its
 * value and next in its object. Node 0 is the event itself.
 */
export class KeyMemory {
  /** What the key of a node is: `key-names.ts`. */
  readonly kinds = new Int8Array(MOST_NODES);
  /** The latest plain text that was the value of a node, as a place among what is read; forgotten with it. */
  readonly valueStarts = new Int32Array(MOST_NODES);
  readonly valueLengths = new Int32Array(MOST_NODES);
  /** Length of a key with quotes and colon. */
  readonly lengths = new Int32Array(MOST_NODES);

  readonly #keepSecrets: boolean;
  readonly #links = new Int32Array(2 * MOST_NODES);
  readonly #alternatives = new Int32Array(MOST_NODES);
  readonly #before = new Int32Array(MOST_NODES);
  readonly #ranks = new Int32Array(MOST_NODES);
  readonly #starts = new Int32Array(MOST_NODES);
  readonly #names = Buffer.alloc(MOST_BYTES + 8);
  readonly #view = new DataView(this.#names.buffer, this.#names.byteOffset, this.#names.length);
  #nodes = 1;
  #used = 0;
  #full = false;

  constructor(keepSecrets: boolean) {
    this.#keepSecrets = keepSecrets;
  }

  /** Called before an event: begins anew when there is no room left. */
  tidy(): void {
    if (!this.#full) return;
    this.#full = false;
    this.#nodes = 1;
    this.#used = 0;
    this.#links.fill(0);
  }

  /** Called before other bytes are read. */
  forgetValues(): void {
    this.valueLengths.fill(0, 0, this.#nodes);
  }

  /** The node of the key, with quotes and colon, that begins at `at`, where the link leads; 0 when it is not known. */
  find(view: DataView, at: number, link: number): number {
    for (let node = this.#links[link] as number; node !== 0; node = this.#alternatives[node] as number) {
      if (sameBytes(view, at, this.#view, this.#starts[node] as number, this.lengths[node] as number))
        return node;
    }
    return 0;
  }

  /**
   * Remembers a key, whose bytes with its quotes are from `start` to `end`, all of them ASCII and none escaped.
   * @param before the key before it in its object; 0 for the first
   * @returns 0 when there is no room, or the key is too short to be compared by words
   */
  learn(bytes: Buffer, start: number, end: number, link: number, before: number): number {
    const length = end - start + 1;
    if (length < 4) return 0;
    this.#full ||= this.#nodes === MOST_NODES || this.#used + length > MOST_BYTES;
    if (this.#full) return 0;
    const node = this.#place(link);
    bytes.copy(this.#names, this.#used, start, end);
    this.#names[this.#used + length - 1] = 0x3a;
    this.#starts[node] = this.#used;
    this.lengths[node] = length;
    this.valueLengths[node] = 0;
    this.#used += length;
    this.#links[2 * node] = 0;
    this.#links[2 * node + 1] = 0;
    this.#before[node] = before;
    this.#ranks[node] = before === 0 ? 0 : (this.#ranks[before] as number) + 1;
    const kind = keyKind(bytes.toString("latin1", start + 1, end - 1), this.#keepSecrets);
    if (!this.#isTwice(node)) this.kinds[node] = kind;
    else this.kinds[node] = kind < 0 ? CAREFUL_KEY : kind + TWICE;
    return node;
  }

  /** A node for a new key behind a link; where many are known, the oldest gives way. */
  #place(link: number): number {
    let oldest = this.#links[link] as number;
    let known = oldest === 0 ? 0 : 1;
    for (let next = this.#alternatives[oldest] as number; known > 0 && next !== 0; known++) {
      oldest = next;
      next = this.#alternatives[next] as number;
    }
    if (known === MOST_ALTERNATIVES) return oldest;
    const node = this.#nodes++;
    this.#alternatives[node] = this.#links[link] as number;
    this.#links[link] = node;
    return node;
  }

  /** Whether the key was there before in its object, or so many that it has to be looked at otherwise. */
  #isTwice(node: number): boolean {
    if ((this.#ranks[node] as number) >= COMPARED) return true;
    const start = this.#starts[node] as number;
    const length = this.lengths[node] as number;
    for (let other = this.#before[node] as number; other !== 0; other = this.#before[other] as number) {
      const same = this.lengths[other] === length;
      if (same && sameBytes(this.#view, start, this.#view, this.#starts[other] as number, length))
        return true;
    }
    return false;
  }
}
