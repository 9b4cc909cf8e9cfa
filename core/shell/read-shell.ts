import type { ParsedScript } from "unbash";
import { diskLook } from "../adapters/disk-look.ts";
import type { ShellFacts } from "../contract.ts";
import { Interpreter } from "./interpreter.ts";
import { tidied } from "./paths.ts";
import { NeedsGrammar, plainScript } from "./plain-grammar.ts";
import { ShellState } from "./shell-state.ts";
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
 * What a shell command does, read from its text by the grammar of Bash. Throws nothing: what cannot be read is unknown.
 * Of a text over 256 KiB, nested deeper than 30, or with more than 1,000 programs, nothing is known.
 */
export async function readShell(command: string, place: ShellPlace): Promise<ShellFacts> {
  if (command.length > LONGEST) return UNREAD;
  try {
    return factsOf(command, place, plainScript);
  } catch (caught) {
    if (!(caught instanceof NeedsGrammar)) return UNREAD;
  }
  try {
    return factsOf(command, place, (await import("unbash")).parse);
  } catch {
    return UNREAD;
  }
}

/** The same with a given parser. @throws TooMuch, and what the parser throws */
export function factsOf(
  command: string,
  { cwd, home }: ShellPlace,
  parse: (text: string) => ParsedScript,
): ShellFacts {
  const interpreter = new Interpreter({ files: diskLook, home: slashed(home), parse });
  interpreter.text(command, new ShellState([slashed(cwd)]));
  return interpreter.facts.result();
}

function slashed(path: string): string {
  return tidied(path.replaceAll(/^[A-Za-z]:[^]*$/g, (whole) => whole.replaceAll("\\", "/")));
}
