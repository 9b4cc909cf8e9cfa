import type { Browser } from "playwright-core";

/** A place in the code, named by the line that stands after it. */
export interface Place {
  readonly file: string;
  /** The whole line without its indentation. */
  readonly before: string;
}

/** A cause that is looked into, and what looks. */
export interface Suspect {
  readonly text: string;
  readonly refutedBy: string;
  readonly point: string;
  readonly place: Place;
  /** What `probe --apply` is to report; missing where the probe is written by hand. */
  readonly data?: readonly string[];
  /** The probe as somebody writes it: ADDRESS and SESSION are filled in. */
  readonly byHand?: readonly string[];
}

/** What a program is run with. */
export interface Stage {
  /** Where it lies, and is run. */
  readonly folder: string;
  /** For what is made of it: outside of the project. */
  readonly out: string;
  readonly browser: Browser | undefined;
  /** Settles when the events of so many probes hit have been stored. */
  readonly arrived: () => Promise<void>;
}

/** A small program with one bug in it. */
export interface Program {
  readonly name: string;
  /** Its folder beside this file. */
  readonly folder: string;
  readonly tools: readonly string[];
  readonly issue: string;
  /** The first one is the cause. */
  readonly suspects: readonly [Suspect, Suspect, Suspect];
  /** How often each suspect's probe is hit in a run, at the least. */
  readonly hits: readonly [number, number, number];
  readonly fix: { readonly file: string; readonly edits: readonly (readonly [from: string, to: string])[] };
  /** Shows the bug, or that it is gone, and answers what was seen. */
  readonly run: (stage: Stage) => Promise<string>;
  readonly wrong: string;
  readonly right: string;
}
