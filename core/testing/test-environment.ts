import { join } from "node:path";
import type { Environment } from "../ports/environment.ts";

/** An environment below one folder, with these variables only: `home`, `work` and `state` are its subfolders. */
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
