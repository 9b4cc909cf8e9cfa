/** What is never shown, and how strictly. */
export interface KeywordRules {
  readonly keywords: readonly string[];
  /** `words` keeps words that merely contain a keyword (Kusunoki); `strict` removes the bare letters everywhere. */
  readonly mode: "words" | "strict";
}

/** A text without the keywords, and how many there were. */
export interface FilteredText {
  readonly text: string;
  readonly removed: number;
}

/** The default of docs/music-analysis.md, Product names. */
export const DEFAULT_KEYWORD_RULES: KeywordRules = { keywords: ["suno"], mode: "words" };

const LATIN_LETTER = /\p{Script=Latin}/u;
const ENDS = "(?![\\p{Script=Latin}\\p{N}])";
/** What belongs to a keyword when it follows one: AI (also after a space or hyphen), .ai, .com. */
const COMPOUND = `(?:[\\s_-]?${anyForm("ai")}${ENDS}|[.．](?:${anyForm("ai")}|${anyForm("com")})${ENDS})`;

/**
 * Removes third-party keywords from a text, in any letter case and width; nothing is put in their place, and a
 * text without them comes back as it is, byte for byte (spec music-analysis, Presentation rule 2;
 * docs/music-analysis.md, Product names).
 */
export function filterKeywords(text: string, rules: KeywordRules = DEFAULT_KEYWORD_RULES): FilteredText {
  const keywords = rules.keywords.map((keyword) => keyword.trim()).filter((keyword) => keyword !== "");
  if (keywords.length === 0) return { text, removed: 0 };
  return rules.mode === "strict" ? strict(text, keywords) : words(text, keywords);
}

/** Whole words with their compounds: no Latin letter before, no lower-case letter after. */
function words(text: string, keywords: readonly string[]): FilteredText {
  const limited = keywords.filter((keyword) => LATIN_LETTER.test(keyword)).map(anyForm);
  const free = keywords.filter((keyword) => !LATIN_LETTER.test(keyword)).map(anyForm);
  const run = `(?<!\\p{Script=Latin}\\p{M}{0,8})(?:(?:${limited.join("|")})${COMPOUND}?)+(?![\\p{Ll}\\p{M}])`;
  const runs = new RegExp([...(limited.length > 0 ? [run] : []), ...free].join("|"), "gu");
  const each = new RegExp([...limited, ...free].join("|"), "gu");
  let removed = 0;
  let left = text;
  for (let before; before !== left;) {
    before = left;
    left = before.replace(runs, (found) => {
      removed += found.match(each)?.length ?? 0;
      return "";
    });
  }
  return { text: left, removed };
}

/** The bare letters wherever they stand, also where a removal brings them together; in one pass. */
function strict(text: string, keywords: readonly string[]): FilteredText {
  const wanted = keywords.map((keyword) => Array.from(keyword, level));
  const kept: string[] = [];
  const levels: string[] = [];
  let removed = 0;
  for (const character of text) {
    kept.push(character);
    levels.push(level(character));
    const found = wanted.find((letters) => endsWith(levels, letters));
    if (found === undefined) continue;
    kept.length -= found.length;
    levels.length -= found.length;
    removed += 1;
  }
  return { text: kept.join(""), removed };
}

function endsWith(levels: readonly string[], letters: readonly string[]): boolean {
  const from = levels.length - letters.length;
  return from >= 0 && letters.every((letter, place) => levels[from + place] === letter);
}

/** A pattern for each letter in both cases and both widths. Never the `i` flag: it would level \p{Ll} too. */
function anyForm(keyword: string): string {
  return Array.from(keyword, (character) => `[${formsOf(character).map(escaped).join("")}]`).join("");
}

function formsOf(character: string): readonly string[] {
  const lower = level(character);
  const cases = [lower, lower.toUpperCase()].filter((form) => Array.from(form).length === 1);
  return [...new Set([character, ...cases, ...cases.map(wide)])];
}

function level(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const narrow = code >= 0xff01 && code <= 0xff5e ? String.fromCodePoint(code - 0xfee0) : character;
  return narrow.toLowerCase();
}

function wide(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code >= 0x21 && code <= 0x7e ? String.fromCodePoint(code + 0xfee0) : character;
}

function escaped(character: string): string {
  return /[\\\]^[-]/u.test(character) ? `\\${character}` : character;
}
