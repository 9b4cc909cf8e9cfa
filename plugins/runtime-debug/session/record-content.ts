import { DEFAULT_FOLDER } from "../session-files.ts";
import type { RecordContent } from "../record/record-text.ts";
import type { SessionEntry } from "./entry.ts";
import { evidenceLines } from "./hypotheses.ts";

const STATUS = { fixed: "FIXED", aborted: "ABORTED" } as const;

type Shown = Omit<SessionEntry, "baseline" | "recordText">;

/** What the record shows of a session; `server` is the address of its server, once there is one, without a key. */
export function contentOf(entry: Shown, server?: string): RecordContent {
  const { id, outcome, expected, actual, environment, impact, notes, conclusion } = entry;
  return {
    session: id,
    status: outcome ? STATUS[outcome] : "OPEN",
    issue: entry.issue,
    ...(server !== undefined && { server }),
    logFile: `${DEFAULT_FOLDER}/svc-debug-log-${id}.ndjson`,
    symptoms: { ...(expected !== undefined && { expected }), ...(actual !== undefined && { actual }) },
    ...(environment !== undefined && { surroundings: environment }),
    ...(impact !== undefined && { impact }),
    ...(notes && { notes }),
    steps: entry.steps,
    hypotheses: entry.hypotheses,
    earlier: (entry.rounds ?? []).flatMap(({ run, hypotheses }) =>
      hypotheses.map((one) => ({ ...one, run })),
    ),
    evidence: evidenceLines(entry.hypotheses),
    // Indented, so that no line of collected text can pass for a heading of the record.
    conclusion: conclusion.replaceAll(/^(?=[^\n])/gm, "    "),
    iterations: entry.iterations,
    ...(entry.drift && { drift: entry.drift }),
  };
}
