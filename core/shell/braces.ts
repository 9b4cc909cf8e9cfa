const MOST = 1000;
/** Characters that one unit of the budget reads. */
const STRETCH = 256;
const LONGEST = 1_000_000;

/**
 * Brace expansion (Bash manual 3.5.1) of the source text of a word, quotes kept. `undefined` when there would be more
 * than 1,000 words, or a million characters in them, or the braces are too many to be put in pairs in linear time. Text without substitutions of commands only: what stands in them is not told apart here.
 */
export function bracesExpanded(text: string): readonly string[] | undefined {
  const budget = { left: MOST * 4 };
  const all = expanded(text, budget);
  return (all ?? []).reduce((sum, { length }) => sum + length, 0) > LONGEST ? undefined : all;
}

function expanded(text: string, budget: { left: number }): readonly string[] | undefined {
  budget.left -= 1 + text.length / STRETCH;
  if (budget.left < 0) return undefined;
  for (let at = nextOpening(text, 0); at < text.length; at = nextOpening(text, at + 1)) {
    const group = groupAt(text, at);
    budget.left -= ((group?.end ?? text.length) - at) / STRETCH;
    if (budget.left < 0) return undefined;
    if (!group) continue;
    const choices =
      group.parts.length > 1 ? alternatives(group.parts, budget) : sequence(group.parts[0] ?? "");
    if (choices === undefined) return undefined;
    if (choices.length === 0) continue;
    const tails = expanded(text.slice(group.end), budget);
    if (!tails || choices.length * tails.length > MOST) return undefined;
    const head = text.slice(0, at);
    return choices.flatMap((choice) => tails.map((tail) => head + choice + tail));
  }
  return [text];
}

function alternatives(parts: readonly string[], budget: { left: number }): readonly string[] | undefined {
  const all: string[] = [];
  for (const part of parts) {
    const some = expanded(part, budget);
    if (!some || all.length + some.length > MOST) return undefined;
    all.push(...some);
  }
  return all;
}

/** The end of what begins here and holds no brace of its own: a quote, an escape, `${…}`. */
function skipped(text: string, at: number): number {
  const char = text[at];
  if (char === "\\") return at + 2;
  if (char === "'") {
    const ansi = text[at - 1] === "$";
    for (let end = at + 1; end < text.length; end++) {
      if (ansi && text[end] === "\\") end++;
      else if (text[end] === "'") return end + 1;
    }
    return text.length;
  }
  if (char === '"') {
    for (let end = at + 1; end < text.length; end++) {
      if (text[end] === "\\") end++;
      else if (text[end] === '"') return end + 1;
    }
    return text.length;
  }
  if (char === "$" && text[at + 1] === "{") {
    let depth = 0;
    for (let end = at + 1; end < text.length;) {
      if (text[end] === "{") depth++;
      else if (text[end] === "}" && --depth === 0) return end + 1;
      end = text[end] === "{" || text[end] === "$" ? end + 1 : skipped(text, end);
    }
    return text.length;
  }
  return at + 1;
}

function nextOpening(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== "{") at = skipped(text, at);
  return at;
}

function groupAt(
  text: string,
  opening: number,
): { readonly parts: readonly string[]; readonly end: number } | undefined {
  const parts: string[] = [];
  let depth = 0;
  let start = opening + 1;
  for (let at = opening + 1; at < text.length;) {
    const char = text[at];
    if (char === "{") depth++;
    else if (char === "," && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    } else if (char === "}") {
      if (depth === 0) return { parts: [...parts, text.slice(start, at)], end: at + 1 };
      depth--;
    }
    at = char === "{" ? at + 1 : skipped(text, at);
  }
  return undefined;
}

/** `1..5`, `a..e`, `01..10..3`. Empty when it is none; `undefined` when it is too long. */
function sequence(text: string): readonly string[] | undefined {
  const found = /^(?:(-?\d{1,15})\.\.(-?\d{1,15})|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d{1,15}))?$/.exec(text);
  if (!found) return [];
  const [, low, high, first, last, by] = found;
  const numbers = low !== undefined && high !== undefined;
  const from = numbers ? Number(low) : (first ?? "").charCodeAt(0);
  const to = numbers ? Number(high) : (last ?? "").charCodeAt(0);
  const stride = Math.abs(Number(by ?? 1)) || 1;
  const count = Math.floor(Math.abs(to - from) / stride) + 1;
  if (count > MOST) return undefined;
  const padded = numbers && [low, high].some((each) => /^-?0\d/.test(each));
  const width = padded ? Math.max(low.length, high.length) : 0;
  return Array.from({ length: count }, (_, step) => {
    const value = from + (to < from ? -1 : 1) * stride * step;
    if (!numbers) return String.fromCharCode(value);
    return value < 0 ? `-${String(-value).padStart(width - 1, "0")}` : String(value).padStart(width, "0");
  });
}
