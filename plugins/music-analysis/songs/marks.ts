const WRAPS: ReadonlyMap<string, string> = new Map([
  ["《", "》"],
  ["〈", "〉"],
  ["“", "”"],
  ["‘", "’"],
  ["「", "」"],
  ["『", "』"],
  ["｢", "｣"],
  ['"', '"'],
  ["'", "'"],
  ["＂", "＂"],
]);
const TITLE = /《[^《》]+》/u;

/**
 * A name without the marks or quotes that wrap all of it; marks inside stay, and so does what would be empty
 * (docs/music-analysis.md, Reading songs, rule 4, and Song names, step 2).
 */
export function bareName(text: string): string {
  let name = text.trim();
  for (;;) {
    const inner = unwrapped(name);
    if (inner === undefined || inner === "") return name;
    name = inner;
  }
}

/**
 * A fixed sentence with a song name in place of its placeholder. A name that brings title marks of its own takes
 * the place of the template's marks too, so that no name is wrapped twice (spec music-analysis, Presentation
 * rule 3; docs/music-analysis.md, Confirmation).
 */
export function withSongName(template: string, placeholder: string, name: string): string {
  const bare = bareName(name);
  return TITLE.test(bare)
    ? template.replaceAll(`《${placeholder}》`, () => bare).replaceAll(placeholder, () => bare)
    : template.replaceAll(placeholder, () => bare);
}

function unwrapped(name: string): string | undefined {
  const open = name.charAt(0);
  const close = WRAPS.get(open);
  if (close === undefined || name.length < 2 || !name.endsWith(close)) return undefined;
  const inner = name.slice(1, -1);
  return closesEarly(inner, open, close) ? undefined : inner.trim();
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
