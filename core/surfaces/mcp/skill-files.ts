import { join } from "node:path";
import { SkillsExtension, type SkillFiles } from "@modelcontextprotocol/server/ext/skills";
import type { Catalog } from "../../catalog.ts";
import type { HostPorts } from "../../composition.ts";
import { quotedName } from "../../quoted-name.ts";

/** The entries of a skill's folder for readers (Agent Skills specification, directory structure). */
const SHOWN = new Set(["SKILL.md", "assets", "references", "scripts"]);

const KINDS = { file: "file", folder: "directory", other: "unsupported" } as const;

/**
 * The documents of the served skills, for clients that read skills from servers (SEP-2640), and as plain resources for others. A
 * skill with a fault in its documents, or with a link among them, is left out and noted.
 */
export async function skillDocuments(
  catalog: Catalog,
  { files, log }: HostPorts,
): Promise<SkillsExtension | undefined> {
  try {
    return await SkillsExtension.load(filesOf(catalog, files), {
      onWarning: ({ path, message }) => log.notice(`${quotedName(path)}: ${message}`),
    });
  } catch (caught) {
    log.notice(`No documents of skills are served: ${String(caught)}`);
    return undefined;
  }
}

function filesOf(catalog: Catalog, files: HostPorts["files"]): SkillFiles {
  const folders = new Map(catalog.skills.map(({ manifest, folder }) => [manifest.name, folder]));
  const placeOf = (path: string): string => {
    const [name = "", ...rest] = path.split("/");
    return join(folders.get(name) ?? "", ...rest);
  };
  return {
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
  };
}
