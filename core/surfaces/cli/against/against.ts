import { basename, dirname, join, resolve } from "node:path";
import { satisfies } from "../../../adapters/engine-range.ts";
import { processEnvironment } from "../../../adapters/environment.ts";
import { nodeFiles } from "../../../adapters/files.ts";
import { foreignSkills, skillFolders } from "../../../adapters/foreign-skills.ts";
import { jsonFault } from "../../../adapters/json-fault.ts";
import { nodePrograms } from "../../../adapters/programs.ts";
import { Catalog } from "../../../catalog.ts";
import type { SkillManifest } from "../../../contract.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import { quotedName } from "../../../quoted-name.ts";
import { jsonValue, parsedJson } from "../../../schema/json.ts";
import { Schemas, type JsonSchema } from "../../../schema/schemas.ts";
import type { HostedSkill } from "../../../skill.ts";
import { coreSchemas } from "../schema-files.ts";
import type { Invocation } from "../verb.ts";
import { contractChanges, type Change } from "./contract-changes.ts";
import type { Contract } from "./contract-facts.ts";
import { VERDICTS } from "./report.ts";
import { filesOf } from "./revision.ts";

/** The skills to compare: `only` by name, `plugins` by folder; `roots` are the named folders, which may hold several. */
interface Selection {
  readonly only?: readonly string[];
  readonly plugins: readonly string[];
  readonly roots: readonly string[];
}

/** The place of a skill's files, and the function that reads them. */
interface Place {
  readonly folder: string;
  readonly schemas: string;
  readonly read: (path: string) => Promise<string | undefined>;
}

/** The earlier side of a comparison. */
interface Earlier {
  readonly placeOf: (skill: HostedSkill) => Place | undefined;
  /** The skills directly under a folder of skills. */
  readonly under: (root: string) => readonly Place[];
}

/**
 * The changes in the contracts of skills since a revision, or relative to the skills in a folder. Loads no code.
 * @throws SkillError `USAGE`, `MANIFEST_INVALID`, `SCHEMA_INVALID`, and those of `filesOf`
 */
export async function changesAgainst(
  reference: string,
  { only, plugins, roots }: Selection,
  invocation: Invocation,
): Promise<{ readonly changes: readonly Change[]; readonly fileOf: (change: Change) => string }> {
  const check = await coreSchemas.check("core/skill-manifest");
  const foreign = foreignSkills(plugins, check, satisfies);
  const catalog = new Catalog([...(await invocation.builtin()), ...foreign.skills], foreign.faults);
  const chosen = only?.map((name) => catalog.skill(name)) ?? foreign.skills;
  const [first] = chosen;
  if (!first)
    throw new SkillError("USAGE", "There is no skill to compare.", {
      hint: "Name the folder of a skill: skillctl test ./SKILL --against HEAD",
    });
  const isFolder = /^(?:\.{0,2}[/\\]|\.{1,2}$|[A-Za-z]:)/.test(reference);
  const earlier = isFolder
    ? await inFolder(resolve(invocation.workingFolder, reference))
    : await inRevision(reference, first.folder, invocation);
  const contractAt = async (
    { folder, schemas: own, read }: Place,
    at = "",
  ): Promise<Contract | undefined> => {
    const file = join(folder, "skill.json");
    const text = await read(file);
    if (text === undefined) return undefined;
    const manifest = jsonValue(text) as SkillManifest | undefined;
    const reason =
      manifest === undefined ? `it is not JSON (${jsonFault(text)}).` : check(manifest)?.sentence;
    if (manifest === undefined || reason !== undefined)
      throw new SkillError("MANIFEST_INVALID", `${quotedName(file)}${at}: ${reason}`, { file });
    const schemas = new Schemas({
      read: async (name) => {
        const [owner = "", schema] = name.split("/");
        if (owner === "core") return coreSchemas.document(name);
        const found = await read(
          join(owner === manifest.name ? own : catalog.skill(owner).schemas, `${schema}.json`),
        );
        return found === undefined ? undefined : (parsedJson(found) as JsonSchema);
      },
    });
    return { manifest, document: (name) => schemas.document(name) };
  };
  const pairs: [Place | undefined, Place | undefined][] = chosen.map((skill) => [
    earlier.placeOf(skill),
    { ...skill, read: nodeFiles.readText },
  ]);
  const names = foreign.skills.map(({ manifest }) => manifest.name);
  for (const root of roots.filter((path) => !foreign.skills.some(({ folder }) => folder === path)))
    pairs.push(
      ...earlier
        .under(root)
        .filter(({ folder }) => !names.includes(basename(folder)))
        .map((place): [Place, undefined] => [place, undefined]),
    );
  const changes: Change[] = [];
  for (const [before, after] of pairs)
    changes.push(
      ...(await contractChanges(
        before && (await contractAt(before, ` in ${quotedName(reference)}`)),
        after && (await contractAt(after)),
      )),
    );
  return {
    changes: changes.toSorted(
      (one, other) => VERDICTS.indexOf(one.verdict) - VERDICTS.indexOf(other.verdict),
    ),
    fileOf: ({ skill, file }) => {
      const { folder, schemas } = chosen.find(({ manifest }) => manifest.name === skill) ?? {
        folder: join(dirname(first.folder), skill),
        schemas: "",
      };
      return file.includes("/")
        ? join(schemas, `${file.slice(file.indexOf("/") + 1)}.json`)
        : join(folder, file);
    },
  };
}

