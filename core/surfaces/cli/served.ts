import { basename, join } from "node:path";
import { isThere } from "../../adapters/configuration-files.ts";
import type { Catalog, ServedSkills } from "../../catalog.ts";
import { SkillError } from "../../errors/skill-error.ts";
import { nearest } from "../../nearest.ts";
import { quotedName } from "../../quoted-name.ts";
import type { Invocation } from "./verb.ts";
import type { ReadWords, SERVED_FLAGS } from "./words.ts";

/**
 * Resolves the skills that a verb serves: the flags decide, then skillctl.json; the default is all.
 * @throws SkillError `USAGE`, `UNKNOWN_SKILL`, `CONFIG_INVALID`.
 */
export function servedSkills(
  read: ReadWords,
  invocation: Pick<Invocation, "skills" | "waiting" | "workingFolder">,
  catalog: Catalog,
): ServedSkills {
  const [only, without] = [namesOf(read, "only"), namesOf(read, "without")];
  if (!only && !without) return configuredSkills(invocation, catalog);
  const chosen = { only, without };
  catalog.served(chosen);
  return chosen;
}

/**
 * Resolves `skills` in the skillctl.json of the working folder. Skills that cannot be used are left out.
 * @throws SkillError `CONFIG_INVALID` for an unknown name, unless an untrusted skill may have that name
 */
export function configuredSkills(
  { skills, waiting, workingFolder }: Pick<Invocation, "skills" | "waiting" | "workingFolder">,
  { skills: hosted, faults }: Catalog,
): ServedSkills {
  const names = hosted.map(({ manifest }) => manifest.name);
  const isKnown = (name: string): boolean =>
    names.includes(name) || faults.some(({ skill }) => skill === name) || (waiting?.plugins ?? []).length > 0;
  for (const [key, some] of Object.entries(skills ?? {}))
    for (const [index, name] of (some ?? []).entries()) {
      if (isKnown(name)) continue;
      const [file, pointer] = [join(workingFolder, "skillctl.json"), `/skills/${key}/${index}`];
      const guess = nearest(name, names);
      throw new SkillError(
        "CONFIG_INVALID",
        `${quotedName(file)}: ${pointer} is ${quotedName(name)}, but no hosted skill has this name.`,
        { file, pointer, hint: guess ? `Did you mean ${guess}?` : `Hosted: ${names.join(", ") || "none"}.` },
      );
    }
  const usable = (some?: readonly string[]): readonly string[] | undefined =>
    some?.filter((name) => names.includes(name));
  return { only: usable(skills?.only), without: usable(skills?.without) };
}

function namesOf(read: ReadWords, flag: keyof typeof SERVED_FLAGS): readonly string[] | undefined {
  const names = read.flags.get(flag)?.flatMap((value) => value.split(",").map((name) => name.trim()));
  if (names?.includes(""))
    throw new SkillError("USAGE", `--${flag} takes names of skills, with commas between them.`, {
      hint: `For example: --${flag} runtime-debug`,
    });
  return names;
}

/** Adds a hint that names the folder if a skill that is not hosted is in the working folder, or is that folder. */
export function withPath(
  caught: unknown,
  names: readonly string[],
  { workingFolder }: Pick<Invocation, "workingFolder">,
  command: (path: string) => string,
): unknown {
  if (!(caught instanceof SkillError) || caught.code !== "UNKNOWN_SKILL") return caught;
  const places = names.flatMap((name) => [
    [join(workingFolder, name), quotedName(`./${name}`)] as const,
    ...(basename(workingFolder) === name ? [[workingFolder, "."] as const] : []),
  ]);
  const found = places.find(([folder]) => isThere(join(folder, "skill.json")));
  if (!found) return caught;
  const hint = `To run the code of the folder, name its path: ${command(found[1])}`;
  return new SkillError(caught.code, caught.message, { cause: caught, hint });
}
