import type { Split } from "../question/query.ts";
import { changesBlocks } from "./changes.ts";
import type { Blocks } from "./markdown.ts";
import { introOf } from "./note.ts";
import { isPlan, planOf, type Plan } from "./plan.ts";
import type { Question, Refusal } from "./wording.ts";
import { splitBlocks } from "./split-table.ts";
import { totalsTable } from "./totals.ts";

/** A chapter of an answer before its figures are there. Its plans are of one period. */
export interface Chapter {
  readonly heading: string;
  readonly intro: string;
  readonly question: Question;
  readonly plans: readonly Plan[];
}

/** What is answered, and sentences on what is not. */
export interface Chapters {
  readonly chapters: readonly Chapter[];
  readonly refusals: readonly string[];
}

/** A chapter for each measure; those of one period and without a split stand in one table. */
export async function figuresOf(question: Question): Promise<Chapters> {
  const { reading, wording } = question;
  const found = await Promise.all(reading.measures.map((measure) => planOf(question, measure)));
  const isChanges = reading.kind === "changes";
  const groups = new Map<string, Plan[]>();
  for (const plan of found.filter(isPlan)) {
    const isAlone = plan.split !== undefined || isChanges;
    const key = isAlone ? plan.measure : JSON.stringify(plan.period);
    groups.set(key, [...(groups.get(key) ?? []), plan]);
  }
  const chapters = [...groups.values()].map((plans) => {
    const name = wording.list([...new Set(plans.map(({ measure }) => wording.measure(measure)))]);
    return chapterOf(
      question,
      isChanges ? wording.say("heading-changes") : headingOf(question, name, plans),
      plans,
    );
  });
  return { chapters, refusals: found.flatMap((plan) => ("refusal" in plan ? [plan.refusal] : [])) };
}

/** Plays, the songs (with their ids), the trend and the audience: as far as the files hold them. */
export async function overviewOf(question: Question): Promise<Chapters> {
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

/** The figures of a chapter. */
export async function blocksOf({ question, plans }: Chapter): Promise<Blocks> {
  const [plan] = plans;
  if (plan === undefined) return { blocks: [], charts: [] };
  if (question.reading.kind === "changes") return changesBlocks(question, plan);
  return plan.split === undefined ? totalsTable(question, plans) : splitBlocks(question, plan);
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
