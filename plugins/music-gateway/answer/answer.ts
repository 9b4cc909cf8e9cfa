import { inertMarkdown } from "skillctl";
import type { AnalysisSubject } from "../../ports.ts";
import type { AnswerOutput, FigureTable } from "../contract.ts";
import type { Kind, Query, Split } from "../question/query.ts";
import { readingOf } from "../question/query-reading.ts";
import { readAfter, type Asked } from "../question/follow-up.ts";
import type { RowKey } from "../question/pointers.ts";
import { read, type Reading } from "../question/reading.ts";
import type { Collection } from "../store/catalog.ts";
import {
  rendered,
  section,
  sideBySide,
  Wording,
  type Headline,
  type Section,
  type Blocks,
  type Question,
  type Refusal,
  type WordingName,
} from "./wording.ts";
import { isTimeSplit } from "./figures.ts";
import { headlineOf } from "./headline.ts";
import { tableOf } from "./rectangle.ts";
import { noteOf, introOf, refusalsOf, understoodLine, usedFiles } from "./understood.ts";
import { queryOf, isPlan, planOf, type Plan } from "./plan.ts";
import { changesBlocks, milestoneBlocks, reasonsBlocks } from "./changes.ts";
import { releaseBlocks } from "./releases.ts";
import { splitBlocks } from "./split-table.ts";
import { totalsTable } from "./totals.ts";

/** A chapter of an answer before its figures are there. Its plans are of one period. */
interface Chapter {
  readonly heading: string;
  readonly intro: string;
  readonly question: Question;
  readonly plans: readonly Plan[];
}

/** What is answered, and sentences on what is not. */
interface Chapters {
  readonly chapters: readonly Chapter[];
  readonly refusals: readonly string[];
}

/** Chapters that are called by what they do, not by their figure. */
const HEADINGS: Readonly<Partial<Record<Kind, WordingName>>> = {
  changes: "heading-changes",
  reasons: "heading-reasons",
  milestone: "heading-milestone",
};

/** A chapter for each measure; those of one period and without a split stand in one table. */
async function figuresOf(question: Question): Promise<Chapters> {
  const { reading, wording } = question;
  const found = await Promise.all(reading.measures.map((measure) => planOf(question, measure)));
  const heading = HEADINGS[reading.kind];
  const groups = new Map<string, Plan[]>();
  for (const plan of found.filter(isPlan)) {
    const isAlone = plan.split !== undefined || heading !== undefined;
    const key = isAlone ? plan.measure : JSON.stringify(plan.period);
    groups.set(key, [...(groups.get(key) ?? []), plan]);
  }
  const chapters = [...groups.values()].map((plans) => {
    const name = wording.list([...new Set(plans.map(({ measure }) => wording.measure(measure)))]);
    return chapterOf(
      question,
      heading === undefined ? headingOf(question, name, plans) : wording.say(heading),
      plans,
    );
  });
  const sides = reading.beside.length > 0 ? await besideOf(question) : [];
  return {
    chapters: [...chapters, ...sides],
    refusals: found.flatMap((plan) => ("refusal" in plan ? [plan.refusal] : [])),
  };
}

/** Songs of one question side by side: each has an answer of its own besides. */
async function besideOf(question: Question): Promise<readonly Chapter[]> {
  const { reading, wording } = question;
  const filters = { ...reading.filters, songs: [...reading.beside] };
  const by: Question = { ...question, reading: { ...reading, filters, split: "song", isTrend: false } };
  const plans = (await Promise.all(reading.measures.map((measure) => planOf(by, measure)))).filter(isPlan);
  return plans.map((plan) =>
    chapterOf(by, wording.say("heading-beside", { NAME: wording.measure(plan.measure) }), [plan]),
  );
}

