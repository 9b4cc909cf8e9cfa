import { join } from "node:path";
import semverSatisfies from "semver/functions/satisfies.js";
import { loopbackFault } from "../../../adapters/loopback-probe.ts";
import { NODE_RANGE } from "../../../adapters/optional-packages.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import type { Files } from "../../../ports/files.ts";
import { fail, ok, warn, type Check } from "./check.ts";

/** The oldest line of Node that still gets fixes (nodejs.org/en/about/previous-releases, November 2026). */
const OLDEST_MAINTAINED = 22;

/** `version` without v. */
export function nodeCheck(version: string): Check {
  const install = "Install Node 24 from nodejs.org";
  if (!semverSatisfies(version, NODE_RANGE))
    return fail(`Node ${version}; skillctl needs ${NODE_RANGE}`, install);
  const line = Number(version.split(".")[0]);
  return line < OLDEST_MAINTAINED
    ? warn(`Node ${version} runs skillctl, but gets no fixes any more`, install)
    : ok(`Node ${version}`);
}

/** Really writes a file there, and leaves nothing behind. */
export async function stateFolderCheck(folder: string, files: Files): Promise<Check> {
  const before = await files.facts(folder).catch(() => undefined);
  const probe = join(folder, `doctor-${process.pid}.tmp`);
  try {
    await files.makeFolder(folder);
    await files.replace(probe, "probe");
    await files.remove(before ? probe : folder);
    return ok(`State folder ${folder} can be written`);
  } catch (caught) {
    if (!(caught instanceof SkillError)) throw caught;
    return fail(
      `State folder: ${caught.message}`,
      "Make it writable, or name another: export SKILLCTL_STATE=FOLDER",
    );
  }
}

export async function loopbackCheck(): Promise<Check> {
  const fault = await loopbackFault();
  if (fault === undefined) return ok("A port on 127.0.0.1 can be opened");
  return fail(
    `No port on 127.0.0.1 can be opened (${fault})`,
    "Allow local servers in the sandbox or firewall",
  );
}
