import { languageOf, type Language } from "../probes/languages.ts";
import { linesOf, regionsIn } from "../regions/regions.ts";
import type { SetProbe } from "../session/entry.ts";
import { regionHash } from "../session/set-probes.ts";
import type { Change } from "../worktree/change.ts";
import { utf8Text } from "../worktree/exact-text.ts";

/** The language of a file with a region that was written by hand; `undefined` if `probe` set them all. */
export function handWritten({ path, now }: Change, probes: readonly SetProbe[]): Language | undefined {
  const text =
    now && Buffer.from(now.buffer, now.byteOffset, now.byteLength).includes("region") && utf8Text(now);
  if (!text) return undefined;
  const lines = linesOf(text);
  const known = new Set(probes.map(({ hash }) => hash));
  const isOther = regionsIn(lines).regions.some(
    ({ first, last, label }) =>
      !label.startsWith("shared:") &&
      !known.has(regionHash(lines.slice(first, last + 1).map((one) => one.text))),
  );
  return isOther ? languageOf(path, text) : undefined;
}
