import { instrumented, isAccepted } from "../check/instrumented.ts";
import type { Finding } from "../check/finding.ts";
import type { SessionEntry } from "../session/entry.ts";
import { exactTexts } from "../worktree/exact-text.ts";

/** How a changed file may be without its regions. */
export interface Before {
  readonly bytes: Uint8Array;
  /** Its bytes at the start of the session, where a fix may be taken back; `undefined` when it was not there. */
  readonly first: () => Promise<Uint8Array | undefined>;
}

/** A file that may stay holds so many regions; of another one the fault of a region, where that is why. */
export type RegionVerdict = { readonly count: number } | { readonly fault?: Finding };

/**
 * Whether regions are all that differs from the bytes before, from what a fix of an earlier round has left, or from
 * how the file was before that fix (specification, evidence gate).
 */
export async function regionVerdict(
  entry: SessionEntry,
  path: string,
  before: Before,
  now: Uint8Array,
): Promise<RegionVerdict> {
  const { text, before: was } = exactTexts(now, before.bytes);
  const { findings, stripped, isAsBefore, regions } = instrumented(path, text, was);
  const [fault] = findings;
  if (fault) return { fault };
  const may = { count: regions.length };
  if (isAsBefore || (stripped !== undefined && isAccepted(entry, path, stripped))) return may;
  const first = entry.fixes.length > 0 ? await before.first() : undefined;
  if (!first) return {};
  const texts = exactTexts(now, first);
  return instrumented(path, texts.text, texts.before).isAsBefore ? may : {};
}
