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
    // Told by the verb, which needs one.
    return "";
  }
}

// Node 22 and later keep compiled code in a folder that is named to them; not when the program runs from source. Node never
// returns from making that folder where it cannot be made, as under /proc, so it is named only once the state folder is there.
// The module is not imported: Node 20, which has no such cache, would load it for nothing.
if (
  Number.parseInt(process.versions.node, 10) >= 22 &&
  workingFolder !== "" &&
  import.meta.url.endsWith(".cjs")
) {
  const { stateFolder } = processEnvironment(variables, workingFolder);
  if (isFolder(stateFolder)) compileCache().enableCompileCache(join(stateFolder, "compiled"));
}

/** The declarations of Node 20 do not know it. */
function compileCache(): { readonly enableCompileCache: (folder: string) => unknown } {
  return process.getBuiltinModule("node:module") as unknown as ReturnType<typeof compileCache>;
}

/** A hook starts at each call of an agent: it loads the whole program only if necessary. */
async function run(): Promise<number> {
  if (words[0] === "guard" && workingFolder !== "") {
    const { hookProcess } = await import("../core/surfaces/cli/hook/process.ts");
    const whole = () => import("./program.ts");
    const status = await hookProcess(words, async () => (await whole()).processSurroundings(workingFolder));
    if (status !== undefined) return status;
  }
  const { commandLine } = await import("./program.ts");
  return commandLine(words, workingFolder);
}

// No await at the top: the built program is a CommonJS file, which starts a twentieth of Node's own time sooner.
void run()
  .then((status) => process.exit(status))
  // Not even standard error could be written: only the exit status can report it (that of INTERNAL).
  .catch(() => process.exit(70));
