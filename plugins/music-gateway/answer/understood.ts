import { lengthOf } from "../question/day.ts";
import type { Reading } from "../question/reading.ts";
import type { Filters, Split } from "../question/query.ts";
import type { Collection } from "./collection.ts";
import type { Plan } from "./plan.ts";
import type { Wording, WordingName } from "./wording.ts";

/** The first line of every answer: what was understood, with the first and last day that were used. */
export function understoodLine(
  reading: Reading,
  plan: Plan | undefined,
  collection: Collection,
  wording: Wording,
): string {
  const lower = (text: string): string =>
    wording.language === "en" ? text.charAt(0).toLowerCase() + text.slice(1) : text;
  const parts: string[] = [];
  if (reading.kind === "changes") parts.push(wording.say("changes"));
  if (reading.kind === "overview") parts.push(wording.say("overview"));
  if (reading.measures.length > 0) {
    const isUnits = plan?.slice.candidate.isOfStatements === true;
    const names = reading.measures.map((measure) =>
      isUnits && measure === "plays" ? wording.say("measure-units-as-plays") : wording.measure(measure),
    );
    parts.push(wording.list(names.map(lower)));
  }
  if (reading.average) parts.push(wording.say("average"));
  parts.push(...filterParts(plan?.slice.filters ?? reading.filters, collection, wording));
  const split = plan === undefined ? reading.split : plan.split;
  if (split !== undefined && reading.kind === "figures")
    parts.push(wording.say("split", { NAME: lower(wording.split(split)) }));
  if (reading.order !== undefined) parts.push(wording.say(`order-${reading.order}`));
  if (reading.rows !== undefined)
    parts.push(wording.say("top", { COUNT: String(reading.rows) }, reading.rows));
  if (plan !== undefined) parts.push(...periodParts(plan, wording));
  else parts.push(...reading.times.map(({ text }) => text));
  const words = reading.faults.flatMap((fault) => (fault.is === "unknown-words" ? fault.words : []));
  if (words.length > 0) parts.push(wording.say("not-understood", { WORDS: quoted(words, wording) }));
  if (parts.length === 0) parts.push(wording.say("none"));
  return wording.say("understood", { PARTS: parts.join(wording.say("separator")) });
}

/** Why a question as a whole is not answered; empty when it is. Nothing is looked up for these. */
export function refusalsOf(reading: Reading, { catalog }: Collection, wording: Wording): readonly string[] {
  return reading.faults.map(({ is, words }) =>
    wording.say(is as WordingName, {
      WORDS:
        is === "too-many-splits"
          ? wording.list(words.map((word) => wording.split(word as Split)))
          : quoted(words, wording),
      STORES: catalog.stores.length === 0 ? wording.say("none") : wording.list(catalog.stores),
    }),
  );
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

function filterParts(filters: Filters, { catalog }: Collection, wording: Wording): readonly string[] {
  const parts: string[] = [];
  const titles = (ids: readonly number[]): string =>
    wording.titles(ids.map((id) => catalog.songs.find((song) => song.id === id)?.title ?? String(id)));
  const countries = (codes: readonly string[]): string =>
    wording.list(codes.map((code) => wording.country(code)));
  const { songs, stores, weekdays, withoutSongs, withoutStores, withoutCountries } = filters;
  if (songs !== undefined) parts.push(wording.say("songs", { NAMES: titles(songs) }, songs.length));
  if (filters.countries !== undefined)
    parts.push(wording.say("countries", { NAMES: countries(filters.countries) }, filters.countries.length));
  if (stores !== undefined) parts.push(wording.say("stores", { NAMES: wording.list(stores) }, stores.length));
  if (weekdays !== undefined && weekdays.length < 7)
    parts.push(wording.say("weekdays", { NAMES: wording.list(weekdays.map((day) => wording.weekday(day))) }));
  const without = [
    ...(withoutSongs === undefined ? [] : [titles(withoutSongs)]),
    ...(withoutCountries === undefined ? [] : [countries(withoutCountries)]),
    ...(withoutStores === undefined ? [] : [wording.list(withoutStores)]),
  ];
  if (without.length > 0) parts.push(wording.say("without", { NAMES: wording.list(without) }));
  return parts;
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
