import { basename, join } from "node:path";
import type { SkillManifest } from "../contract.ts";
import { conflictsOf } from "../conflicts.ts";
import type { Files } from "../ports/files.ts";
import type { HostedSkill } from "../skill.ts";
import type { JsonSchema } from "../schema/schemas.ts";
import { createCompiler } from "./compiler.ts";
import { isObject } from "../schema/json.ts";
import { type ValidationFault, readJson } from "./json-file.ts";
import { SchemaFiles } from "./schema-files.ts";
import { checkSkillFolder, type BuildLook, type SkillFolder, type UncoveredLook } from "./skill-folder.ts";

export type { ValidationFault } from "./json-file.ts";
export type { SkillFolder } from "./skill-folder.ts";

export interface ValidateOptions {
  readonly files: Files;
  /** Folder of skillctl's own schemas, absolute. */
  readonly coreSchemas: string;
  readonly version: string;
  /** Whether a version range includes `version`. */
  readonly accepts: (range: string) => boolean;
  readonly uncovered: UncoveredLook;
  readonly buildState: BuildLook;
  /** The skills with which the validated ones would be hosted, absolute folders. */
  readonly neighbours: readonly SkillFolder[];
}

/** All faults of all folders, alone and in combination. Sorted by folder; loads no plugin code. */
export async function validateSkills(
  places: readonly SkillFolder[],
  options: ValidateOptions,
): Promise<readonly ValidationFault[]> {
  const { files, coreSchemas } = options;
  const checked = new Set(places.map(({ folder }) => folder));
  const together = [...options.neighbours.filter(({ folder }) => !checked.has(folder)), ...places];
  const compile = await createCompiler();
  const folders = new Map<string, string>([["core", coreSchemas]]);
  for (const { folder, schemas } of together)
    if (!folders.has(basename(folder))) folders.set(basename(folder), schemas);
  // If two folders have the same name, each is checked against its own schemas.
  const schemasOf = (names: readonly string[], place: SkillFolder): SchemaFiles => {
    const own = names.map((name) => [name, place.schemas] as const);
    return new SchemaFiles(files, compile, new Map([...folders, ...own, ["core", coreSchemas]]));
  };
  const manifestSchema = (await readJson(
    files,
    join(coreSchemas, "skill-manifest.json"),
    "",
    () => undefined,
  )) as JsonSchema;
  const { accepts, version, uncovered, buildState } = options;
  const faults: ValidationFault[] = [];
  const tools = { files, compile, manifestSchema, schemasOf, accepts, version, uncovered, buildState };
  for (const place of places) faults.push(...(await checkSkillFolder(place, tools)));
  return [...faults, ...(await conflicts(together, checked, files))];
}

async function conflicts(
  together: readonly SkillFolder[],
  checked: ReadonlySet<string>,
  files: Files,
): Promise<readonly ValidationFault[]> {
  const skills: HostedSkill[] = [];
  for (const { folder, schemas, builtin } of together) {
    const value = await readJson(files, join(folder, "skill.json"), "", () => undefined);
    if (isObject(value) && typeof value["name"] === "string") {
      skills.push({ manifest: portsOf(value), folder, schemas, builtin, load: () => Promise.resolve({}) });
    }
  }
  const circles = new Set<string>();
  return conflictsOf(skills)
    .faults.filter(({ file }) => checked.has(join(file, "..")))
    .filter(({ circle }) => {
      if (circle === undefined) return true;
      // Each skill of a cycle is omitted, but the cycle is one fault.
      const isNew = !circles.has(circle.join(" "));
      circles.add(circle.join(" "));
      return isNew;
    })
    .map(({ file, pointer, code, sentence }) => ({ file, pointer, code, severity: "error", sentence }));
}

/** The ports in a manifest, even if other parts of it are invalid. */
function portsOf(value: Readonly<Record<string, unknown>>): SkillManifest {
  const provides = Array.isArray(value["provides"]) ? value["provides"] : [];
  const requires = isObject(value["requires"]) ? value["requires"] : {};
  return { ...value, provides, requires } as unknown as SkillManifest;
}
