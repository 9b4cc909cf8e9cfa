import { portToken } from "../container/token.ts";

/** Messages to the person at the terminal, on standard error. */
export interface Log {
  /** A message that is always shown. */
  readonly notice: (line: string) => void;
  /** A message that only `--verbose` shows. */
  readonly detail: (line: string) => void;
}

export const LOG = portToken<Log>("log");
