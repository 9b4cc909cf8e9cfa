import { join, relative, resolve, sep } from "node:path";
import { readConfiguration } from "../../../adapters/configuration.ts";
import { processEnvironment } from "../../../adapters/environment.ts";
import { nodeFiles } from "../../../adapters/files.ts";
import { linkPackage } from "../../../adapters/link-package.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import { trust } from "../../../trust/trust.ts";
import { VERSION } from "../../../version.ts";
import { checkNewName, register } from "../skeleton/registration.ts";
import { coreSchemas } from "../schema-files.ts";
import { skeletonFiles } from "../skeleton/skeleton-files.ts";
import { jsonResult } from "../text.ts";
import type { Verb, VerbContext } from "../verb.ts";
import { readWords, single, superfluous, type FlagKind } from "../words.ts";

/** Writes the skeleton of a skill that runs, validates and passes its tests at once. */
const SEE = "skillctl new --help";
const FLAGS: ReadonlyMap<string, FlagKind> = new Map([
  ["dir", "text"],
  ["no-register", "switch"],
]);
const HELP = `Creates the folder NAME with a skill that runs at once: manifest, schemas,
SKILL.md, a command, a rule, tests. Adds it to "plugins" in the skillctl.json of
the working folder.

Usage: skillctl new NAME [--dir FOLDER] [--no-register] [--json]

Arguments:
  NAME            1 to 64 lowercase letters, digits and single hyphens

Flags:
  --dir FOLDER    Where the folder NAME is made. Default: the working folder
  --no-register   Leaves skillctl.json as it is

Nothing is written when NAME is taken or its folder is not empty.
`;

/** Writes the skeleton of a skill. */
export const verb: Verb = { help: HELP, run };

async function run(words: readonly string[], context: VerbContext): Promise<number> {
  const read = readWords(words, FLAGS, SEE);
  const [name, surplus] = read.positionals;
  if (name === undefined) {
    throw new SkillError("USAGE", "The new skill needs a name.", {
      hint: "For example: skillctl new greeting",
    });
  }
  if (surplus !== undefined) throw superfluous(SEE);
  const wanted = single(read, "no-register") !== "true";
  // A broken skillctl.json could neither be searched for the name nor be added to.
  if (wanted && context.configurationFault) throw context.configurationFault;
  const { catalog } = await context.host();
  checkNewName(name, catalog.skills, catalog.faults);
  const folder = join(resolve(context.workingFolder, single(read, "dir") ?? "."), name);
  const files = await write(name, folder);
  const registered =
    wanted && (await register(folder, context.workingFolder, context.options.plugins, nodeFiles));
  // Made by the person's own command: only what somebody else put into skillctl.json has to be looked at first.
  if (registered && !context.waiting) await trustFolder(context);
  const { terminal, options } = context;
  if (options.json) terminal.out(jsonResult({ skill: name, folder, files, registered }));
  else terminal.out(report({ name, folder, files, registered, wanted }, context));
  return 0;
}

async function trustFolder({ workingFolder, variables, precompiled }: VerbContext): Promise<void> {
  const file = join(workingFolder, "skillctl.json");
  const configuration = readConfiguration(file, await coreSchemas(precompiled).check("core/configuration"));
  await trust(file, configuration, processEnvironment(variables, workingFolder).stateFolder);
}

/** Answers the written paths. What was written is removed again when one of them fails. */
async function write(name: string, folder: string): Promise<readonly string[]> {
  const before = await nodeFiles.facts(folder);
  const inside = await nodeFiles.list(folder);
  if (before && (inside === undefined || inside.length > 0)) {
    const what = before.kind === "folder" ? "is a folder that is not empty" : "exists and is no folder";
    throw new SkillError("FILE_UNWRITABLE", `${folder} ${what}.`, {
      file: folder,
      hint: "Choose another name, or another place with --dir.",
    });
  }
  try {
    await nodeFiles.makeFolder(folder, 0o755);
    const found = await linkPackage(folder);
    const schema = relative(folder, join(found, "schemas", "core", "skill-manifest.json"))
      .split(sep)
      .join("/");
    const content = await skeletonFiles({
      name,
      version: VERSION,
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

interface Made {
  readonly name: string;
  readonly folder: string;
  readonly files: readonly string[];
  readonly registered: boolean;
  readonly wanted: boolean;
}

function report({ name, folder, files, registered, wanted }: Made, { workingFolder }: VerbContext): string {
  const path = relative(workingFolder, folder);
  const place = path.includes(" ") ? JSON.stringify(path) : path;
  const plugin = wanted ? "" : ` --plugin ${place}`;
  return [
    `Created the skill ${name} in ${place}:`,
    ...files.map((file) => `  ${file}`),
    ...(registered ? ["Added it to skillctl.json."] : []),
    "",
    "Try it:",
    `  skillctl run ${name} Ada${plugin}`,
    `  skillctl validate ${place}`,
    `  skillctl test ${name}${plugin}`,
    `Then make it your own: ${place}/skill.json says what it offers, ${place}/plugin.js does it.`,
    "",
  ].join("\n");
}
