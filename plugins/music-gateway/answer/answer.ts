import type { Query } from "../question/query.ts";
import { read } from "../question/reading.ts";
import type { Collection } from "../store/catalog.ts";
import { blocksOf, figuresOf, overviewOf, type Chapters } from "./chapters.ts";
import { rendered, section, type Section } from "./markdown.ts";
import { noteOf } from "./note.ts";
import { queryOf } from "./plan.ts";
import { refusalsOf, understoodLine } from "./understood.ts";
import { Wording, type Question } from "./wording.ts";

/** How a question is understood. */
export interface Explanation {
  /** The line that an answer begins with. */
  readonly understood: string;
  /** The query; none when nothing can be asked of the files. */
  readonly query?: Query;
  /** Words that mean nothing here, and what the files cannot know. */
  readonly notUnderstood: readonly string[];
  /** Why there are no figures. */
  readonly refusals: readonly string[];
  /** The same to read. */
  readonly text: string;
}

interface Answer {
  readonly explanation: Explanation;
  readonly sections: readonly Section[];
  readonly wording: Wording;
}

/**
 * The Markdown answer to a question about the account, or about one song. It begins with what was understood; what
 * cannot be answered is said in a sentence, without figures. The same data and question give the same bytes: the
 * clock is never asked.
 */
export async function answerTo(
  message: string,
  songId: number | undefined,
  collection: Collection,
): Promise<string> {
  const { explanation, sections, wording } = await answerOf(message, songId, collection);
  const { understood, refusals } = explanation;
  if (sections.length === 0) return `${[understood, ...refusals, wording.say("can-ask")].join("\n\n")}\n`;
  return `${understood}\n\n${rendered(sections, wording.language === "zh")}`;
}

/**
 * The figures of the answer to a question as an SVG picture; of several songs those of each song's answer, side by side.
 * Undefined when there are none.
 */
export async function pictureOf(
  message: string,
  songIds: readonly number[],
  collection: Collection,
): Promise<string | undefined> {
  const asked = songIds.length === 0 ? [undefined] : songIds;
  const answers = await Promise.all(
    asked.map(async (songId) => {
      const { explanation, sections, wording } = await answerOf(message, songId, collection);
      const name = songId === undefined ? "" : wording.song(songId);
      const charts = sections.flatMap((one) => one.charts);
      return { wording, name, title: explanation.understood, charts };
    }),
  );
  const drawn = answers.filter(({ charts }) => charts.length > 0);
  const [first] = drawn;
  if (first === undefined) return undefined;
  const { picture } = await import("./picture.ts");
  const notes = collection.source === "sample" ? [first.wording.say("sample")] : [];
  return picture(drawn, notes, first.wording);
}

/** What a question is understood as, without its figures. */
export async function explain(
  message: string,
  songId: number | undefined,
  collection: Collection,
): Promise<Explanation> {
  return (await answerOf(message, songId, collection)).explanation;
}

async function answerOf(
  message: string,
  songId: number | undefined,
  collection: Collection,
): Promise<Answer> {
  const reading = read(message, songId, collection.catalog);
  const wording = new Wording(reading.language, collection.catalog.songs);
  const question: Question = { reading, collection, wording };
  const { chapters, refusals } = await chaptersOf(question);
  const plans = chapters.flatMap((chapter) => chapter.plans);
  const sections: Section[] = [];
  for (const chapter of chapters)
    sections.push(section(chapter.heading, chapter.intro, await blocksOf(chapter)));
  if (sections.length > 0) {
    const asks = reading.kind === "overview" ? [wording.say("can-ask")] : refusals;
    if (asks.length > 0) sections.push({ heading: wording.say("heading-ask"), blocks: asks, charts: [] });
    sections.push(await noteOf(question, plans));
  }
  const query = queryOf(reading, plans);
  const understood = understoodLine(question, plans[0]);
  const shown = query === undefined ? [] : [JSON.stringify(query, undefined, 2)];
  const explanation: Explanation = {
    understood,
    ...(query === undefined ? {} : { query }),
    text: `${[understood, ...shown, ...refusals].join("\n\n")}\n`,
    notUnderstood: reading.faults.flatMap(({ words }) => words),
    refusals,
  };
  return { explanation, sections, wording };
}

async function chaptersOf(question: Question): Promise<Chapters> {
  const refusals = refusalsOf(question);
  if (refusals.length > 0) return { chapters: [], refusals };
  return question.reading.kind === "overview" ? overviewOf(question) : figuresOf(question);
}
