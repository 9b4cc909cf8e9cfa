import { join } from "node:path";
import { nodeFiles } from "../../../adapters/files.ts";
import { packageFolder } from "../../../adapters/package-folder.ts";
import type { HookClient } from "../../hook/install/client.ts";
import { PERL, hookCommand, windowsCommand } from "../../hook/install/command.ts";
import type { InstallPorts } from "../../hook/install/place.ts";
import { dispatcherFile } from "../../hook/warm/dispatcher.ts";
import type { VerbContext } from "../verb.ts";

/** The command that an agent's hooks run, with the dispatcher written that it starts. @throws SkillError `FILE_UNWRITABLE` */
export async function commandFor(
  { name: dialect }: HookClient,
  { environment }: InstallPorts,
  context: VerbContext,
  platform = process.platform,
): Promise<string> {
  const { ownProgram = [process.execPath, join(packageFolder(), "bin", "skillctl.cjs")] } = context;
  if (platform === "win32") return windowsCommand(dialect, ownProgram.at(-1) ?? "");
  const variables = context.builtin.flatMap(({ manifest }) => manifest.permissions?.environment ?? []);
  const options = { own: ownProgram, variables: [...new Set(variables)], files: nodeFiles };
  const dispatcher = await dispatcherFile(environment.stateFolder, options);
  const named = environment.variable("SKILLCTL_STATE") !== undefined;
  const state = named ? environment.stateFolder : undefined;
  const perl = (await nodeFiles.facts(PERL)) !== undefined;
  return hookCommand({ dialect, dispatcher, state, perl });
}
