import { basename, dirname, join, resolve } from "node:path";
import { SkillError } from "../../../errors/skill-error.ts";
import type { Environment } from "../../../ports/environment.ts";
import type { Files } from "../../../ports/files.ts";
import type { HookClient, HookScope } from "./client.ts";

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

/** Where an agent looks for hooks of a scope. @throws SkillError `FILE_UNREADABLE` for a link that leads nowhere */
export async function placeOf(
  client: HookClient,
  scope: HookScope,
  { environment, files }: InstallPorts,
): Promise<SettingsPlace> {
  const { workingFolder, home, variable } = environment;
  const named = scope === "user" && client.home !== undefined ? variable(client.home) : undefined;
  const file =
    named === undefined
      ? join(scope === "project" ? workingFolder : home, client.file)
      : join(resolve(workingFolder, named), basename(client.file));
  return { client, scope, file, target: await withoutLinks(file, files) };
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
