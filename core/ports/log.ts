import { portToken } from "../container/token.ts";

/** Lines for the person at the terminal: standard error, never standard output. */
export interface Log {
  /** Something the person should know. */
  readonly notice: (line: string) => void;
  /** Something only `--verbose` shows. */
  readonly detail: (line: string) => void;
}

export const LOG = portToken<Log>("log");
