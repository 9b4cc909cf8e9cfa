import { dirname } from "node:path";
import type { Catalog } from "../catalog.ts";
import type { Files } from "../ports/files.ts";
import type { State } from "../ports/state.ts";
import { isObject } from "../schema/predicate.ts";

/** The longest name of a document: see `DocumentName`. */
const LONGEST_ID = 1_000;

/**
 * The phases that skills are in at one or several places, as `<skill>:<phase>`: of each the nearest folder, itself or
 * above, for which the skill keeps a document. Read from the state store, where a project cannot write.
 * @throws SkillError `FILE_UNREADABLE`
 */
export async function phasesAt(
  places: string | readonly string[],
  { skills }: Pick<Catalog, "skills">,
  { state, files }: { readonly state: State; readonly files: Pick<Files, "realPath"> },
): Promise<readonly string[]> {
  const found: string[] = [];
  const starts = new Set<string>();
  for (const place of [places].flat()) starts.add((await files.realPath(place)) ?? place);
  for (const { manifest } of skills) {
    if (!manifest.phases) continue;
    const { collection, pointer } = manifest.phases;
    const steps = pointer.split("/").slice(1);
    const seen = new Set<string>();
    for (const start of starts) {
      // What is above has been looked at with the first place below it.
      for (let at = start; !seen.has(at); at = dirname(at)) {
        seen.add(at);
        // No document has such a name.
        if (at.length > LONGEST_ID) continue;
        const names = namesIn(await state.read({ collection, id: at }), steps);
        found.push(...names.map((name) => `${manifest.name}:${name}`));
        if (names.length > 0) break;
      }
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