/** Plays, the songs (with their ids), the trend and the audience: as far as the files hold them. */
async function overviewOf(question: Question): Promise<Chapters> {
  const { wording } = question;
  const isOfSong = question.reading.filters.songs !== undefined;
  const by = (split?: Split): Question => ({
    ...question,
    reading: { ...question.reading, kind: "figures", split, order: undefined, rows: undefined },
  });
  const [totals, songs, weeks] = [by(), by("song"), by("week")];
  const plays = await planOf(totals, "plays");
  const chapters: Chapter[] = [];
  const add = (heading: string, from: Question, plans: readonly (Plan | Refusal)[]): void => {
    const known = plans.filter(isPlan);
    if (known.length > 0) chapters.push(chapterOf(from, heading, known));
  };
  add(wording.say(isOfSong ? "heading-song" : "heading-plays"), totals, [plays]);
  if (!isOfSong) {
    // Where no file has plays by song, the units of statements.
    const ranked = await planOf(songs, "plays");
    add(wording.say("heading-ranking"), songs, [isPlan(ranked) ? ranked : await planOf(songs, "units")]);
  }
  if (isPlan(plays) && plays.slice.candidate.source.grain === "day") {
    const trend = await planOf(weeks, "plays");
    const heading = wording.say("heading-trend", { NAME: wording.measure("plays") });
    if (isPlan(trend)) chapters.push({ heading, intro: "", question: weeks, plans: [trend] });
  }
  if (!isOfSong) {
    const audience = ["followers", "followers_gained", "monthly_listeners", "listeners"] as const;
    const plans = await Promise.all(audience.map((measure) => planOf(totals, measure)));
    add(wording.say("heading-audience"), totals, plans);
  }
  if (chapters.length === 0)
    for (const measure of ["income", "units", "views"] as const)
      add(wording.measure(measure), totals, [await planOf(totals, measure)]);
  if (chapters.length > 0) return { chapters, refusals: [] };
  return { chapters, refusals: ["refusal" in plays ? plays.refusal : wording.say("no-rows")] };
}

const BLOCKS: Readonly<Partial<Record<Kind, (question: Question, plan: Plan) => Promise<Blocks>>>> = {
  changes: changesBlocks,
  reasons: reasonsBlocks,
  milestone: milestoneBlocks,
};

/** The figures of a chapter. */
async function blocksOf({ question, plans }: Chapter): Promise<Blocks> {
  const [plan] = plans;
  if (question.reading.kind === "releases") return releaseBlocks(question);
  if (plan === undefined) return { blocks: [], charts: [] };
  const own = BLOCKS[question.reading.kind];
  if (own !== undefined) return own(question, plan);
  if (plan.split === undefined) return totalsTable(question, plans);
  const found = await splitBlocks(question, plan);
  // A picture puts the songs' own figures side by side.
  return question.reading.beside.length > 0 ? { ...found, charts: [] } : found;
}

function chapterOf(question: Question, heading: string, plans: readonly Plan[]): Chapter {
  const [plan] = plans;
  return { heading, intro: plan === undefined ? "" : introOf(plan, question.wording), question, plans };
}

function headingOf({ wording }: Question, name: string, [plan]: readonly Plan[]): string {
  if (plan?.split === undefined) return name;
  if (plan.split === "song" && plan.measure === "plays") return wording.say("heading-ranking");
  return `${name}${wording.language === "zh" ? "·" : ": "}${wording.split(plan.split)}`;
}

/** An answer to a question or a query, in the forms in which it is shown. */
export interface Answer {
  /** The rows, the query, and why there are no figures; its text is that of an explanation. */
  readonly output: AnswerOutput;
  /** The same as Markdown. */
  readonly content: string;
  /** The chapters of a chart. */
  readonly sections: readonly Section[];
  readonly headline: Headline;
  readonly wording: Wording;
}

/** An answer in a row of questions. */
export interface TalkAnswer extends Answer {
  /** The questions that the next one can go on about. */
  readonly asked: readonly Asked[];
  /** The one song that it is about, or `other` for a row of another ranking: what "it" means next. */
  readonly subject: AnalysisSubject | undefined;
}

/**
 * The Markdown answer to a question about the account, or about one song. It begins with what was understood; what
 * cannot be answered is said in a sentence, without figures. The same data, question and day (`today`, yyyy-mm-dd, from
 * which "last month" is counted) and the same questions before give the same bytes.
 */
