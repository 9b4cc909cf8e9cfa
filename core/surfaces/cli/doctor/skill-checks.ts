import { isAbsolute, join, relative } from "node:path";
import { configurationFile, readConfiguration } from "../../../adapters/configuration.ts";
import { optionalPackages } from "../../../adapters/optional-packages.ts";
import type { Host } from "../../../composition.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import { nearest } from "../../../nearest.ts";
import { settingsOf } from "../../../settings.ts";
import type { VerbContext } from "../verb.ts";
import { faultsOf, hostedPlaces } from "../verbs/validate.ts";
import { fail, ok, warn, type Check } from "./checks.ts";

/** skillctl.json of the working folder: readable, and its settings fit the skills. */
export async function configurationChecks(context: VerbContext, host: Host): Promise<readonly Check[]> {
  const fault = context.configurationFault;
  if (fault) return [fail(`skillctl.json: ${fault.message}`, fault.hint ?? "Mend the file")];
  const file = configurationFile(context.workingFolder);
  if (file === undefined) return [ok("No skillctl.json in this folder; none is needed")];
  const { config } = readConfiguration(file, await host.schemas.check("core/configuration"));
  const checks: Check[] = context.waiting
    ? [
        warn(
          "What skillctl.json of this folder brings waits: the folder is not trusted",
          "skillctl trust --list",
        ),
      ]
    : [];
  const names = host.catalog.skills.map(({ manifest }) => manifest.name);
  for (const name of Object.keys(config)) {
    if (names.includes(name)) continue;
    const guess = nearest(name, names);
    checks.push(
      warn(
        `skillctl.json has settings for ${name}, which is not hosted`,
        guess ? `Did you mean ${guess}?` : "Remove them",
      ),
    );
  }
  for (const skill of host.catalog.skills) {
    try {
      await settingsOf(skill, config[skill.manifest.name], host.schemas);
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      checks.push(fail(caught.message, caught.hint ?? `Mend ${caught.pointer ?? "the settings"} in ${file}`));
    }
  }
  return checks.length > 0 ? checks : [ok("skillctl.json fits")];
}

/** Every hosted folder without a fault, or by name with the number of its faults. */
export async function soundnessChecks(context: VerbContext): Promise<readonly Check[]> {
  const places = hostedPlaces(context);
  const errors = (await faultsOf(places, context)).filter(({ severity }) => severity === "error");
  const checks = places.flatMap(({ folder, schemas }): readonly Check[] => {
    const own = errors.filter(({ file }) => inside(folder, file) || inside(schemas, file));
    if (own.length === 0) return [];
    const what = own.length === 1 ? `a fault: ${own[0]?.sentence}` : `${own.length} faults`;
    return [fail(`The skill in ${folder} has ${what}`, `skillctl validate ${quoted(folder)}`)];
  });
  const sound = places.length - checks.length;
  return [...checks, ok(`${sound} of ${places.length} skills without a fault`)];
}

/** Every port that a skill needs has a skill that provides it. */
export function portChecks({ catalog }: Host): readonly Check[] {
  return catalog.skills.flatMap(({ manifest }) =>
    Object.entries(manifest.requires ?? {}).flatMap(([port, need]): readonly Check[] => {
      const provider = catalog.provider(port);
      if (provider) return [ok(`${manifest.name} gets ${port} from ${provider.manifest.name}`)];
      if (need === "optional") return [ok(`${manifest.name} does without ${port}`)];
      return [
        fail(
          `${manifest.name} needs ${port}, and no skill provides it`,
          "Add a skill that does: --plugin PATH or skillctl.json",
        ),
      ];
    }),
  );
}

/** The optional packages, each with the skill that uses it. */
export function packageChecks(packages = optionalPackages()): readonly Check[] {
  return packages.map(({ name, user, installed }) =>
    installed
      ? ok(`${name} is installed (for ${user})`)
      : warn(`${name} is not installed (for ${user})`, `npm install ${name}`),
  );
}

function inside(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return !path.startsWith("..") && !isAbsolute(path);
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : JSON.stringify(join(path));
}
