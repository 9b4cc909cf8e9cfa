import { lengthOf } from "../question/day.ts";
import type { Measure, Split } from "../question/query.ts";
import { FILTER_NAMES, isFilledBy, WITHOUT } from "../model.ts";
import { partsOf } from "../import/receipt.ts";
import type { Plan } from "./plan.ts";
import type { Reading } from "../question/reading.ts";
import { grouped } from "./rectangle.ts";
import { marked, type Question, type Wording, type WordingName } from "./wording.ts";
import { formatOf } from "../import/format.ts";
import type { CatalogFile, Collection } from "../store/catalog.ts";
import { isUnstated } from "../store/spans.ts";
import { textOf } from "./figures.ts";
import { missingFrom } from "./held.ts";
import { unstatedBeside, windowName } from "./window.ts";

/** The first line of every answer: what was understood, with the first and last day that were used. */
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
  const { order, rows } = reading;
  const words = reading.faults.flatMap((fault) => (fault.is === "unknown-words" ? fault.words : []));
  const parts = [
    ...(reading.kind === "figures" ? [] : [kindOf(reading, wording)]),
    ...(names.length > 0 ? [wording.list(names)] : []),
    ...(reading.average ? [wording.say(averageWording(split))] : []),
    ...filterParts(question, plan),
    ...(reading.isWhole ? [wording.say("whole-account")] : []),
    ...(split !== undefined && reading.kind === "figures" ? [splitPart(split, reading, wording)] : []),
    ...(order === undefined ? [] : [wording.say(`order-${order}`)]),
    ...(reading.isGrowth ? [wording.say("is-growth")] : []),
    ...(reading.isCumulative ? [wording.say("is-cumulative")] : []),
    ...boundParts(reading, wording),
    ...(rows === undefined ? [] : [wording.say("top", { COUNT: String(rows) }, rows)]),
    ...(plan === undefined ? reading.times.map(({ text }) => text) : periodParts(plan, wording)),
    ...(reading.kind === "figures" ? otherPeriods(plans, wording) : []),
    ...reading.spellings.map(({ word, as }) =>
      wording.say("read-as", { WORD: quoted([word], wording), AS: quoted([as], wording) }),
    ),
    ...takenPart(reading, wording),
    ...(words.length > 0 ? [wording.say("not-understood", { WORDS: quoted(words, wording) })] : []),
  ];
  const said = parts.length === 0 ? wording.say("none") : parts.join(wording.say("separator"));
  return wording.say("understood", { PARTS: said });
}

/** What is taken over from the question before. */
function takenPart({ taken, faults }: Reading, wording: Wording): readonly string[] {
  if (taken.length === 0 || faults.length > 0) return [];
  return [wording.say("taken", { NAMES: wording.list(taken.map((slot) => wording.say(`taken-${slot}`))) })];
}

export function kindOf({ kind, threshold }: Reading, wording: Wording): string {
  if (kind === "figures") return "";
  return wording.say(kind, { COUNT: grouped(String(threshold)) });
}

function splitPart(split: Split, { group }: Reading, wording: Wording): string {
  const name = (one: Split): string =>
    wording.language === "en" ? wording.split(one).toLowerCase() : wording.split(one);
  if (group === undefined) return wording.say("split", { NAME: name(split) });
  return wording.say("split-within", { NAME: name(split), GROUP: name(group) });
}

function boundParts({ atLeast, atMost }: Reading, wording: Wording): readonly string[] {
  const said = (name: "at-least" | "at-most", value: number | undefined): readonly string[] =>
    value === undefined ? [] : [wording.say(name, { COUNT: grouped(String(value)) })];
  return [...said("at-least", atLeast), ...said("at-most", atMost)];
}

/** Without a split, and by weekday, the average is one per day. */
function averageWording(split: Split | undefined): WordingName {
  return split === undefined || split === "weekday" || split === "weekpart" ? "average" : "average-plain";
}

