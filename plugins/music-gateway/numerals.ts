/** Traditional characters that occur in date words, and their simplified forms. */
const SIMPLIFIED: Readonly<Record<string, string>> = {
  過: "过",
  個: "个",
  週: "周",
  這: "这",
  兩: "两",
  號: "号",
  從: "从",
  後: "后",
  來: "来",
  當: "当",
  禮: "礼",
  為: "为",
  間: "间",
  內: "内",
  區: "区",
  國: "国",
  歲: "岁",
  聽: "听",
  眾: "众",
  絲: "丝",
  趨: "趋",
  勢: "势",
  變: "变",
  數: "数",
  據: "据",
  體: "体",
  單: "单",
  熱: "热",
  門: "门",
  誰: "谁",
  歡: "欢",
  總: "总",
  關: "关",
  長: "长",
  賺: "赚",
  錢: "钱",
  稅: "税",
  佈: "布",
  齡: "龄",
  別: "别",
  畫: "画",
};

const DIGITS: Readonly<Record<string, number>> = {
  零: 0,
  〇: 0,
  一: 1,
  二: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
};

const WORDS = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];
const COUNTED = /[零〇一二两三四五六七八九十百]+(?=\s*(?:个|天|日|周|月|年|季|号|星期|礼拜))/gu;
const WORD = new RegExp(`\\b(${WORDS.join("|")})(?=\\s+(?:days?|weeks?|months?|quarters?|years?)\\b)`, "g");

/**
 * A question as the readers of ranges and families want it: full-width forms and traditional characters
 * levelled, lower case, numerals before a unit as digits. Never shown, only read.
 */
export function levelled(text: string): string {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/\p{Script=Han}/gu, (sign) => SIMPLIFIED[sign] ?? sign);
  return plain
    .replaceAll(COUNTED, (numeral) => String(readNumeral(numeral)))
    .replaceAll(WORD, (word) => String(WORDS.indexOf(word)));
}

/** 七 is 7, 十五 is 15, 三十 is 30, 一百二十 is 120, 二零二六 is 2026 (digit by digit when no 十 or 百 is in it). */
export function readNumeral(numeral: string): number {
  if (!/[十百]/u.test(numeral)) return Number(Array.from(numeral, (sign) => DIGITS[sign] ?? 0).join(""));
  let total = 0;
  let digit: number | undefined;
  for (const sign of numeral) {
    if (sign === "百" || sign === "十") {
      total += (digit ?? 1) * (sign === "百" ? 100 : 10);
      digit = undefined;
    } else digit = DIGITS[sign] ?? 0;
  }
  return total + (digit ?? 0);
}
