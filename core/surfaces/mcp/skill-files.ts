import { SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import type { Catalog } from "../../catalog.ts";
import type { HostPorts } from "../../composition.ts";
import { quotedName } from "../../quoted-name.ts";
import { skillFolders } from "./skill-folders.ts";

/**
 * The documents of the served skills, for clients that read skills from servers (SEP-2640), and as plain resources for others. A
 * skill with a fault in its documents, or with a link among them, is left out and noted.
 */
export async function skillDocuments(
  catalog: Catalog,
  { files, log }: HostPorts,
): Promise<SkillsExtension | undefined> {
  try {
    return await SkillsExtension.load(skillFolders(catalog, files), {
      onWarning: ({ path, message }) => log.notice(`${quotedName(path)}: ${message}`),
    });
  } catch (caught) {
    log.notice(`No documents of skills are served: ${String(caught)}`);
    return undefined;
  }
}
