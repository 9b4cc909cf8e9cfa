import type { TextLine } from "../regions/lines.ts";
import type { Region } from "../regions/regions.ts";
import { isAnySession, signsIn } from "../session/signs.ts";
import { hypothesisNames } from "../store/read/event-filter.ts";
import { bodyOf } from "./instrumented.ts";

/** How events of both public formats name theirs: `hypothesisId: "A"` in code of any language. */
const IN_CODE = /hypothesis_?id\W{0,11}?["'`]([A-Za-z]\w{0,3}(?:\s*[,-]\s*[A-Za-z]\w{0,3})*)\\?["'`]/gi;
const NAME = String.raw`([a-z0-9]+(?:-[a-z0-9]+){1,3})(?![\w-])`;
/** With its name, or right in front of the address. */
const SESSION_IN_CODE = new RegExp(
  String.raw`session_?id\W{1,12}?${NAME}|["']${NAME}["'],?\s*["']https?:`,
  "i",
);

/**
 * The hypotheses that regions look at: by their labels, such as `A:token`, or by what they report. Regions that name
 * another session are not counted.
 */
export function namedHypotheses(
  lines: readonly TextLine[],
  regions: readonly Region[],
  session: string,
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const region of regions) {
    if ((sessionOfRegion(lines, region) ?? session) !== session) continue;
    const [beforeColon = ""] = region.label.split(":");
    const inCode = [...codeOf(lines, region).matchAll(IN_CODE)].map(([, names = ""]) => names);
    for (const names of [beforeColon.trim(), ...inCode])
      for (const name of hypothesisNames(names)) found.add(name.toUpperCase());
  }
  return found;
}

/** What tells the events of regions again, but for those that name another session. */
export function reportedTexts(
  lines: readonly TextLine[],
  regions: readonly Region[],
  session: string,
): readonly string[] {
  return regions.flatMap((region) =>
    (sessionOfRegion(lines, region) ?? session) === session ? signsIn(codeOf(lines, region)) : [],
  );
}

/** The session that a region names, as probes of ours and events of both public formats do; `undefined` without a certain one. */
function sessionOfRegion(lines: readonly TextLine[], region: Region): string | undefined {
  const [, named, beforeAddress] = SESSION_IN_CODE.exec(codeOf(lines, region)) ?? [];
  const session = named ?? beforeAddress;
  return isAnySession(session) ? undefined : session;
}

function codeOf(lines: readonly TextLine[], region: Region): string {
  return bodyOf(lines, region)
    .map(({ text }) => text)
    .join("\n");
}
