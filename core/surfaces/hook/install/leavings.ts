import { join } from "node:path";
import type { InstallPorts } from "./place.ts";

/** In the state folder: what the program was like when hooks were installed. */
export const PROGRAM_NOTE = "program.json";
/** What earlier versions kept there for their hooks. */
const EARLIER = ["guard/dispatcher.sh", "guard/host/socket", "guard/host/starting"];

/**
 * Once no settings file has hooks by this state folder: takes away what was kept for them. The record of decisions stays.
 * @throws SkillError `FILE_UNWRITABLE`
 */
export async function removeLeavings({ environment, files }: InstallPorts): Promise<void> {
  const { stateFolder } = environment;
  const receipts = join(stateFolder, "hooks");
  if (((await files.list(receipts)) ?? []).length > 0) return;
  for (const path of [PROGRAM_NOTE, ...EARLIER]) await files.remove(join(stateFolder, path));
  for (const folder of [receipts, join(stateFolder, "guard", "host")]) await files.removeEmpty(folder);
}
