/** A piece of a text between marks or quotes. */
export interface ByteRange {
  /** The place of the opening mark. */
  readonly start: number;
  /** The place after the closing mark. */
  readonly end: number;
  /** What stands between, as written. */
  readonly inner: string;
}

interface Quote {
  readonly opens: string;
  readonly closes: RegExp;
  /** An apostrophe looks like a quote; only one beside no letter or digit is one. */
  readonly apostrophe?: true;
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ["《", "》"],
  ["〈", "〉"],
]);
/** The title marks stand next to each other. */
const FIRST_MARK = 0x3008;
const LAST_MARK = 0x300b;
const QUOTES: readonly Quote[] = [
  { opens: '“”„‟"＂', closes: /[“”„‟"＂]/gu },
  { opens: "「", closes: /」/gu },
  { opens: "『", closes: /』/gu },
  { opens: "｢", closes: /｣/gu },
  { opens: "‘’'＇", closes: /[‘’'＇](?![\p{Script=Latin}\p{N}])/gu, apostrophe: true },
];
const OPENING: ReadonlyMap<string, Quote> = new Map(
  QUOTES.flatMap((quote) => Array.from(quote.opens, (character) => [character, quote])),
);
const ANY_OPENING = new RegExp(`[${[...OPENING.keys()].join("")}]`, "u");
const LETTER_BEFORE = /[\p{Script=Latin}\p{N}]$/u;

/** What stands in title marks, outermost marks only; where marks do not pair up, the innermost pairs. */
export function titleSpans(text: string): readonly ByteRange[] {
  return outermost(text) ?? innermost(text);
}

/** What stands in quotes of any common kind, left to right; an opening quote without a closing one is none. */
export function quoteSpans(text: string): readonly ByteRange[] {
  const spans: ByteRange[] = [];
  if (!ANY_OPENING.test(text)) return spans;
  const exhausted = new Set<Quote>();
  for (let at = 0; at < text.length; at += 1) {
    const quote = OPENING.get(text.charAt(at));
    if (quote === undefined || exhausted.has(quote)) continue;
    if (quote.apostrophe && LETTER_BEFORE.test(text.slice(Math.max(0, at - 2), at))) continue;
    const close = nextPlace(text, quote.closes, at + 1);
    if (close === -1) {
      exhausted.add(quote);
      continue;
    }
    spans.push({ start: at, end: close + 1, inner: text.slice(at + 1, close) });
    at = close;
  }
  return spans;
}

function outermost(text: string): readonly ByteRange[] | undefined {
  const spans: ByteRange[] = [];
  const awaited: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < FIRST_MARK || unit > LAST_MARK) continue;
    const character = text.charAt(at);
    const close = CLOSING.get(character);
    if (close !== undefined) {
      if (awaited.length === 0) start = at;
      awaited.push(close);
    } else if (awaited.length > 0 && character === awaited.at(-1)) {
      awaited.pop();
      if (awaited.length === 0) spans.push({ start, end: at + 1, inner: text.slice(start + 1, at) });
    }
  }
  return awaited.length === 0 ? spans : undefined;
}

function innermost(text: string): readonly ByteRange[] {
  return [...text.matchAll(/《([^《》]*)》|〈([^〈〉《》]*)〉/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    inner: match[1] ?? match[2] ?? "",
  }));
}

function nextPlace(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}
