import { linesOf } from "../regions/lines.ts";
import { strip } from "../regions/strip.ts";
import type { ExactText } from "./exact-text.ts";

export interface Texts {
  readonly before?: ExactText;
  readonly now?: ExactText;
}

/** Where a new file comes from. */
export interface Origin {
  /** The text it had under its former name. */
  readonly before?: string;
  /** The file that it is a copy of, which is still there. */
  readonly copyOf?: string;
}

const BACKUP =
  /\.(?:bak|orig|old|save|backup)(?:[-._\d]\S*)?$|\.backup-\S+$|~$|[-_. ]copy(?:\s?\(?\d*\)?)?(?:\.\w+)?$/i;
/** Two files with fewer lines in common, of all of the longer one, are not the same under another name. */
const SIMILAR = 0.5;

/** Where a file that was not there before comes from: a copy of another one, or one that was given another name. */
export function originOf(
  path: string,
  { before, now }: Texts,
  all: ReadonlyMap<string, Texts>,
): Origin | undefined {
  if (before || !now) return undefined;
  const bare = stripped(now.text);
  for (const [other, { before: was, now: is }] of all) {
    if (other === path || !is || !was) continue;
    if ([was.text, is.text, stripped(is.text)].some((text) => text === now.text || text === bare))
      return { copyOf: other };
  }
  if (BACKUP.test(path)) return { copyOf: path.replace(BACKUP, "") };
  const former = [...all].flatMap(([, { before: was, now: is }]) => (was && !is ? [was.text] : []));
  const likely = former.map((text) => ({ text, share: likeness(text, now.text, bare) }));
  const [best] = likely.filter(({ share }) => share >= SIMILAR).sort((one, two) => two.share - one.share);
  return best && { before: best.text };
}

function stripped(text: string): string {
  const result = strip(text);
  return result.ok ? result.text : text;
}

/** How many lines of a former text the present one holds, probes included, of all lines of the longer one without them. */
function likeness(former: string, now: string, bare: string): number {
  const [lines, others] = [counted(former), counted(now)];
  let common = 0;
  for (const [line, count] of lines) common += Math.min(count, others.get(line) ?? 0);
  return common / Math.max(1, linesOf(former).length, linesOf(bare).length);
}

function counted(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of linesOf(text)) counts.set(line.text, (counts.get(line.text) ?? 0) + 1);
  return counts;
}
