import { join } from "node:path";
import { packageFolder } from "../../../adapters/package-folder.ts";
import { programHash } from "../../../adapters/program-hash.ts";
import type { InstallPorts } from "../../hook/install/place.ts";
import { PROGRAM_NOTE } from "../../hook/install/leavings.ts";

/** Notes what the program and its rules are like when hooks are installed. */
export async function noteProgram({ environment, files }: InstallPorts): Promise<void> {
  const note = { folder: packageFolder(), hash: programHash() };
  await files.makeFolder(environment.stateFolder);
  await files.replace(join(environment.stateFolder, PROGRAM_NOTE), `${JSON.stringify(note)}\n`);
}

/** What is to be said when the program is not as it was then; undefined when it is, or nothing was noted. */
export async function changedProgram({ environment, files }: InstallPorts): Promise<string | undefined> {
  const text = await files.readText(join(environment.stateFolder, PROGRAM_NOTE));
  if (text === undefined) return undefined;
  let folder: unknown;
  try {
    const noted = JSON.parse(text) as { readonly folder?: unknown; readonly hash?: unknown };
    if (noted.folder === packageFolder() && noted.hash === programHash()) return undefined;
    folder = noted.folder;
  } catch {
    // A note that cannot be read says nothing in the program's favour.
  }
  const where =
    folder === packageFolder() ? packageFolder() : `${packageFolder()} (noted: ${String(folder)})`;
  return `The program skillctl or its rules in ${where} are not as they were when hooks were installed.`;
}
