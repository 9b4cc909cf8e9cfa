import pairs from "./traditional.json" with { type: "json" };

/** A language of questions and answers: Chinese or English. */
export type Language = "zh" | "en";

/** Names in marks or quotes, which may be of another language than the text. */
const MARKED = /《[^《》]*》|〈[^〈〉]*〉|“[^“”]*”|「[^「」]*」|『[^『』]*』|"[^"]*"/gu;
const CHINESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const LETTER = /\p{L}/u;

/**
 * The language of a text: Chinese if it has a Han or kana character outside of names, or no letter at all; otherwise
 * English. Names are texts in title marks or quotes, and `names`. A text of names only is judged by its names.
 */
export function languageOf(text: string, names: readonly string[] = []): Language {
  const unmarked = text.replaceAll(MARKED, " ");
  const plain = names
    .filter((name) => CHINESE.test(name) && unmarked.includes(name))
    .sort((one, other) => other.length - one.length)
    .reduce((rest, name) => rest.replaceAll(name, " "), unmarked);
  const words = LETTER.test(plain) ? plain : text;
  return CHINESE.test(words) || !LETTER.test(words) ? "zh" : "en";
}

/** For each code unit its simplified form, 0 if it is not a traditional character. Filled at the first use. */
let forms: Uint16Array | undefined;

function simplifiedForms(): Uint16Array {
  const table = new Uint16Array(0x1_0000);
  for (const line of pairs)
    for (let at = 0; at < line.length; at += 2) table[line.charCodeAt(at)] = line.charCodeAt(at + 1);
  return table;
}

/**
 * The text with each traditional character replaced by its simplified form, one for one. Different words can become equal
 * (後 "after", 后 "queen"), so the result may offer a candidate but never identifies one. The length stays the same.
 */
export function simplified(text: string): string {
  forms ??= simplifiedForms();
  let changed = "";
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = forms[text.charCodeAt(at)] ?? 0;
    if (unit === 0) continue;
    changed += text.slice(from, at) + String.fromCharCode(unit);
    from = at + 1;
  }
  return from === 0 ? text : changed + text.slice(from);
}

/** The text without differences of width, of letter case, and of traditional and simplified characters: to compare, not to show. */
export function comparable(text: string): string {
  return simplified(text.normalize("NFKC").toLowerCase());
}
