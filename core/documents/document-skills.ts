import { basename, dirname, join } from "node:path";
import type { ForeignSkills } from "../adapters/foreign-skills.ts";
import { readRegularFile } from "../adapters/regular-file.ts";
import { ContentFault } from "../adapters/skill-content.ts";
import { recordOf } from "../adapters/trust-records.ts";
import { SkillError } from "../errors/skill-error.ts";
import { quotedName } from "../quoted-name.ts";
import { readSkillDocument, type DocumentFault } from "../skill-document.ts";
import type { HostedSkill, SkillFault } from "../skill.ts";
import { changesBetween } from "../trust/trust.ts";
import { documentDigests, documentFiles, documentRoots } from "../adapters/document-folders.ts";
import { sha256 } from "../adapters/sha256.ts";

/** Limit for a SKILL.md, in bytes. */
const MOST_BYTES = 1024 * 1024;
/** The same as `skillName` in the schema of manifests. */
const NAME = /^(?!(?:core|workspace|user|operator|v1)$)[a-z0-9]+(?:-[a-z0-9]+)*$/;
const TRUST = "To look: skillctl trust --list; to accept: skillctl trust";

/**
 * The plain SKILL.md folders of a project, if the person trusts their present content, and of the home folder. Without that trust,
 * only the names of the project's folders are read. All paths are absolute.
 */
export async function documentSkills(
  project: string,
  home: string,
  stateFolder: string,
): Promise<ForeignSkills> {
  const own = documentRoots(home);
  const others = documentRoots(project).filter(({ folder }) => !own.some((root) => root.folder === folder));
  const skills: HostedSkill[] = [];
  const faults: SkillFault[] = [];
  for (const root of [...others, ...own]) {
    const { folder, names } = root;
    const told = (sentence: string, code: SkillFault["code"] = "FILE_UNREADABLE", name?: string): void => {
      const skill = name ?? `${basename(dirname(folder))}/${basename(folder)}`;
      const file = name === undefined ? folder : join(folder, name, "SKILL.md");
      faults.push({ code, skill, file, pointer: "", sentence });
    };
    root.faults.forEach((sentence) => told(sentence));
    const record = own.includes(root) ? undefined : recordOf(folder, stateFolder);
    if (!own.includes(root) && !record) {
      const waiting = `It is not trusted yet (${names.length} folder${names.length === 1 ? "" : "s"}). ${TRUST}`;
      if (names.length > 0) told(waiting, "UNKNOWN_SKILL");
      continue;
    }
    for (const name of names)
      try {
        const skill = await readDocument(join(folder, name), record && (record.files ?? {}));
        if (skill) skills.push(skill);
      } catch (caught) {
        if (!(caught instanceof SkillError || caught instanceof ContentFault)) throw caught;
        if (caught instanceof SkillError) told(caught.message, caught.code as SkillFault["code"], name);
        else told(`It cannot be used: ${caught.message}.`, "FILE_UNREADABLE", name);
      }
  }
  return { skills, faults };
}

/**
 * Reads a SKILL.md folder; undefined for a folder without SKILL.md. `trusted`: the digests of all accepted files.
 * @throws ContentFault; SkillError `UNKNOWN_SKILL` for content that is not trusted, `MANIFEST_INVALID`, `FILE_UNREADABLE`
 */
async function readDocument(
  folder: string,
  trusted?: Readonly<Record<string, string>>,
): Promise<HostedSkill | undefined> {
  const name = basename(folder);
  const files: Readonly<Record<string, string | undefined>> = trusted
    ? documentDigests(folder)
    : Object.fromEntries(documentFiles(folder).map((path) => [path, undefined]));
  if (trusted && changesBetween(ofSkill(trusted, name), files).length > 0)
    throw new SkillError("UNKNOWN_SKILL", `It differs from the content that was trusted. ${TRUST}`);
  if (!Object.hasOwn(files, "SKILL.md")) return undefined;
  const bytes = readRegularFile(join(folder, "SKILL.md"), MOST_BYTES);
  if (trusted && sha256(bytes) !== files["SKILL.md"])
    throw new SkillError("UNKNOWN_SKILL", "It changed while it was being read.");
  if (Object.hasOwn(files, "skill.json"))
    throw invalid(`It has a skill.json. To install it: skillctl add ${quotedName(folder)}`);
  const { description = "", fields, body, faults } = await readSkillDocument(bytes.toString("utf8"), name);
  const broken = faults.find(isFatal);
  if (broken)
    throw invalid(
      `SKILL.md:${broken.line}: ${broken.sentence} (all faults: skillctl validate ${quotedName(folder)})`,
    );
  if (!NAME.test(name))
    throw invalid(
      "Its name is reserved, or does not consist of ASCII letters, digits and hyphens: rename it.",
    );
  const others = Object.keys(files).filter((path) => path !== "SKILL.md");
  const where = `\n\nOther files of ${name}, in its folder (\`skillctl info ${name}\`) and below skill://${name}/: `;
  const manifest = { manifestVersion: 1, name, version: "0.0.0", engines: { skillctl: "*" } } as const;
  return {
    manifest: { ...manifest, summary: description },
    folder,
    schemas: join(folder, "schemas"),
    builtin: false,
    // Nothing of the folder is imported.
    load: async () => ({ default: {} }),
    document: { fields, files, body: body.trim() + (others.length > 0 ? where + others.join(", ") : "") },
  };
}

function invalid(sentence: string): SkillError {
  return new SkillError("MANIFEST_INVALID", sentence);
}

/** Fields of other clients and faults of optional fields have no effect. */
function isFatal({ severity, code, field = "name" }: DocumentFault): boolean {
  return severity === "error" && code !== "FIELD_UNKNOWN" && ["", "name", "description"].includes(field);
}

function ofSkill(files: Readonly<Record<string, string>>, name: string): Readonly<Record<string, string>> {
  const own = Object.entries(files).filter(([path]) => path.startsWith(`${name}/`));
  return Object.fromEntries(own.map(([path, digest]) => [path.slice(name.length + 1), digest]));
}
