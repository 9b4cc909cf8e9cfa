import type { Language, Measure, Split } from "../question/query.ts";
import { marked } from "./markdown.ts";
import wording from "./wording.json" with { type: "json" };

export type WordingName = keyof typeof wording;

/** Sentences and labels of one language. */
export interface Wording {
  readonly language: Language;
  /** A sentence with its place holders filled. `count` chooses between singular and plural. */
  say(name: WordingName, values?: Readonly<Record<string, string>>, count?: number): string;
  measure(measure: Measure): string;
  split(split: Split): string;
  range(range: { readonly from: string; readonly to: string }): string;
  days(count: number): string;
  list(names: readonly string[]): string;
  titles(names: readonly string[]): string;
  weekday(day: number): string;
  /** What kind of file it is. */
  kind(kind: string): string;
  /** A country's name with its code. */
  country(code: string): string;
}

export function wordingOf(language: Language): Wording {
  const regions = new Intl.DisplayNames([language === "zh" ? "zh-CN" : "en"], { type: "region" });
  const say: Wording["say"] = (name, values = {}, count = 1) => {
    const [one = "", many = one] = wording[name][language].split("|");
    return (count === 1 ? one : many).replaceAll(
      /\{([A-Z]+)\}/g,
      (whole, key: string) => values[key] ?? whole,
    );
  };
  const list = (names: readonly string[]): string => names.join(say("comma"));
  return {
    language,
    say,
    measure: (measure) => say(`measure-${measure}`),
    split: (split) => say(`split-${split}`),
    range: ({ from, to }) => (from === to ? from : `${from}${say("to")}${to}`),
    days: (count) => say("day-count", { COUNT: String(count) }, count),
    list,
    titles: (names) => list(names.map((name) => (language === "zh" ? marked(name) : `"${name}"`))),
    weekday: (day) => say("weekday-names").split(",")[day] ?? "",
    kind: (kind) => (Object.hasOwn(wording, `kind-${kind}`) ? say(`kind-${kind}` as WordingName) : kind),
    country: (code) => {
      if (!/^[A-Z]{2}$/.test(code)) return code === "" ? say("unknown-place") : code;
      const name = regions.of(code);
      return name === undefined || name === code ? code : `${name} (${code})`;
    },
  };
}
