import type { ShellFacts } from "../contract.ts";
import { UNREAD } from "./unread.ts";

/** Where a command is run. */
export interface ShellPlace {
  /** The folder, absolute. */
  readonly cwd: string;
  /** What `~` and `$HOME` stand for, absolute. */
  readonly home: string;
}

/** What a shell command does, read from its text. Throws nothing: what cannot be read is unknown. */
export async function readShell(_command: string, _place: ShellPlace): Promise<ShellFacts> {
  return UNREAD;
}
