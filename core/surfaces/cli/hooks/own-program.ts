import { delimiter, isAbsolute, join } from "node:path";
import { nodeFiles } from "../../../adapters/files.ts";
import { packageFolder } from "../../../adapters/package-folder.ts";
import { programHash } from "../../../adapters/program-hash.ts";
import { hookCommand } from "../../hook/install/command.ts";
import { PROGRAM_NOTE } from "../../hook/install/installer.ts";
import type { InstallPorts } from "../../hook/install/settings-file.ts";
import type { VerbContext } from "../verb.ts";

/**
 * The command that an agent's hooks run: `skillctl` where PATH leads to this program, else Node and its file.
 * The state folder is named where the person's environment names one.
 */
export async function commandFor(
  dialect: string,
  { environment }: InstallPorts,
  { ownProgram, variables }: VerbContext,
  platform = process.platform,
): Promise<string> {
  const script = ownProgram?.at(-1) ?? "";
  // A program that runs from its source is started by more than Node.
  const file = /\.ts$|^$/.test(script) ? join(packageFolder(), "bin", "skillctl.cjs") : script;
  const isNamed = platform !== "win32" && (await isOnPath(file, variables["PATH"] ?? ""));
  const state = environment.variable("SKILLCTL_STATE") === undefined ? undefined : environment.stateFolder;
  return hookCommand(
    { dialect, program: isNamed ? ["skillctl"] : [process.execPath, file], state },
    platform,
  );
}

/** Whether `skillctl` is this program for whoever has this PATH. What npm and npx put into it is theirs alone. */
async function isOnPath(file: string, path: string): Promise<boolean> {
  const folders = path.split(delimiter).filter((one) => isAbsolute(one) && !one.includes("node_modules"));
  for (const folder of folders) {
    const found = await nodeFiles.realPath(join(folder, "skillctl"));
    if (found !== undefined) return found === (await nodeFiles.realPath(file));
  }
  return false;
}

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
