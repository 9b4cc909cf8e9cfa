import { simplified } from "./script.ts";

/** How a phrase is made up of the everyday words of questions about data. */
export interface PhraseShape {
  /** Names a metric, a dimension of the audience, a platform or a window of time. */
  readonly metric: boolean;
  /** Says that something is asked. */
  readonly asking: boolean;
  /** Has no word beyond everyday ones: too plain to be taken for a song name without marks. */
  readonly plain: boolean;
}

const METRICS = `听众画像 粉丝画像 用户画像 人群画像 画像 播放趋势 播放量 播放数 播放次数 播放 收听 试听 完播率 跳过率 粉丝 听众 关注者
  收入 收益 版税 结算 涨粉 掉粉 曝光 点击 下载 热度 转化 留存 收藏 点赞 评论 分享 转发 互动 年龄 性别 男女 男性 女性 男生 女生 地区 地域
  分布 数据 趋势 涨幅 排行榜 排行 排名 占比 概况 概览 总览 整体 大盘 账号 曲库 榜单 qq音乐 酷狗音乐 酷狗 酷我音乐 酷我 网易云音乐 网易云`;
const FILLERS = `我们 我的 我 你 您 的 了 和 与 跟 及 在 是 有 吗 呢 吧 啊 请 帮 看看 看 查看 查 分析 一下 最近 近期 今天 昨天 前天 本周 上周 本月 上个月 上月
  今年 去年 这周 这个月 这 那 近 过去 天 周 日 个月 月 年 周末 总 各 全部 所有 歌曲 作品 单曲 歌 首 表现 情况 变化 结果 报告 新 老 每 个 最 高 低 好 多 少 率
  量 城市 省份 国家 平台差异 平台 渠道 设备 时段 增长 下降 上升 上涨 下跌 比例 来源 时长 人均 平均 新增 活跃 我想`;
const ASKING = `怎么样 怎么 怎样 如何 多少 几个 为什么 什么 哪些 哪首 哪个 哪里 对比 比较 想看 想知道 告诉 能不能 可以`;
const ENGLISH_METRICS = `plays streams listener listeners follower followers fans audience demographics revenue royalties earnings income royalty
  saves likes comments shares engagement listening demographic growth trend trends gender age ages rate rates count counts performance
  cities countries regions men women male males female females`;
const ENGLISH_FILLERS = `a an the my our your i me you we us it its is are was were be been do does did has have had to of in on at by for from with and or
  not no so if then this that these those there here all any each every some most more less top best worst new old last past recent
  recently day days week weeks month months year years today yesterday now over overall total data numbers stats statistics
  performing perform performed results report distribution song songs track tracks single singles title titles name music
  grew grow growing go going get getting up down out can could would should will please just about profile region country city
  chart charts ranking platform platforms play stream streaming fan view views playlists completion skip split average time listen
  listens daily weekly monthly yearly annual weekend weekends monday tuesday wednesday thursday friday saturday sunday january
  february march april may june july august september october november december`;
const ENGLISH_ASKING = `how what which who where when why show tell analyse analyze compare`;

const WORDS = {
  metric: wordSet(`${METRICS} ${ENGLISH_METRICS}`),
  asking: wordSet(`${ASKING} ${ENGLISH_ASKING}`),
  filler: wordSet(`${FILLERS} ${ENGLISH_FILLERS}`),
};
const WINDOW = "(?:最近|过去|近|前)\\d+(?:天|日|周|个月|月|年)";
const CALENDAR = "(?:周|星期)[一二三四五六日天]|十?[一二三四五六七八九十]月";
const CHINESE = [...WORDS.metric, ...WORDS.asking, ...WORDS.filler]
  .filter((word) => !/^[a-z]+$/u.test(word))
  .toSorted((left, right) => right.length - left.length);
const TOKEN = new RegExp(
  `${WINDOW}|${CALENDAR}|${CHINESE.join("|")}|[a-z]+(?:['’][a-z]+)?|\\d+|[\\p{P}\\p{S}\\s]+`,
  "gu",
);

/**
 * Reads a phrase word by word, longest first. Traditional characters, width and case do not matter
 * (docs/music-analysis.md, Song names: quoted metric words are no song names).
 */
export function phraseShape(text: string): PhraseShape {
  let metric = false;
  let asking = false;
  let strange = false;
  const rest = simplified(text.normalize("NFKC").toLowerCase()).replace(TOKEN, (token) => {
    const word = token.replace(/['’]s$/u, "");
    if (WORDS.metric.has(word) || /^[^\d]+\d+[^\d]+$/u.test(word)) metric = true;
    else if (WORDS.asking.has(word)) asking = true;
    else if (/^[a-z]/u.test(word) && !WORDS.filler.has(word)) strange = true;
    return "";
  });
  return { metric, asking, plain: !strange && rest === "" };
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/u).filter((word) => word !== ""));
}