/** Why a question as a whole is not answered; empty when it is. Nothing is looked up for these. */
export function refusalsOf({ reading, collection, wording }: Question): readonly string[] {
  const { stores } = collection.catalog;
  const STORES = stores.length === 0 ? wording.say("none") : wording.list(stores);
  return reading.faults.map(({ is, words }) => {
    const splits = (): string => wording.list(words.map((word) => wording.split(word as Split)));
    const WORDS =
      is === "too-many-splits"
        ? splits()
        : is === "near-titles"
          ? wording.list(words.map(marked))
          : quoted(words, wording);
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

/** What figures are narrowed to, and what is left out. */
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
  const days = range === undefined ? [] : [wording.days(lengthOf(range))];
  const open = wording.language === "zh" ? "（" : " (";
  const close = wording.language === "zh" ? "）" : ")";
  const why =
    fallback !== undefined ? [wording.say(fallback)] : by === "file" ? [wording.say("file-window")] : [];
  const said = `${name}${open}${[...days, ...why].join(wording.say("separator"))}${close}`;
  return comparison === undefined
    ? [said]
    : [said, wording.say("compared", { RANGE: wording.range(comparison) })];
}

/** Figures of other files may be of other days: statements end earlier. */
function otherPeriods([first, ...others]: readonly Plan[], wording: Wording): readonly string[] {
  return others.flatMap(({ measure, period: { range, span } }) => {
    const isSame =
      JSON.stringify([range, span]) === JSON.stringify([first?.period.range, first?.period.span]);
    if (isSame || (range === undefined && span === undefined)) return [];
    const RANGE = range === undefined ? windowName(span ?? "", wording) : wording.range(range);
    return [wording.say("other-period", { NAME: wording.measure(measure), RANGE })];
  });
}

/** What receipts call the columns of measures that can be a part of a total. */
const PARTIAL: Readonly<Partial<Record<Measure, string>>> = {
  views: "views",
  watch_hours: "watch time (hours)",
  subscribers: "subscribers",
};
const NAMED_FILES = 3;
const NAMED_DAYS = 10;

/** The lines that end every answer with figures: the files, and the days that they lack. */
export async function notesOf(question: Question, plans: readonly Plan[]): Promise<readonly string[]> {
  const { collection, wording } = question;
  const files = usedFiles(question, plans);
  const lines = [wording.say("sources", { FILES: namesOf(files, wording) })];
  const slices = plans.flatMap(({ slice, period: { comparison } }) =>
    comparison?.with === "period" ? [slice, { ...slice, range: comparison }] : [slice],
  );
  for (const grain of ["day", "month"] as const) {
    const own = slices.filter(({ candidate }) => candidate.source.grain === grain);
    const missing = await Promise.all(own.map((slice) => missingFrom(collection, slice)));
    const days = [...new Set(missing.flat())].sort();
    const COUNT = String(days.length);
    const values = { DAYS: wording.list(days.slice(0, NAMED_DAYS)), COUNT };
    if (grain === "month" && days.length > 0)
      lines.push(wording.say("missing-statements", values, days.length));
    if (grain === "day" && own.length > 0) {
      const DAYS =
        days.length === 0 ? wording.say("none") : wording.say("missing-count", values, days.length);
      lines.push(wording.say("missing", { DAYS }));
    }
  }
  const left = unstatedBeside(
    collection.catalog,
    plans.map(({ slice }) => slice),
  );
  if (left.length > 0) lines.push(wording.say("unstated-windows", { FILES: wording.list(left) }));
  lines.push(...otherPlaces(question, plans));
  const refused = files.reduce((sum, file) => sum + file.refusedRows, 0);
  if (refused > 0) lines.push(wording.say("refused-rows", { COUNT: String(refused) }, refused));
  for (const { name, receipt } of files)
    for (const { column, percent } of partsOf(receipt)) {
      const measure = plans.find((plan) => column === PARTIAL[plan.measure])?.measure;
      if (measure === undefined) continue;
      const NAME = wording.measure(measure).toLowerCase();
      lines.push(wording.say("part-of-total", { FILE: name, NAME, SHARE: `${percent.toFixed(1)}%` }));
    }
  const shared = await sharedTitles(collection, plans, wording);
  if (shared.length > 0) lines.push(wording.say("same-title", { NAMES: wording.list(shared) }));
  if (collection.source === "sample") lines.push(wording.say("sample"));
  return lines;
}

/** Tables of places that have plays by country as well, beside an answer out of statements. */
function otherPlaces(
  { reading, collection: { catalog }, wording }: Question,
  plans: readonly Plan[],
): readonly string[] {
  const isByCountry = ({ split, slice: { candidate, filters } }: Plan): boolean =>
    candidate.isOfStatements === true &&
    (split === "country" || reading.group === "country" || filters.countries !== undefined);
  if (!plans.some(isByCountry)) return [];
  const files = catalog.files.filter(({ kind }) => {
    const format = formatOf(kind);
    return format?.table === "place_total" && "plays" in format.columns;
  });
  if (files.length === 0) return [];
  const stores = files.flatMap(({ kind }) => formatOf(kind)?.constants?.["store"] ?? []);
  const FILES = wording.list(files.slice(0, NAMED_FILES).map(({ name }) => name));
  return [wording.say("other-places", { STORES: wording.list([...new Set(stores)]), FILES })];
}

/** The paragraph that opens a chapter: the period, and where it is less than what was asked for. */
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
  return [said, left, clipped].filter(Boolean).join(wording.language === "zh" ? "" : " ");
}

function namesOf(files: readonly CatalogFile[], wording: Wording): string {
  const kinds = [...new Set(files.map(({ kind }) => kind))];
  if (kinds.length === 0) return wording.say("none");
  const parts = kinds.map((kind) => {
    const names = files.filter((file) => file.kind === kind).map(({ name }) => name);
    const more = names.length > NAMED_FILES ? wording.say("more-files", { COUNT: String(names.length) }) : "";
    return `${formatOf(kind)?.names[wording.language] ?? kind} (${wording.list(names.slice(0, NAMED_FILES))}${more})`;
  });
  return parts.join(wording.say("separator"));
}

/** The files of the kinds that plans read; of one song's timelines only its own. */
export function usedFiles(
  { reading, collection: { catalog } }: Question,
  plans: readonly Plan[],
): readonly CatalogFile[] {
  return catalog.files.filter((file) => {
    const format = formatOf(file.kind);
    if (reading.kind === "releases") return format?.table === "song_total" || format?.table === "song_day";
    return plans.some(({ slice: { candidate, filters } }) => {
      if (format === undefined || !isFilledBy(candidate.source, file, format)) return false;
      const { songs, distributors } = filters;
      const distributor = format.constants?.["distributor"];
      if (distributor !== undefined && distributors?.includes(distributor) === false) return false;
      if (format.songInName !== true || songs === undefined) return true;
      return catalog.songs.some(({ id, title }) => songs.includes(id) && isOf(file.name, title));
    });
  });
}

/** Whether a timeline is a song's: its name begins with the title, with _ for signs that file names cannot have. */
function isOf(name: string, title: string): boolean {
  const plain = (text: string): string =>
    text
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  const base = plain((name.split(/[/\\]/).at(-1) ?? name).split(/-timeline/iu, 1)[0] ?? "");
  return base === plain(title) || base.startsWith(`${plain(title)} `);
}

/** Songs of an answer that share a title, each with what tells it apart: its release day and its ISRC. */
async function sharedTitles(
  { catalog, rows }: Collection,
  plans: readonly Plan[],
  wording: Wording,
): Promise<readonly string[]> {
  const asked = new Set(plans.flatMap(({ slice }) => slice.filters.songs ?? []));
  const bySong = plans.some(({ split }) => split === "song");
  const counts = new Map<string, number>();
  for (const { title } of catalog.songs) counts.set(title, (counts.get(title) ?? 0) + 1);
  const ids = catalog.songs
    .filter(({ id, title }) => (counts.get(title) ?? 0) > 1 && (bySong || asked.has(id)))
    .map(({ id }) => id)
    .slice(0, NAMED_DAYS);
  if (ids.length === 0) return [];
  const found = await rows(
    `SELECT id::VARCHAR AS id, released_on::VARCHAR AS released, isrc FROM song WHERE id IN (${ids.join(", ")}) ORDER BY id`,
  );
  return found.map((row) => {
    const [id = "", ...apart] = ["id", "released", "isrc"].map((column) => textOf(row, column));
    return `${wording.song(id)} ${wording.list([`songId ${id}`, ...apart.filter(Boolean)])}`;
  });
}
