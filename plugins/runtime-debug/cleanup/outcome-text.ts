import type { Finding } from "../check/finding.ts";
import { inert } from "../store/event/inert-text.ts";
import type { SessionEntry } from "../session/entry.ts";
import type { CleanedCode } from "./code-cleaning.ts";
import { causeOf } from "./summary.ts";

/** What a cleanup has done, for reading, and the summary; of one that was written to a page, only the cause. */
export function closedText(
  entry: SessionEntry,
  { cleaned, fixed, notes, left }: CleanedCode & { readonly left: readonly string[] },
  removed: readonly string[],
  report: string | undefined,
  summary: string,
): string {
  const { id, outcome } = entry;
  const kept = outcome === "aborted" ? "Still different from before" : "The fix stays in";
  const lines = [
    `The session ${id} is closed; nothing of it is left in the files${left.length > 0 ? " but what was accepted" : ""}.`,
    ...listed("Accepted", left),
    ...listed("Probes were removed from", cleaned),
    ...listed(kept, fixed),
    ...listed("Removed", removed),
    ...notesText(notes),
    ...(report === undefined ? [] : [`Root cause: ${causeOf(entry)}`, `The page about it: ${report}`]),
  ];
  const text = inert(lines.join("\n"));
  return report === undefined ? `${text}\n\n${summary.trimEnd()}` : text;
}

/** What could not be cleaned, for reading. */
export function unsafeText({ id }: SessionEntry, { cleaned, findings, notes }: CleanedCode): string {
  const lines = [
    `Not everything of ${id} can be removed safely.`,
    ...listed("Probes were removed from", cleaned),
    "Left as it is:",
    ...findings.flatMap(findingLines),
    ...notesText(notes),
  ];
  return inert(lines.join("\n"));
}

function notesText(notes: readonly Finding[]): readonly string[] {
  return notes.length === 0 ? [] : ["Beside:", ...notes.flatMap(findingLines)];
}

function findingLines({ file, line, code, sentence, hint }: Finding): readonly string[] {
  const place = [file, line].filter((part) => part !== undefined).join(":");
  return [
    `  ${place === "" ? "" : `${place}  `}${code}: ${sentence}`,
    ...(hint === undefined ? [] : [`    ${hint}`]),
  ];
}

function listed(heading: string, paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? [] : [`${heading}: ${paths.join(", ")}`];
}