export async function answerTo(
  next: Asked,
  earlier: readonly Asked[],
  collection: Collection,
  today: string,
): Promise<TalkAnswer> {
  const rowKey: RowKey = async (of, place) =>
    keyOf(await answered(of, undefined, collection, today), place, of);
  const { reading, asked, isAlone, others } = await readAfter(earlier, next, collection.catalog, rowKey);
  let answer = await answered(reading, next.songId, collection, today);
  for (const other of others)
    if (answer.sections.length === 0 && other.faults.length === 0) {
      const found = await answered(other, next.songId, collection, today);
      if (found.sections.length > 0) answer = found;
    }
  // Without figures only a question of its own is gone on about.
  const isSubject = isAlone && (reading.hasMeasure || reading.kind !== "overview");
  const subject = subjectOf(answer, reading, collection);
  return { ...answer, subject, asked: answer.sections.length > 0 || isSubject ? asked : earlier };
}

function subjectOf(answer: Answer, reading: Reading, { catalog }: Collection): TalkAnswer["subject"] {
  const { filters, split, order, rows = 1 } = reading;
  const [song, ...songs] = filters.songs ?? [];
  const isRow = split !== undefined && order !== undefined && rows === 1 && !isTimeSplit(split);
  if (answer.sections.length === 0 || (song === undefined ? !isRow : songs.length > 0)) return undefined;
  if (song === undefined && split !== "song") return "other";
  const songId = song ?? Number(keyOf(answer, 1, reading));
  const title = catalog.songs.find(({ id }) => id === songId)?.title;
  return title === undefined ? undefined : { songId, title };
}

/** The key of a row of the first table of an answer, from 1. */
function keyOf({ output }: Answer, place: number, { split }: Reading): string | undefined {
  const [table] = output.tables;
  const name = split === "song" ? "song_id" : `${split}_key`;
  const at = table?.columns.findIndex((column) => column.name === name) ?? -1;
  const key = table?.rows[place - 1]?.[at];
  return key === undefined || key === null ? undefined : String(key);
}

/** The answer to a query. `today` (yyyy-mm-dd) is the day from which periods are counted. */
export async function answerQuery(query: Query, collection: Collection, today: string): Promise<Answer> {
  return answered(readingOf(query, collection), undefined, collection, today);
}

/**
 * The figures of the answer to a question as an SVG picture; of several songs those of each song's answer, side by side.
 * Undefined when there are none.
 */
export async function pictureOf(
  message: string,
  songIds: readonly number[],
  earlier: readonly Asked[],
  collection: Collection,
  today: string,
): Promise<string | undefined> {
  const songs = songIds.length === 0 ? [undefined] : songIds;
  const answers = await Promise.all(
    songs.map(async (songId) => {
      const next = { message, songId };
      const { headline, sections, wording } = await answerTo(next, earlier, collection, today);
      const name = songId === undefined ? "" : wording.song(songId);
      return { ...headline, wording, name, charts: sections.flatMap((one) => one.charts) };
    }),
  );
  const drawn = answers.filter(({ charts }) => charts.length > 0);
  const [first] = drawn;
  if (first === undefined) return undefined;
  const { picture } = await import("./picture.ts");
  const subtitle = [
    ...new Set([...drawn.flatMap((one) => one.subjects), ...drawn.flatMap((one) => one.days)]),
  ].join(" · ");
  const notes = collection.source === "sample" ? [first.wording.say("sample")] : [];
  return picture(sideBySide(drawn), { title: first.title, subtitle, notes }, first.wording);
}

