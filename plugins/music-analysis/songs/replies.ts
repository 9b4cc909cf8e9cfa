import { simplified } from "./script.ts";

const EDGES = /^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu;
const LEADING =
  /^(?:我|您|想|要|选(?!项)|择|就|还|是|应该|分析|看|那|请|帮|\s|(?:the|i|i'd|i'll|like|want|mean|meant|pick|choose|take|let's|go|with|it's|please)\s)+/u;
const TRAILING =
  /(?:个|首|号|支|条|那|这|歌|吧|呢|的|啊|谢|版本?|[\s\p{P}]|\s(?:one|song|track|please|thanks))+$/u;
const PLACE =
  /^(?:第\s?|no\.?\s?|number\s?|option\s?|编号\s?|选项\s?|序号\s?|#)?(?:([0-9]{1,3})(?:st|nd|rd|th)?|([一二两三四五六七八九十]))$/u;
const CHINESE_DIGITS = "零一二三四五六七八九十";
const ENGLISH_PLACES: readonly string[] = "first second third fourth fifth one two three four five".split(
  " ",
);
const LAST = /^最后一?(?:个|首)?$|^last$/u;
const FROM_THE_END = /^倒数第([一二三四五])$/u;
const REFUSAL =
  "(?:以上|这些|这几首|里面|全部|全|一个|一首)?(?:都|也)?(?:不是|不对|不要|不用|没有|算了|取消|别的|其他|没|不|否)";
const REFUSES = new RegExp(
  `^${REFUSAL}我?[想要找]*(?:的|了|啊|哦|呢|吧|歌|那首|这些|一个|对的|谢)*$|^(?:no|nope|none|neither|cancel|never ?mind|not (?:these|those|any)|none of (?:them|these|those|the above))(?:[, ]+(?:of them|thanks|thank you|sorry))?$`,
  "u",
);
const LEADING_REFUSAL = new RegExp(
  `^(?:(?:${REFUSAL}|no|nope|none of them|none|neither)[\\s\\p{P}]+|都?不是)`,
  "u",
);
const YES =
  /^(?:是|对|嗯|好|行|可以|没错|就是|就它|就?这[个首]|yes|yep|yeah|ok|okay|right|correct|sure|that one|this one)[的啊吧呀]*$/u;
const VAGUE =
  /随便|随意|任意|都行|都可以|都要|全都|两[个首]|中间|[上下前后]面|那个|那首|第.[个首]|不知道|不清楚|不确定|谢谢|多谢|稍等|等等|\b(?:any|both|all|either|whatever|middle|other|first|second|third|last|idk|dunno|not sure|don't know|mean|thanks|thank you|wait)\b/u;
const OWN = /我们?的|\b(?:my|our)\b|\b(?:did|have) (?:i|we)\b/u;

/** An answer levelled for reading: width, case and script, without punctuation around it. */
export function levelled(answer: string): string {
  return simplified(answer.normalize("NFKC").toLowerCase())
    .replaceAll("’", "'")
    .replace(/\s+/gu, " ")
    .replace(EDGES, "");
}

/** A levelled answer without the words of choosing around the name or number: 我要第二首吧 becomes 第二. */
export function withoutChoosing(reply: string): string {
  return reply.replace(LEADING, "").replace(TRAILING, "").replace(EDGES, "");
}

/**
 * The place a levelled answer names, from 1; it may lie beyond the list. Numbers, ordinals and "the last"
 * (docs/music-analysis.md, Confirmation).
 */
export function spokenPlace(reply: string, count: number): number | undefined {
  const bare = withoutChoosing(reply.replace(/^#/u, ""));
  if (LAST.test(reply) || LAST.test(bare)) return count;
  const back = FROM_THE_END.exec(bare);
  if (back !== null) return count + 1 - CHINESE_DIGITS.indexOf(back[1] ?? "");
  if (count === 2 && /^(?:前者|former)$/u.test(bare)) return 1;
  if (count === 2 && /^(?:后者|latter)$/u.test(bare)) return 2;
  const english = ENGLISH_PLACES.indexOf(bare.replace(/^(?:number|option)\s/u, ""));
  if (english !== -1) return (english % 5) + 1;
  const match = PLACE.exec(bare);
  if (match === null) return undefined;
  const spelled = (match[2] ?? "").replace("两", "二");
  return match[1] === undefined ? CHINESE_DIGITS.indexOf(spelled) : Number(match[1]);
}

/** Whether a levelled answer does nothing but decline (都不是, 没有, none of them). */
export function refuses(reply: string): boolean {
  return REFUSES.test(reply.replaceAll(/(?<=\P{ASCII}) | (?=\P{ASCII})|[，,、]/gu, ""));
}

/** A levelled answer without a refusal that opens it: 都不是，我想看风筝 becomes 我想看风筝. */
export function withoutRefusal(reply: string): string {
  return reply.replace(LEADING_REFUSAL, "");
}

/** Whether a levelled answer only agrees. */
export function agrees(reply: string): boolean {
  return YES.test(reply);
}

/** Whether a levelled answer means to choose but does not say which. */
export function isVague(reply: string): boolean {
  return VAGUE.test(reply);
}

/** Whether a levelled question is about what is the asker's own (my songs, did I earn), rather than about the choice. */
export function asksForOwn(reply: string): boolean {
  return OWN.test(reply);
}
