import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

// Not imported: see standard-streams.ts.
const { statSync } = process.getBuiltinModule("node:fs");

const CONFIGURATION_FILE = "skillctl.json";

/**
 * Paths of the rules of the user and of the machine, absolute: `skillctl/skillctl.json` in the platform's folder for
 * settings (XDG base directories, Application Support, APPDATA) and in that of all users (/etc, ProgramData).
 */
export function rulesFiles(
  variables: Variables,
  platform = process.platform,
): Readonly<Record<"user" | "operator", string>> {
  const home = variables["HOME"] || variables["USERPROFILE"] || homedir();
  const named = variables["XDG_CONFIG_HOME"] ?? "";
  const [user, operator] =
    platform === "win32"
      ? [variables["APPDATA"] || join(home, "AppData", "Roaming"), "C:\\ProgramData"]
      : platform === "darwin"
        ? [join(home, "Library", "Application Support"), "/Library/Application Support"]
        : [isAbsolute(named) ? named : join(home, ".config"), "/etc"];
  const own = (folder: string): string => join(folder, "skillctl", CONFIGURATION_FILE);
  return { user: own(user), operator: own(operator) };
}

/** Folders of plain SKILL.md folders, in a project and in the home (agentskills.io, where clients look). */
export const DOCUMENT_FOLDERS = [".agents/skills", ".claude/skills"];

type Variables = Readonly<Record<string, string | undefined>>;

/** The folder of the skills that the person has installed for every folder, with a skillctl.json of its own. */
export function userFolder(stateFolder: string): string {
  return join(stateFolder, "user");
}

/** The configuration file of a folder, absolute; undefined if it does not exist. */
export function configurationFile(folder: string): string | undefined {
  const file = join(folder, CONFIGURATION_FILE);
  return isThere(file) ? file : undefined;
}

/** Whether a file exists. True if its metadata cannot be read, so that reading it gives the reason. */
export function isThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (caught) {
    return (caught as NodeJS.ErrnoException).code !== "ENOTDIR";
  }
}
