import { lengthOf } from "../question/day.ts";
import type { Split } from "../question/query.ts";
import type { Reading } from "../question/reading.ts";
import { FILTER_NAMES, WITHOUT } from "../model.ts";
import { isUnstated } from "../store/spans.ts";
import { isWeekly } from "./calendar.ts";
import type { Plan } from "./plan.ts";
import { grouped } from "./rectangle.ts";
import { windowName } from "./window.ts";
import { marked, type Question, type Wording, type WordingName } from "./wording.ts";

/** The first line of every answer: the interpretation of the question, with the first and last day that were used. */
export function understoodLine(question: Question, plans: readonly Plan[]): string {
  const { reading, wording } = question;
  const [plan] = plans;
  const lower = (text: string): string =>
    wording.language === "en" ? text.charAt(0).toLowerCase() + text.slice(1) : text;
  const isUnits = plan?.slice.candidate.isOfStatements === true;
  const names = reading.measures.map((measure) =>
    lower(isUnits && measure === "plays" ? wording.say("measure-units-as-plays") : wording.measure(measure)),
  );
  const split = plan === undefined ? reading.split : plan.split;
  const { order, rows, kind, taken, faults, atLeast, atMost } = reading;
  const isFigures = kind === "figures";
  const isByDay = split === undefined || isWeekly(split);
  const words = faults.flatMap((fault) => (fault.is === "unknown-words" ? fault.words : []));
  const parts: readonly (string | false | undefined)[] = [
    kindOf(reading, wording),
    wording.list(names),
    reading.average && wording.say(isByDay ? "average" : "average-plain"),
    ...filterParts(question, plan),
    reading.isWhole && wording.say("whole-account"),
    isFigures && split && splitPart(split, reading, wording),
    order && wording.say(`order-${order}`),
    reading.isGrowth && wording.say("is-growth"),
    reading.isCumulative && wording.say("is-cumulative"),
    atLeast !== undefined && wording.say("at-least", { COUNT: grouped(String(atLeast)) }),
    atMost !== undefined && wording.say("at-most", { COUNT: grouped(String(atMost)) }),
    rows !== undefined && wording.say("top", { COUNT: String(rows) }, rows),
    ...(plan === undefined ? reading.times.map(({ text }) => text) : periodParts(plan, wording)),
    ...(isFigures ? otherPeriods(plans, wording) : []),
    ...reading.spellings.map(({ word, as }) =>
      wording.say("read-as", { WORD: quoted([word], wording), AS: quoted([as], wording) }),
    ),
    taken.length > 0 &&
      faults.length === 0 &&
      wording.say("taken", { NAMES: wording.list(taken.map((slot) => wording.say(`taken-${slot}`))) }),
    words.length > 0 && wording.say("not-understood", { WORDS: quoted(words, wording) }),
  ];
  const said = parts.filter(Boolean).join(wording.say("separator"));
  return wording.say("understood", { PARTS: said === "" ? wording.say("none") : said });
}

export function kindOf({ kind, threshold }: Reading, wording: Wording): string {
  if (kind === "figures") return "";
  return wording.say(kind, { COUNT: grouped(String(threshold)) });
}

function splitPart(split: Split, { group }: Reading, wording: Wording): string {
  const NAME = wording.split(split).toLowerCase();
  if (group === undefined) return wording.say("split", { NAME });
  return wording.say("split-within", { NAME, GROUP: wording.split(group).toLowerCase() });
}

/** Why a question as a whole is not answered; empty if it is. No figures are looked up for these reasons. */
export function refusalsOf({ reading, collection, wording }: Question): readonly string[] {
  const { stores } = collection.catalog;
  const STORES = stores.length === 0 ? wording.say("none") : wording.list(stores);
  return reading.faults.map(({ is, words }) => {
    const names = {
      "too-many-splits": (): string => wording.list(words.map((word) => wording.split(word as Split))),
      "near-titles": (): string => wording.list(words.map(marked)),
    }[is as string];
    const WORDS = names?.() ?? quoted(words, wording);
    return wording.say(is as WordingName, { WORDS, STORES });
  });
}

/** Words of a question in the form in which a sentence quotes them. */
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

/** The filters and exclusions of a question, in words. */
export function filterParts({ reading, wording }: Question, plan: Plan | undefined): readonly string[] {
  const filters = plan?.slice.filters ?? reading.filters;
  const { weekdays = [] } = filters;
  const isSomeDays = weekdays.length > 0 && weekdays.length < 7;
  const without = FILTER_NAMES.map((name) => wording.filtered(name, filters[WITHOUT[name]])).filter(Boolean);
  return [
    ...FILTER_NAMES.flatMap((name) => {
      const NAMES = wording.filtered(name, filters[name]);
      const label = name === "currencies" ? "currencies-filter" : name;
      return NAMES === "" ? [] : [wording.say(label, { NAMES }, filters[name]?.length)];
    }),
    ...(isSomeDays
      ? [wording.say("weekdays", { NAMES: wording.list(weekdays.map((day) => wording.weekday(day))) })]
      : []),
    ...(without.length === 0 ? [] : [wording.say("without", { NAMES: wording.list(without) })]),
  ];
}

function periodParts({ period }: Plan, wording: Wording): readonly string[] {
  const { range, comparison, by, fallback, span = "" } = period;
  if (range === undefined && isUnstated(span)) return [windowName(span, wording)];
  const name = range === undefined ? windowName(span, wording) : wording.range(range);
  const why = fallback ?? (by === "file" && "file-window");
  const facts = [range && wording.days(lengthOf(range)), why && wording.say(why)].filter(Boolean);
  const more = facts.join(wording.say("separator"));
  const said = wording.language === "zh" ? `${name}（${more}）` : `${name} (${more})`;
  return comparison === undefined
    ? [said]
    : [said, wording.say("compared", { RANGE: wording.range(comparison) })];
}

/** Figures of other files may cover other days: statements end earlier. */
function otherPeriods([first, ...others]: readonly Plan[], wording: Wording): readonly string[] {
  return others.flatMap(({ measure, period: { range, span } }) => {
    const isSame =
      JSON.stringify([range, span]) === JSON.stringify([first?.period.range, first?.period.span]);
    if (isSame || (range === undefined && span === undefined)) return [];
    const RANGE = range === undefined ? windowName(span ?? "", wording) : wording.range(range);
    return [wording.say("other-period", { NAME: wording.measure(measure), RANGE })];
  });
}

/** The paragraph at the start of a chapter: the period, and any part of the requested period that is missing. */
export function introOf([plan]: readonly Plan[], wording: Wording): string {
  if (plan === undefined) return "";
  const { period, slice, data } = plan;
  const { range, asked, later } = period;
  const { grain } = slice.candidate.source;
  if (grain === "window" || range === undefined || data === undefined) return "";
  const said =
    grain === "month"
      ? wording.say("months", { RANGE: wording.range(range), LAST: data.to })
      : wording.say("range", {
          RANGE: wording.range(range),
          DAYS: wording.days(lengthOf(range)),
          LAST: data.to,
        });
  const STORES = wording.list(later?.stores ?? []);
  const left = later && wording.say("later-months", { RANGE: wording.range(later), STORES });
  const clipped =
    asked && wording.say("clipped", { ASKED: wording.range(asked), RANGE: wording.range(range) });
  return wording.sentences(said, left, clipped);
}
