import type { SongName } from "./facts.ts";
import { fileTitleKey, titleKey } from "./song-titles.ts";

/** One song as the gateway knows it. `id` is given once and never again to another song. */
export interface Song {
  readonly id: number;
  readonly title: string;
  readonly isrc?: string;
  /** The title was read off a file name and gives way to one out of a table. */
  readonly isFromFileName?: boolean;
}

/**
 * Gives songs their ids: by ISRC first, then by title. Ids count up from 1 and are never reused or computed.
 * It holds no file; song-store.ts keeps its state.
 */
export class SongRegister {
  readonly #songs: Song[];
  #next: number;

  constructor(songs: readonly Song[] = [], next = 1) {
    this.#songs = [...songs];
    this.#next = Math.max(next, ...songs.map(({ id }) => id + 1));
  }

  get songs(): readonly Song[] {
    return this.#songs;
  }

  /** The id the next new song gets. */
  get next(): number {
    return this.#next;
  }

  /** The id of the song that an export names, given now if it is new. */
  idOf(name: SongName): number {
    const known = this.#known(name);
    if (known === undefined) return this.#add(name);
    const { isFromFileName, ...rest } = known;
    const takesTitle = isFromFileName === true && name.isFromFileName !== true;
    const takesIsrc = known.isrc === undefined && name.isrc !== undefined;
    if (takesTitle || takesIsrc) {
      const isrc = known.isrc ?? name.isrc;
      const learnt = takesTitle ? { ...rest, title: name.title } : known;
      this.#songs[this.#songs.indexOf(known)] = { ...learnt, ...(isrc === undefined ? {} : { isrc }) };
    }
    return known.id;
  }

  /** Titles that several songs have: an export that names only the title cannot tell them apart. */
  sharedTitles(): readonly string[] {
    const first = new Map<string, string>();
    const shared = new Set<string>();
    for (const { title } of this.#songs) {
      const key = titleKey(title);
      const earlier = first.get(key);
      if (earlier === undefined) first.set(key, title);
      else shared.add(earlier);
    }
    return [...shared];
  }

  #known(name: SongName): Song | undefined {
    if (name.isrc !== undefined) {
      const isrc = name.isrc;
      return (
        this.#songs.find((song) => song.isrc === isrc) ??
        this.#byTitle(name, (song) => song.isrc === undefined)[0]
      );
    }
    return this.#byTitle(name, () => true)[name.order ?? 0];
  }

  #byTitle(name: SongName, isFit: (song: Song) => boolean): readonly Song[] {
    const key = titleKey(name.title);
    const equal = this.#songs.filter((song) => titleKey(song.title) === key && isFit(song));
    if (equal.length > 0) return equal;
    const fileKey = fileTitleKey(name.title);
    return this.#songs.filter(
      (song) =>
        (name.isFromFileName === true || song.isFromFileName === true) &&
        fileTitleKey(song.title) === fileKey &&
        isFit(song),
    );
  }

  #add(name: SongName): number {
    const id = this.#next;
    this.#next += 1;
    this.#songs.push({
      id,
      title: name.title,
      ...(name.isrc === undefined ? {} : { isrc: name.isrc }),
      ...(name.isFromFileName === true ? { isFromFileName: true } : {}),
    });
    return id;
  }
}
