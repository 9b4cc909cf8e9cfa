import { songEntry, type SongEntry } from "../plugins/music-analysis/songs/song.ts";

/** Songs whose words no other title has, so that the same answers are right among any number of others. */
const ANCHORS: readonly string[] = [
  "Lantern Harbour",
  "霓裳曲",
  "霓裳曲",
  "珊瑚礁（Live）",
  "鲸落",
  "飛鳥與鯨",
  "ゆりかご",
  "무지개",
];

const CHINESE = Array.from(
  "爱你我海风夜月星光雨雪花梦心情人生城市时间记忆回家路远方天空春夏秋冬梅季节江南北京上安再见后来青春岁流年孤独温柔眼泪微笑等待" +
    "离开自由翔蓝色红豆白桦林山水烟火故事少黄昏清晨森河大地云朵彩虹太阳银宇宙车站台旧老唱片吉他钢琴音乐歌声舞电影信咖啡茶酒糖甜苦",
);
const TRADITIONAL = Array.from("愛夢風雲後來時間記憶離開藍紅樹淚聽");
const ENGLISH = (
  "love love love love blue river golden hour night dream heart light fire summer rain city road home dance moon star sky ocean wave shadow " +
  "silver broken forever alone together never always wild free young lost found time day sun wind stone glass paper mirror echo " +
  "ghost angel devil king queen baby girl boy sweet bitter cold warm high low fast slow the a of my your in on to with under over"
).split(" ");
const JAPANESE = (
  "夜に 駆ける アイドル さくら ラブ ソング 君の 名は 空 ひまわり 花火 ドライ フラワー 恋 レモン 青い 夏の 終わり ありがとう 東京 " +
  "ガール パプリカ 炎"
).split(" ");
const KOREAN =
  "봄날 사랑 너의 의미 밤 편지 좋은 날 이별 그대 바람 하늘 별 꿈 눈 비 여름 겨울 우리 기억".split(" ");
const ENDINGS: readonly string[] = [
  "(Live)",
  "（伴奏）",
  " - Remix",
  " feat. Nova",
  "！",
  " (DJ版)",
  " 2",
  "…",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
];

/** So many songs, the same each time: about half Chinese, a third English, the rest Japanese and Korean, many of one name. */
export function someSongs(count: number): readonly SongEntry[] {
  const random = randomNumbers();
  const one = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? "";
  const some = (words: readonly string[], most: number, between = ""): string =>
    Array.from({ length: 1 + Math.floor(random() * most) }, () => one(words)).join(between);
  const title = (): string => {
    const kind = random();
    if (kind < 0.46) return one(CHINESE) + some(CHINESE, 6);
    if (kind < 0.5) return one(TRADITIONAL) + some(TRADITIONAL, 3);
    if (kind < 0.82) return some(ENGLISH, 4, " ").replaceAll(/\b[a-z]/gu, (letter) => letter.toUpperCase());
    return kind < 0.91 ? some(JAPANESE, 3) : some(KOREAN, 3, " ");
  };
  const names = [...ANCHORS];
  while (names.length < count) names.push(random() < 0.02 ? `《${title()}》` : title() + one(ENDINGS));
  return names.flatMap((name, place) => songEntry(name, place + 1) ?? []);
}

/** A linear congruential generator: good enough for titles, and the same everywhere. */
function randomNumbers(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
