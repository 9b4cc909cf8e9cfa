import { readable } from "./ranges.ts";

/** What a question is about. `unknown` is answered with the overview and a list of what can be asked. */
export type Family = "overview" | "plays" | "trend" | "ranking" | "regions" | "fans" | "income" | "unknown";

/** The language of a question, and so of its answer. */
export type Language = "zh" | "en";

/**
 * Words by family; the first family with a hit wins. What narrows a question stands above what nearly every
 * question has: plays by country are regions, the trend of plays is a trend.
 */
const WORDS: readonly (readonly [Exclude<Family, "unknown">, RegExp])[] = [
  [
    "income",
    /收入|收益|版税|赚|结算|变现|多少钱|\b(?:income|revenues?|earn(?:ed|ings?)?|royalt(?:y|ies)|payouts?|money)\b/u,
  ],
  [
    "regions",
    /地区|地域|区域|国家|城市|省份|哪里|海外|国内外|地理|\b(?:regions?|countr(?:y|ies)|geograph(?:y|ic)|locations?|territor(?:y|ies)|cit(?:y|ies)|where)\b(?!\s+are\s+you)/u,
  ],
  [
    "ranking",
    /排行|排名|榜|热门|最火|哪首|哪些歌|哪几首|哪支|代表作|主打|top\s*\d*|\brank(?:ing|ed|s)?\b|\bwhich\s+(?:of\s+my\s+)?(?:songs?|tracks?)\b|\b(?:best|most|hottest|biggest)\b.*\b(?:songs?|tracks?|played|streamed)\b|(?:歌|曲|作品)[^，。？]*最[多高热]|最[多高热受][^，。？]*(?:歌|曲|作品)/u,
  ],
  [
    "fans",
    /粉丝|听众|关注者|年龄|性别|画像|\b(?:fans?|followers?|audience|listeners?|demographics?|age|gender)\b/u,
  ],
  [
    "overview",
    /看看我的整体|总览|概况|概览|全貌|整体(?:情况|表现|数据|歌曲)|总体(?:情况|表现|数据)|\b(?:overview|summary|overall|in general)\b/u,
  ],
  [
    "trend",
    /趋势|走势|变化|涨|跌|增长|下降|曲线|每[天日周]|逐[日周]|按[天日周]|波动|\b(?:trends?|trending|over time|daily|weekly|growth|growing|grew|develop(?:ed|ment)?|day by day|week by week)\b/u,
  ],
  [
    "plays",
    /播放|收听|听了|播了|点播|流量|多少次|\b(?:plays?|played|streams?|streamed|play\s*counts?|listens|performance)\b/u,
  ],
  [
    "overview",
    /整体|总体|所有歌曲|全部歌曲|我的歌|最近怎么样|表现|数据|\b(?:my\s+(?:music|songs|tracks)|how am i doing|doing)\b/u,
  ],
];

/** Finds the family of a question by its words. Song names in title marks or quotes are not read. */
export function familyOf(question: string): Family {
  const text = readable(question);
  return WORDS.find(([, words]) => words.test(text))?.[0] ?? "unknown";
}

/** Chinese when a Chinese or Japanese sign stands outside song names, or when nothing else does; else English. */
export function languageOf(question: string): Language {
  const text = readable(question);
  const isChinese = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
  if (isChinese.test(text)) return "zh";
  return /\p{L}/u.test(text) || !isChinese.test(question) ? "en" : "zh";
}

/** The size of a trend's buckets in days, where the question says one. */
export function bucketOf(question: string): 1 | 7 | undefined {
  const text = readable(question);
  if (/每周|逐周|按周|周度|\b(?:weekly|by week|week by week|per week)\b/u.test(text)) return 7;
  if (/每[天日]|逐日|逐天|按[天日]|\b(?:daily|by day|day by day|per day)\b/u.test(text)) return 1;
  return undefined;
}
