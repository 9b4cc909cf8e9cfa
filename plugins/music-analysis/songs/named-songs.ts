import { exactKey, simplified } from "./fold.ts";
import { isLeading, isPlainBeside, phraseShape } from "./everyday-words.ts";
import type { SongEntry } from "./song.ts";

/** A song that a question names without marks. */
export interface NamedSong {
  readonly name: string;
  /** Where its naming words begin and the name ends, in the question. */
  readonly start: number;
  readonly end: number;
}

/** What may stand before 歌曲, 单曲 when a name follows; 我的歌曲, 哪首歌曲 are songs in general. */
const CHINESE =
  /(?:^|[\s\p{P}]|分析一?下?|[看查问]一?[看下]?|查询|了解一?下?|对比|比较|关于|对于|[对和与跟及用把]|针对|介绍一?下?|[说聊讲][说聊讲]?|谈谈|总结|评[价估]|统计|[显展]示|想?知道|想[看问]|帮我|给我|请)(?:歌曲|单曲|曲子|曲目|作品|歌名)(?:名?[叫为是]做?|名)?[\s:：]*(?=[^\s\p{P}])/gu;
const CALLED = /(?:名?叫做?|名为)([^\s\p{P}的]{1,30})的(?:歌曲?|单曲|曲子|作品)/gu;
const ENGLISH =
  /\b(?:(?:the|my|our|this|that)\s+(?:(?:new|old|latest|debut|hit)\s+)?)?(?:song|track|single|tune)\s+(?:called|named|titled|entitled)?\s*(?=[^\s\p{P}])/giu;
