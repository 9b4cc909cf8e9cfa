import { basename, delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import type { Environment } from "../../../ports/environment.ts";
import type { Files } from "../../../ports/files.ts";
import type { HookClient, HookScope } from "./clients.ts";

/** What the installer works with. */
export interface InstallPorts {
  readonly environment: Environment;
  readonly files: Files;
  /** The file of this program. */
  readonly program: string;
}

/** The settings file of an agent. */
export interface SettingsFile {
  readonly client: HookClient;
  readonly scope: HookScope;
  /** As a person would name it, absolute. It need not exist. */
  readonly file: string;
  /** The same, below where links of the project or the home lead. */
  readonly target: string;
}

/** Where an agent looks for hooks of a scope; of a project, when it is started in `folder`, by default the working folder. */
export async function settingsFileOf(
  client: HookClient,
  scope: HookScope,
  { environment, files }: InstallPorts,
  folder = environment.workingFolder,
): Promise<SettingsFile> {
  const { workingFolder, home, variable } = environment;
  const named = scope === "user" && client.home !== undefined ? variable(client.home) : undefined;
  const base = named === undefined ? (scope === "project" ? folder : home) : resolve(workingFolder, named);
  const path = named === undefined ? client.file : basename(client.file);
  const real = (await files.realPath(base)) ?? base;
  return { client, scope, file: join(base, path), target: join(real, path) };
}

/** Where PATH leads to for `skillctl`. What npm and npx put into it is theirs alone. */
export async function onPath({ environment, files }: InstallPorts): Promise<string | undefined> {
  const folders = (environment.variable("PATH") ?? "").split(delimiter);
  for (const folder of folders.filter((one) => isAbsolute(one) && !one.includes("node_modules"))) {
    const found = await files.realPath(join(folder, "skillctl"));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The folders of a project in which its hooks may stand: the working folder, and those above up to its root, which is the
 * next one with a `.git`. Only the working folder when there is none.
 */
export async function projectFolders({ environment, files }: InstallPorts): Promise<readonly string[]> {
  const { workingFolder } = environment;
  const above: string[] = [];
  for (let folder = workingFolder; ; folder = dirname(folder)) {
    above.push(folder);
    if ((await files.facts(join(folder, ".git"))) !== undefined) return above;
    if (dirname(folder) === folder) return [workingFolder];
  }
}

/** Where hooks of a scope may stand: in the home, or in each folder of the project */
export async function settingsFilesOf(
  client: HookClient,
  scope: HookScope,
  ports: InstallPorts,
): Promise<readonly [SettingsFile, ...SettingsFile[]]> {
  const first = await settingsFileOf(client, scope, ports);
  const [, ...folders] = scope === "project" ? await projectFolders(ports) : [];
  const above: SettingsFile[] = [];
  for (const folder of folders) above.push(await settingsFileOf(client, scope, ports, folder));
  return [first, ...above];
}
