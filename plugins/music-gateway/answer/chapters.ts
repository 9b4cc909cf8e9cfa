import type { Kind, Measure, Split } from "../question/query.ts";
import type { Reading } from "../question/reading.ts";
import { changesBlocks, milestoneBlocks, reasonsBlocks } from "./changes.ts";
import { gathered } from "./figures.ts";
import { isPlan, planOf, type Plan } from "./plan.ts";
import type { Block } from "./rectangle.ts";
import { releaseBlocks } from "./releases.ts";
import { splitBlocks } from "./split.ts";
import { startBlocks } from "./start.ts";
import { totalsBlocks } from "./totals.ts";
import { refusalsOf } from "./understood.ts";
import type { Question, Wording, WordingName } from "./wording.ts";

/** A chapter of an answer before its figures are read. All its plans have the same period and split. */
export interface Chapter {
  readonly heading: string;
  readonly question: Question;
  readonly plans: readonly Plan[];
}

/** The chapters of an answer, and a sentence for each part that has no chapter. */
interface Chapters {
  readonly chapters: readonly Chapter[];
  readonly refusals: readonly string[];
}

/** Chapters that are named after their kind, not after their figure. */
const HEADINGS: Readonly<Partial<Record<Kind, WordingName>>> = {
  changes: "heading-changes",
  reasons: "heading-reasons",
  milestone: "heading-milestone",
  start: "heading-start",
  peak: "heading-peak",
};
const AUDIENCE = ["followers", "followers_gained", "monthly_listeners", "listeners"] as const;

export async function chaptersOf(question: Question): Promise<Chapters> {
  const { reading, wording } = question;
  const { kind, measures, beside, filters } = reading;
  const refusals = refusalsOf(question);
  if (refusals.length > 0) return { chapters: [], refusals };
  if (kind === "overview") return overviewOf(question);
  if (kind === "releases")
    return { chapters: [{ heading: wording.say("heading-releases"), question, plans: [] }], refusals };
  const found = await planned(question, measures, HEADINGS[kind]);
  if (beside.length === 0) return found;
  // Songs of one question side by side: each also has its own answer.
  const by = reshaped(question, {
    split: "song",
    isTrend: false,
    filters: { ...filters, songs: [...beside] },
  });
  const { chapters } = await planned(by, measures, "heading-beside");
  return { chapters: [...found.chapters, ...chapters], refusals: found.refusals };
}

/** The figures of a chapter. */
export async function blocksOf({ question, plans }: Chapter): Promise<readonly Block[]> {
  const { kind, beside } = question.reading;
  const [plan] = plans;
  if (kind === "releases") return releaseBlocks(question);
  if (plan === undefined) return [];
  if (kind === "changes") return changesBlocks(question, plan);
  if (kind === "reasons") return reasonsBlocks(question, plan);
  if (kind === "milestone") return milestoneBlocks(question, plan);
  if (kind === "start" || kind === "peak") return startBlocks(question, plan);
  if (plan.split === undefined) return totalsBlocks(question, plans);
  const blocks = await splitBlocks(question, plans);
  // A picture shows the songs' own figures side by side.
  const isDrawn = beside.length === 0;
  return isDrawn ? blocks : blocks.map((one) => (typeof one === "string" ? one : { ...one, charts: [] }));
}

/** Plays, the songs (with their ids), the trend and the audience, if the files contain them. */
async function overviewOf(question: Question): Promise<Chapters> {
  const isOfSong = question.reading.filters.songs !== undefined;
  const chapters: Chapter[] = [];
  const add = async (heading: WordingName | undefined, measures: readonly Measure[], split?: Split) => {
    const by = reshaped(question, { kind: "figures", split, order: undefined, rows: undefined });
    const found = await planned(by, measures, heading);
    chapters.push(...found.chapters);
    return found.refusals;
  };
  const refusals = await add(isOfSong ? "heading-song" : "heading-plays", ["plays"]);
  // Without a file of plays by song, the units of statements are used.
  if (!isOfSong && (await add("heading-ranking", ["plays"], "song")).length > 0)
    await add("heading-ranking", ["units"], "song");
  await add("heading-trend", ["plays"], "week");
  if (!isOfSong) await add("heading-audience", AUDIENCE);
  if (chapters.length === 0) await add(undefined, ["income", "units", "views"]);
  return { chapters, refusals: chapters.length > 0 ? [] : refusals };
}

function reshaped(question: Question, change: Partial<Reading>): Question {
  return { ...question, reading: { ...question.reading, ...change } };
}

/** A chapter for measures with the same period and split; changes, reasons and milestones have one measure each. */
async function planned(
  question: Question,
  measures: readonly Measure[],
  heading: WordingName | undefined,
): Promise<Chapters> {
  const { reading, wording } = question;
  const found = await Promise.all(measures.map((measure) => planOf(question, measure)));
  const groups = gathered(found.filter(isPlan), ({ measure, period, split, slice }) =>
    JSON.stringify(reading.kind === "figures" ? [period, split, split && slice.filters] : [measure]),
  );
  return {
    chapters: groups.map((plans) => {
      const NAME = wording.list([...new Set(plans.map(({ measure }) => wording.measure(measure)))]);
      return {
        heading: heading === undefined ? headingOf(NAME, plans, wording) : wording.say(heading, { NAME }),
        question,
        plans,
      };
    }),
    refusals: found.flatMap((plan) => ("refusal" in plan ? [plan.refusal] : [])),
  };
}

function headingOf(name: string, [plan, ...others]: readonly Plan[], wording: Wording): string {
  if (plan?.split === undefined) return name;
  if (plan.split === "song" && plan.measure === "plays" && others.length === 0)
    return wording.say("heading-ranking");
  return `${name}${wording.language === "zh" ? "·" : ": "}${wording.split(plan.split)}`;
}
