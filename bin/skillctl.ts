#!/usr/bin/env node
import * as nodeModule from "node:module";
import { join } from "node:path";
import { processEnvironment } from "../core/adapters/environment.ts";
import { isFolder } from "../core/adapters/state-folder.ts";
import type { Surroundings } from "../core/surfaces/cli/verb.ts";

const { env: variables } = process;
const words = process.argv.slice(2);
const workingFolder = currentFolder();

/** The working folder; "" when it has been removed. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    // Told by the verb, which needs one.
    return "";
  }
}

// Node 22 and later keep compiled code in a folder that is named to them; not when the program runs from source. Node never
// returns from making that folder where it cannot be made, as under /proc, so it is named only once the state folder is there.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: (folder: string) => unknown };
if (enableCompileCache && workingFolder !== "" && import.meta.url.endsWith(".cjs")) {
  const { stateFolder } = processEnvironment(variables, workingFolder);
  if (isFolder(stateFolder)) enableCompileCache(join(stateFolder, "compiled"));
}

async function surroundings(): Promise<Surroundings> {
  const [{ builtinSkills }, { rulesFiles }, { processTerminal }, { VERSION }] = await Promise.all([
    import("../plugins/index.ts"),
    import("../core/adapters/configuration-files.ts"),
    import("../core/surfaces/cli/terminal.ts"),
    import("../core/version.ts"),
  ]);
  return {
    version: VERSION,
    builtin: builtinSkills(),
    variables,
    workingFolder,
    ruleFiles: rulesFiles(variables),
    ownProgram: [process.execPath, ...process.execArgv, process.argv[1] ?? ""],
    terminal: (progress) => processTerminal({ variables, progress }),
  };
}

/** A hook starts at each call of an agent: it loads the whole program only where it has to. */
async function run(): Promise<number> {
  if (words[0] === "guard" && workingFolder !== "") {
    const { hookProcess } = await import("../core/surfaces/cli/hook/process.ts");
    const status = await hookProcess(words, surroundings);
    if (status !== undefined) return status;
  }
  const [{ main }, given] = await Promise.all([import("../core/surfaces/cli/main.ts"), surroundings()]);
  return main(words, given);
}

// No await at the top: the built program is a CommonJS file, which starts a twentieth of Node's own time sooner.
void run()
  .then((status) => process.exit(status))
  // Not even standard error could be written: only the status is left to tell of it (that of INTERNAL).
  .catch(() => process.exit(70));
