/** The name of a song in a file. `order` counts songs with the same title in one table, from 0. */
export interface SongName {
  readonly title: string;
  readonly isrc?: string;
  readonly order?: number;
  /** Whether the title comes from a file name, in which some characters are replaced. */
  readonly isFromFileName?: boolean;
}

/** A song. Its `id` is assigned once and never reused for another song. */
interface Song {
  readonly id: number;
  readonly title: string;
  readonly isrc?: string;
  /** Whether the title comes from a file name; one from a table replaces it. */
  readonly isFromFileName?: boolean;
}

/**
 * Assigns ids to songs. The names in the present files, in their order, determine which names belong to one song: first by ISRC, then by
 * title. Ids are assigned once: a song of removed files keeps its id and gets it back when a file names it again.
 */
export class SongRegister {
  /** The songs that the files name, and those of removed files. */
  readonly #songs = new SongIndex();
  readonly #earlier = new SongIndex();
  #next: number;

  constructor(earlier: readonly Song[] = [], next = 1) {
    this.#next = next;
    for (const song of earlier) {
      this.#earlier.enter(song);
      this.#next = Math.max(this.#next, song.id + 1);
    }
  }

  /** The songs that the files name. */
  get named(): readonly Song[] {
    return this.#songs.all;
  }

  /** All songs with an id. */
  get songs(): readonly Song[] {
    return [...this.#songs.all, ...this.#earlier.all].toSorted((left, right) => left.id - right.id);
  }

  /** The id for the next new song. */
  get next(): number {
    return this.#next;
  }

  /** The id of the song that a file names. A new song gets `stored` if that is free: the id that this name previously had in the file. */
  idOf(name: SongName, stored = 0): number {
    this.#next = Math.max(this.#next, stored + 1);
    const known =
      this.#songs.ofIsrc(name) ?? this.#songs.ofTitle(name)[name.isrc === undefined ? (name.order ?? 0) : 0];
    if (known === undefined) {
      const { title, isrc, isFromFileName } = name;
      const id = this.#newId(name, stored);
      this.#earlier.remove(id);
      this.#songs.enter({
        id,
        title,
        ...(isrc !== undefined && { isrc }),
        ...(isFromFileName === true && { isFromFileName }),
      });
      return id;
    }
    const takesTitle = known.isFromFileName === true && name.isFromFileName !== true;
    const takesIsrc = known.isrc === undefined && name.isrc !== undefined;
    if (takesTitle || takesIsrc) {
      const { isFromFileName: _, ...rest } = known;
      const isrc = known.isrc ?? name.isrc;
      this.#songs.enter({
        ...(takesTitle ? { ...rest, title: name.title } : known),
        ...(isrc !== undefined && { isrc }),
      });
    }
    return known.id;
  }

  songsOfTitle(title: string): readonly Song[] {
    return this.#songs.ofExactTitle(title);
  }

  /** The only song with a title; undefined if there is none or several. */
  idOfTitle(title: string): number | undefined {
    const songs = this.#songs.ofExactTitle(title);
    return songs.length === 1 ? songs[0]?.id : undefined;
  }

  #newId(name: SongName, stored: number): number {
    if (stored > 0 && !this.#songs.has(stored)) return stored;
    const earlier = this.#earlier.ofIsrc(name) ?? this.#earlier.ofTitle(name)[0];
    if (earlier !== undefined) return earlier.id;
    this.#next += 1;
    return this.#next - 1;
  }
}

/** Songs by id, ISRC and title. */
class SongIndex {
  readonly #songs = new Map<number, Song>();
  readonly #byIsrc = new Map<string, number>();
  readonly #byTitle = new Map<string, number[]>();
  readonly #byFileTitle = new Map<string, number[]>();

  get all(): readonly Song[] {
    return [...this.#songs.values()];
  }

  has(id: number): boolean {
    return this.#songs.has(id);
  }

  ofIsrc({ isrc }: SongName): Song | undefined {
    return isrc === undefined ? undefined : this.#songs.get(this.#byIsrc.get(isrc) ?? 0);
  }

  /** The songs that a name can mean by its title: a name with an ISRC only matches songs without one. */
  ofTitle({ title, isrc, isFromFileName }: SongName): readonly Song[] {
    const isFit = (song: Song): boolean => isrc === undefined || song.isrc === undefined;
    const equal = this.ofExactTitle(title).filter(isFit);
    if (equal.length > 0) return equal;
    return this.#among(this.#byFileTitle, fileTitleKey(title)).filter(
      (song) => (isFromFileName === true || song.isFromFileName === true) && isFit(song),
    );
  }

  ofExactTitle(title: string): readonly Song[] {
    return this.#among(this.#byTitle, titleKey(title));
  }

  enter(song: Song): void {
    this.#songs.set(song.id, song);
    if (song.isrc !== undefined) this.#byIsrc.set(song.isrc, song.id);
    for (const [index, key] of [
      [this.#byTitle, titleKey(song.title)],
      [this.#byFileTitle, fileTitleKey(song.title)],
    ] as const) {
      const ids = index.get(key) ?? [];
      if (!ids.includes(song.id)) index.set(key, [...ids, song.id]);
    }
  }

  remove(id: number): void {
    this.#songs.delete(id);
  }

  #among(index: ReadonlyMap<string, readonly number[]>, key: string): readonly Song[] {
    return (index.get(key) ?? []).map((id) => this.#songs.get(id)).filter((song) => song !== undefined);
  }
}

/** Equal for titles that differ only in title marks, white space and case. "(Live)" makes a difference. */
function titleKey(title: string): string {
  return title
    .normalize("NFC")
    .replaceAll(/[《》〈〉\s\u200B\u2060]/gu, "")
    .toLowerCase()
    .normalize("NFC");
}

/** Also equal if a file name has a substitute for a forbidden character: `Where Are You_`. */
function fileTitleKey(title: string): string {
  return titleKey(title).replaceAll(/[/\\:*?"<>|_]/gu, "_");
}

/** Whether a value from a file is a song. */
export function isSong(value: unknown): value is Song {
  if (typeof value !== "object" || value === null) return false;
  const { id, title, isrc } = value as Record<string, unknown>;
  return (
    Number.isSafeInteger(id) &&
    Number(id) > 0 &&
    typeof title === "string" &&
    (isrc === undefined || typeof isrc === "string")
  );
}
