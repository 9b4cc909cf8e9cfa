import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { readConfiguration } from "../../../adapters/configuration.ts";
import { processEnvironment } from "../../../adapters/environment.ts";
import { nodeFiles } from "../../../adapters/files.ts";
import { skillFolders } from "../../../adapters/foreign-skills.ts";
import { linkPackage } from "../../../adapters/link-package.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import type { HostedSkill, SkillFault } from "../../../skill.ts";
import { trust } from "../../../trust/trust.ts";
import { VERSION } from "../../../version.ts";
import { withPlugins } from "../plugins-text.ts";
import { coreSchemas } from "../schema-files.ts";
import { skeletonFiles } from "../skeleton/skeleton-files.ts";
import { answer } from "../text.ts";
import type { Verb, Invocation } from "../verb.ts";
import { readWords, single, type Flags } from "../words.ts";
import { quotedName } from "../../../quoted-name.ts";

const FLAGS: Flags = {
  dir: { type: "string" },
  "no-register": { type: "boolean" },
  ts: { type: "boolean" },
};
const HELP = `Creates the folder NAME with a skill that runs at once: manifest, schemas,
SKILL.md, a command, a rule, tests. Adds it to "plugins" in the skillctl.json of
the working folder.

Usage: skillctl new NAME [--dir FOLDER] [--ts] [--no-register] [--json]

Arguments:
  NAME            1 to 64 lowercase letters, digits and single hyphens

Flags:
  --dir FOLDER    Where the folder NAME is made. Default: the working folder
  --ts            In TypeScript: \`npm run build\` makes plugin.js from plugin.ts
  --no-register   Leaves skillctl.json as it is

Nothing is written when NAME is taken or its folder is not empty.
`;

/** Writes the skeleton of a skill that runs, validates and passes its tests at once. */
export const verb: Verb = { help: HELP, flags: FLAGS, run };

async function run(words: readonly string[], invocation: Invocation): Promise<number> {
  const read = readWords(words, FLAGS, 1);
  const [name] = read.positionals;
  if (name === undefined) {
    throw new SkillError("USAGE", "The new skill needs a name.", {
      hint: "For example: skillctl new greeting",
    });
  }
  const wanted = single(read, "no-register") !== "true";
  // A broken skillctl.json cannot be searched for the name or extended.
  if (wanted && invocation.configurationFault) throw invocation.configurationFault;
  const { catalog } = await invocation.host();
  checkNewName(name, catalog.skills, catalog.faults);
  const folder = join(resolve(invocation.workingFolder, single(read, "dir") ?? "."), name);
  const isTyped = single(read, "ts") === "true";
  const files = await write(name, folder, isTyped);
  const registered = wanted && (await register(folder, invocation.workingFolder, invocation.options.plugins));
  // The person has made the skill. Other contents of skillctl.json stay untrusted.
  const trusted = registered && !invocation.waiting;
  if (trusted) await trustFolder(invocation);
  const output = { skill: name, folder, files, registered, trusted };
  answer(invocation, output, () => report({ ...output, wanted }, invocation));
  return 0;
}

/**
 * Adds the folder to `plugins` of skillctl.json, which has been checked before, and keeps the rest of it. Returns false if a
 * listed folder contains it already.
 */
async function register(folder: string, workingFolder: string, hosted: readonly string[]): Promise<boolean> {
  if (skillFolders(hosted).includes(folder)) return false;
  const file = join(workingFolder, "skillctl.json");
  const path = relative(workingFolder, folder).replaceAll("\\", "/");
  const named = path.startsWith("../") || isAbsolute(path) ? path : `./${path}`;
  const text = withPlugins(await nodeFiles.readText(file), (plugins) => [...plugins, named]);
  await nodeFiles.replace(file, text ?? "", 0o644);
  return true;
}

const SKILL_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MOST = 64;
/** Prefixes of rules and of HTTP paths, which core/skill-manifest refuses. */
const TAKEN_NAMES = ["core", "workspace", "user", "operator", "v1"];

