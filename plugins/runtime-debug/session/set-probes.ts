import { createHash } from "node:crypto";
import { SkillError } from "skillctl";
import type { SessionEntry, SetProbe } from "./entry.ts";
import { nextStep } from "./next-step.ts";

/** The typed form of a place in a file. */
export const FILE_AND_LINE = /^(.+):(\d+)$/s;

/** The hypotheses that a probe serves: `A,B`. */
export function lettersOf({ hypothesis }: Pick<SetProbe, "hypothesis">): readonly string[] {
  return hypothesis.split(",");
}

/** Refuses a probe for hypotheses that the session does not have. @throws SkillError `DEBUG_PROBE_INVALID` */
export function refuseUnlisted({ hypotheses }: SessionEntry, hypothesis: string): void {
  const known = hypotheses.map(({ id }) => id);
  const letter = lettersOf({ hypothesis }).find((one) => !known.includes(one));
  if (letter !== undefined)
    throw new SkillError("DEBUG_PROBE_INVALID", `The session has no hypothesis ${letter}.`, {
      hint: `Its hypotheses are ${known.join(", ")}.`,
    });
}

/** Adds probes to those of a session; they replace probes of the same name in the same file. */
export function withProbes(probes: readonly SetProbe[], more: readonly SetProbe[]): readonly SetProbe[] {
  const rows = more.map(({ hypothesis, point, language, file, hash, at, observed }) => ({
    hypothesis,
    point,
    language,
    ...(file !== undefined && { file }),
    ...(hash !== undefined && { hash }),
    ...(at !== undefined && { at }),
    ...(observed !== undefined && { observed }),
  }));
  const isSame = (one: SetProbe, other: SetProbe): boolean =>
    one.hypothesis === other.hypothesis && one.point === other.point && fileOf(one) === fileOf(other);
  return [...probes.filter((one) => !rows.some((row) => isSame(one, row))), ...rows];
}

/** The hash of a region for `SetProbe.hash`, regardless of its indentation. */
export function regionHash(lines: readonly string[]): string {
  const text = lines.map((line) => line.trim()).join("\n");
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** The file of a probe: one that was observed at first may later be set in the code. */
function fileOf({ file, at, language }: SetProbe): string {
  return file ?? FILE_AND_LINE.exec(at ?? "")?.[1] ?? language;
}

/** Whether any point of the session is observed without an edit. */
export function isObserved({ probes }: SessionEntry): boolean {
  return probes.some(({ at }) => at !== undefined);
}

/** The files that are observed without an edit, relative to the project folder, without duplicates. */
export function observedFiles({ probes }: Pick<SessionEntry, "probes">): readonly string[] {
  return [...new Set(probes.flatMap(({ at = "" }) => FILE_AND_LINE.exec(at)?.[1] ?? []))];
}

/** Names the hypotheses without a probe; if there are none, the command for the check. */
export function probeEnding(entry: SessionEntry): string {
  const { id, hypotheses, probes, state } = entry;
  if (state === "fixing") return nextStep(entry);
  const open = hypotheses.filter((one) => !probes.some((probe) => lettersOf(probe).includes(one.id)));
  return open.length > 0
    ? `No probe yet for ${open.map((one) => one.id).join(", ")}.`
    : `Each hypothesis has a probe. Type: skillctl run runtime-debug check ${id}`;
}
