import { dirname } from "node:path";
import type { Catalog } from "../catalog.ts";
import type { Files } from "../ports/files.ts";
import type { State } from "../ports/state.ts";
import { isObject } from "../schema/predicate.ts";

/**
 * The phases that skills are in at a folder, as `<skill>:<phase>`: of the nearest folder, itself or above, for which
 * the skill keeps a document. Read from the state store, where a project cannot write.
 * @throws SkillError `FILE_UNREADABLE`
 */
export async function phasesAt(
  folder: string,
  { skills }: Pick<Catalog, "skills">,
  { state, files }: { readonly state: State; readonly files: Pick<Files, "realPath"> },
): Promise<readonly string[]> {
  const found: string[] = [];
  const start = (await files.realPath(folder)) ?? folder;
  for (const { manifest } of skills) {
    if (!manifest.phases) continue;
    const { collection, pointer } = manifest.phases;
    const steps = pointer.split("/").slice(1);
    for (let at = start; ; at = dirname(at)) {
      const names = namesIn(await state.read({ collection, id: at }), steps);
      found.push(...names.map((name) => `${manifest.name}:${name}`));
      if (names.length > 0 || dirname(at) === at) break;
    }
  }
  return [...new Set(found)];
}

function namesIn(value: unknown, [step, ...further]: readonly string[]): readonly string[] {
  if (step === undefined) return typeof value === "string" ? [value] : [];
  if (!isObject(value)) return [];
  if (step === "*") return Object.values(value).flatMap((member) => namesIn(member, further));
  const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
  return Object.hasOwn(value, key) ? namesIn(value[key], further) : [];
}
