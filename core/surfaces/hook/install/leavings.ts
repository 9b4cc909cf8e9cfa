import { dirname, join } from "node:path";
import { dispatcherPath, hostSocket } from "../warm/dispatcher.ts";
import type { InstallPorts } from "./place.ts";

/** In the state folder: what the program was like when hooks were installed. */
export const PROGRAM_NOTE = "program.json";

/**
 * Once no settings file has hooks by this state folder: takes away the dispatcher, and the socket of the warm host, which
 * ends within seconds where its socket is gone. The record of decisions stays. Answers whether there was a dispatcher.
 * @throws SkillError `FILE_UNWRITABLE`
 */
export async function removeLeavings({ environment, files }: InstallPorts): Promise<boolean> {
  const { stateFolder } = environment;
  const receipts = join(stateFolder, "hooks");
  if (((await files.list(receipts)) ?? []).length > 0) return false;
  const dispatcher = dispatcherPath(stateFolder);
  const there = (await files.facts(dispatcher)) !== undefined;
  const socket = hostSocket(stateFolder);
  await files.remove(join(stateFolder, PROGRAM_NOTE));
  for (const path of [dispatcher, socket, join(dirname(socket), "starting")]) await files.remove(path);
  for (const folder of [receipts, dirname(socket)]) await files.removeEmpty(folder);
  return there;
}
