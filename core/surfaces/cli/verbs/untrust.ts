import { resolve } from "node:path";
import { processEnvironment } from "../../../adapters/environment.ts";
import { dropRecord } from "../../../adapters/trust-records.ts";
import { jsonResult, printable } from "../text.ts";
import type { Verb, VerbContext } from "../verb.ts";
import { readWords, superfluous } from "../words.ts";

const SEE = "skillctl untrust --help";
const HELP = `Takes back \`skillctl trust\`: what the skillctl.json of the folder brings waits again.

Usage: skillctl untrust [DIR]    Default: the working folder
`;

/** Takes trust in a folder back. */
export const verb: Verb = { help: HELP, run };

async function run(words: readonly string[], context: VerbContext): Promise<number> {
  const [given = ".", surplus] = readWords(words, new Map(), SEE).positionals;
  if (surplus !== undefined) throw superfluous(SEE);
  const { terminal, options, variables, workingFolder } = context;
  const folder = resolve(workingFolder, given);
  const changed = await dropRecord(folder, processEnvironment(variables, workingFolder).stateFolder);
  if (options.json) terminal.out(jsonResult({ folder, changed }));
  else
    terminal.out(
      printable(`${folder} ${changed ? "is" : "was"} not trusted${changed ? " any more" : ""}.\n`),
    );
  return 0;
}
