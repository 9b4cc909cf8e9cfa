import { LOG, config, inject, injectable, token, type Log } from "skillctl";
import type { Config } from "../contract.ts";
import { SENT_TOKENS, type SentTokens } from "../sent-tokens.ts";

/** A text without the keywords, and the number of removals. */
interface FilteredText {
  readonly text: string;
  readonly removed: number;
}

const MOST_ROUNDS = 16;
const LATIN_LETTER = /\p{Script=Latin}/u;
const ENDS = "(?![\\p{Script=Latin}\\p{N}])";
/** Characters that are invisible or mark up text; a reader does not see them between the letters of a keyword. */
const BETWEEN = "[\\u00AD\\u200B-\\u200F\\u2060-\\u2064\\uFEFF*~`]{0,8}";
const MARK = /\*{1,3}|~{1,2}|`{1,3}/gu;
/** An address, up to a length that no service exceeds, and a parameter that signs its other parameters. */
const ADDRESS = /https?:\/\/[^\s<>"'《》（）]{1,8000}/giu;
const SIGNATURE =
  /[?&](?:sign|sig|signature|auth_key|hmac|policy|token|x-(?:amz|oss|cos|goog)-[a-z-]{1,40})=/iu;
/** Text after a keyword that belongs to it: AI (also after a space or hyphen), .ai, .com. */
const COMPOUND = `(?:[\\s_-]?${anyForm("ai")}${ENDS}|[.．](?:${anyForm("ai")}|${anyForm("com")})${ENDS})`;

export const PRODUCT_NAMES = token<ProductNames>("product-names");

/**
 * Removes the configured product names from displayed text, in any letter case and width, without a replacement; a text without
 * them remains unchanged, byte for byte. Words that merely contain one (Kusunoki) remain, except with the strict filter, which
 * removes the letters everywhere (specification, Presentation rule 2; docs/music-analysis.md, Product names). The parameters of
 * a signed address remain, since the address is invalid if one of them is missing (Presentation rule 1).
 */
@injectable()
export class ProductNames {
  readonly #each: RegExp | undefined;
  readonly #runs: RegExp | undefined;
  readonly #strict: boolean;

  constructor(
    @inject(config<Config>()) { forbiddenWords, strictFilter }: Config,
    @inject(LOG) private readonly log: Log,
    @inject(SENT_TOKENS) private readonly tokens: SentTokens,
  ) {
    const keywords = forbiddenWords.map((keyword) => keyword.trim()).filter((keyword) => keyword !== "");
    this.#strict = strictFilter;
    if (keywords.length === 0) return;
    this.#each = new RegExp(keywords.map(anyForm).join("|"), "gu");
    this.#runs = strictFilter ? this.#each : wholeWords(keywords);
  }

  /** The text without product names, and the number of removals. A token that results from a removal is masked. */
  filtered(text: string): FilteredText {
    const { text: left, removed } = this.#filtered(text);
    return { text: this.tokens.without(left), removed };
  }

  #filtered(text: string): FilteredText {
    const [each, runs] = [this.#each, this.#runs];
    if (!each || !runs) return { text, removed: 0 };
    let removed = 0;
    let left = text;
    // A removal may join letters into a name again. After too many rounds, the text is cut off before the next name.
    for (let [before, rounds] = ["", 0]; before !== left; rounds += 1) {
      const next = rounds === MOST_ROUNDS ? left.search(runs) : -1;
      if (next >= 0) return { text: left.slice(0, next), removed };
      before = left;
      const spared = this.#strict ? [] : signedParameters(before);
      const kept: string[] = [];
      let from = 0;
      for (const { 0: found, index } of before.matchAll(runs)) {
        if (index < from || spared.some(([start, end]) => index >= start && index < end)) continue;
        removed += found.match(each)?.length ?? 0;
        let text = before.slice(from, index);
        from = index + found.length;
        for (const mark of unpaired(found)) {
          if (text.endsWith(mark)) text = text.slice(0, -mark.length);
          else if (before.startsWith(mark, from)) from += mark.length;
          else text += mark;
        }
        kept.push(text);
      }
      left = from === 0 ? before : kept.join("") + before.slice(from);
    }
    return { text: left, removed };
  }

  /** The text without product names. The caller reports their number once, with `tell`. */
  without(text: string): string {
    return this.filtered(text).text;
  }

  /** The text without product names; a notice reports their number. */
  shown(text: string): string {
    const { text: kept, removed } = this.filtered(text);
    this.tell(removed);
    return kept;
  }

  tell(removed: number): void {
    if (removed > 0)
      this.log.notice(`${removed} product ${removed === 1 ? "name was" : "names were"} removed.`);
  }
}

/** The positions of the parameters of signed addresses. */
function signedParameters(text: string): readonly (readonly [start: number, end: number])[] {
  if (!text.includes("://")) return [];
  return [...text.matchAll(ADDRESS)].flatMap(({ 0: address, index }) => {
    const query = address.indexOf("?");
    return query >= 0 && SIGNATURE.test(address.slice(query))
      ? [[index + query, index + address.length]]
      : [];
  });
}

/** The marks between the letters of a keyword that have no counterpart there. */
function unpaired(found: string): readonly string[] {
  const open: string[] = [];
  for (const [mark] of found.matchAll(MARK)) {
    if (open.at(-1) === mark) open.pop();
    else open.push(mark);
  }
  return open;
}

/** Whole words with their compounds: not preceded by a Latin letter, nor followed by a lower-case letter. */
function wholeWords(keywords: readonly string[]): RegExp {
  const limited = keywords.filter((keyword) => LATIN_LETTER.test(keyword)).map(anyForm);
  const free = keywords.filter((keyword) => !LATIN_LETTER.test(keyword)).map(anyForm);
  const run = `(?<!\\p{Script=Latin}\\p{M}{0,8})(?:(?:${limited.join("|")})${COMPOUND}?)+(?![\\p{Ll}\\p{M}])`;
  return new RegExp([...(limited.length > 0 ? [run] : []), ...free].join("|"), "gu");
}

/** A pattern for each letter in both cases and both widths. The `i` flag would make \p{Ll} match capitals too. */
function anyForm(keyword: string): string {
  return Array.from(keyword.normalize("NFKC"), (character) => {
    const cases = [character.toLowerCase(), character.toUpperCase()].filter(
      (form) => Array.from(form).length === 1,
    );
    return `[${[...new Set([character, ...cases, ...cases.map(wide)])].map(escaped).join("")}]`;
  }).join(BETWEEN);
}

function wide(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code >= 0x21 && code <= 0x7e ? String.fromCodePoint(code + 0xfee0) : character;
}

function escaped(character: string): string {
  return /[\\\]^[-]/u.test(character) ? `\\${character}` : character;
}