/** @throws SkillError `USAGE` for a name that no skill can have; `SKILL_CONFLICT`. */
function checkNewName(name: string, hosted: readonly HostedSkill[], broken: readonly SkillFault[]): void {
  const refused = (hint: string): SkillError =>
    new SkillError("USAGE", `"${name}" cannot be the name of a skill.`, { hint });
  if (TAKEN_NAMES.includes(name)) throw refused("The name is reserved by skillctl.");
  if (!SKILL_NAME.test(name) || name.length > MOST)
    throw refused(`A name is 1 to ${MOST} lowercase letters, digits and single hyphens.`);
  const twin =
    hosted.find(({ manifest }) => manifest.name === name)?.folder ??
    broken.find(({ skill }) => skill === name)?.file;
  if (twin === undefined) return;
  throw new SkillError("SKILL_CONFLICT", `A skill ${name} already exists in ${twin}.`, {
    hint: "Choose another name.",
  });
}

async function trustFolder({ workingFolder, variables }: Invocation): Promise<void> {
  const file = join(workingFolder, "skillctl.json");
  const configuration = readConfiguration(file, await coreSchemas.check("core/configuration"));
  await trust(file, configuration, processEnvironment(variables, workingFolder).stateFolder);
}

/** Writes the files and returns their paths. If one of them fails, all are removed. */
async function write(name: string, folder: string, isTyped: boolean): Promise<readonly string[]> {
  const before = await nodeFiles.facts(folder);
  const inside = before?.kind === "folder" ? await nodeFiles.list(folder) : undefined;
  if (before && (inside === undefined || inside.length > 0)) {
    const what = before.kind === "folder" ? "is a folder that is not empty" : "exists and is not a folder";
    throw new SkillError("FILE_UNWRITABLE", `${quotedName(folder)} ${what}.`, {
      file: folder,
      hint: "Choose another name, or another place with --dir.",
    });
  }
  try {
    await nodeFiles.makeFolder(folder, 0o755);
    // The package is linked next to the skill, so that a copy of its folder contains no packages.
    const found = await linkPackage(dirname(folder));
    const schema = relative(folder, join(found, "schemas", "core", "skill-manifest.json"))
      .split(sep)
      .join("/");
    const content = await skeletonFiles({
      name,
      version: VERSION,
      isTyped,
      schema: schema.startsWith("../") ? schema : `./${schema}`,
    });
    for (const [path, text] of Object.entries(content)) {
      const file = join(folder, path);
      await nodeFiles.makeFolder(join(file, ".."), 0o755);
      await nodeFiles.create(file, text, 0o644);
    }
    return Object.keys(content);
  } catch (caught) {
    if (!before) await nodeFiles.remove(folder);
    throw caught;
  }
}

interface SkillReport {
  readonly skill: string;
  readonly folder: string;
  readonly files: readonly string[];
  readonly registered: boolean;
  /** Whether skillctl.json, with the new skill, is trusted. */
  readonly trusted: boolean;
  readonly wanted: boolean;
}

function report(
  { skill: name, folder, files, registered, trusted, wanted }: SkillReport,
  { workingFolder }: Invocation,
): string {
  const path = relative(workingFolder, folder);
  const place = path.includes(" ") ? JSON.stringify(path) : path;
  const plugin = wanted ? "" : ` --plugin ${place}`;
  const isTyped = files.includes("plugin.ts");
  return [
    `Created the skill ${name} in ${place}:`,
    ...files.map((file) => `  ${file}`),
    ...(registered ? ["Added it to skillctl.json."] : []),
    ...(registered && !trusted
      ? [
          "skillctl.json is not trusted, so its skills are not hosted. See `skillctl trust --list`; then: skillctl trust",
        ]
      : []),
    "",
    "Try it:",
    `  skillctl run ${name} Ada${plugin}`,
    `  skillctl validate ${place}`,
    `  skillctl test ${name}${plugin}`,
    `Next: describe your skill in ${place}/skill.json and implement it in ${place}/plugin.${isTyped ? "ts" : "js"}.`,
    ...(isTyped
      ? [
          "skillctl runs plugin.js. After a change to plugin.ts:",
          `  cd ${place}`,
          "  npm install    (once)",
          "  npm run build",
        ]
      : []),
    "",
  ].join("\n");
}
