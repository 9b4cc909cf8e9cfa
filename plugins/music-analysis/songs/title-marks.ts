/** A piece of a text between marks or quotes. */
export interface MarkedSpan {
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

const WRAPS: ReadonlyMap<string, string> = new Map(
  ["《》", "〈〉", "“”", "‘’", "「」", "『』", "｢｣", '""', "''", "＂＂"].map((pair) => [
    pair.charAt(0),
    pair.charAt(1),
  ]),
);
const TITLE = /《[^《》]+》/u;
const QUOTES: readonly Quote[] = [
  { opens: '“”„‟"＂', closes: /[“”„‟"＂]/gu },
  { opens: "「", closes: /」/gu },
  { opens: "『", closes: /』/gu },
  { opens: "｢", closes: /｣/gu },
  { opens: "‘’'＇", closes: /[‘’'＇](?![\p{Script=Latin}\p{N}])/gu, apostrophe: true },
];
const LETTER_BEFORE = /[\p{Script=Latin}\p{N}]$/u;

/**
 * A name without the marks or quotes that wrap all of it; marks inside stay, and so does what would be empty
 * (docs/music-analysis.md, Reading songs 4, and Song names 2).
 */
export function bareName(text: string): string {
  let name = text.trim();
  for (;;) {
    const close = WRAPS.get(name.charAt(0));
    if (close === undefined || name.length < 2 || !name.endsWith(close)) return name;
    const inner = name.slice(1, -1);
    if (inner.trim() === "" || closesEarly(inner, name.charAt(0), close)) return name;
    name = inner.trim();
  }
}

/**
 * A fixed sentence with a song name in place of its placeholder. A name that brings title marks of its own takes the
 * place of the template's marks too, so that no name is wrapped twice (specification, Presentation rule 3).
 */
export function withSongName(template: string, placeholder: string, name: string): string {
  const bare = bareName(name);
  const marked = TITLE.test(bare) ? template.replaceAll(`《${placeholder}》`, () => bare) : template;
  return marked.replaceAll(placeholder, () => bare);
}

/** What stands in title marks, outermost marks only; where marks do not pair up, the innermost pairs. */
export function titleSpans(text: string): readonly MarkedSpan[] {
  return outermost(text) ?? innermost(text);
}

/** What stands in quotes of any common kind, left to right; an opening quote without a closing one is none. */
export function quoteSpans(text: string): readonly MarkedSpan[] {
  const spans: MarkedSpan[] = [];
  const exhausted = new Set<Quote>();
  for (let at = 0; at < text.length; at += 1) {
    const quote = QUOTES.find(({ opens }) => opens.includes(text.charAt(at)));
    if (quote === undefined || exhausted.has(quote)) continue;
    if (quote.apostrophe && LETTER_BEFORE.test(text.slice(Math.max(0, at - 2), at))) continue;
    quote.closes.lastIndex = at + 1;
    const close = quote.closes.exec(text)?.index;
    if (close === undefined) exhausted.add(quote);
    else {
      spans.push({ start: at, end: close + 1, inner: text.slice(at + 1, close) });
      at = close;
    }
  }
  return spans;
}

/** Whether the first mark is closed before the end, as in 《A》和《B》. */
function closesEarly(inner: string, open: string, close: string): boolean {
  if (open === close || !inner.includes(close)) return inner.includes(close);
  let depth = 1;
  for (const character of inner) {
    if (character === open) depth += 1;
    else if (character === close && --depth === 0) return true;
  }
  return false;
}

function outermost(text: string): readonly MarkedSpan[] | undefined {
  const spans: MarkedSpan[] = [];
  const awaited: string[] = [];
  let start = 0;
  for (const { 0: mark, index: at } of text.matchAll(/[《》〈〉]/gu)) {
    if (mark === "《" || mark === "〈") {
      if (awaited.length === 0) start = at;
      awaited.push(mark === "《" ? "》" : "〉");
    } else if (mark === awaited.at(-1)) {
      awaited.pop();
      if (awaited.length === 0) spans.push({ start, end: at + 1, inner: text.slice(start + 1, at) });
    }
  }
  return awaited.length === 0 ? spans : undefined;
}

function innermost(text: string): readonly MarkedSpan[] {
  return [...text.matchAll(/《([^《》]*)》|〈([^〈〉《》]*)〉/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    inner: match[1] ?? match[2] ?? "",
  }));
}
