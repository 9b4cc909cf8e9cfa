import { phraseShape } from "./plain-words.ts";
import { simplified } from "./script.ts";

/** Words that come before "this song" and are no part of a name. */
const LEADS =
  `对于 关于 有关 针对 根据 除了 为什么 因为 如果 目前 现在 刚刚 刚才 上次 之前 刚发 发布 发行 上线 推出 推广 宣传 投放 喜欢 收听 播放 听 唱 写 发 做 想 问 说 讲
  说说 聊聊 讲讲 谈谈 介绍 总结 评价 推荐 预测 解释 描述 统计 计算 显示 给 为 从 用 把 被 让 将 比 像 由 到 于 对 就 再 还 也 都 只 只有 会 能 要 应该 需要 觉得 认为 以为 知道
  了解 关注 来自 听过 听了 帮忙 麻烦 继续 另外 还有 那么 所以 但是 不过 其实 究竟 到底 大概 主要 具体 详细 单独 只看 仔细 深入 重新 首 支 个 曲 叫 叫做 名叫 名为`
    .split(/\s+/u)
    .toSorted((left, right) => right.length - left.length);
const LEAD = new RegExp(`(?:${LEADS.join("|")})$`, "u");
const UNSPACED_POINTER = /^[\p{Script=Han}\p{Script=Hiragana}]/u;
const CLAUSE_END = /[\p{P}\p{S}\n\t]/u;
const MOST_CHARACTERS = 30;

/**
 * The words right before a Chinese or Japanese pointer that name a song (星图这首歌): what is left of the clause when
 * everyday words are taken away; undefined when nothing is. Who says a name with "this song" means that one, known or
 * not, and never the one in focus.
 */
export function nameBefore(text: string, start: number): string | undefined {
  if (!UNSPACED_POINTER.test(text.slice(start))) return undefined;
  const before = Array.from(text.slice(0, start));
  const clause = before
    .slice(before.findLastIndex((character) => CLAUSE_END.test(character)) + 1)
    .join("")
    .trim();
  if (clause === "" || clause.length > MOST_CHARACTERS) return undefined;
  const name = clause.slice(beginOfName(clause)).trim();
  return name === "" || isEveryday(name) ? undefined : name;
}

/** After the last place up to which the clause has everyday words only. */
function beginOfName(clause: string): number {
  for (let end = clause.length; end > 0; end -= 1) if (isEveryday(clause.slice(0, end))) return end;
  return 0;
}

function isEveryday(phrase: string): boolean {
  let rest = simplified(phrase.toLowerCase()).trim();
  while (rest !== "" && !phraseShape(rest).plain) {
    const shorter = rest.replace(LEAD, "").trim();
    if (shorter === rest) {
      // A lead may stand before plain words too (对我的): those are taken off one by one.
      const cut = Array.from(rest);
      const tail = cut.findIndex((_, place) => phraseShape(cut.slice(place).join("")).plain);
      if (tail <= 0) return false;
      rest = cut.slice(0, tail).join("");
    } else rest = shorter;
  }
  return true;
}
