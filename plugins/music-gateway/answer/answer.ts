import type { Query } from "../question/query.ts";
import { read, type Reading } from "../question/reading.ts";
import { changesBlocks } from "./changes.ts";
import type { Collection } from "./collection.ts";
import { marked, rendered, section, type Section } from "./markdown.ts";
import { introOf, noteOf } from "./note.ts";
import { overviewOf } from "./overview.ts";
import { planOf, queryOf, type Plan } from "./plan.ts";
import { splitBlocks } from "./split-table.ts";
import { totalsTable } from "./totals.ts";
import { refusalsOf, understoodLine } from "./understood.ts";
import { wordingOf, type Wording } from "./wording.ts";

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
}

/**
 * The Markdown answer to a question about the account, or about one song. It begins with what was understood; what
 * cannot be answered is said in a sentence, without figures. The same data and question give the same bytes: the
 * clock is never asked.
 */
export async function answerTo(
  question: string,
  songId: number | undefined,
  collection: Collection,
): Promise<string> {
  const reading = read(question, songId, collection.catalog);
  const wording = wordingOf(reading.language);
  const { explanation, sections } = await answerOf(reading, collection, wording);
  const { understood, refusals } = explanation;
  if (sections.length === 0) return `${[understood, ...refusals, wording.say("can-ask")].join("\n\n")}\n`;
  return `${understood}\n\n${rendered(sections, reading.language === "zh")}`;
}

/**
 * The figures of the answer to a question as an SVG picture; of several songs those of each song's answer, side by side.
 * Undefined when there are none.
 */
export async function pictureOf(
  question: string,
  songIds: readonly number[],
  collection: Collection,
): Promise<string | undefined> {
  const asked = songIds.length === 0 ? [undefined] : songIds;
  const answers = await Promise.all(
    asked.map(async (songId) => {
      const reading = read(question, songId, collection.catalog);
      const wording = wordingOf(reading.language);
      const { explanation, sections } = await answerOf(reading, collection, wording);
      const { title = "" } = collection.catalog.songs.find(({ id }) => id === songId) ?? {};
      return {
        wording,
        name: marked(title),
        title: explanation.understood,
        charts: sections.flatMap(({ charts }) => charts),
      };
    }),
  );
  const drawn = answers.filter(({ charts }) => charts.length > 0);
  const [first] = drawn;
  if (first === undefined) return undefined;
  const { picture } = await import("./picture.ts");
  const { wording } = first;
  const notes = collection.source === "sample" ? [wording.say("sample")] : [];
  return picture(drawn, notes, wording);
}

/** What a question is understood as, without its figures. */
export async function explain(
  question: string,
  songId: number | undefined,
  collection: Collection,
): Promise<Explanation> {
  const reading = read(question, songId, collection.catalog);
  return (await answerOf(reading, collection, wordingOf(reading.language))).explanation;
}

async function answerOf(reading: Reading, collection: Collection, wording: Wording): Promise<Answer> {
  const refusals = refusalsOf(reading, collection, wording);
  if (refusals.length > 0) return refused(reading, collection, wording, refusals);
  if (reading.kind === "overview") return overview(reading, collection, wording);
  const found = await Promise.all(
    reading.measures.map(async (measure) => ({
      measure,
      plan: await planOf(reading, measure, collection, wording),
    })),
  );
  const plans = found.flatMap(({ plan }) => ("refusal" in plan ? [] : [plan]));
  const sentences = found.flatMap(({ plan }) => ("refusal" in plan ? [plan.refusal] : []));
  if (plans.length === 0) return refused(reading, collection, wording, sentences);
  const sections: Section[] = [];
  for (const group of grouped(reading, plans))
    sections.push(await sectionOf(collection, group, reading, wording));
  if (sentences.length > 0)
    sections.push({ heading: wording.say("heading-ask"), blocks: sentences, charts: [] });
  sections.push(await noteOf(collection, plans, wording));
  return { sections, explanation: explanationOf(reading, plans, collection, wording, sentences) };
}

async function overview(reading: Reading, collection: Collection, wording: Wording): Promise<Answer> {
  const made = await overviewOf(collection, reading, wording);
  if ("refusal" in made) return refused(reading, collection, wording, [made.refusal]);
  const ask = { heading: wording.say("heading-ask"), blocks: [wording.say("can-ask")], charts: [] };
  const note = await noteOf(collection, made.plans, wording);
  return {
    sections: [...made.sections, ask, note],
    explanation: explanationOf(reading, made.plans, collection, wording, []),
  };
}

async function sectionOf(
  collection: Collection,
  group: readonly Plan[],
  reading: Reading,
  wording: Wording,
): Promise<Section> {
  const [plan] = group;
  if (plan === undefined) return { heading: "", blocks: [], charts: [] };
  const intro = introOf(plan, wording);
  const name = wording.list([...new Set(group.map(({ measure }) => wording.measure(measure)))]);
  if (reading.kind === "changes")
    return section(
      wording.say("heading-changes"),
      intro,
      await changesBlocks(collection, plan, reading, wording),
    );
  if (plan.split === undefined) return section(name, intro, await totalsTable(collection, group, wording));
  const heading =
    plan.split === "song" && plan.measure === "plays"
      ? wording.say("heading-ranking")
      : `${name}${wording.language === "zh" ? "·" : ": "}${wording.split(plan.split)}`;
  return section(heading, intro, await splitBlocks(collection, plan, reading, wording));
}

/** Plans of one period and without a split stand in one table. */
function grouped(reading: Reading, plans: readonly Plan[]): readonly (readonly Plan[])[] {
  const groups = new Map<string, Plan[]>();
  for (const plan of plans) {
    const isAlone = plan.split !== undefined || reading.kind === "changes";
    const key = isAlone ? plan.measure : JSON.stringify(plan.period);
    groups.set(key, [...(groups.get(key) ?? []), plan]);
  }
  return [...groups.values()];
}

function refused(
  reading: Reading,
  collection: Collection,
  wording: Wording,
  refusals: readonly string[],
): Answer {
  return { sections: [], explanation: explanationOf(reading, [], collection, wording, refusals) };
}

function explanationOf(
  reading: Reading,
  plans: readonly Plan[],
  collection: Collection,
  wording: Wording,
  refusals: readonly string[],
): Explanation {
  const query = queryOf(reading, plans);
  const understood = understoodLine(reading, plans[0], collection, wording);
  const shown = query === undefined ? [] : [JSON.stringify(query, undefined, 2)];
  return {
    understood,
    ...(query === undefined ? {} : { query }),
    text: `${[understood, ...shown, ...refusals].join("\n\n")}\n`,
    notUnderstood: reading.faults.flatMap(({ words }) => words),
    refusals,
  };
}
