import { join } from "node:path";
import { cacheFolder } from "../../adapters/cache-folder.ts";
import { indexedSkills, type IndexedSkills } from "../../adapters/skill-index.ts";
import { Catalog } from "../../catalog.ts";
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

/** Looks at every configured path without a host. Loads no validator unless a manifest has changed. */
export async function foreignShelf(context: VerbContext): Promise<Shelf> {
  const options = {
    cacheFolder: cacheFolder(context.variables, context.workingFolder),
    version: VERSION,
    checks: once(() => checks(context)),
  };
  const indexed: IndexedSkills[] = [];
  for (const path of context.options.plugins) indexed.push(await indexedSkills(path, options));
  const suspects = suspectsAmong(context.builtin, indexed);
  const { faults: conflicts } = conflictsOf([...context.builtin, ...suspects]);
  const faults = [...indexed.flatMap((one) => one.faults), ...conflicts];
  const refused = new Set(conflicts.map(({ file }) => file));
  const refuses: Shelf["refuses"] = (one, name) =>
    refused.size > 0 && refused.has(join(folderOf(one, name), "skill.json"));
  return { indexed, faults, refuses };
}

/** All skills by name, foreign ones with nothing but their ports in the manifest. */
export async function nameCatalog(context: VerbContext): Promise<Catalog> {
  if (context.options.plugins.length === 0) return new Catalog(context.builtin);
  const { indexed } = await foreignShelf(context);
  const foreign = indexed.flatMap((one) =>
    one.names.map((name) => asHosted(folderOf(one, name), name, one.ports[name] ?? {})),
  );
  const faults = indexed.flatMap((one) => one.faults);
  return new Catalog([...context.builtin, ...foreign], faults);
}

/** The folder of the skill at a place of an index. */
function folderOf({ path, single }: IndexedSkills, name: string): string {
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

function asHosted(
  folder: string,
  name: string,
  ports: Pick<SkillManifest, "provides" | "requires">,
): HostedSkill {
  const manifest = { name, ...ports } as SkillManifest;
  const load = () => Promise.reject(new Error("Only the ports of this skill were looked at."));
  return { manifest, folder, schemas: join(folder, "schemas"), builtin: false, load };
}

async function checks({ precompiled }: VerbContext) {
  const [{ coreSchemas }, { satisfies }] = await Promise.all([
    import("./schema-files.ts"),
    import("../../adapters/engine-range.ts"),
  ]);
  return { manifest: await coreSchemas(precompiled).check("core/skill-manifest"), accepts: satisfies };
}
