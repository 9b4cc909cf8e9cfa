import type { Asked, Holdings, Part } from "./asked.ts";
import { audienceIn } from "./audience-queries.ts";
import type { KindName } from "./export-kinds.ts";
import { count, table } from "./markdown.ts";
import { daysAsked } from "./periods.ts";
import { dailyCoverage } from "./play-queries.ts";
import { readable } from "./ranges.ts";
import { numberOf, textOf } from "./result-row.ts";
import { sentence } from "./texts.ts";

const AUDIENCE: readonly KindName[] = ["spotify-audience"];
const DEMOGRAPHIC = /年龄|性别|画像|\b(?:age|gender|demographics?)\b/u;

/** Followers and listeners of the account. The exports have none by song, age or gender, and the answer says so. */
export async function audiencePart(asked: Asked, { database }: Holdings): Promise<Part> {
  const { words, language } = asked;
  const plain = (heading: string, ...blocks: readonly string[]): Part => ({
    kinds: AUDIENCE,
    sections: [{ heading, blocks }],
    period: undefined,
  });
  const missing = DEMOGRAPHIC.test(readable(asked.question)) ? [sentence("no-demographics", language)] : [];
  if (asked.song !== undefined) return plain(words.fans, sentence("no-song-audience", language));
  const data = await dailyCoverage(database);
  if (data === undefined) return plain(words.fans, sentence("no-audience", language));
  const period = daysAsked(asked, data);
  if (typeof period === "string") return plain(words.period, period);
  const row = await audienceIn(database, period.scope);
  if (row === undefined) return plain(words.fans, ...missing, sentence("no-audience", language));
  const figure = (column: string): string => count(numberOf(row, column));
  const rows = [
    [words.followers, figure("followers"), figure("previous_followers")],
    [words.newFollowers, figure("gained"), figure("previous_gained")],
    [words.monthlyListeners, figure("monthly"), figure("previous_monthly")],
    [words.averageListeners, figure("average"), figure("previous_average")],
    [words.bestListeners, `${figure("best")} (${textOf(row, "best_day")})`, "—"],
  ];
  const blocks = [
    period.intro,
    ...missing,
    table(words.metric.slice(0, 3), rows),
    sentence("listeners", language),
  ];
  return { kinds: AUDIENCE, sections: [{ heading: words.fans, blocks }], period };
}