async function inFolder(folder: string): Promise<Earlier> {
  const places = await Promise.all(
    skillFolders([folder]).map(async (one) => ({
      folder: one,
      schemas: join(one, "schemas"),
      read: nodeFiles.readText,
      name: await nameIn(one),
    })),
  );
  return {
    placeOf: ({ folder: own, manifest: { name } }) => {
      const place = places.find((one) => one.folder === folder || basename(one.folder) === name);
      if (place?.folder === own)
        throw new SkillError("USAGE", `--against names ${quotedName(own)} itself, the skill to compare.`, {
          hint: "Name the folder of an earlier version, or a git revision such as HEAD.",
        });
      if (place?.name === name) return place;
      throw new SkillError("USAGE", `There is no skill ${name} in ${quotedName(folder)}.`, {
        hint: "Name its folder, or the folder above it.",
      });
    },
    under: () => places,
  };
}

/** The name in a folder's skill.json, or the folder's name if the file gives none; undefined if there is no file. */
async function nameIn(folder: string): Promise<unknown> {
  const text = await nodeFiles.readText(join(folder, "skill.json"));
  if (text === undefined) return undefined;
  const { name = basename(folder) } = Object(jsonValue(text)) as Partial<SkillManifest>;
  return name;
}

async function inRevision(
  revision: string,
  folder: string,
  { variables, workingFolder }: Invocation,
): Promise<Earlier> {
  const environment = processEnvironment(variables, workingFolder);
  const ports = { files: nodeFiles, programs: nodePrograms(environment), environment };
  const texts = await filesOf(revision, folder, ports);
  const read = (path: string): Promise<string | undefined> => Promise.resolve(texts.get(path));
  const folders = [...texts.keys()]
    .filter((path) => basename(path) === "skill.json")
    .map((path) => dirname(path));
  return {
    placeOf: ({ folder: own, manifest, schemas }) => {
      if (folders.includes(own)) return { folder: own, schemas, read };
      // The skill may have been in another folder then.
      const [moved, ...more] = folders.filter((path) => basename(path) === manifest.name);
      return moved === undefined || more.length > 0
        ? undefined
        : { folder: moved, schemas: join(moved, "schemas"), read };
    },
    under: (root) =>
      folders
        .filter((path) => dirname(path) === root)
        .map((path) => ({ folder: path, schemas: join(path, "schemas"), read })),
  };
}
