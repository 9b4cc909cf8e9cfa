import { join } from "node:path";
import type { Catalog } from "../../catalog.ts";
import type { Files } from "../../ports/files.ts";

/** The entries of a skill's folder for readers (Agent Skills specification, directory structure). */
const SHOWN = new Set(["SKILL.md", "assets", "references", "scripts"]);

const KINDS = { file: "file", folder: "directory", other: "unsupported" } as const;

/** A file or folder of a skill. */
interface SkillEntry {
  readonly name: string;
  readonly kind: (typeof KINDS)[keyof typeof KINDS];
}

/** The documents of the served skills; the folders at the top are named as the skills. */
export interface SkillFolders {
  readonly list: (folder: string) => Promise<SkillEntry[]>;
  /** Throws an Error for a file that does not exist any more. */
  readonly read: (path: string) => Promise<Uint8Array>;
  /** The files of a skill, by path in its folder. */
  readonly files: (skill: string) => Promise<readonly (readonly [path: string, bytes: Uint8Array])[]>;
}

export function skillFolders(catalog: Catalog, files: Files): SkillFolders {
  const folders = new Map(catalog.skills.map(({ manifest, folder }) => [manifest.name, folder]));
  const placeOf = (path: string): string => {
    const [name = "", ...rest] = path.split("/");
    return join(folders.get(name) ?? "", ...rest);
  };
  const reader: SkillFolders = {
    list: async (folder) => {
      if (folder === "") return [...folders.keys()].map((name) => ({ name, kind: "directory" }));
      const place = placeOf(folder);
      const whole = folders.has(folder);
      const names = ((await files.list(place)) ?? []).filter((name) => !whole || SHOWN.has(name));
      const kinds = await Promise.all(
        names.map(async (name) => (await files.facts(join(place, name)))?.kind),
      );
      return names.map((name, index) => ({ name, kind: KINDS[kinds[index] ?? "other"] }));
    },
    read: async (path) => {
      const bytes = await files.readBytes(placeOf(path));
      if (bytes) return bytes;
      throw new Error(`${path} does not exist any more.`);
    },
    files: async (skill) => {
      const found: (readonly [string, Uint8Array])[] = [];
      const add = async (folder: string): Promise<void> => {
        for (const { name, kind } of await reader.list(folder)) {
          const path = `${folder}/${name}`;
          if (kind === "directory") await add(path);
          if (kind === "file") found.push([path.slice(skill.length + 1), await reader.read(path)]);
        }
      };
      await add(skill);
      return found;
    },
  };
  return reader;
}
