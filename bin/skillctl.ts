#!/usr/bin/env node
import { join } from "node:path";
import { processEnvironment } from "../core/adapters/environment.ts";
import { isFolder } from "../core/adapters/state-folder.ts";

const { env: variables } = process;
const words = process.argv.slice(2);
const workingFolder = currentFolder();

/** The working folder; "" when it has been removed. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    // A verb that needs the folder reports that it is missing.
    return "";
  }
}

/**
 * Keeps compiled code, unless the program runs from source: Node 22 and later do so themselves. Node's creation of the folder never
 * returns where folders cannot be created, such as under /proc, so the state folder must exist.
 */
async function keepCode(): Promise<void> {
  if (workingFolder === "" || !import.meta.url.endsWith(".cjs")) return;
  const { stateFolder } = processEnvironment(variables, workingFolder);
  if (!isFolder(stateFolder)) return;
  const folder = join(stateFolder, "compiled");
  if (Number.parseInt(process.versions.node, 10) < 22) {
    const { keepCompiled } = await import("../core/adapters/compiled-code.ts");
    return keepCompiled(folder);
  }
  // Typed here, because the type declarations of Node 20 lack it.
  const { enableCompileCache } = process.getBuiltinModule("node:module") as unknown as {
    readonly enableCompileCache: (folder: string) => unknown;
  };
  enableCompileCache(folder);
}

/** A hook starts at each call of an agent: it loads the whole program only if necessary. */
async function run(): Promise<number> {
  await keepCode();
  if (words[0] === "guard" && workingFolder !== "") {
    const { hookProcess } = await import("../core/surfaces/cli/hook/process.ts");
    const whole = () => import("./program.ts");
    const status = await hookProcess(words, async () => (await whole()).processSurroundings(workingFolder));
    if (status !== undefined) return status;
  }
  const { commandLine } = await import("./program.ts");
  return commandLine(words, workingFolder);
}

// No top-level await: the built program is a CommonJS file, which starts sooner by a twentieth of Node's own start-up time.
void run()
  .then((status) => process.exit(status))
  // Not even standard error could be written: only the exit status can report it (that of INTERNAL).
  .catch(() => process.exit(70));
