import { unitKinds } from "../unit-kinds.ts";

/** What may be more than itself inside a text; a link or an image with nothing of the kind inside is taken whole. */
const TOKEN =
  /\\[!-/:-@[-`{-~]|`+|\*+|_+|<(?:[a-z][a-z0-9]* *\/?|\/[a-z][a-z0-9]* *)>|&(?:amp|lt|gt|quot);|!?\[[^\\`*_<&[\]\r\n\0\t]*\]\([^\\`<>()[\]\s\0]*\)|\]\(|[\\<&[\0\t]/giu;
/** What a token begins with. */
const MAY_MEAN_MORE = /[\\`*_<&[\0\t]|\]\(/u;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
]);
const ENTITY = /^&(?:#|[a-z][a-z0-9]*;)/iu;
const TAG = /^<[a-z/!?]/iu;
/** Code with line ends or escaped bars depends on what stands around it. */
const NO_CODE = /[\r\n\0\t]|\\\|/u;
const MOST_STARS = 3;
/** Longer than the longest name of a character. */
const MOST_ENTITY = 40;

/**
 * The words of a text of one block, as the GFM parser reads them, where that is certain without it: plain words,
 * escapes, tags, code, links, images, emphasis that is not nested. Undefined where it is not certain. For texts without
 * white space at the ends of lines, in contents without link definitions.
 */
export function plainInline(text: string): string | undefined {
  if (!MAY_MEAN_MORE.test(text)) return text;
  let words = "";
  let from = 0;
  /** What a run of stars looks like, and while one is open, the words before it. */
  let stars = "";
  let before: string | undefined;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [token] = match;
    const start = match.index;
    words += text.slice(from, start);
    from = start + token.length;
    if (token.startsWith("*")) {
      if (token.length > MOST_STARS || (stars !== "" && token !== stars)) return undefined;
      stars = token;
      const { opens, closes } = roleAt(text, start, from);
      if (before !== undefined && closes) {
        words = before + words;
        before = undefined;
      } else if (before !== undefined && opens) return undefined;
      else if (opens) {
        before = words;
        words = "";
      } else words += token;
    } else if (token.startsWith("`")) {
      const end = text.indexOf("`", from);
      const code = token.length === 1 && end !== -1 ? codeWords(text.slice(from, end)) : undefined;
      if (code === undefined || text.startsWith("`", end + 1)) return undefined;
      words += code;
      from = end + 1;
      TOKEN.lastIndex = from;
    } else {
      const more = wordsOf(token, text, start);
      if (more === undefined) return undefined;
      words += more;
    }
  }
  words += text.slice(from);
  return before === undefined ? words : before + stars + words;
}

/** The words of any other token; undefined where more than the token decides. */
function wordsOf(token: string, text: string, start: number): string | undefined {
  const isSingle = token.length === 1;
  switch (token.charAt(0)) {
    case "_":
      return isIdle(text, start, start + token.length) ? token : undefined;
    case "\\":
      return isSingle ? undefined : token.slice(1);
    case "[":
      return isSingle ? token : token.slice(1, token.indexOf("]"));
    case "!":
      return "";
    case "<":
      if (!isSingle) return " ";
      return TAG.test(text.slice(start, start + 2)) ? undefined : token;
    case "&":
      if (!isSingle) return ENTITIES.get(token);
      return ENTITY.test(text.slice(start, start + MOST_ENTITY)) ? undefined : token;
    default:
      return undefined;
  }
}

/** One space at each end belongs to the backticks. */
function codeWords(code: string): string | undefined {
  if (NO_CODE.test(code)) return undefined;
  const isPadded = code.startsWith(" ") && code.endsWith(" ") && /[^ ]/u.test(code);
  return isPadded ? code.slice(1, -1) : code;
}

const WORD = 0;
const SPACE = 1;
const PUNCTUATION = 2;
const unitKind = unitKinds((unit) => {
  const character = String.fromCharCode(unit);
  if (/\s/u.test(character)) return SPACE;
  return /[\p{P}\p{S}]/u.test(character) ? PUNCTUATION : WORD;
});

/** Of single code units, as the parser sees them; beyond the ends there is white space. */
function kindAt(text: string, at: number): number {
  return at < 0 || at >= text.length ? SPACE : unitKind(text.charCodeAt(at));
}

/** What a run of stars may do, by what stands beside it. */
function roleAt(
  text: string,
  start: number,
  end: number,
): { readonly opens: boolean; readonly closes: boolean } {
  const before = kindAt(text, start - 1);
  const after = kindAt(text, end);
  return { opens: leans(after, before), closes: leans(before, after) };
}

/** Whether a run holds on to its near side: it may close what stands there, or, seen the other way, open it. */
function leans(near: number, far: number): boolean {
  return near === WORD || (near === PUNCTUATION && far !== WORD);
}

/** Whether underscores can neither open nor close, as inside a word. */
function isIdle(text: string, start: number, end: number): boolean {
  const { opens, closes } = roleAt(text, start, end);
  if (opens && closes) return kindAt(text, start - 1) === WORD && kindAt(text, end) === WORD;
  return !opens && !closes;
}
