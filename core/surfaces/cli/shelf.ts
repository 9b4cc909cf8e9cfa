import { join } from "node:path";
import { cacheFolder } from "../../adapters/cache-folder.ts";
import { indexedSkills, type IndexedSkills, type ManifestReader } from "../../adapters/skill-index.ts";
import { conflictsOf } from "../../conflicts.ts";
import type { SkillManifest } from "../../contract.ts";
import type { HostedSkill, SkillFault } from "../../skill.ts";
import { VERSION } from "../../version.ts";
import { once } from "./once.ts";
import type { VerbContext } from "./verb.ts";

/** The foreign skills, as far as the index knows them. */
export interface Shelf {
  readonly indexed: readonly IndexedSkills[];
  /** What was left out: unreadable manifests, and skills that cannot live with another. */
  readonly faults: readonly SkillFault[];
  /** Whether a skill was left out for a conflict. */
  readonly refuses: (one: IndexedSkills, name: string) => boolean;
}

/** Looks at every configured path without a host. Loads no reader and no validator unless a manifest has changed. */
export async function foreignShelf(context: VerbContext): Promise<Shelf> {
  const options = {
    cacheFolder: cacheFolder(context.variables, context.workingFolder),
    version: VERSION,
    reader: once(() => manifestReader(context)),
  };
  const found: IndexedSkills[] = [];
  for (const path of context.options.plugins) found.push(await indexedSkills(path, options));
  const indexed = found.length > 1 ? withoutRepeats(found) : found;
  const suspects = suspectsAmong(context.builtin, indexed);
  const { faults: conflicts } = conflictsOf([...context.builtin, ...suspects]);
  const faults = [...indexed.flatMap((one) => one.faults), ...conflicts];
  const refused = new Set(conflicts.map(({ file }) => file));
  const refuses: Shelf["refuses"] = (one, name) =>
    refused.size > 0 && refused.has(join(folderOf(one, name), "skill.json"));
  return { indexed, faults, refuses };
}

/** A folder that is named by two paths is one skill. */
function withoutRepeats(indexed: readonly IndexedSkills[]): readonly IndexedSkills[] {
  const seen = new Set<string>();
  const first = (folder: string): boolean => !seen.has(folder) && seen.add(folder) !== undefined;
  return indexed.map((one) => {
    const kept = [...one.names.keys()].filter((index) => first(folderOf(one, one.names[index] as string)));
    const faults = one.faults.filter(({ file }) => first(file));
    if (kept.length === one.names.length && faults.length === one.faults.length) return one;
    const pick = (column: readonly string[]) => kept.map((index) => column[index] as string);
    return { ...one, names: pick(one.names), summaries: pick(one.summaries), faults };
  });
}

/** The folder of the skill at a place of an index. */
export function folderOf({ path, single }: IndexedSkills, name: string): string {
  return single ? path : join(path, name);
}

/** The skills that can be in conflict at all: those with ports, and those whose name was seen before. */
function suspectsAmong(
  builtin: readonly HostedSkill[],
  indexed: readonly IndexedSkills[],
): readonly HostedSkill[] {
  const seen = new Set(builtin.map(({ manifest }) => manifest.name));
  const twice = new Set<string>();
  // The names of one path are the names of its folders, so that a path cannot be in conflict with itself.
  for (const { names } of indexed.length > 1 ? indexed : []) {
    for (const name of names) (seen.has(name) ? twice : seen).add(name);
  }
  return indexed.flatMap((one) => {
    const { names, ports } = one;
    const suspicious = (name: string): boolean => twice.has(name) || Object.hasOwn(ports, name);
    const few = indexed.length > 1 ? names.filter(suspicious) : namesOfOne(builtin, one);
    return few.map((name) => asHosted(folderOf(one, name), name, ports[name] ?? {}));
  });
}

function namesOfOne(builtin: readonly HostedSkill[], { names, ports }: IndexedSkills): readonly string[] {
  const clashing = builtin.map(({ manifest }) => manifest.name).filter((name) => names.includes(name));
  return [...new Set([...Object.keys(ports), ...clashing])].sort();
}

/** A skill of which no more than name and ports is known. */
export function asHosted(
  folder: string,
  name: string,
  ports: Pick<SkillManifest, "provides" | "requires">,
): HostedSkill {
  const manifest = { name, ...ports } as SkillManifest;
  const load = () => Promise.reject(new Error("Only the ports of this skill were looked at."));
  return { manifest, folder, schemas: join(folder, "schemas"), builtin: false, load };
}

async function manifestReader({ precompiled }: VerbContext): Promise<ManifestReader> {
  const [{ coreSchemas }, { satisfies }, { foreignSkills }] = await Promise.all([
    import("./schema-files.ts"),
    import("../../adapters/engine-range.ts"),
    import("../../adapters/foreign-skills.ts"),
  ]);
  const check = await coreSchemas(precompiled).check("core/skill-manifest");
  return (folder) => foreignSkills([folder], check, satisfies);
}
