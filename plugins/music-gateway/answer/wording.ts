import type { Language, Measure, Split } from "../question/query.ts";
import type { Reading } from "../question/reading.ts";
import type { Catalog, Collection } from "../store/catalog.ts";
import type { FilterName } from "../model.ts";
import { markdownTable, oneLine, type Block } from "./rectangle.ts";
import sentences from "./wording.json" with { type: "json" };

/** A chapter of an answer. */
export interface Section {
  readonly heading: string;
  readonly blocks: readonly Block[];
}

const CHINESE_NUMBERS = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十"];

/** Renders chapters as Markdown, numbered 一、 or 1. */
export function rendered(sections: readonly Section[], isChinese: boolean): string {
  const chapters = sections.map(({ heading, blocks }, index) => {
    const number = isChinese ? `${CHINESE_NUMBERS[index] ?? index + 1}、` : `${index + 1}. `;
    const parts = blocks.map((block) => (typeof block === "string" ? block : markdownTable(block)));
    return [`## ${number}${heading}`, ...parts.filter((part) => part !== "")].join("\n\n");
  });
  return `${chapters.join("\n\n")}\n`;
}

/** A song's name in title marks; a name that has them stays unchanged. */
export function marked(title: string): string {
  return /^《.*》$/u.test(title) ? title : `《${title}》`;
}

export type WordingName = keyof typeof sentences;

/** A question with its reading, the data that answer it, and the wording of the answer. */
export interface Question {
  readonly reading: Reading;
  readonly collection: Collection;
  readonly wording: Wording;
  /** The day from which days and months are counted; undefined means the last day with figures. */
  readonly today: string | undefined;
}

/** A sentence that explains why there are no figures, and suggests another question. */
export interface Refusal {
  readonly refusal: string;
  /** Whether no file has the measure at all. */
  readonly isAbsent?: true;
}

/** Sentences, labels and names in one language. */
export class Wording {
  readonly language: Language;
  readonly #songs: Catalog["songs"];
  #regions: Intl.DisplayNames | undefined;

  constructor(language: Language, songs: Catalog["songs"]) {
    this.language = language;
    this.#songs = songs;
  }

  /** A sentence with its placeholders filled; values stay on one line. `count` selects singular or plural. */
  say(name: WordingName, values: Readonly<Record<string, string>> = {}, count = 1): string {
    const [one = "", many = one] = sentences[name][this.language].split("|");
    const sentence = count === 1 ? one : many;
    return sentence.replaceAll(/\{([A-Z]+)\}/g, (whole, key: string) => oneLine(values[key] ?? whole));
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

  /** A month, quarter or year by its name, anything else by its first and last day. */
  period(
    { from, to }: { readonly from: string; readonly to: string },
    unit: "day" | "week" | "month" | "quarter" | "year",
  ): string {
    const [year = "", month = ""] = from.split("-");
    if (unit === "year") return this.language === "zh" ? `${year}年` : year;
    if (unit === "quarter") {
      const quarter = Math.ceil(Number(month) / 3);
      return this.language === "zh" ? `${year}年第${quarter}季度` : `Q${quarter} ${year}`;
    }
    if (unit !== "month") return this.range({ from, to });
    const format = { year: "numeric", month: "long", timeZone: "UTC" } as const;
    return new Intl.DateTimeFormat(this.language === "zh" ? "zh-CN" : "en", format).format(new Date(from));
  }

  days(count: number): string {
    return this.say("day-count", { COUNT: String(count) }, count);
  }

  list(names: readonly string[]): string {
    return names.join(this.say("comma"));
  }

  sentences(...said: readonly (string | undefined)[]): string {
    return said.filter(Boolean).join(this.language === "zh" ? "" : " ");
  }

  /** A song in title marks, as in tables. */
  song(id: number | string): string {
    return marked(this.#titleOf(id));
  }

  /** The songs in a sentence. */
  songs(ids: readonly number[]): string {
    return this.list(ids.map((id) => (this.language === "zh" ? this.song(id) : `"${this.#titleOf(id)}"`)));
  }

  /** The songs, places or stores of a filter as part of a sentence; empty if there are none. */
  filtered(filter: FilterName, values: readonly (string | number)[] = []): string {
    if (filter === "songs") return this.songs(values.map(Number));
    return this.list(
      values.map((value) => {
        if (filter === "countries") return this.country(String(value));
        return filter === "cities" ? `"${value}"` : String(value);
      }),
    );
  }

  weekday(day: number): string {
    return this.say("weekday-names").split(",")[day] ?? "";
  }

  /** A country's name with its code. */
  country(code: string): string {
    if (!/^[A-Z]{2}$/.test(code)) return code === "" ? this.say("unknown-place") : code;
    // Loads the names of all countries, which most answers do not need.
    this.#regions ??= new Intl.DisplayNames([this.language === "zh" ? "zh-CN" : "en"], { type: "region" });
    const name = this.#regions.of(code);
    return name === undefined || name === code ? code : `${name} (${code})`;
  }

  #titleOf(id: number | string): string {
    return this.#songs.find((song) => String(song.id) === String(id))?.title ?? String(id);
  }
}
