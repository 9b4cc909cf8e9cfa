import { dirname } from "node:path";
import type { Catalog } from "../catalog.ts";
import type { Files } from "../ports/files.ts";
import type { State } from "../ports/state.ts";
import { isObject } from "../schema/json.ts";
import type { PhaseSource } from "./screen.ts";

/** The longest id of a document: see `DocumentName`. */
const LONGEST_ID = 1_000;

/** The skills that keep phases, as their manifests say. */
export function phaseSources({ skills }: Pick<Catalog, "skills">): readonly PhaseSource[] {
  return skills.flatMap(({ manifest: { name, phases } }) => {
    if (!phases) return [];
    const { collection, pointer, index } = phases;
    return [{ skill: name, collection, pointer, ...(index !== undefined && { index }) }];
  });
}

/** The files that skills keep in the home folder and in projects, as `{home}/…` and `{work}/…`, by the permissions in their manifests. */
export function keptPlaces({ skills }: Pick<Catalog, "skills">): readonly string[] {
  const paths = skills.flatMap(({ manifest }) => manifest.permissions?.paths ?? []);
  return paths.filter((path) => /^\{(?:home|work)\}\//.test(path));
}

/**
 * The phases of skills at one or several places, as `<skill>:<phase>`. They come from the document of the nearest
 * folder, the place itself or one above; with `everywhere` also from every folder that a skill lists. Documents are in
 * the state store, where a project cannot write.
 * @throws SkillError `FILE_UNREADABLE`
 */
export async function phasesAt(
  places: string | readonly string[],
  sources: readonly PhaseSource[],
  { state, files }: { readonly state: State; readonly files: Pick<Files, "realPath"> },
  { everywhere = false }: { readonly everywhere?: boolean } = {},
): Promise<readonly string[]> {
  const found: string[] = [];
  const starts = new Set<string>();
  for (const place of [places].flat()) starts.add((await files.realPath(place)) ?? place);
  for (const { skill, collection, pointer, index } of sources) {
    const steps = pointer.split("/").slice(1);
    const seen = new Set<string>();
    const namesAt = async (id: string): Promise<readonly string[]> =>
      namesIn(await state.read({ collection, id }), steps).map((name) => `${skill}:${name}`);
    for (const start of starts) {
      // The folders above a known one have been checked with it.
      for (let at = start; !seen.has(at); at = dirname(at)) {
        seen.add(at);
        // No document has such an id.
        if (at.length > LONGEST_ID) continue;
        const names = await namesAt(at);
        found.push(...names);
        if (names.length > 0) break;
      }
    }
    if (!everywhere || index === undefined) continue;
    const listed = foldersIn(await state.read({ collection, id: index }));
    for (const folder of listed) if (!seen.has(folder)) found.push(...(await namesAt(folder)));
  }
  return [...new Set(found)];
}

function foldersIn(value: unknown): readonly string[] {
  const folders = isObject(value) ? value["folders"] : undefined;
  if (!Array.isArray(folders)) return [];
  return folders.filter((one): one is string => typeof one === "string" && one.length <= LONGEST_ID);
}

function namesIn(value: unknown, [step, ...further]: readonly string[]): readonly string[] {
  if (step === undefined) return typeof value === "string" ? [value] : [];
  if (!isObject(value)) return [];
  if (step === "*") return Object.values(value).flatMap((member) => namesIn(member, further));
  const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
  return Object.hasOwn(value, key) ? namesIn(value[key], further) : [];
}
