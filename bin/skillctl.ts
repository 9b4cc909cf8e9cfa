#!/usr/bin/env node
import * as nodeModule from "node:module";
import { join } from "node:path";
import { rulesFiles } from "../core/adapters/configuration.ts";
import { processEnvironment } from "../core/adapters/environment.ts";
import { main } from "../core/surfaces/cli/main.ts";
import { processTerminal } from "../core/surfaces/cli/terminal.ts";
import { VERSION } from "../core/version.ts";
import { builtinSkills } from "../plugins/index.ts";

const { env: variables } = process;

// Node 22 and later keep what they compile, once they are told where; not when it runs from source.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: (folder: string) => unknown };
if (import.meta.url.endsWith(".cjs"))
  enableCompileCache?.(join(processEnvironment(variables).stateFolder, "compiled"));

// No await at the top: the built program is a CommonJS file, which starts a twentieth of Node's own time sooner.
void main(process.argv.slice(2), {
  version: VERSION,
  builtin: builtinSkills(),
  variables,
  workingFolder: process.cwd(),
  ruleFiles: rulesFiles(variables),
  ownProgram: [process.execPath, ...process.execArgv, process.argv[1] ?? ""],
  terminal: (progress) => processTerminal({ variables, progress }),
})
  .then((status) => process.exit(status))
  // Not even standard error could be written: only the status is left to tell of it (that of INTERNAL).
  .catch(() => process.exit(70));
