/** What the doctor says of one thing. */
export interface Check {
  /** `warn`: works, but not everything or not for long. `fail`: has to be mended. */
  readonly status: "ok" | "warn" | "fail";
  readonly what: string;
  /** What to do or to type. */
  readonly mend?: string;
}

export const ok = (what: string): Check => ({ status: "ok", what });
export const warn = (what: string, mend: string): Check => ({ status: "warn", what, mend });
export const fail = (what: string, mend: string): Check => ({ status: "fail", what, mend });
