import { lengthOf } from "../question/day.ts";
import type { Split } from "../question/query.ts";
import type { Plan } from "./plan.ts";
import type { Question, Wording, WordingName } from "./wording.ts";

/** The first line of every answer: what was understood, with the first and last day that were used. */
export function understoodLine(question: Question, plan: Plan | undefined): string {
  const { reading, wording } = question;
  const lower = (text: string): string =>
    wording.language === "en" ? text.charAt(0).toLowerCase() + text.slice(1) : text;
  const isUnits = plan?.slice.candidate.isOfStatements === true;
  const names = reading.measures.map((measure) =>
    lower(isUnits && measure === "plays" ? wording.say("measure-units-as-plays") : wording.measure(measure)),
  );
  const split = plan === undefined ? reading.split : plan.split;
  const { order, rows } = reading;
  const words = reading.faults.flatMap((fault) => (fault.is === "unknown-words" ? fault.words : []));
  const parts = [
    ...(reading.kind === "figures" ? [] : [wording.say(reading.kind)]),
    ...(names.length > 0 ? [wording.list(names)] : []),
    ...(reading.average ? [wording.say("average")] : []),
    ...filterParts(question, plan),
    ...(split !== undefined && reading.kind === "figures"
      ? [wording.say("split", { NAME: lower(wording.split(split)) })]
      : []),
    ...(order === undefined ? [] : [wording.say(`order-${order}`)]),
    ...(rows === undefined ? [] : [wording.say("top", { COUNT: String(rows) }, rows)]),
    ...(plan === undefined ? reading.times.map(({ text }) => text) : periodParts(plan, wording)),
    ...(words.length > 0 ? [wording.say("not-understood", { WORDS: quoted(words, wording) })] : []),
  ];
  const said = parts.length === 0 ? wording.say("none") : parts.join(wording.say("separator"));
  return wording.say("understood", { PARTS: said });
}

/** Why a question as a whole is not answered; empty when it is. Nothing is looked up for these. */
export function refusalsOf({ reading, collection, wording }: Question): readonly string[] {
  const { stores } = collection.catalog;
  const STORES = stores.length === 0 ? wording.say("none") : wording.list(stores);
  return reading.faults.map(({ is, words }) => {
    const splits = (): string => wording.list(words.map((word) => wording.split(word as Split)));
    const WORDS = is === "too-many-splits" ? splits() : quoted(words, wording);
    return wording.say(is as WordingName, { WORDS, STORES });
  });
}

/** Words of a question as they are named in a sentence. */
function quoted(words: readonly string[], wording: Wording): string {
  const names = [...new Set(words)].slice(0, 12).map((word) => {
    const plain = word
      .replaceAll(/[\p{Cc}\p{Cf}|`*_<>[\]\\]/gu, " ")
      .trim()
      .slice(0, 60);
    return wording.language === "zh" ? `“${plain}”` : `"${plain}"`;
  });
  return wording.list(names);
}

function filterParts({ reading, wording }: Question, plan: Plan | undefined): readonly string[] {
  const filters = plan?.slice.filters ?? reading.filters;
  const { songs, countries, stores, weekdays = [] } = filters;
  const countryNames = (codes: readonly string[]): string =>
    wording.list(codes.map((code) => wording.country(code)));
  const without = [
    ...(filters.withoutSongs === undefined ? [] : [wording.songs(filters.withoutSongs)]),
    ...(filters.withoutCountries === undefined ? [] : [countryNames(filters.withoutCountries)]),
    ...(filters.withoutStores === undefined ? [] : [wording.list(filters.withoutStores)]),
  ];
  const part = (name: WordingName, names: string, count = 1): string =>
    wording.say(name, { NAMES: names }, count);
  return [
    ...(songs === undefined ? [] : [part("songs", wording.songs(songs), songs.length)]),
    ...(countries === undefined ? [] : [part("countries", countryNames(countries), countries.length)]),
    ...(stores === undefined ? [] : [part("stores", wording.list(stores), stores.length)]),
    ...(weekdays.length === 0 || weekdays.length === 7
      ? []
      : [part("weekdays", wording.list(weekdays.map((day) => wording.weekday(day))))]),
    ...(without.length === 0 ? [] : [part("without", wording.list(without))]),
  ];
}

function periodParts({ period }: Plan, wording: Wording): readonly string[] {
  const { range, comparison, by, fallback } = period;
  const { windowDays } = period;
  if (range === undefined)
    return [
      wording.say("window-unknown"),
      ...(windowDays === undefined ? [] : [wording.say("window-days", { DAYS: wording.days(windowDays) })]),
    ];
  const days = wording.days(lengthOf(range));
  const open = wording.language === "zh" ? "（" : " (";
  const close = wording.language === "zh" ? "）" : ")";
  const why =
    fallback !== undefined ? wording.say(fallback) : by === "file" ? wording.say("file-window") : undefined;
  const said = `${wording.range(range)}${open}${days}${why === undefined ? "" : `${wording.say("separator")}${why}`}${close}`;
  return comparison === undefined
    ? [said]
    : [said, wording.say("compared", { RANGE: wording.range(comparison) })];
}
