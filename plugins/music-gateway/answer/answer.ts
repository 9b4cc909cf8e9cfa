import { inertMarkdown } from "skillctl";
import type { AnalysisSubject } from "../../ports.ts";
import type { AnswerOutput, FigureTable } from "../contract.ts";
import type { Query } from "../question/query.ts";
import { readingOf } from "../question/query-reading.ts";
import { readAfter, type Asked } from "../question/follow-up.ts";
import type { RowKey } from "../question/pointers.ts";
import { read, type Reading } from "../question/reading.ts";
import type { Collection } from "../store/catalog.ts";
import { isTimeSplit } from "./calendar.ts";
import { blocksOf, chaptersOf, type Chapter } from "./chapters.ts";
import { tableOf } from "./rectangle.ts";
import { notesOf, usedFiles } from "./notes.ts";
import { introOf, understoodLine } from "./understood.ts";
import { queryOf, type Plan } from "./plan.ts";
import { suggestionOf } from "./suggestions.ts";
import { rendered, Wording, type Question, type Section } from "./wording.ts";

/** An answer to a question or a query, in each form in which it is shown. */
export interface Answer {
  /** The rows, the query, and the reason if there are no figures; `text` is the explanation. */
  readonly output: AnswerOutput;
  /** The same as Markdown. */
  readonly content: string;
  /** The chapters with figures, and notes on the source of the figures and on missing data. */
  readonly sections: readonly Section[];
  readonly notes: readonly string[];
  readonly question: Question;
  readonly plans: readonly Plan[];
}

/** An answer to one of a series of questions. */
export interface TalkAnswer extends Answer {
  /** The questions that the next one can refer to. */
  readonly asked: readonly Asked[];
  /** The song that it is about, or `other` for a row of another ranking: the meaning of "it" in the next question. */
  readonly subject: AnalysisSubject | undefined;
}

/**
 * Returns the Markdown answer to a question about the account or about one song. It begins with the interpretation of
 * the question; a part that cannot be answered gets a sentence without figures. The same data, question, day (`today`,
 * yyyy-mm-dd, from which "last month" is counted) and earlier questions give the same bytes.
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
  // An answer without figures can only be followed up if its question is complete by itself.
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

/** The key of a row in the first table of an answer, counted from 1. */
function keyOf({ output }: Answer, place: number, { split }: Reading): string | undefined {
  const [table] = output.tables;
  const name = split === "song" ? "song_id" : `${split}_key`;
  const at = table?.columns.findIndex((column) => column.name === name) ?? -1;
  const key = table?.rows[place - 1]?.[at];
  return key === undefined || key === null ? undefined : String(key);
}

/** The answer to a query. Periods are counted from `today` (yyyy-mm-dd). */
export async function answerQuery(query: Query, collection: Collection, today: string): Promise<Answer> {
  return answered(readingOf(query, collection), undefined, collection, today);
}

async function answered(
  reading: Reading,
  songId: number | undefined,
  collection: Collection,
  today: string,
): Promise<Answer> {
  const wording = new Wording(reading.language, collection.catalog.songs);
  // Periods of the sample are counted from its last day, not from today.
  const isSample = collection.source === "sample";
  const question: Question = { reading, collection, wording, today: isSample ? undefined : today };
  const { chapters, refusals } = await chaptersOf(question);
  const plans = chapters.flatMap((chapter) => chapter.plans);
  const sections: Section[] = [];
  const tables: FigureTable[] = [];
  let said = "";
  for (const chapter of chapters) {
    const blocks = await blocksOf(chapter);
    const intro = introOf(chapter.plans, wording);
    sections.push({
      heading: chapter.heading,
      blocks: intro === "" || intro === said ? blocks : [intro, ...blocks],
    });
    said = intro;
    const facts = factsOf(chapter);
    tables.push(...blocks.flatMap((block) => (typeof block === "string" ? [] : [tableOf(block, facts)])));
  }
  const notes = sections.length === 0 ? [] : await notesOf(question, plans);
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
    sections.length > 0
      ? ""
      : nearest === undefined
        ? await canAsk(question)
        : wording.say("nearest", { QUESTION: nearest });
  const asks =
    reading.kind === "overview" && sections.length > 0 ? [await canAsk(question)].filter(Boolean) : refusals;
  const ends = [
    ...(asks.length > 0 ? [{ heading: wording.say("heading-ask"), blocks: asks }] : []),
    { heading: wording.say("heading-note"), blocks: [notes.map((line) => `- ${line}`).join("\n")] },
  ];
  const content =
    sections.length === 0
      ? `${[understood, ...refusals, offer].filter(Boolean).join("\n\n")}\n`
      : `${understood}\n\n${rendered([...sections, ...ends], wording.language === "zh")}`;
  // Titles, stores and places are text from imported files.
  return { output, content: inertMarkdown(content), sections, notes, question, plans };
}

