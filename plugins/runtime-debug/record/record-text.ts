/** What the record of a session shows (specification of runtime debugging, "Resources and their fields"). */
export interface RecordContent {
  readonly session: string;
  readonly status: "OPEN" | "FIXED" | "ABORTED";
  readonly issue: string;
  /** Address of the debug server, once it runs. */
  readonly server?: string;
  /** Path of the log file, as seen from the record. */
  readonly logFile: string;
  readonly symptoms?: { readonly expected?: string; readonly actual?: string };
  readonly surroundings?: string;
  readonly impact?: string;
  /** What the user has said beside. */
  readonly notes?: readonly string[];
  readonly steps: readonly string[];
  readonly hypotheses: readonly RecordedHypothesis[];
  /** Hypotheses as they were judged in earlier rounds, each with the run. */
  readonly earlier?: readonly (RecordedHypothesis & { readonly run: string })[];
  /** Lines of the log that were cited, as text for reading. */
  readonly evidence: readonly string[];
  readonly conclusion: string;
  /** Why another round was needed: one line for each answer B or C. */
  readonly iterations: readonly string[];
  /** What was put back or kept of code that had changed too early: one line each. */
  readonly drift?: readonly string[];
}

export interface RecordedHypothesis {
  readonly id: string;
  readonly text: string;
  readonly refutedBy: string;
  readonly observe: string;
  readonly likelihood: "high" | "medium" | "low";
  readonly effort: "high" | "medium" | "low";
  readonly verdict: "pending" | "confirmed" | "rejected" | "inconclusive";
  /** Citations of log lines, such as `#12`. */
  readonly lines: readonly string[];
}

const NONE_YET = "None yet.";

/** The record as Markdown: names of headings and items as public records have them, so that others can read it. */
export function recordText(content: RecordContent): string {
  const { session, status, issue, server, logFile, iterations, drift, earlier = [] } = content;
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ["Symptoms", symptoms(content)],
    ["Reproduction Steps", content.steps.map((step, index) => `${index + 1}. ${oneLine(step)}`)],
    ["Hypotheses & Verification", table(content.hypotheses)],
    ...(earlier.length === 0 ? [] : [["Earlier Hypotheses", earlierTable(earlier)] as const]),
    ["Log Evidence", content.evidence.map((line) => `- ${oneLine(line)}`)],
    ["Verification Conclusion", content.conclusion === "" ? [] : [content.conclusion]],
    ...(iterations.length === 0
      ? []
      : [["Iterations", iterations.map((one, index) => `${index + 1}. ${oneLine(one)}`)] as const]),
    ...(drift === undefined ? [] : [["Undone and Kept", drift.map((one) => `- ${oneLine(one)}`)] as const]),
  ];
  const head = [
    `# Debug Session: ${session}`,
    "",
    `- **Status**: [${status}]`,
    `- **Issue**: ${oneLine(issue)}`,
    `- **Debug Server**: ${server ?? "not started"}`,
    `- **Log File**: ${logFile}`,
  ];
  const parts = sections.map(([heading, lines]) =>
    [`## ${heading}`, "", ...(lines.length === 0 ? [NONE_YET] : lines)].join("\n"),
  );
  return `${[head.join("\n"), ...parts].join("\n\n")}\n`;
}

function symptoms(content: RecordContent): readonly string[] {
  const { symptoms: seen, surroundings, impact, notes = [] } = content;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["Expected", seen?.expected],
    ["Actual", seen?.actual],
    ["Environment", surroundings],
    ["Impact", impact],
    ...notes.map((note) => ["Note", note] as const),
  ];
  return rows.flatMap(([name, text]) => (text === undefined ? [] : [`- ${name}: ${oneLine(text)}`]));
}

function table(hypotheses: readonly RecordedHypothesis[]): readonly string[] {
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

function earlierTable(earlier: NonNullable<RecordContent["earlier"]>): readonly string[] {
  const rows = earlier.map(({ id, text, run, verdict, lines }) =>
    row([id, text, run, [capital(verdict), ...lines].join(" ")]),
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