async function answered(
  reading: Reading,
  songId: number | undefined,
  collection: Collection,
  today: string,
): Promise<Answer> {
  const wording = new Wording(reading.language, collection.catalog.songs);
  // The sample ends on a day of its own.
  const isSample = collection.source === "sample";
  const question: Question = { reading, collection, wording, today: isSample ? undefined : today };
  const { chapters, refusals } = await chaptersOf(question);
  const plans = chapters.flatMap((chapter) => chapter.plans);
  const sections: Section[] = [];
  const tables: FigureTable[] = [];
  for (const chapter of chapters) {
    const found = section(chapter.heading, chapter.intro, await blocksOf(chapter));
    sections.push(found);
    const facts = factsOf(chapter);
    for (const block of found.blocks) if (typeof block !== "string") tables.push(tableOf(block, facts));
  }
  if (sections.length > 0) {
    const asks = reading.kind === "overview" ? [wording.say("can-ask")] : refusals;
    if (asks.length > 0) sections.push({ heading: wording.say("heading-ask"), blocks: asks, charts: [] });
    sections.push(await noteOf(question, plans));
  }
  const query = queryOf(reading, plans);
  const understood = understoodLine(question, plans);
  const code = query === undefined ? [] : [JSON.stringify(query, undefined, 2)];
  const nearest = await nearestTo(question, songId);
  const output: AnswerOutput = {
    understood,
    ...(nearest === undefined ? {} : { nearest }),
    ...(query === undefined ? {} : { query }),
    notUnderstood: reading.faults.flatMap(({ words }) => words),
    refusals: [...refusals],
    tables,
    text: `${[inertMarkdown(understood), ...code, ...refusals.map(inertMarkdown)].join("\n\n")}\n`,
  };
  const offer =
    nearest === undefined ? wording.say("can-ask") : wording.say("nearest", { QUESTION: nearest });
  const content =
    sections.length === 0
      ? `${[understood, ...refusals, offer].join("\n\n")}\n`
      : `${understood}\n\n${rendered(sections, wording.language === "zh")}`;
  // Titles, stores and places are words of files.
  return {
    output,
    content: inertMarkdown(content),
    sections,
    headline: headlineOf(question, plans),
    wording,
  };
}

/** The days, files and grain of the tables of a chapter. */
function factsOf({ heading, plans, question }: Chapter): Omit<FigureTable, "columns" | "rows"> {
  const [plan] = plans;
  const { range, comparison } = plan?.period ?? {};
  return {
    title: heading,
    grain: plan?.slice.candidate.source.grain ?? "day",
    days: range === undefined ? null : { from: range.from, to: range.to },
    before: comparison === undefined ? null : { from: comparison.from, to: comparison.to },
    files: usedFiles(question, plans).map(({ name }) => name),
  };
}

/** The question without the words that are not understood, where it can be answered then. */
async function nearestTo(
  { reading, collection, wording, today }: Question,
  songId: number | undefined,
): Promise<string | undefined> {
  const [fault, ...others] = reading.faults;
  if (fault?.is !== "unknown-words" || others.length > 0) return undefined;
  const question = withoutWords(reading.question, fault.words);
  const rest = read(question, songId, collection.catalog);
  const isAsked = rest.kind === reading.kind && rest.kind !== "overview" && rest.faults.length === 0;
  if (question === reading.question || !isAsked) return undefined;
  const { chapters } = await chaptersOf({ reading: rest, collection, wording, today });
  return chapters.length === 0 ? undefined : question;
}

/** Longer words first; what they leave of spaces and marks is levelled. */
function withoutWords(question: string, words: readonly string[]): string {
  const literal = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const sorted = words.toSorted((one, other) => other.length - one.length).slice(0, 20);
  return sorted
    .reduce(
      (text, word) => {
        // With the "by" that belongs to it.
        const whole = /^[a-z]/i.test(word)
          ? `(?:\\b(?:by|per|each|every) +)?\\b${literal(word)}\\b`
          : `[按各每]?${literal(word)}`;
        return text.replaceAll(new RegExp(whole, "gi"), " ");
      },
      question.slice(0, 2000),
    )
    .replaceAll(/ {2,}/g, " ")
    .replaceAll(/(?<=\p{Script=Han}) | (?=\p{Script=Han})/gu, "")
    .replace(/(?<!的)的+(?=[。？?!！]?$)/u, "")
    .replace(/^[的和、，\s]+/u, "")
    .replace(/ (?:(?:of|and|by|per|each|in|for|with) ?){1,3}(?=[.?!]?$)/i, "")
    .replaceAll(/ (?=[,.?!])/g, "")
    .trim();
}

async function chaptersOf(question: Question): Promise<Chapters> {
  const refusals = refusalsOf(question);
  if (refusals.length > 0) return { chapters: [], refusals };
  if (question.reading.kind === "releases") {
    const heading = question.wording.say("heading-releases");
    return { chapters: [{ heading, intro: "", question, plans: [] }], refusals };
  }
  return question.reading.kind === "overview" ? overviewOf(question) : figuresOf(question);
}
