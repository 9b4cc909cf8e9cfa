/** Lines of the log by their numbers, `_seq`, both included. */
export interface Citation {
  readonly from: number;
  readonly to: number;
}

const ONE = /^#?(\d{1,15})(?:\s*[-\u2013]\s*#?(\d{1,15}))?$/;

/** Reads citations such as `#12`, `15-18` and `#12, #15-18`; `undefined` when a part is none, or ends before it begins. */
export function citationsIn(text: string): readonly Citation[] | undefined {
  const found: Citation[] = [];
  for (const part of text.split(/[,;]/)) {
    const [, first, last = first] = ONE.exec(part.trim()) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === undefined || from < 1 || to < from) return undefined;
    found.push({ from, to });
  }
  return found;
}

/** As the record writes it: `#12`, `#15-18`. */
export function citationText({ from, to }: Citation): string {
  return from === to ? `#${from}` : `#${from}-${to}`;
}

/** Numbers in ascending order as few citations. */
export function citationsOfNumbers(numbers: readonly number[]): readonly Citation[] {
  const found: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last?.to === number - 1) last.to = number;
    else found.push({ from: number, to: number });
  }
  return found;
}
