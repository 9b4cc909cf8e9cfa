import { homedir, networkInterfaces } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { Environment, NetworkAddress } from "../ports/environment.ts";

/** The address of a database in `SKILLCTL_STATE`, which then names no folder. */
export function stateAddress(variable: Environment["variable"]): string | undefined {
  const value = variable("SKILLCTL_STATE");
  return value !== undefined && /^postgres(?:ql)?:/i.test(value) ? value : undefined;
}

/**
 * The environment of a process. `SKILLCTL_STATE` names the state folder, unless it is the address of a database. Default: the
 * platform's folder for state.
 */
export function processEnvironment(
  variables: Readonly<Record<string, string | undefined>> = process.env,
  workingFolder = process.cwd(),
): Environment {
  const variable = (name: string): string | undefined => variables[name] || undefined;
  const home = variable("HOME") ?? variable("USERPROFILE") ?? homedir();
  const state = stateAddress(variable) === undefined ? variable("SKILLCTL_STATE") : undefined;
  return {
    variable,
    home,
    workingFolder,
    stateFolder: state === undefined ? stateFolder(home, variable) : resolve(workingFolder, state),
    addresses: networkAddresses,
  };
}

function networkAddresses(): readonly NetworkAddress[] {
  return Object.entries(networkInterfaces()).flatMap(([adapter, addresses = []]) =>
    addresses.map(({ address, family, internal }) => ({
      adapter,
      address,
      family: family === "IPv6" ? 6 : 4,
      loopback: internal,
    })),
  );
}

function stateFolder(home: string, variable: (name: string) => string | undefined): string {
  if (process.platform === "win32")
    return join(variable("LOCALAPPDATA") ?? join(home, "AppData", "Local"), "skillctl");
  if (process.platform === "darwin") return join(home, "Library", "Application Support", "skillctl");
  const named = variable("XDG_STATE_HOME");
  // The XDG specification requires that relative paths are ignored.
  return join(named !== undefined && isAbsolute(named) ? named : join(home, ".local", "state"), "skillctl");
}
