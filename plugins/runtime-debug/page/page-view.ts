import type { CompareOutput } from "../contract.ts";

/** The state of a session for its page. All texts are inert. */
export interface PageView {
  readonly id: string;
  readonly issue: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly steps: readonly PageStep[];
  /** The current run, and the two compared runs. */
  readonly runs: { readonly now: string; readonly before: string; readonly after?: string };
  /** The open question to the person; missing while the agent works. */
  readonly question?: PageQuestion;
  /** The person's last answer, until the next step. */
  readonly answered?: string;
  readonly hypotheses: readonly PageHypothesis[];
  readonly earlier: readonly PageHypothesis[];
  readonly cause?: string;
  readonly fixes: readonly string[];
  /** Answers and reasons of further rounds, oldest first. */
  readonly notes: readonly string[];
  readonly rates: readonly PageRate[];
  /** The conclusion from the rates. */
  readonly ratesLines: readonly string[];
  readonly comparison?: Pick<CompareOutput, "before" | "after" | "events" | "probes" | "order">;
  readonly code: readonly PageCode[];
}

export interface PageStep {
  readonly number: number;
  readonly title: string;
  readonly at: "done" | "now" | "later";
}

export interface PageQuestion {
  readonly text: string;
  /** The options by letter. */
  readonly options: Readonly<Record<string, string>>;
  /** Instructions for the person before the answer. */
  readonly steps: readonly string[];
}

export interface PageHypothesis {
  readonly id: string;
  readonly text: string;
  readonly refutedBy: string;
  readonly observe: string;
  readonly verdict: CompareOutput["hypotheses"][number]["verdict"];
  readonly because?: string;
  /** Citations such as `#12` and `#15-18`, and the events themselves for reading. */
  readonly lines: readonly string[];
  readonly cited: readonly string[];
}

/** The failures of the reproducing command in a run. */
export interface PageRate {
  readonly run: string;
  readonly failed: number;
  readonly of: number;
}

/** The code around some points. */
export interface PageCode {
  readonly file: string;
  readonly lines: readonly PageLine[];
}

export interface PageLine {
  /** The line number, from 1; 0 for a probe, whose text is its label. */
  readonly number: number;
  readonly text: string;
  /** Whether the line is observed. */
  readonly isPoint: boolean;
}

/** An event as a row. All texts are inert and shortened. */
export interface PageEvent {
  readonly seq: number;
  /** The time stated by the program, or the time of receipt, as ISO 8601 or in the form of the program. */
  readonly time: string;
  readonly run: string;
  /** The hypotheses in the event. */
  readonly letters: string;
  readonly point: string;
  readonly message: string;
  /** As JSON. */
  readonly data: string;
  readonly flags: string;
}
