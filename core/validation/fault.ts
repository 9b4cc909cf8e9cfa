/** One thing that is wrong in a file of a skill. */
export interface ValidationFault {
  /** Absolute. */
  readonly file: string;
  /** JSON pointer into the file; "" is all of it. */
  readonly pointer: string;
  /** Line from 1, of files that are no JSON. */
  readonly line?: number;
  /** A code of the error table or of `DocumentFaultCode`. */
  readonly code: string;
  /** `warning`: worth knowing, and no reason to refuse the skill. */
  readonly severity: "error" | "warning";
  readonly sentence: string;
}

/** Takes faults of one file, all of them errors under one code. */
export type Complain = (pointer: string, sentence: string, code?: string) => void;

/** A `Complain` that fills a list. */
export function complainInto(faults: ValidationFault[], file: string, standard: string): Complain {
  return (pointer, sentence, code = standard) => {
    faults.push({ file, pointer, code, severity: "error", sentence });
  };
}

/** A JSON pointer of keys. */
export function pointerOf(...keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
