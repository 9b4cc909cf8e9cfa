/** How a file names a song. `order` tells several songs of one title in one table apart, from 0. */
export interface SongName {
  readonly title: string;
  readonly isrc?: string;
  readonly order?: number;
  /** The title comes from a file name, in which some characters are replaced. */
  readonly isFromFileName?: boolean;
}

/** One song as the gateway knows it. `id` is given once and never again to another song. */
interface Song {
  readonly id: number;
  readonly title: string;
  readonly isrc?: string;
  /** The title was read off a file name and gives way to one out of a table. */
  readonly isFromFileName?: boolean;
}

/** Gives songs their ids: by ISRC first, then by title. Ids count up from 1 and are never reused or computed. */
export class SongRegister {
  readonly #songs = new Map<number, Song>();
  readonly #byIsrc = new Map<string, number>();
  readonly #byTitle = new Map<string, number[]>();
  readonly #byFileTitle = new Map<string, number[]>();
  #next: number;

  constructor(songs: readonly Song[] = [], next = 1) {
    this.#next = next;
    for (const song of songs) {
      this.#enter(song);
      this.#next = Math.max(this.#next, song.id + 1);
    }
  }

  get songs(): readonly Song[] {
    return [...this.#songs.values()];
  }

  /** The id the next new song gets. */
  get next(): number {
    return this.#next;
  }

  /** The id of the song that a file names, given now if it is new. */
  idOf(name: SongName): number {
    const known = this.#known(name);
    if (known === undefined) {
      const { title, isrc, isFromFileName } = name;
      const id = this.#next;
      this.#next += 1;
      this.#enter({
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
      this.#enter({
        ...(takesTitle ? { ...rest, title: name.title } : known),
        ...(isrc !== undefined && { isrc }),
      });
    }
    return known.id;
  }

  /** The one song of a title; undefined when there is none, or several. */
  idOfTitle(title: string): number | undefined {
    const ids = this.#byTitle.get(titleKey(title)) ?? [];
    return ids.length === 1 ? ids[0] : undefined;
  }

  #known(name: SongName): Song | undefined {
    if (name.isrc === undefined) return this.#ofTitle(name, () => true)[name.order ?? 0];
    const id = this.#byIsrc.get(name.isrc);
    return id === undefined ? this.#ofTitle(name, ({ isrc }) => isrc === undefined)[0] : this.#songs.get(id);
  }

  #ofTitle(name: SongName, isFit: (song: Song) => boolean): readonly Song[] {
    const equal = this.#all(this.#byTitle.get(titleKey(name.title))).filter(isFit);
    if (equal.length > 0) return equal;
    return this.#all(this.#byFileTitle.get(fileTitleKey(name.title))).filter(
      (song) => (name.isFromFileName === true || song.isFromFileName === true) && isFit(song),
    );
  }

  #all(ids: readonly number[] = []): readonly Song[] {
    return ids.map((id) => this.#songs.get(id)).filter((song) => song !== undefined);
  }

  #enter(song: Song): void {
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
}

/** Equal for titles that differ in title marks, white space and case only. Versions such as "(Live)" stay apart. */
function titleKey(title: string): string {
  return title
    .normalize("NFC")
    .replaceAll(/[《》〈〉\s\u200B\u2060]/gu, "")
    .toLowerCase()
    .normalize("NFC");
}

/** Equal also where a file name has another sign for one that file names forbid: `Where Are You_`. */
function fileTitleKey(title: string): string {
  return titleKey(title).replaceAll(/[/\\:*?"<>|_]/gu, "_");
}

/** Whether a value out of a file is a song. */
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
