import type { ShellFacts } from "../contract.ts";
import { FactList } from "./fact-list.ts";
import type { Grammar } from "./grammar.ts";
import { tidied } from "./paths.ts";
import { ShellState } from "./shell-state.ts";
import { GrammarMissing, Statements } from "./statements.ts";
import { UNREAD } from "./unread.ts";

/** Where a command is run. */
export interface ShellPlace {
  /** The folder, absolute. */
  readonly cwd: string;
  /** What `~` and `$HOME` stand for, absolute. */
  readonly home: string;
}

const LONGEST = 256 * 1024;

/**
 * What a shell command surely names, read from its text by the grammar of Bash: programs, words, redirections, and what
 * `programs.json` says of them. Throws nothing: what cannot be read is unknown. Of a text over 256 KiB, or with more
 * than 1,000 programs, nothing is known; texts in texts are read down to the thirtieth.
 */
export async function readShell(command: string, { cwd, home }: ShellPlace): Promise<ShellFacts> {
  if (command.length > LONGEST) return UNREAD;
  const read = (grammar?: Grammar): ShellFacts => {
    const facts = new FactList();
    new Statements(facts, slashed(home), grammar).text(command, new ShellState(slashed(cwd)));
    return facts.result();
  };
  try {
    return read();
  } catch (caught) {
    // Too much of something, or nested deeper than the stack is.
    if (!(caught instanceof GrammarMissing)) return UNREAD;
  }
  try {
    return read((await import("./grammar.ts")).GRAMMAR);
  } catch {
    return UNREAD;
  }
}

function slashed(path: string): string {
  return tidied(path.replaceAll(/^[A-Za-z]:[^]*$/g, (whole) => whole.replaceAll("\\", "/")));
}
