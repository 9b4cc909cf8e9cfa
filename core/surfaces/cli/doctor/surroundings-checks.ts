import type { SkillManifest } from "../../../contract.ts";
import type { Environment } from "../../../ports/environment.ts";
import type { Files } from "../../../ports/files.ts";
import type { HostedSkill } from "../../../skill.ts";
import { fail, ok, warn, type Check } from "./check.ts";

/** The environment variables that manifests name: set or not, and addresses well formed. No value is ever shown. */
export function variableChecks(skills: readonly HostedSkill[], environment: Environment): readonly Check[] {
  const readers = new Map<string, string[]>();
  for (const { manifest } of skills) {
    for (const name of manifest.permissions?.environment ?? [])
      readers.set(name, [...(readers.get(name) ?? []), manifest.name]);
  }
  return [...readers].map(([name, skillNames]) => {
    const value = environment.variable(name);
    const reads = `${skillNames.join(", ")} ${skillNames.length === 1 ? "reads" : "read"} it`;
    if (value === undefined) return ok(`${name} is not set; ${reads}`);
    if (!name.endsWith("_URL") || isAddress(value)) return ok(`${name} is set; ${reads}`);
    return fail(
      `${name} is set, but is no address that starts with https:// or, on this machine, http://`,
      `export ${name}=https://HOST`,
    );
  });
}

/** Whether a skill that lends something and takes a token for it could find one: one of its variables or files is there. */
export async function loginChecks(
  skills: readonly HostedSkill[],
  environment: Environment,
  files: Files,
): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const { manifest } of skills) {
    const { environment: variables = [], paths = [] } = manifest.permissions ?? {};
    // Of the variables that it reads, some only say where to log in.
    const tokens = variables.filter((name) => name.endsWith("_TOKEN"));
    if (tokens.length === 0 || !manifest.provides?.length) continue;
    // A path with another one below it is a folder, and no place for a token.
    const places = paths
      .filter((path) => !paths.some((other) => other.startsWith(`${path}/`)))
      .map((path) => path.replace("{home}", environment.home).replace("{state}", environment.stateFolder));
    const set = tokens.find((name) => environment.variable(name) !== undefined);
    const found = set ?? (await firstFile(places, files));
    const where = [...places, ...tokens].join(" or ");
    checks.push(
      found === undefined
        ? warn(`No login token in ${where}`, loginWords(manifest))
        : ok(`A login token is in ${found}`),
    );
  }
  return checks;
}

function loginWords({ name, commands = {} }: SkillManifest): string {
  return Object.hasOwn(commands, "login") ? `skillctl run ${name} login` : `skillctl run ${name}`;
}

async function firstFile(paths: readonly string[], files: Files): Promise<string | undefined> {
  for (const path of paths) if ((await files.facts(path))?.kind === "file") return path;
  return undefined;
}

function isAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return (
    protocol === "https:" || (protocol === "http:" && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
  );
}
