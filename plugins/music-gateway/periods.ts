import type { Asked, Period } from "./asked.ts";
import { addDays, addMonths, lengthOf, monthOf, previousOf, yearOf, type DayRange } from "./day.ts";
import { marked } from "./markdown.ts";
import { readRange } from "./ranges.ts";
import { sentence } from "./texts.ts";

/** The days a question asks for, cut to those with data; or the sentence that says why there are none. */
export function daysAsked(asked: Asked, data: DayRange): Period | string {
  const { language, words } = asked;
  const reading = readRange(asked.question, data);
  if (reading.kind === "impossible") return sentence(reading.fault, language);
  const fallback = { from: addDays(data.to, -29), to: data.to };
  const wanted = reading.kind === "range" ? reading.range : fallback;
  const range = cut(wanted, data);
  if (range === undefined) return outside(asked, wanted, data);
  const before = previousOf(range);
  const previous = before.from < data.from ? undefined : before;
  const said = { RANGE: spelt(range, words.to), DAYS: String(lengthOf(range)), LAST: data.to };
  const sentences = [sentence("range", language, said)];
  if (reading.kind === "none") sentences.push(sentence("default-range", language, { RANGE: words.lastDays }));
  else if (range.from !== wanted.from || range.to !== wanted.to) {
    sentences.push(
      sentence("clipped", language, { ASKED: spelt(wanted, words.to), RANGE: spelt(range, words.to) }),
    );
  }
  if (previous === undefined) sentences.push(sentence("no-comparison", language));
  return { scope: { range, previous, songId: asked.song?.id }, intro: introOf(asked, sentences) };
}

/** The same in whole months, for statements: every month that the asked days touch. Default: the last one. */
export function monthsAsked(asked: Asked, data: DayRange): Period | string {
  const { language, words } = asked;
  const reading = readRange(asked.question, data);
  if (reading.kind === "impossible") return sentence(reading.fault, language);
  const wanted = reading.kind === "range" ? reading.range : { from: `${data.to.slice(0, 8)}01`, to: data.to };
  const touched = cut(wanted, data);
  if (touched === undefined) return outside(asked, wanted, data);
  const range = {
    from: `${touched.from.slice(0, 8)}01`,
    to: addDays(addMonths(`${touched.to.slice(0, 8)}01`, 1), -1),
  };
  const count = (yearOf(range.to) - yearOf(range.from)) * 12 + monthOf(range.to) - monthOf(range.from) + 1;
  const before = { from: addMonths(range.from, -count), to: addDays(range.from, -1) };
  const previous = before.from < data.from ? undefined : before;
  const said = { FROM: range.from.slice(0, 7), TO: range.to.slice(0, 7), LAST: data.to };
  const sentences = [sentence("months", language, said)];
  if (reading.kind === "none")
    sentences.push(sentence("default-range", language, { RANGE: words.lastMonth }));
  if (previous === undefined) sentences.push(sentence("no-comparison", language));
  return { scope: { range, previous, songId: asked.song?.id }, intro: introOf(asked, sentences) };
}

/** A range as text: `2026-07-01 至 2026-07-15`, or one day. */
export function spelt({ from, to }: DayRange, between: string): string {
  return from === to ? from : `${from}${between}${to}`;
}

function introOf({ language, words, song }: Asked, sentences: readonly string[]): string {
  const subject =
    song === undefined ? [] : [`${words.songIs}${words.colon}${marked(song.title)}${words.stop}`];
  return [...subject, ...sentences].join(language === "zh" ? "" : " ");
}

function cut(wanted: DayRange, data: DayRange): DayRange | undefined {
  const from = wanted.from < data.from ? data.from : wanted.from;
  const to = wanted.to > data.to ? data.to : wanted.to;
  return from > to ? undefined : { from, to };
}

function outside({ language, words }: Asked, wanted: DayRange, data: DayRange): string {
  return sentence("outside", language, { ASKED: spelt(wanted, words.to), DATA: spelt(data, words.to) });
}