/** The days, files and granularity of a chapter's tables. */
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

/** The question without the words that are not understood, if that question can be answered. */
async function nearestTo(
  { reading, collection, wording, today }: Question,
  songId: number | undefined,
): Promise<string | undefined> {
  const [fault, ...others] = reading.faults;
  if (fault?.is !== "unknown-words" || others.length > 0) return undefined;
  const question = withoutWords(reading.question, fault.words);
  if (question === undefined) return undefined;
  const rest = read(question, songId, collection.catalog);
  const isAsked = rest.kind === reading.kind && rest.kind !== "overview" && rest.faults.length === 0;
  if (!isAsked) return undefined;
  const { chapters } = await chaptersOf({ reading: rest, collection, wording, today });
  return chapters.length === 0 ? undefined : question;
}

/** Questions that the files answer. */
function canAsk(question: Question): Promise<string> {
  return suggestionOf(question, async (suggested) => {
    const { chapters, refusals } = await chaptersOf(suggested);
    return chapters.length > 0 && refusals.length === 0;
  });
}

/** A placeholder for an omitted word. */
const LEFT_OUT = "\u{e000}";
/** Words that need the word after them: "did … get", "most … country", 海盐和…歌. */
const NEEDS_NEXT =
  /(?:\b(?:did|do|does|is|are|was|were|has|have|had|will|can|most|least|more|less|than|versus|vs|to|and|or)|[和与跟比最更]) *\u{e000}(?![\s\u{e000}]*[.。?？!！]?$)/iu;
/** Words with which a question cannot end. */
const OPEN_ENDS = new Set(
  "of and by per each in for with than vs versus compared to the a my from at on".split(" "),
);

/** Removes words from a question, with surplus spaces and punctuation; undefined if the rest is not a question. */
function withoutWords(question: string, words: readonly string[]): string | undefined {
  const literal = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const longestFirst = words.toSorted((one, other) => other.length - one.length).slice(0, 20);
  const left = longestFirst.reduce(
    (text, word) => {
      // Includes the "by" that belongs to the word.
      const whole = /^[a-z]/i.test(word)
        ? `(?:\\b(?:by|per|each|every) +)?\\b${literal(word)}\\b`
        : `[按各每]?${literal(word)}`;
      return text.replaceAll(new RegExp(whole, "gi"), LEFT_OUT);
    },
    question.slice(0, 2000),
  );
  if (!left.includes(LEFT_OUT) || NEEDS_NEXT.test(left)) return undefined;
  const mark = /[.?!。？！]?$/u.exec(left)?.[0] ?? "";
  const rest = left.slice(0, left.length - mark.length).trimEnd();
  const kept = rest.split(new RegExp(`[ ${LEFT_OUT}]+`, "u")).filter(Boolean);
  while (rest.endsWith(LEFT_OUT) && OPEN_ENDS.has(kept.at(-1)?.toLowerCase() ?? "")) kept.pop();
  return `${kept.join(" ")}${mark}`
    .replaceAll(/(?<=\p{Script=Han}) (?![a-z])|(?<![a-z]) (?=\p{Script=Han})/giu, "")
    .replace(/(?<!的)的+(?=[。？?!！]?$)/u, "")
    .replace(/^[的和、，\s]+/u, "")
    .replaceAll(/ (?=[,.?!])/g, "")
    .trim();
}