const DETERMINER = /^(?:the|my|our|this|that)\b/iu;
const CALLED_ENGLISH = /\b(?:called|named|titled|entitled)\s*$/iu;
/** Words that follow "the song" and begin no name. */
const NO_FIRST_WORD =
  /^(?:i|i['’]\p{L}+|we|you|that|which|who|where|when|with|without|of|by|and|or|than|after|before|while|if|but|because|until|having|being|got|gets|wise)(?!\p{L})/iu;
/** A bracket that is closed may be part of a name: "Golden Hour (Remix)". */
const CLAUSE = /[,，.。;；:：!！?？\n\t]|[(（](?![^()（）]*[)）])|$/u;
const IN_BRACKET = /[(（][^)）]*$/u;
/** Where a name may end in Chinese, besides before plain words. */
const CHINESE_END =
  /^(?:的|在|从|被|于|来自|最|近|过去|上个?[月周]|[本今昨去前]|这|怎|如何|为什么|为何|有[多没什哪]|是[不否什]|[和与跟及、]|相?比|表现|数据|播放|收入|趋势|听众|粉丝|还|呢|吗|吧|哪|多少|一共|总共|自)/u;
/** What follows 歌曲 and begins no name, unless a known one begins so. */
const NO_NAME =
  /^(?:卖得?|赚|火不|涨|跌|掉|受欢迎|流行|能|会不会|应该|需要|可以|已经|让|通过|大概|平均|按|第[一二三四五六七八九十\d]|什么|何时|推广|宣传|效果|销|评论|每|各|全部|所有|总|前|排|分别|都|也|给|里|上线|发布|发行)/u;
const ENGLISH_END =
  /^\s+(?:is|was|are|were|did|does|do|doing|done|perform\w*|in|on|at|over|during|since|last|this|from|for|by|vs|versus|with|against|compared?|and|or|to|between|has|have|had|gets?|got|getting|earn\w*|ma[kd]e|so|lately|recently|now|today|yesterday|per|each|as|go|going|grow\w*|grew|drop\w*|fall\w*|fell|rank\w*|right|please)(?!\p{L})/iu;
/** A longer name without marks is none. */
const MOST_CHARACTERS = 60;

/**
 * The songs that a question names without marks: 歌曲星图的表现, 叫星图的歌, "the song Ocean". A known name counts as far
 * as it goes; of an unknown one what stands before the words that usually follow.
 */
export function namedSongs(text: string, songs: readonly SongEntry[]): readonly NamedSong[] {
  const level = simplified(text);
  const chinese = [...level.matchAll(CHINESE)].map(({ index, 0: lead }) => {
    const [start, from] = [index, index + lead.length];
    return { start, from, ends: chineseEnds(level.slice(from, from + MOST_CHARACTERS)), isSure: false };
  });
  const called = [...level.matchAll(CALLED)].map(({ index, 0: lead, 1: name = "" }) => {
    const from = index + lead.indexOf(name);
    return { start: index, from, ends: [name.length], isSure: true };
  });
  const english = [...level.matchAll(ENGLISH)].flatMap(({ index, 0: lead }) => {
    const from = index + lead.length;
    const rest = level.slice(from, from + MOST_CHARACTERS);
    const isCalled = CALLED_ENGLISH.test(lead);
    if (!isCalled && NO_FIRST_WORD.test(rest)) return [];
    const isSure = isCalled || /^(?:\p{Lu}|\p{N}+\p{L})/u.test(rest);
    const isPlain = ENGLISH_END.test(` ${rest}`) || isPlainBeside(/^\S+/u.exec(rest)?.[0] ?? "");
    const isName = isSure || (DETERMINER.test(lead) && /^\p{L}/u.test(rest) && !isPlain);
    return isName ? [{ start: index, from, ends: englishEnds(rest), isSure }] : [];
  });
  const found: NamedSong[] = [];
  for (const { start, from, ends, isSure } of [...chinese, ...called, ...english]) {
    const names = ends.map((end) => text.slice(from, from + end).trim());
    const [first = ""] = names;
    // Where the first words are plain, no name begins: "the song sales in May".
    const isNamed = isSure || !(isPlainBeside(first) || phraseShape(first).metric);
    const name = knownIn(names, songs) ?? (isNamed ? first : "");
    if (name !== "") found.push({ name, start, end: from + name.length });
  }
  return found.toSorted((left, right) => left.start - right.start);
}

/**
 * The words right before a Chinese or Japanese pointer that name a song (星图这首歌): what is left of the clause when
 * everyday words are taken away. Who says a name with "this song" means that one, known or not, never the one in focus.
 */
export function nameBefore(spaced: string, start: number): string | undefined {
  if (!/^[\p{Script=Han}\p{Script=Hiragana}]/u.test(spaced.slice(start))) return undefined;
  const [clause = ""] = /[^\p{P}\p{S}\n\t]*$/u.exec(spaced.slice(0, start)) ?? [];
  const words = clause.trim();
  if (words === "" || Array.from(words).length > MOST_CHARACTERS / 2) return undefined;
  let begin = words.length;
  while (begin > 0 && !isLeading(words.slice(0, begin))) begin -= 1;
  const name = words.slice(begin).trim();
  return name === "" || isLeading(name) ? undefined : name;
}

/** The longest of some names that is known. */
function knownIn(names: readonly string[], songs: readonly SongEntry[]): string | undefined {
  const keys = new Map(names.map((name) => [exactKey(name), name]));
  const known = songs.flatMap(({ key }) => keys.get(key) ?? []);
  const [longest] = known.toSorted((left, right) => right.length - left.length);
  return longest === undefined || phraseShape(longest).plain ? undefined : longest;
}

/** Where a name at the beginning of a text may end, shortest first; the end of the clause at last. */
function chineseEnds(text: string): readonly number[] {
  const clause = text.slice(0, CLAUSE.exec(text)?.index);
  const places = Array.from({ length: clause.length }, (_, at) => at).slice(1);
  const ends = places.filter((at) => {
    const rest = unbracketed(clause.slice(at), "");
    return !IN_BRACKET.test(clause.slice(0, at)) && (CHINESE_END.test(rest) || isPlainBeside(rest));
  });
  const begins = CHINESE_END.test(clause) || NO_NAME.test(clause) || isPlainBeside(clause) ? [0] : [];
  return [...begins, ...ends, clause.length];
}

function englishEnds(text: string): readonly number[] {
  const clause = text.slice(0, CLAUSE.exec(text)?.index);
  const places = [...clause.matchAll(/\s+/gu)].map(({ index }) => index);
  const ends = places.filter((at) => {
    const rest = unbracketed(clause.slice(at), " ");
    return !IN_BRACKET.test(clause.slice(0, at)) && (ENGLISH_END.test(rest) || isPlainBeside(rest));
  });
  return [...ends, clause.length];
}

/** What stands in a bracket at the beginning of a text may be no part of a name: "Ocean (last week)". */
function unbracketed(text: string, space: string): string {
  return text.replace(/^\s*[(（]/u, space);
}

/** A piece of the folded text as the user wrote it, where it can be found there again. */
export function asWritten(piece: string, text: string): string {
  const at = text.toLowerCase().indexOf(piece);
  return at === -1 ? piece : text.slice(at, at + piece.length);
}
