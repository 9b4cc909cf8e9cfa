/** Listeners, followers, saves and playlist adds of the account, and the videos of its channel. */
import {
  AUGUST,
  LAST_WEEK,
  month,
  monthsOf,
  OCTOBER,
  type Period,
  Q2,
  SEPTEMBER,
  THIS_YEAR,
} from "./days.ts";
import { playlists, songWindows, videos } from "./exports.ts";
import { EVER, type Expectation, family, last, type Question, shown } from "./expectation.ts";
import {
  type AudienceMeasure,
  audienceOn,
  audienceSum,
  daysWithFigures,
  figure,
  followersGained,
  mean,
  ranked,
  subscribers,
  viewsOf,
  watchHours,
} from "./truth.ts";

/** The first day counts too; without it a day is lost. */
function gained(period: Period): Expectation {
  const right = figure(followersGained(period));
  const short = figure(audienceOn(period[1], "followers") - audienceOn(period[0], "followers"));
  return { has: [...period, right], hasNot: short === right ? [] : [short] };
}

const added = (period: Period, measure: AudienceMeasure): Expectation => ({
  has: [...shown(period), figure(audienceSum(period, measure))],
});
const on = (day: string, measure: AudienceMeasure): Expectation => ({
  has: [day, figure(audienceOn(day, measure))],
});

/** Listeners of days are not added up: one person listens on many. */
function listenersADay(period: Period): Expectation {
  const total = audienceSum(period, "listeners");
  return {
    has: [...shown(period), mean(total, daysWithFigures(period).length)],
    hasNot: [figure(total)],
  };
}

const bySaves = ranked(
  songWindows.map(({ title }) => title),
  (title) => songWindows.find((one) => one.title === title)?.saves ?? 0,
);
const savesOf = (place: number): string =>
  figure(songWindows.find(({ title }) => title === bySaves[place])?.saves ?? 0);

const titles = videos.map(({ title }) => title);
const byViews = ranked(titles, (title) => viewsOf(EVER, title));
const bySubscribers = ranked(titles, subscribers);
const views = (period: Period, title?: string): Expectation => ({
  has: [...period, figure(viewsOf(period, title))],
});
const viewsByMonth = monthsOf(THIS_YEAR).map((one) => figure(viewsOf(month(one))));
/** Titles as a cell shows them: the judge reads cells without quotes. */
const bare = (title: string): string => title.replaceAll('"', "");

const byStreams = ranked(
  playlists.map(({ title }) => title),
  (title) => playlists.find((one) => one.title === title)?.plays ?? 0,
);

export const audienceQuestions: readonly Question[] = [
  ...family("audience", [
    ["9月涨了多少粉", gained(SEPTEMBER)],
    ["How many followers did I gain in September?", gained(SEPTEMBER)],
    ["上周新增粉丝数", gained(LAST_WEEK)],
    ["followers gained this month", gained(OCTOBER)],
    ["最近7天涨粉多少？", gained(last(7))],
    ["new followers in Q2", gained(Q2)],
    ["10月15日有多少粉丝", on("2026-10-15", "followers")],
    ["followers on September 30", on("2026-09-30", "followers")],
    ["现在有多少粉丝", on("2026-10-31", "followers")],
    ["How many followers do I have now?", on("2026-10-31", "followers")],
    ["10月15日的听众数", on("2026-10-15", "listeners")],
    ["listeners on Oct 15", on("2026-10-15", "listeners")],
    ["上周听众情况", listenersADay(LAST_WEEK)],
    ["average daily listeners last week", listenersADay(LAST_WEEK)],
    ["9月30日的月听众是多少", on("2026-09-30", "monthlyListeners")],
    ["monthly listeners on September 30", on("2026-09-30", "monthlyListeners")],
  ]),
  ...family("saves", [
    ["上个月收藏了多少次", added(SEPTEMBER, "saves")],
    ["saves last month", added(SEPTEMBER, "saves")],
    ["10月15日有多少收藏", on("2026-10-15", "saves")],
    ["How many saves in Q2?", added(Q2, "saves")],
    ["9月被加到歌单多少次", added(SEPTEMBER, "playlistAdds")],
    ["playlist adds last week", added(LAST_WEEK, "playlistAdds")],
    [
      "今年每月的收藏数",
      {
        has: [
          ...shown(THIS_YEAR),
          ...monthsOf(THIS_YEAR).map((one) => figure(audienceSum(month(one), "saves"))),
        ],
        rows: 10,
      },
    ],
    ["上上周加入歌单的次数", added(["2026-10-12", "2026-10-18"], "playlistAdds")],
    ["playlist adds in August", added(AUGUST, "playlistAdds")],
    ["最近28天哪首歌收藏最多", { has: [savesOf(0)], order: bySaves.slice(0, 1) }],
    ["Which song was saved the most in the last 28 days?", { has: [savesOf(0)], order: bySaves.slice(0, 1) }],
    [
      "top 3 songs by saves, last 28 days",
      {
        has: [savesOf(0), savesOf(1), savesOf(2)],
        hasNot: [savesOf(3)],
        order: bySaves.slice(0, 3),
        rows: 3,
      },
    ],
    ["哪个歌单带来的播放最多", { has: [figure(17_254)], order: byStreams.slice(0, 1), mayDecline: true }],
  ]),
  ...family("video", [
    ["上个月视频观看次数", views(SEPTEMBER)],
    ["YouTube views last month", views(SEPTEMBER)],
    ["8月YouTube的观看量", views(AUGUST)],
    ["video views by month this year", { has: [...THIS_YEAR, ...viewsByMonth], rows: 10 }],
    ["今年每个月的视频观看次数", { has: [...THIS_YEAR, ...viewsByMonth], rows: 10 }],
    ["video views in Q2", views(Q2)],
    ["《Lantern》视频7月观看次数", views(month("2026-07"), "Lantern")],
    ["views of the Blue River video in September", views(SEPTEMBER, "Blue River")],
    [
      "各个视频的历史观看次数",
      { has: titles.map((title) => figure(viewsOf(EVER, title))), rows: 4, order: byViews.map(bare) },
    ],
    [
      "Which video has the most views of all time?",
      { has: [figure(viewsOf(EVER, byViews[0] ?? ""))], order: byViews.slice(0, 1) },
    ],
    [
      "历史上视频观看最多的是哪个",
      { has: [figure(viewsOf(EVER, byViews[0] ?? ""))], order: byViews.slice(0, 1) },
    ],
    ["视频总观看时长是多少小时", { has: [watchHours()] }],
    ["total watch time of my videos", { has: [watchHours()] }],
    ["Blue River 这个视频的观看时长", { has: [watchHours("Blue River")] }],
    ["subscribers from the Lantern video", { has: [figure(subscribers("Lantern"))] }],
    [
      "monthly views of the 海盐 video this year",
      {
        has: [...THIS_YEAR, ...monthsOf(THIS_YEAR).map((one) => figure(viewsOf(month(one), "海盐")))],
        rows: 10,
      },
    ],
    [
      "哪个视频带来的订阅最多",
      { has: [figure(subscribers(bySubscribers[0]))], order: bySubscribers.slice(0, 1) },
    ],
    ["How many subscribers did my videos bring in total?", { has: [figure(subscribers())] }],
  ]),
];
