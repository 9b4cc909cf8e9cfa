import { quotientOf } from "../model.ts";
import type { Claims } from "./claims.ts";
import { asksStart } from "./marks.ts";
import { STEPS, type Measure, type Split } from "./query.ts";
import { is, type Token } from "./scan.ts";
import type { FilterReading } from "./splits.ts";

const AUDIENCE: readonly Measure[] = ["followers", "followers_gained", "monthly_listeners", "listeners"];
/** Measures that videos have, under the same or another name. */
const OF_VIDEOS: readonly Measure[] = ["plays", "views", "watch_hours", "subscribers", "impressions"];

/** Dimensions that can be filtered by bounds of a figure. */
const BOUNDED = [...STEPS, "song", "country", "store"];

/** The bounds of a figure, the step that they apply to, and the words that state them. */
interface Bounds {
  readonly split?: Split;
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly tokens: readonly (Token | undefined)[];
}

/** "Days without plays", "weeks with at least 5,000 plays": figures within bounds. */
export function boundsOf(tokens: readonly Token[], marks: ReadonlySet<string>): Bounds {
  const noun = tokens.find((token) =>
    ["noun", "split"].some((kind) => is(token, kind as "noun", ...BOUNDED)),
  );
  if (noun === undefined || (marks.has("when") && marks.has("threshold"))) return { tokens: [] };
  const none = tokens.findIndex(
    (token, at) => is(token, "mark", "zero", "except") && is(tokens[at + 1], "measure"),
  );
  const split = noun.value as Split;
  if (none >= 0) return { split, atMost: 0, tokens: [tokens[none], noun] };
  const at = tokens.findIndex(
    (token, place) => is(token, "mark", "threshold") && is(tokens[place + 1], "number"),
  );
  const [mark, number] = [tokens[at], tokens[at + 1]];
  if (mark === undefined || number === undefined) return { tokens: [] };
  const isMost = /most|less|fewer|lower|below|under|no more|不到|低于|小于|至多|最多/u.test(mark.text);
  const value = Number(number.value);
  const said = [mark, noun, number];
  return isMost ? { split, atMost: value, tokens: said } : { split, atLeast: value, tokens: said };
}

/** The number that a figure must reach: "when did I pass 1,000,000 plays". */
export function thresholdOf(tokens: readonly Token[], claims: Claims): number | undefined {
  const at = tokens.findIndex((token) => is(token, "mark", "threshold"));
  const number = at < 0 ? undefined : tokens.slice(at + 1).find((token) => is(token, "number"));
  if (number === undefined) return undefined;
  claims.claim(number);
  return Number(number.value);
}

/** The default numerator of a quotient. */
const NUMERATORS: Readonly<Record<string, Measure>> = {
  play: "income",
  "1000": "income",
  "1000views": "income",
  listener: "plays",
};

export function measuresOf(
  tokens: readonly Token[],
  marks: ReadonlySet<string>,
  split: Split | undefined,
  claims: Claims,
): readonly Measure[] {
  claims.claim(...tokens.filter((token) => is(token, "measure")));
  let found = [...new Set(valuesOf(tokens, "measure") as readonly Measure[])];
  if (marks.has("audience")) found = [...new Set([...AUDIENCE, ...found])];
  for (const token of tokens.filter((one) => is(one, "per"))) {
    const numerator = found.find((one) => quotientOf(one, token.value) !== undefined);
    const of = numerator ?? (found.length === 0 ? NUMERATORS[token.value] : undefined);
    const ratio = of && quotientOf(of, token.value);
    if (ratio === undefined) continue;
    claims.claim(token);
    // 每千次播放收入 only contains plays in its name.
    found = found.filter((one) => one !== numerator && one !== ratio);
    found.push(ratio);
  }
  // Plays of videos are their views.
  const videos = tokens.filter((token) => is(token, "noun", "video"));
  if (videos.length > 0 && (found.length === 0 || found.some((measure) => OF_VIDEOS.includes(measure)))) {
    claims.claim(...videos);
    found = found.map((measure) => (measure === "plays" ? "views" : measure));
    if (found.length === 0 && split !== "video") found = ["views"];
  }
  // 粉丝涨到11000 means the number of followers, not the gain.
  if (tokens.some((token) => is(token, "mark", "threshold") && /到|reach|pass|hit/u.test(token.text)))
    found = found.map((measure) => (measure === "followers_gained" ? "followers" : measure));
  // "How much was refunded?" is answered by the amount and the number.
  if (found.includes("refunds") && split === undefined) found.push("refunded_units");
  // For age and gender, the files state the distribution of views.
  if (split === "age" || split === "gender")
    found = found.map((one) => (one === "views" ? "view_share" : one));
  // For the beginning of a change, the numbers of followers are compared.
  const moves = (marks.has("grow") || marks.has("fall")) && !marks.has("trend") && !asksStart(tokens);
  // "Followers gained" and 粉丝…增长 ask for the difference, not for the number.
  if (
    moves &&
    found.includes("followers") &&
    tokens.some(({ text }) => /gain|new|lose|lost|涨|掉|增|减/.test(text))
  )
    found = found.map((measure) => (measure === "followers" ? "followers_gained" : measure));
  return [...new Set(found)];
}

export function impliedMeasure(split: Split | undefined, { filters }: FilterReading): Measure {
  if (split === "age" || split === "gender") return "view_share";
  if (split === "video" || split === "traffic_source" || split === "subscription_status") return "views";
  if (split === "distributor") return "units";
  if (split === "currency" || filters.currencies !== undefined) return "income";
  if (split === "playlist") return "plays";
  return filters.stores?.length === 1 && filters.stores[0] === "YouTube" ? "views" : "plays";
}

export function valuesOf(tokens: readonly Token[], kind: "order" | "measure"): readonly string[] {
  return tokens.flatMap((token) => (token.kind === kind ? [token.value] : []));
}
