import { createTwoFilesPatch } from "diff";
import { quotedName } from "skillctl";
import { exactText, exactTexts } from "../worktree/exact-text.ts";

/** A file that the fix has changed, as it was at the start and as the cleanup leaves it. */
export interface FixedFile {
  /** From the project folder. */
  readonly path: string;
  /** Missing for a new file. */
  readonly before?: Uint8Array;
  /** Missing for a removed file, a link or a very large file. */
  readonly after?: Uint8Array;
}

/** A longer comparison of a file is given up, in milliseconds, and a longer patch is cut, in characters. */
const TIMEOUT_MS = 2_000;
const MOST_CHARACTERS = 200_000;
const NOWHERE = "/dev/null";

/** The fix as a patch for `git apply` and `patch -p1`; files that are not text are only named. */
export function patchOf(files: readonly FixedFile[]): string {
  const parts = files.map(partOf);
  let [length, count] = [0, 0];
  for (const part of parts) {
    length += part.length;
    if (length > MOST_CHARACTERS) break;
    count += 1;
  }
  const left = parts.length - count;
  return [
    ...parts.slice(0, count),
    ...(left > 0
      ? [`The patch is long: ${left} more ${left === 1 ? "file differs" : "files differ"}.\n`]
      : []),
  ].join("");
}

function partOf({ path, before, after }: FixedFile): string {
  const text = exactTexts(after ?? new Uint8Array(), before);
  const [old, now] = [before ? (text.before ?? exactText(before).text) : "", text.text];
  const from = before ? `a/${path}` : NOWHERE;
  const to = after ? `b/${path}` : NOWHERE;
  if (old.includes("\0") || now.includes("\0"))
    return `Binary files ${quotedName(from)} and ${quotedName(to)} differ\n`;
  const patch = createTwoFilesPatch(from, to, old, now, undefined, undefined, {
    timeout: TIMEOUT_MS,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  return patch ?? `Files ${quotedName(from)} and ${quotedName(to)} differ in too many places to be shown\n`;
}
