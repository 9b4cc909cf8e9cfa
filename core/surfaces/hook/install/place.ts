import { basename, dirname, join, resolve } from "node:path";
import { SkillError } from "../../../errors/skill-error.ts";
import type { Environment } from "../../../ports/environment.ts";
import type { Files } from "../../../ports/files.ts";
import type { HookClient, HookScope } from "./clients.ts";

/** What the installer works with. */
export interface InstallPorts {
  readonly environment: Environment;
  readonly files: Files;
}

/** The settings file of an agent. */
export interface SettingsPlace {
  readonly client: HookClient;
  readonly scope: HookScope;
  /** As a person would name it, absolute. */
  readonly file: string;
  /** Where links lead: what is read and written. It need not exist. */
  readonly target: string;
}

/**
 * Where an agent looks for hooks of a scope; of a project, when it is started in `folder`, by default the working folder.
 * @throws SkillError `FILE_UNREADABLE` for a link that leads nowhere
 */
export async function placeOf(
  client: HookClient,
  scope: HookScope,
  { environment, files }: InstallPorts,
  folder = environment.workingFolder,
): Promise<SettingsPlace> {
  const { workingFolder, home, variable } = environment;
  const named = scope === "user" && client.home !== undefined ? variable(client.home) : undefined;
  const file =
    named === undefined
      ? join(scope === "project" ? folder : home, client.file)
      : join(resolve(workingFolder, named), basename(client.file));
  return { client, scope, file, target: await withoutLinks(file, files) };
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

/** Where hooks of a scope may stand: in the home, or in each folder of the project. @throws SkillError as `placeOf` */
export async function placesOf(
  client: HookClient,
  scope: HookScope,
  ports: InstallPorts,
): Promise<readonly [SettingsPlace, ...SettingsPlace[]]> {
  const first = await placeOf(client, scope, ports);
  const [, ...folders] = scope === "project" ? await projectFolders(ports) : [];
  const above: SettingsPlace[] = [];
  for (const folder of folders) above.push(await placeOf(client, scope, ports, folder));
  return [first, ...above];
}

async function withoutLinks(path: string, files: Files): Promise<string> {
  const real = await files.realPath(path);
  if (real !== undefined) return real;
  if ((await files.linkTarget(path)) !== undefined)
    throw new SkillError("FILE_UNREADABLE", `${path} is a link that leads nowhere.`, {
      file: path,
      hint: "Make what it leads to, or remove the link.",
    });
  return dirname(path) === path ? path : join(await withoutLinks(dirname(path), files), basename(path));
}
