import { join } from "node:path";
import type { Environment } from "../ports/environment.ts";

/** Creates an environment with these variables only and the subfolders `home`, `work` and `state` of a folder. */
export function testEnvironment(
  folder: string,
  variables: Readonly<Record<string, string | undefined>> = {},
): Environment {
  return {
    variable: (name) => variables[name] || undefined,
    home: join(folder, "home"),
    workingFolder: join(folder, "work"),
    stateFolder: join(folder, "state"),
    addresses: () => [],
  };
}
