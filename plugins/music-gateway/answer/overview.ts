import type { Reading } from "../question/reading.ts";
import type { Collection } from "./collection.ts";
import { section, type Blocks, type Section } from "./markdown.ts";
import { introOf } from "./note.ts";
import { planOf, type Plan, type Refusal } from "./plan.ts";
import { splitBlocks } from "./split-table.ts";
import { totalsTable } from "./totals.ts";
import type { Wording } from "./wording.ts";

/** What an overview shows, with the plans it is made of. */
export interface Overview {
  readonly sections: readonly Section[];
  readonly plans: readonly Plan[];
}

const isPlan = (plan: Plan | Refusal): plan is Plan => !("refusal" in plan);

/** Plays, the songs (with their ids), the trend and the audience: as far as the files hold them. */
export async function overviewOf(
  collection: Collection,
  reading: Reading,
  wording: Wording,
): Promise<Overview | Refusal> {
  const sections: Section[] = [];
  const plans: Plan[] = [];
  const isOfSong = reading.filters.songs !== undefined;
  const asked: Reading = { ...reading, kind: "figures", split: undefined, order: undefined, rows: undefined };
  const plays = await planOf(asked, "plays", collection, wording);
  const add = (heading: string, plan: Plan, blocks: Blocks): void => {
    sections.push(section(heading, introOf(plan, wording), blocks));
    plans.push(plan);
  };
  if (isPlan(plays))
    add(
      wording.say(isOfSong ? "heading-song" : "heading-plays"),
      plays,
      await totalsTable(collection, [plays], wording),
    );
  if (!isOfSong) {
    const songs = await songsPlan(collection, asked, wording);
    if (isPlan(songs))
      add(wording.say("heading-ranking"), songs, await splitBlocks(collection, songs, asked, wording));
  }
  if (isPlan(plays) && plays.slice.candidate.source.grain === "day") {
    const weekly: Reading = { ...asked, split: "week" };
    const trend = await planOf(weekly, "plays", collection, wording);
    if (isPlan(trend)) {
      const heading = wording.say("heading-trend", { NAME: wording.measure("plays") });
      sections.push({ heading, ...(await splitBlocks(collection, trend, weekly, wording)) });
    }
  }
  if (!isOfSong) {
    const found = await Promise.all(
      (["followers", "followers_gained", "monthly_listeners", "listeners"] as const).map((measure) =>
        planOf(asked, measure, collection, wording),
      ),
    );
    const audience = found.filter(isPlan);
    const [first] = audience;
    if (first !== undefined)
      add(wording.say("heading-audience"), first, await totalsTable(collection, audience, wording));
  }
  if (sections.length > 0) return { sections, plans };
  const others = await Promise.all(
    (["income", "units", "views"] as const).map((measure) => planOf(asked, measure, collection, wording)),
  );
  for (const plan of others.filter(isPlan))
    add(wording.measure(plan.measure), plan, await totalsTable(collection, [plan], wording));
  if (sections.length > 0) return { sections, plans };
  return isPlan(plays) ? { refusal: wording.say("no-rows") } : plays;
}

/** Songs by plays; where no file has plays by song, by the units of statements. */
async function songsPlan(collection: Collection, asked: Reading, wording: Wording): Promise<Plan | Refusal> {
  const bySong: Reading = { ...asked, split: "song" };
  const plays = await planOf(bySong, "plays", collection, wording);
  return isPlan(plays) ? plays : planOf(bySong, "units", collection, wording);
}
