import { rulesFiles } from "../core/adapters/configuration-files.ts";
import { main } from "../core/surfaces/cli/main.ts";
import { processTerminal } from "../core/surfaces/cli/terminal.ts";
import type { Surroundings } from "../core/surfaces/cli/verb.ts";
import { VERSION } from "../core/version.ts";
import { summaries } from "../plugins/summaries.ts";

/** The surroundings of this process. */
export function processSurroundings(workingFolder: string): Surroundings {
  const { env: variables } = process;
  return {
    version: VERSION,
    builtin: async () => (await import("../plugins/index.ts")).builtinSkills(),
    summaries,
    variables,
    workingFolder,
    ruleFiles: rulesFiles(variables),
    ownProgram: [process.execPath, ...process.execArgv, process.argv[1] ?? ""],
    terminal: (progress) => processTerminal({ variables, progress }),
  };
}

/** The command line of this process. @returns the exit status */
export function commandLine(words: readonly string[], workingFolder: string): Promise<number> {
  return main(words, processSurroundings(workingFolder));
}
