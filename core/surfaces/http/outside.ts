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
    const given = [(input as Readonly<Record<string, unknown>> | undefined)?.[property]].flat();
    const texts = given.filter((text): text is string => typeof text === "string" && text !== "");
    const all = texts.flatMap((text) => [text, withoutPlaces(text)]);
    const isTooLong = all.some((text) =>
      text.split("/").some((name) => Buffer.byteLength(name) > LONGEST_NAME),
    );
    if (!isTooLong && (await resolved(all, base)).every(isInside)) continue;
    const sentence = isTooLong ? "has a name that is too long for a file" : "leads out of the served project";
    throw new SkillError("INPUT_INVALID", `/${property} ${sentence}.`, {
      pointer: `/${property}`,
      hint: "Over HTTP a command can use files of the project only; on the command line it can use any file.",
    });
  }
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
