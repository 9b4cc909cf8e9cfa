import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

// Not imported: see standard-streams.ts.
const { statSync } = process.getBuiltinModule("node:fs");

/** The name of the file in the working folder. */
const CONFIGURATION_FILE = "skillctl.json";

/**
 * Where the rules of the person and of the machine stand: `skillctl/skillctl.json` in the folder for settings of the
 * platform (XDG base directories, Application Support, APPDATA) and of all users (/etc, ProgramData). Absolute.
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

type Variables = Readonly<Record<string, string | undefined>>;

/** The configuration file of a folder, absolute, or undefined when there is none. */
export function configurationFile(folder: string): string | undefined {
  const file = join(folder, CONFIGURATION_FILE);
  return isThere(file) ? file : undefined;
}

/** Whether there is a file; one that cannot be looked at is there, so that reading it tells why. */
export function isThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (caught) {
    return (caught as NodeJS.ErrnoException).code !== "ENOTDIR";
  }
}
