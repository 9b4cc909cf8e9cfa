import type { Folded } from "./keys.ts";
import type { SongEntry } from "./mapping.ts";

/** The most candidates a person is asked to choose from (docs/music-analysis.md, Confirmation). */
export const MOST_CANDIDATES = 5;

const VERSION_MARKERS =
  /live|remix|remaster|acoustic|instrumental|inst\b|karaoke|cover|demo|edit|mix|feat|\bft\b|dj|现场|現場|伴奏|翻唱|混音|纯音乐|純音樂|版/u;

/** A similar song. */
export interface Offer {
  readonly entry: SongEntry;
  /** Its name in the exact form. */
  readonly name: Folded;
  /** The place of its signal in docs/music-analysis.md, Song names step 5; lower comes first. */
  readonly signal: number;
}

/** What decides its place in the list. */
interface Candidate extends Offer {
  /** Bears a version marker that the asked name lacks. */
  readonly marked: boolean;
  /** Characters that one name has more than the other. */
  readonly apart: number;
}

/**
 * The best of the similar songs that are offered: one for each id, in the order they are shown, never more than are
 * shown. That order is total, so the order of the offers does not matter.
 */
export class Shortlist {
  readonly #asked: Folded;
  readonly #askedMarked: boolean;
  readonly #best: Candidate[] = [];

  /** @param asked The exact form of the name that was asked for. */
  constructor(asked: Folded) {
    this.#asked = asked;
    this.#askedMarked = VERSION_MARKERS.test(asked.spaced);
  }

  get entries(): readonly SongEntry[] {
    return this.#best.map(({ entry }) => entry);
  }

  get isFull(): boolean {
    return this.#best.length === MOST_CANDIDATES;
  }

  /** Whether every name of that signal that has so many characters, or more, would be turned away. */
  isClosedTo(signal: number, length: number): boolean {
    const last = this.#best[MOST_CANDIDATES - 1];
    if (last === undefined || last.signal > signal) return false;
    return last.signal < signal || (!last.marked && length - this.#asked.key.length > last.apart);
  }

  offer({ entry, name, signal }: Offer): void {
    const apart = Math.abs(name.key.length - this.#asked.key.length);
    const hopeful = { entry, name, signal, marked: false, apart };
    const last = this.#best[MOST_CANDIDATES - 1];
    if (last !== undefined && byPlace(hopeful, last) >= 0) return;
    const marked = !this.#askedMarked && VERSION_MARKERS.test(name.spaced);
    const candidate = { ...hopeful, marked };
    const same = this.#best.findIndex((other) => other.entry.songId === entry.songId);
    const known = this.#best[same];
    if (known !== undefined && byPlace(candidate, known) >= 0) return;
    if (known !== undefined) this.#best.splice(same, 1);
    const place = this.#best.findIndex((other) => byPlace(candidate, other) < 0);
    this.#best.splice(place === -1 ? this.#best.length : place, 0, candidate);
    if (this.#best.length > MOST_CANDIDATES) this.#best.pop();
  }
}

function byPlace(left: Candidate, right: Candidate): number {
  return (
    left.signal - right.signal ||
    Number(left.marked) - Number(right.marked) ||
    left.apart - right.apart ||
    (left.entry.name < right.entry.name ? -1 : Number(left.entry.name > right.entry.name)) ||
    left.entry.songId - right.entry.songId
  );
}
