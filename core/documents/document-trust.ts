import { dirname, join } from "node:path";
import { DOCUMENT_FOLDERS } from "../adapters/configuration-files.ts";
import { ContentFault } from "../adapters/skill-content.ts";
import { dropRecord, keepRecord, recordOf, type TrustRecord } from "../adapters/trust-records.ts";
import { changesBetween, type FileChange } from "../trust/trust.ts";
import { documentDigests, documentRoots, type DocumentRoot } from "../adapters/document-folders.ts";
import { sha256 } from "../adapters/sha256.ts";

/** Digests of the files of a folder of SKILL.md folders, by path; a skill that cannot be used is left out. */
function contentOf({ folder, names }: DocumentRoot): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const name of names)
    try {
      const digests = Object.entries(documentDigests(join(folder, name)));
      for (const [path, digest] of digests) files[`${name}/${path}`] = digest;
    } catch (caught) {
      if (!(caught instanceof ContentFault)) throw caught;
    }
  return files;
}

/**
 * Trusts the present SKILL.md folders of a project and returns their real paths. Each parent folder has its own record, so
 * that the trust in skillctl.json is independent of them. @throws SkillError `FILE_UNREADABLE`, `FILE_UNWRITABLE`
 */
export async function trustDocuments(project: string, stateFolder: string): Promise<readonly string[]> {
  const roots = documentRoots(project).filter(({ names }) => names.length > 0);
  for (const root of roots) {
    const files = contentOf(root);
    await keepRecord(root.folder, { hash: sha256(JSON.stringify(files)), files }, stateFolder);
  }
  return roots.flatMap(placesIn);
}

/** Withdraws the trust in the SKILL.md folders of a project; returns whether there was any. */
export async function distrustDocuments(project: string, stateFolder: string): Promise<boolean> {
  const had = [];
  for (const name of DOCUMENT_FOLDERS) had.push(await dropRecord(join(project, name), stateFolder));
  return had.includes(true);
}

/** The SKILL.md folders of a project that have no record of trust. Those of the home need none. */
export function waitingDocuments(project: string, home: string, stateFolder: string): readonly string[] {
  const own = documentRoots(home).map(({ folder }) => folder);
  return documentRoots(project)
    .filter(({ folder }) => !own.includes(folder) && !recordOf(folder, stateFolder))
    .flatMap(placesIn);
}

interface DocumentChanges {
  readonly documents: readonly string[];
  readonly changes: readonly FileChange[];
}

/** The SKILL.md folders that a record covers, and the changes of their files; undefined for a record of another kind. */
export function documentsSince(record: TrustRecord): DocumentChanges | undefined {
  const { folder, files = {} } = record;
  if (!DOCUMENT_FOLDERS.some((name) => folder.endsWith(join("/", name)))) return undefined;
  const root = documentRoots(dirname(dirname(folder))).find((one) => one.folder === folder);
  const changes = changesBetween(files, root ? contentOf(root) : {});
  return { documents: root ? placesIn(root) : [], changes };
}

function placesIn({ folder, names }: DocumentRoot): readonly string[] {
  return names.map((name) => join(folder, name));
}
