const RANGE = /^([A-Za-z]*?)(\d{1,4}|[A-Za-z])\s*(?:-|–|\.\.)\s*\1(\d{1,4}|[A-Za-z])$/;
const MOST_OF_A_RANGE = 100;

/**
 * The hypotheses that a text names: `A,D` names A and D, `A-D` and `H1-H3` all from one to the other. The text itself
 * is always among them.
 */
export function hypothesisNames(text: string): ReadonlySet<string> {
  const names = new Set([text]);
  if (/^\w*$/.test(text)) return names;
  for (const part of text.split(/[,;/|&+\s]+(?![-–.])(?<![-–.])/)) {
    if (part === "") continue;
    names.add(part);
    for (const name of rangeOf(part)) names.add(name);
  }
  return names;
}

function rangeOf(part: string): readonly string[] {
  const [, prefix = "", first = "", last = ""] = RANGE.exec(part) ?? [];
  const from = codeOf(first);
  const to = codeOf(last);
  const isNumber = /^\d/.test(first);
  if (first === "" || isNumber !== /^\d/.test(last) || to < from || to - from > MOST_OF_A_RANGE) return [];
  return Array.from({ length: to - from + 1 }, (_, step) =>
    isNumber ? `${prefix}${from + step}` : `${prefix}${String.fromCodePoint(from + step)}`,
  );
}

function codeOf(name: string): number {
  return /^\d/.test(name) ? Number(name) : (name.codePointAt(0) ?? 0);
}
