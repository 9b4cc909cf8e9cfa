/** A run of stars or underscores, which may begin or end emphasis. */
interface Delimiter {
  readonly mark: string;
  readonly opens: boolean;
  readonly closes: boolean;
  /** How many of its characters stand for themselves. */
  rest: number;
}

const TOKEN =
  /\\(?:[!-/:-@[-`{-~]|\n)|`+|[*_]+|!?\[(?:[^[\]\\\n]|\\.){0,2000}\](?:\((?:[^()\s]|\([^()\s]*\)){0,4000}(?:\s+["'][^"'\n]*["'])?\)|\[[^[\]\n]{0,200}\])|<\/?[a-z][^<>]{0,4000}>|<!--.{0,300}?-->|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});/gisu;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  middot: "·",
  hellip: "…",
  mdash: "—",
  ndash: "–",
};
const ADDRESS = /\b(?:https?|ftp):\/\/[^\s<>《》（）]+/giu;

/**
 * The words of a text of one block: escapes and character names read, emphasis, code marks, links and tags gone, images
 * and addresses left out. In time in proportion to its length.
 */
export function inlineWords(text: string): string {
  const parts: (string | Delimiter)[] = [];
  const unclosed = new Set<number>();
  let from = 0;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [token] = match;
    const start = match.index;
    parts.push(text.slice(from, start));
    from = start + token.length;
    if (token.startsWith("`")) {
      const end = unclosed.has(token.length) ? -1 : closingTicks(text, token, from);
      if (end === -1) unclosed.add(token.length);
      parts.push(end === -1 ? token : text.slice(from, end).replace(/^ (.*[^ ].*) $/su, "$1"));
      if (end !== -1) from = end + token.length;
    } else if (/^[*_]/u.test(token))
      parts.push(delimiterOf(token, text.charAt(start - 1), text.charAt(from)));
    else parts.push(wordsOf(token));
    TOKEN.lastIndex = from;
  }
  parts.push(text.slice(from));
  matchDelimiters(parts.filter((part) => typeof part !== "string"));
  const words = parts.map((part) => (typeof part === "string" ? part : part.mark.repeat(part.rest))).join("");
  return words.includes("://") ? words.replace(ADDRESS, " ") : words;
}

function wordsOf(token: string): string {
  const first = token.charAt(0);
  if (first === "\\") return token.slice(1);
  if (first === "!") return "";
  if (first === "<") return token.includes("://") ? token.slice(1, -1) : " ";
  if (first === "[") return inlineWords(token.slice(1, linkTextEnd(token)));
  const [, base, digits] = /^&#(x?)([0-9a-f]+);$/iu.exec(token) ?? [];
  if (digits === undefined) return ENTITIES[token.slice(1, -1)] ?? token;
  const code = Number.parseInt(digits, base === "" ? 10 : 16);
  return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : token;
}

/** Where the text of a link ends: at its first bracket that is not escaped. */
function linkTextEnd(link: string): number {
  return /(?<!\\)\]/u.exec(link)?.index ?? link.length;
}

/** Where a run of as many backticks begins; -1 where there is none. */
function closingTicks(text: string, ticks: string, from: number): number {
  for (let at = text.indexOf(ticks, from); at !== -1;) {
    let end = at;
    while (text.charAt(end) === "`") end += 1;
    if (end - at === ticks.length) return at;
    at = text.indexOf(ticks, end);
  }
  return -1;
}

/** What a run may do, by what stands beside it; underscores inside a word do nothing. */
function delimiterOf(run: string, before: string, after: string): Delimiter {
  const [left, right] = [leans(after, before), leans(before, after)];
  const mark = run.charAt(0);
  const isLoose = mark === "*" || run !== run.charAt(0).repeat(run.length);
  return {
    mark,
    opens: left && (isLoose || !right || /[\p{P}\p{S}]/u.test(before)),
    closes: right && (isLoose || !left || /[\p{P}\p{S}]/u.test(after)),
    rest: run.length,
  };
}

/** Whether a run holds on to its near side. */
function leans(near: string, far: string): boolean {
  if (near === "" || /\s/u.test(near)) return false;
  return !/[\p{P}\p{S}]/u.test(near) || far === "" || /[\s\p{P}\p{S}]/u.test(far);
}

/** Takes what begins and ends emphasis out of the runs. Every run is looked back at once. */
function matchDelimiters(runs: readonly Delimiter[]): void {
  const open: Delimiter[] = [];
  const waiting = new Map<string, number>();
  const count = (mark: string, by: number): unknown => waiting.set(mark, (waiting.get(mark) ?? 0) + by);
  for (const run of runs) {
    while (run.closes && run.rest > 0 && (waiting.get(run.mark) ?? 0) > 0) {
      const opener = open.at(-1);
      if (opener?.mark === run.mark) {
        const used = Math.min(opener.rest, run.rest);
        opener.rest -= used;
        run.rest -= used;
        if (opener.rest > 0) continue;
      }
      open.pop();
      if (opener) count(opener.mark, -1);
    }
    if (run.opens && run.rest > 0) {
      open.push(run);
      count(run.mark, 1);
    }
  }
}
