import type { Language, Measure, Split } from "../question/query.ts";
import type { Reading } from "../question/reading.ts";
import type { Catalog, Collection } from "../store/catalog.ts";
import { marked } from "./markdown.ts";
import sentences from "./wording.json" with { type: "json" };

export type WordingName = keyof typeof sentences;

/** A question as it was read, what answers it, and in which words. */
export interface Question {
  readonly reading: Reading;
  readonly collection: Collection;
  readonly wording: Wording;
}

/** A sentence that says why there are no figures, and what can be asked instead. */
export interface Refusal {
  readonly refusal: string;
}

/** Sentences, labels and names in one language. */
export class Wording {
  readonly language: Language;
  readonly #songs: Catalog["songs"];
  readonly #regions: Intl.DisplayNames;

  constructor(language: Language, songs: Catalog["songs"]) {
    this.language = language;
    this.#songs = songs;
    this.#regions = new Intl.DisplayNames([language === "zh" ? "zh-CN" : "en"], { type: "region" });
  }

  /** A sentence with its place holders filled. `count` chooses between singular and plural. */
  say(name: WordingName, values: Readonly<Record<string, string>> = {}, count = 1): string {
    const [one = "", many = one] = sentences[name][this.language].split("|");
    const sentence = count === 1 ? one : many;
    return sentence.replaceAll(/\{([A-Z]+)\}/g, (whole, key: string) => values[key] ?? whole);
  }

  measure(measure: Measure): string {
    return this.say(`measure-${measure}`);
  }

  split(split: Split): string {
    return this.say(`split-${split}`);
  }

  range({ from, to }: { readonly from: string; readonly to: string }): string {
    return from === to ? from : `${from}${this.say("to")}${to}`;
  }

  days(count: number): string {
    return this.say("day-count", { COUNT: String(count) }, count);
  }

  list(names: readonly string[]): string {
    return names.join(this.say("comma"));
  }

  /** A song in title marks, as tables have it. */
  song(id: number | string): string {
    return marked(this.#titleOf(id));
  }

  /** Songs in a sentence. */
  songs(ids: readonly number[]): string {
    return this.list(ids.map((id) => (this.language === "zh" ? this.song(id) : `"${this.#titleOf(id)}"`)));
  }

  weekday(day: number): string {
    return this.say("weekday-names").split(",")[day] ?? "";
  }

  /** What kind of file it is. */
  kind(kind: string): string {
    return Object.hasOwn(sentences, `kind-${kind}`) ? this.say(`kind-${kind}` as WordingName) : kind;
  }

  /** A country's name with its code. */
  country(code: string): string {
    if (!/^[A-Z]{2}$/.test(code)) return code === "" ? this.say("unknown-place") : code;
    const name = this.#regions.of(code);
    return name === undefined || name === code ? code : `${name} (${code})`;
  }

  #titleOf(id: number | string): string {
    return this.#songs.find((song) => String(song.id) === String(id))?.title ?? String(id);
  }
}
