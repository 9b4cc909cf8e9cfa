import { createHash } from "node:crypto";
import { SkillError } from "skillctl";
import type { SessionEntry, SetProbe } from "./entry.ts";

/** A place in a file as it is typed. */
export const FILE_AND_LINE = /^(.+):(\d+)$/s;

/** Refuses a probe for a hypothesis that the session has not. @throws SkillError `DEBUG_PROBE_INVALID` */
export function refuseUnlisted({ hypotheses }: SessionEntry, letter: string): void {
  const known = hypotheses.map(({ id }) => id);
  if (!known.includes(letter))
    throw new SkillError("DEBUG_PROBE_INVALID", `The session has no hypothesis ${letter}.`, {
      hint: `Its hypotheses are ${known.join(", ")}.`,
    });
}

/** The probes of a session with further ones, which take the place of those of the same name there. */
export function withProbes(probes: readonly SetProbe[], more: readonly SetProbe[]): readonly SetProbe[] {
  const rows = more.map(({ hypothesis, point, language, file, hash, at }) => ({
    hypothesis,
    point,
    language,
    ...(file !== undefined && { file }),
    ...(hash !== undefined && { hash }),
    ...(at !== undefined && { at }),
  }));
  const isSame = (one: SetProbe, other: SetProbe): boolean =>
    one.hypothesis === other.hypothesis && one.point === other.point && fileOf(one) === fileOf(other);
  return [...probes.filter((one) => !rows.some((row) => isSame(one, row))), ...rows];
}

/** As `SetProbe.hash` keeps a region, however it is indented. */
export function regionHash(lines: readonly string[]): string {
  const text = lines.map((line) => line.trim()).join("\n");
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Where it looks: one that was observed first may be set in the code later. */
function fileOf({ file, at, language }: SetProbe): string {
  return file ?? FILE_AND_LINE.exec(at ?? "")?.[1] ?? language;
}

/** Whether some of it is observed without an edit. */
export function isObserved({ probes }: SessionEntry): boolean {
  return probes.some(({ at }) => at !== undefined);
}

/** Which hypotheses have no probe yet, else that the change is to be checked. */
export function probeEnding({ id, hypotheses, probes }: SessionEntry): string {
  const open = hypotheses.filter((one) => !probes.some(({ hypothesis }) => hypothesis === one.id));
  return open.length > 0
    ? `No probe yet for ${open.map((one) => one.id).join(", ")}.`
    : `Each hypothesis has a probe. Type: skillctl run runtime-debug check ${id}`;
}
