import type { ShellFacts } from "../contract.ts";
import { FactList, type KnownNames } from "./fact-list.ts";
import type { Grammar } from "./grammar.ts";
import { tidied } from "./paths.ts";
import { ShellState } from "./shell-state.ts";
import { GrammarMissing, Statements } from "./statements.ts";
import { unreadFacts } from "./unread.ts";

/** The environment of a command. */
export interface ShellPlace extends KnownNames {
  /** Its folder, absolute. */
  readonly cwd: string;
  /** The value of `~` and `$HOME`, absolute. */
  readonly home: string;
}

/** UTF-16 code units. */
const LONGEST = 512 * 1024;

/**
 * Reads the facts that a shell command states, by the grammar of Bash and the table `programs.json`: programs with
 * their words, files, addresses, variables. It runs nothing, follows no value and does not read the disk. Texts of
 * unknown effect are in `unread`. A command is unread as a whole, with `limit` in `unknown`, if it is over 512 KiB, has
 * more than 1,000 programs or files, 10,000 words of one program, 80,000 special characters or 20,000 parts, has many
 * parameters in a long text, or nests texts more than 30 deep. Never throws.
 */
export async function readShell(command: string, { cwd, home, ...known }: ShellPlace): Promise<ShellFacts> {
  if (command.length > LONGEST) return unreadFacts(command);
  const read = (grammar?: Grammar): ShellFacts => {
    const facts = new FactList(known);
    new Statements(facts, grammar).text(command, new ShellState(slashed(cwd), slashed(home)), undefined);
    const found = facts.result();
    return found.unknown.length > 0 && found.unread.length === 0 ? { ...found, unread: [command] } : found;
  };
  try {
    return read();
  } catch (error) {
    // Other errors are limits: of the facts, and of the stack for nested constructs.
    if (!(error instanceof GrammarMissing)) return unreadFacts(command);
  }
  try {
    return read((await import("./grammar.ts")).GRAMMAR);
  } catch {
    return unreadFacts(command);
  }
}

function slashed(path: string): string {
  return tidied(/^[A-Za-z]:/.test(path) ? path.replaceAll("\\", "/") : path);
}
