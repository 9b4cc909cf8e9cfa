import { isAccepted } from "../check/accepted.ts";
import type { Finding } from "../check/finding.ts";
import { judgeFile, type Judgement } from "../check/judge-file.ts";
import { exactText } from "../cleanup/exact-text.ts";
import { linesOf } from "../regions/lines.ts";
import type { SessionEntry } from "../session/entry.ts";

/** How a changed file may be without its regions. */
export interface Before {
  readonly bytes: Uint8Array;
  /** Its bytes at the start of the session, where a fix may be taken back; `undefined` when it was not there. */
  readonly first: () => Promise<Uint8Array | undefined>;
}

/** A file that may stay holds so many regions; of another one the fault of a region, where that is why. */
export type RegionVerdict = { readonly count: number } | { readonly fault?: Finding };

/**
 * Whether pure regions are all that differs from the bytes before, from what a fix of an earlier round has left, or from
 * how the file was before that fix (specification, Gates 1).
 */
export async function pureRegions(
  entry: SessionEntry,
  path: string,
  before: Before,
  now: Uint8Array,
): Promise<RegionVerdict> {
  const is = exactText(now);
  if (is.text.includes("\0")) return {};
  const judged = await judgeFile(path, is.text);
  const was = exactText(before.bytes).text;
  const [fault] = newFaults(judged, is.text, await judgeFile(path, was), was);
  if (judged.stripped === undefined || fault) return fault ? { fault } : {};
  const may = { count: judged.regions };
  if (isAccepted(entry, path, judged.stripped)) return may;
  const bare = is.bytes(judged.stripped);
  if (await isBare(path, before.bytes, bare)) return may;
  const first = entry.fixes.length > 0 ? await before.first() : undefined;
  return first && (await isBare(path, first, bare)) ? may : {};
}

/** Whether bytes without their regions are these. */
async function isBare(path: string, bytes: Uint8Array, bare: Uint8Array): Promise<boolean> {
  const was = exactText(bytes);
  const { stripped } = await judgeFile(path, was.text);
  return stripped !== undefined && Buffer.compare(was.bytes(stripped), bare) === 0;
}

/** Faults that were there before at a line with the same text excuse one each: fixtures that hold markers are such. */
function newFaults(
  judged: Judgement,
  text: string,
  former: Judgement,
  textBefore: string,
): readonly Finding[] {
  const known = former.findings.map(({ code, line = 0 }) => `${code} ${lineOf(textBefore, line)}`);
  return judged.findings.filter(({ code, line = 0 }) => {
    const at = known.indexOf(`${code} ${lineOf(text, line)}`);
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  });
}

function lineOf(text: string, line: number): string {
  return linesOf(text)[line - 1]?.text ?? "";
}
