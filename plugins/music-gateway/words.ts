import type { KindName } from "./export-kinds.ts";
import type { Language } from "./families.ts";

/** Headings, columns and short labels of an answer. Whole sentences stand in the manifest. */
const ZH = {
  plays: "整体播放表现",
  songPlays: "单曲播放表现",
  trend: "播放趋势",
  ranking: "歌曲排行",
  regions: "地区分布",
  fans: "粉丝与听众",
  income: "收入",
  incomeSongs: "各歌曲收入",
  videos: "视频观看（导出时累计）",
  note: "数据补充说明",
  period: "时间范围",
  ask: "可以问什么",
  metric: ["指标", "本期", "上期", "环比"],
  song: ["排名", "歌曲名", "songId", "播放量", "占比", "环比"],
  bucket: ["日期", "播放量", "上期", "环比"],
  region: ["排名", "国家或地区", "播放量", "占比", "环比"],
  incomeMonth: ["月份", "币种", "数量", "收入"],
  incomeSong: ["排名", "歌曲名", "songId", "币种", "收入"],
  video: ["视频", "观看次数"],
  totalPlays: "播放量",
  averagePlays: "日均播放量",
  bestDay: "最高单日",
  followers: "粉丝数（期末）",
  newFollowers: "净增粉丝",
  monthlyListeners: "月听众（期末）",
  averageListeners: "日均听众",
  bestListeners: "听众最高单日",
  sources: "数据来源",
  window: "统计区间",
  comparison: "对比区间",
  missing: "缺失日期（含对比区间）",
  none: "无",
  songIs: "歌曲",
  lastDays: "最近 30 天",
  lastMonth: "最近一个结算月",
  unknownPlace: "未知",
  to: " 至 ",
  andMore: (count: number) => `等 ${count} 个文件`,
  days: (count: number) => `（共 ${count} 天）`,
  comma: "、",
  colon: "：",
  stop: "。",
} as const;

/** The same in English, key by key. */
const EN: Words = {
  plays: "Plays",
  songPlays: "Plays of the song",
  trend: "Trend",
  ranking: "Song ranking",
  regions: "Regions",
  fans: "Fans and listeners",
  income: "Income",
  incomeSongs: "Income by song",
  videos: "Video views (up to the export)",
  note: "Data note",
  period: "Period",
  ask: "What you can ask",
  metric: ["Figure", "This period", "Period before", "Change"],
  song: ["Rank", "Song", "songId", "Plays", "Share", "Change"],
  bucket: ["Date", "Plays", "Period before", "Change"],
  region: ["Rank", "Country or region", "Plays", "Share", "Change"],
  incomeMonth: ["Month", "Currency", "Quantity", "Income"],
  incomeSong: ["Rank", "Song", "songId", "Currency", "Income"],
  video: ["Video", "Views"],
  totalPlays: "Plays",
  averagePlays: "Plays per day",
  bestDay: "Best day",
  followers: "Followers (at the end)",
  newFollowers: "Followers gained",
  monthlyListeners: "Monthly listeners (at the end)",
  averageListeners: "Listeners per day",
  bestListeners: "Best day for listeners",
  sources: "Sources",
  window: "Period",
  comparison: "Compared with",
  missing: "Missing days (both periods)",
  none: "none",
  songIs: "Song",
  lastDays: "the last 30 days",
  lastMonth: "the last statement month",
  unknownPlace: "Unknown",
  to: " to ",
  andMore: (count) => `and more, ${count} files in all`,
  days: (count) => ` (${count} in all)`,
  comma: ", ",
  colon: ": ",
  stop: ".",
};

/** The labels that every language has. */
export type Words = {
  readonly [Key in keyof typeof ZH]: (typeof ZH)[Key] extends readonly string[]
    ? readonly string[]
    : (typeof ZH)[Key] extends string
      ? string
      : (count: number) => string;
};

const KINDS: Readonly<Record<KindName, Readonly<Record<Language, string>>>> = {
  "spotify-timeline": { zh: "Spotify 单曲时间线", en: "Spotify song timelines" },
  "spotify-audience": { zh: "Spotify 听众时间线", en: "Spotify audience timeline" },
  "spotify-songs": { zh: "Spotify 歌曲表", en: "Spotify songs table" },
  "youtube-table": { zh: "YouTube 数据表", en: "YouTube table data" },
  "distrokid-statement": { zh: "DistroKid 结算单", en: "DistroKid statement" },
};

export function wordsOf(language: Language): Words {
  return language === "zh" ? ZH : EN;
}

export function kindWord(kind: KindName, language: Language): string {
  return KINDS[kind][language];
}
