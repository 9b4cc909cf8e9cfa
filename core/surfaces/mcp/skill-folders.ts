import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Catalog } from "../../catalog.ts";
import { SkillError } from "../../errors/skill-error.ts";
import type { Files } from "../../ports/files.ts";
import { quotedName } from "../../quoted-name.ts";

/** The entries of a skill's folder for readers (Agent Skills specification, directory structure). */
const SHOWN = new Set(["SKILL.md", "assets", "references", "scripts"]);

const KINDS = { file: "file", folder: "directory", other: "unsupported" } as const;

/** A file or folder of a skill. */
interface SkillEntry {
  readonly name: string;
  readonly kind: (typeof KINDS)[keyof typeof KINDS];
}

/** The documents of the served skills; the top folders have the names of the skills. */
export interface SkillFolders {
  readonly list: (folder: string) => Promise<SkillEntry[]>;
  /** @throws SkillError `FILE_UNREADABLE` for a missing file, or a document that has changed */
  readonly read: (path: string) => Promise<Uint8Array>;
  /** The files of a skill, by path in its folder. */
  readonly files: (skill: string) => Promise<readonly (readonly [path: string, bytes: Uint8Array])[]>;
}

export function skillFolders(catalog: Catalog, files: Files): SkillFolders {
  const folders = new Map(catalog.skills.map(({ manifest, folder }) => [manifest.name, folder]));
  const documents = new Map(
    catalog.skills.flatMap(({ manifest, document }) => (document ? [[manifest.name, document.files]] : [])),
  );
  const placeOf = (path: string): string => {
    const [name = "", ...rest] = path.split("/");
    const folder = folders.get(name);
    if (folder !== undefined) return join(folder, ...rest);
    throw new SkillError("FILE_UNREADABLE", `${quotedName(path)} belongs to no served skill.`);
  };
  const reader: SkillFolders = {
    list: async (folder) => {
      if (folder === "") return [...folders.keys()].map((name) => ({ name, kind: "directory" }));
      const own = documents.get(folder.split("/", 1)[0] ?? "");
      if (own) return entriesIn(own, folder);
      const place = placeOf(folder);
      const whole = folders.has(folder);
      const names = ((await files.list(place)) ?? []).filter((name) => !whole || SHOWN.has(name));
      const kinds = await Promise.all(
        names.map(async (name) => (await files.facts(join(place, name)))?.kind),
      );
      return names.map((name, index) => ({ name, kind: KINDS[kinds[index] ?? "other"] }));
    },
    read: async (path) => {
      const [skill = "", ...rest] = path.split("/");
      const own = documents.get(skill);
      const [bytes] = await (own ? files.readMany([placeOf(path)]) : [await files.readBytes(placeOf(path))]);
      const digest = own?.[rest.join("/")];
      if (digest !== undefined && bytes && createHash("sha256").update(bytes).digest("hex") !== digest)
        throw new SkillError("FILE_UNREADABLE", `${quotedName(path)} has changed since it was trusted.`);
      if (bytes) return bytes;
      throw new SkillError("FILE_UNREADABLE", `${quotedName(path)} no longer exists.`);
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

/** The entries of a folder of a document, from the paths of its files. */
function entriesIn(files: Readonly<Record<string, unknown>>, folder: string): SkillEntry[] {
  const [, ...parts] = folder.split("/");
  const above = parts.map((part) => `${part}/`).join("");
  const below = Object.keys(files).filter((path) => path.startsWith(above));
  const names = new Set(below.map((path) => path.slice(above.length).split("/", 1)[0] as string));
  return [...names].map((name) => ({
    name,
    kind: Object.hasOwn(files, above + name) ? "file" : "directory",
  }));
}
