import type { Host } from "../../composition.ts";
import type { Command } from "../../contract.ts";
import { SkillError } from "../../errors/skill-error.ts";
import { resolved } from "../hook/paths.ts";

/** No common file system permits longer names. */
const LONGEST_NAME = 255;

/**
 * Restricts paths in inputs over HTTP to files of the served project, whether the command would read or write them.
 * @throws SkillError `INPUT_INVALID` for a path outside of the project, and for one that no file can have
 */
export async function refuseOutside(input: unknown, { paths = [] }: Command, { ports }: Host): Promise<void> {
  if (paths.length === 0) return;
  const { environment, files } = ports;
  const base = { cwd: environment.workingFolder, home: environment.home, files };
  const roots = await resolved([base.cwd], base);
  const isInside = (path: string): boolean =>
    roots.some((root) => path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`));
  for (const property of paths) {
    const given = (input as Readonly<Record<string, unknown>> | undefined)?.[property];
    const values = [given].flat();
    const isAllowed = async (some: readonly unknown[]): Promise<boolean> =>
      (await resolved(some.flatMap(forms), base)).every(isInside);
    const refused = (value: unknown, sentence: string): SkillError => {
      const pointer = Array.isArray(given) ? `/${property}/${values.indexOf(value)}` : `/${property}`;
      return new SkillError("INPUT_INVALID", `${pointer} ${sentence}.`, {
        pointer,
        hint: "Over HTTP a command can use files of the project only; on the command line it can use any file.",
      });
    };
    const long = values.find((value) => forms(value).some(isTooLong));
    if (long !== undefined) throw refused(long, "has a name that is too long for a file");
    // All paths are checked together, since that limits the number of folders.
    if (await isAllowed(values)) continue;
    for (const value of new Set(values))
      if (!(await isAllowed([value]))) throw refused(value, "leads out of the served project");
    // A link has changed in the meantime.
    throw refused(values[0], "leads out of the served project");
  }
}

/** The texts of a path, with its line and column numbers and without. */
function forms(value: unknown): readonly string[] {
  return typeof value === "string" && value !== "" ? [value, withoutPlaces(value)] : [];
}

function isTooLong(path: string): boolean {
  return path.split("/").some((name) => Buffer.byteLength(name) > LONGEST_NAME);
}

/** A path without trailing line and column numbers. */
function withoutPlaces(path: string): string {
  let end = path.length;
  for (;;) {
    const colon = path.lastIndexOf(":", end - 1);
    if (colon < 0 || !/^\d+$/.test(path.slice(colon + 1, end))) return path.slice(0, end);
    end = colon;
  }
}
