import type { Language } from "../../probes/languages.ts";

/** A program with a place for a probe, in each language that this project runs. */
export interface ProbedProgram {
  /** Completes "a probe in ". */
  readonly name: string;
  readonly language: Language;
  readonly tools: readonly string[];
  /** Name of its file. */
  readonly file: string;
  /** `@PROBE@` is a line of its own where the probe goes, `@HEAD@` where its imports go. */
  readonly source: string;
  /** Words of the command that builds it in its folder. */
  readonly build?: readonly string[];
  /** Default: its tool, with its file. */
  readonly run?: readonly string[];
  /** What is reported, as `--data` takes it: `total | rate=self.rate`. */
  readonly data: string;
  /** The data of its events. */
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly status: number;
  /** Events a second and in all at most, of the probe; with `skipped`, the passes that each event says were counted before it. */
  readonly limit?: number;
  readonly skipped?: readonly number[];
  /** Whether the probe waits for the answer. */
  readonly sync?: boolean;
}

/** A text that is hard to report. */
export const TEXT = 'say "hi" \\ über\n日本';
/** The same as a literal of most languages. */
export const LITERAL = '"say \\"hi\\" \\\\ über\\n日本"';
/** The report of a value that is unavailable. */
export const THROWN = /^! ./;
