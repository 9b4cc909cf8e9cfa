import { join } from "node:path";
import semverSatisfies from "semver/functions/satisfies.js";
import { loopbackFault } from "../../../adapters/loopback-probe.ts";
import { NODE_RANGE } from "../../../adapters/optional-packages.ts";
import type { Host } from "../../../composition.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import type { Environment } from "../../../ports/environment.ts";
import type { Files } from "../../../ports/files.ts";
import type { HostedSkill } from "../../../skill.ts";
import { CLIENTS } from "../../hook/install/clients.ts";
import { settingsFilesOf } from "../../hook/install/settings-file.ts";
import { statusOf } from "../../hook/install/status.ts";
import { changedProgram } from "../hooks/own-program.ts";
import { ownRuleFaults } from "../own-rules.ts";
import type { VerbContext } from "../verb.ts";

/** What the doctor says of one thing. */
export interface Check {
  /** `warn`: works, but not everything or not for long. `fail`: has to be mended. */
  readonly status: "ok" | "warn" | "fail";
  readonly what: string;
  /** What to do or to type. */
  readonly mend?: string;
}

export const ok = (what: string): Check => ({ status: "ok", what });
export const warn = (what: string, mend: string): Check => ({ status: "warn", what, mend });
export const fail = (what: string, mend: string): Check => ({ status: "fail", what, mend });

/** The hooks of agents, here and in the home: whether they can work, and which agents fail open. */
export async function hookChecks(environment: Environment, files: Files): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const client of CLIENTS) {
    const seen = new Set<string>();
    for (const scope of ["project", "user"] as const) {
      try {
        for (const place of await settingsFilesOf(client, scope, { environment, files })) {
          if (seen.has(place.target)) continue;
          seen.add(place.target);
          const { installed, faults, late, file } = await statusOf(place, { environment, files });
          if (installed === "no" && faults.length === 0) continue;
          const [fault] = faults;
          const again = `skillctl hooks install --client ${client.name} --scope ${scope}`;
          if (fault !== undefined) checks.push(fail(`${client.title} hooks in ${file}: ${fault}`, again));
          else if (late === "denied") checks.push(ok(`${client.title} hooks in ${file}`));
          else
            checks.push(
              warn(
                `${client.title} hooks in ${file}: this host fails open when a hook is late; what tools change is still checked`,
                "skillctl hooks status",
              ),
            );
        }
      } catch (caught) {
        if (!(caught instanceof SkillError)) throw caught;
        checks.push(warn(`${client.title} hooks: ${caught.message}`, caught.hint ?? "Mend the file"));
      }
    }
  }
  const program = checks.length > 0 ? await changedProgram({ environment, files }) : undefined;
  if (program !== undefined) checks.push(fail(program, "skillctl hooks install, when that was you"));
  return checks.length > 0
    ? checks
    : [ok("No agent has hooks of skillctl here (skillctl hooks install --client NAME)")];
}

/** The oldest line of Node that still gets fixes (nodejs.org/en/about/previous-releases, November 2026). */
const OLDEST_MAINTAINED = 22;

/** `version` without v. */
export function nodeCheck(version: string): Check {
  const install = "Install Node 24 from nodejs.org";
  if (!semverSatisfies(version, NODE_RANGE))
    return fail(`Node ${version}; skillctl needs ${NODE_RANGE}`, install);
  const line = Number(version.split(".")[0]);
  return line < OLDEST_MAINTAINED
    ? warn(`Node ${version} runs skillctl, but gets no fixes any more`, install)
    : ok(`Node ${version}`);
}

/** Really writes a file there, and leaves nothing behind. */
export async function stateFolderCheck(folder: string, files: Files): Promise<Check> {
  const before = await files.facts(folder).catch(() => undefined);
  const probe = join(folder, `doctor-${process.pid}.tmp`);
  try {
    await files.makeFolder(folder);
    await files.replace(probe, "probe");
    await files.remove(before ? probe : folder);
    return ok(`State folder ${folder} can be written`);
  } catch (caught) {
    if (!(caught instanceof SkillError)) throw caught;
    return fail(
      `State folder: ${caught.message}`,
      "Make it writable, or name another: export SKILLCTL_STATE=FOLDER",
    );
  }
}

export async function loopbackCheck(): Promise<Check> {
  const fault = await loopbackFault();
  if (fault === undefined) return ok("A port on 127.0.0.1 can be opened");
  return fail(
    `No port on 127.0.0.1 can be opened (${fault})`,
    "Allow local servers in the sandbox or firewall",
  );
}

/** The rules of the working folder, the person and the machine: those that do not do what they seem to. */
export async function ruleChecks(context: VerbContext, { catalog }: Host): Promise<readonly Check[]> {
  try {
    const faults = await ownRuleFaults(context, catalog);
    return faults.map(({ tier, rule, sentence }) =>
      warn(sentence, `Mend the rule ${rule} in ${tier === "workspace" ? "" : `the ${tier}'s `}skillctl.json`),
    );
  } catch (caught) {
    if (!(caught instanceof SkillError)) throw caught;
    return [fail(caught.message, caught.hint ?? "Mend the file")];
  }
}

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

function isAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return (
    protocol === "https:" || (protocol === "http:" && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
  );
}
