import { DEFAULT_FOLDER } from "../session-files.ts";
import type { Hypothesis, SessionEntry } from "./entry.ts";
import { evidenceLines } from "./hypotheses.ts";

const STATUS = { fixed: "FIXED", aborted: "ABORTED" } as const;

const NONE_YET = "None yet.";

/**
 * The record as Markdown (specification of runtime debugging, "Resources and their fields"): names of headings and items as
 * public records have them, so that others can read it. `server` is the address of its server, once there is one, without
 * a key.
 */
export function recordText(entry: Omit<SessionEntry, "baseline" | "recordText">, server?: string): string {
  const { id, outcome, issue, steps, hypotheses, rounds = [], conclusion, iterations, drift } = entry;
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ["Symptoms", symptoms(entry)],
    ["Reproduction Steps", steps.map((step, index) => `${index + 1}. ${oneLine(step)}`)],
    ["Hypotheses & Verification", table(hypotheses)],
    ...(rounds.length === 0 ? [] : [["Earlier Hypotheses", earlierTable(rounds)] as const]),
    ["Log Evidence", evidenceLines(hypotheses).map((line) => `- ${oneLine(line)}`)],
    // Indented, so that no line of collected text can pass for a heading of the record.
    ["Verification Conclusion", conclusion === "" ? [] : [conclusion.replaceAll(/^(?=[^\n])/gm, "    ")]],
    ...(iterations.length === 0
      ? []
      : [["Iterations", iterations.map((one, index) => `${index + 1}. ${oneLine(one)}`)] as const]),
    ...(drift === undefined ? [] : [["Undone and Kept", drift.map((one) => `- ${oneLine(one)}`)] as const]),
  ];
  const head = [
    `# Debug Session: ${id}`,
    "",
    `- **Status**: [${outcome ? STATUS[outcome] : "OPEN"}]`,
    `- **Issue**: ${oneLine(issue)}`,
    `- **Debug Server**: ${server ?? "not started"}`,
    `- **Log File**: ${DEFAULT_FOLDER}/svc-debug-log-${id}.ndjson`,
  ];
  const parts = sections.map(([heading, lines]) =>
    [`## ${heading}`, "", ...(lines.length === 0 ? [NONE_YET] : lines)].join("\n"),
  );
  return `${[head.join("\n"), ...parts].join("\n\n")}\n`;
}

type Symptoms = Pick<SessionEntry, "expected" | "actual" | "environment" | "impact" | "notes">;

function symptoms({ expected, actual, environment, impact, notes = [] }: Symptoms): readonly string[] {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["Expected", expected],
    ["Actual", actual],
    ["Environment", environment],
    ["Impact", impact],
    ...notes.map((note) => ["Note", note] as const),
  ];
  return rows.flatMap(([name, text]) => (text === undefined ? [] : [`- ${name}: ${oneLine(text)}`]));
}

function table(hypotheses: readonly Hypothesis[]): readonly string[] {
  if (hypotheses.length === 0) return [];
  const rows = hypotheses.map(({ id, text, likelihood, effort, verdict, lines }) =>
    row([id, text, capital(likelihood), capital(effort), [capital(verdict), ...lines].join(" ")]),
  );
  return [
    row(["ID", "Hypothesis", "Likelihood", "Effort", "Evidence"]),
    "|---|---|---|---|---|",
    ...rows,
    "",
    ...hypotheses.map(
      ({ id, observe, refutedBy }) =>
        `- ${id} is seen at ${oneLine(observe)}, refuted by: ${oneLine(refutedBy)}`,
    ),
  ];
}

function earlierTable(rounds: NonNullable<SessionEntry["rounds"]>): readonly string[] {
  const rows = rounds.flatMap(({ run, hypotheses }) =>
    hypotheses.map(({ id, text, verdict, lines }) =>
      row([id, text, run, [capital(verdict), ...lines].join(" ")]),
    ),
  );
  return [row(["ID", "Hypothesis", "Run", "Evidence"]), "|---|---|---|---|", ...rows];
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => oneLine(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}

/** A line break would end an item, a row or a heading. */
function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n\u2028\u2029\u0085\v\f]+\s*/g, " ").trim();
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
