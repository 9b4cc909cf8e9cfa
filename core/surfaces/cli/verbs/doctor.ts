import { join } from "node:path";
import process from "node:process";
import semverSatisfies from "semver/functions/satisfies.js";
import { configurationFile } from "../../../adapters/configuration-files.ts";
import { processEnvironment, stateAddress } from "../../../adapters/environment.ts";
import { nodeFiles } from "../../../adapters/files.ts";
import { loopbackFault } from "../../../adapters/loopback-probe.ts";
import { NODE_RANGE, optionalPackages } from "../../../adapters/optional-packages.ts";
import type { Host } from "../../../composition.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import type { Environment } from "../../../ports/environment.ts";
import type { HostedSkill } from "../../../skill.ts";
import { CLIENTS } from "../../hook/hook.ts";
import type { HookSettings } from "../../hook/install/hook-settings.ts";
import { isThere } from "../../hook/install/status.ts";
import { stateOf } from "../hook/decision.ts";
import { answer, row, wrapped } from "../text.ts";
import type { Terminal, Verb, Invocation } from "../verb.ts";
import { readWords } from "../words.ts";
import { changedProgram, hookSettings, installCommand } from "./hooks.ts";
import { counted, faultsOf, hostedPlaces, ownRuleFaults, settingFaults } from "./validate.ts";
import { quotedName } from "../../../quoted-name.ts";

const HELP = `Checks this machine and shows how to repair each fault: Node, the state folder,
a local port, skillctl.json and its rules, the hosted skills, the ports they
need, optional packages, environment variables, hooks of agents. Loads no code
of a skill and shows no secret.

Usage: skillctl doctor [--json]

Every line is ok, warn or fail. The exit status is 1 if a check fails, else 0.
`;

/** Checks this machine. */
export const verb: Verb = { help: HELP, run };

/** The result of one check. */
interface Check {
  /** `warn`: works partly, or will stop working. `fail`: must be repaired. */
  readonly status: "ok" | "warn" | "fail";
  readonly finding: string;
  /** The remedy. */
  readonly fix?: string;
}

const ok = (finding: string): Check => ({ status: "ok", finding });
const warn = (finding: string, fix: string): Check => ({ status: "warn", finding, fix });
const fail = (finding: string, fix: string): Check => ({ status: "fail", finding, fix });

async function run(words: readonly string[], invocation: Invocation): Promise<number> {
  readWords(words, {}, 0);
  const environment = processEnvironment(invocation.variables, invocation.workingFolder);
  const checks: readonly Check[] = [
    nodeCheck(process.versions.node),
    await stateFolderCheck(environment.stateFolder),
    ...(await found(() => databaseChecks(invocation))),
    await loopbackCheck(),
    ...(await found(() => hostChecks(invocation, environment))),
    ...packageChecks(),
    ...(await hookChecks(hookSettings(invocation))),
  ];
  const healthy = checks.every(({ status }) => status !== "fail");
  const text = (): string => checks.map((check) => lineOf(check, invocation.terminal)).join("");
  answer(invocation, { checks }, text, healthy);
  return healthy ? 0 : 1;
}

/** The checks that need a host, which cannot be created if the person's skillctl.json is invalid. */
async function hostChecks(invocation: Invocation, environment: Environment): Promise<readonly Check[]> {
  const host = await invocation.host();
  return [
    ...(await configurationChecks(invocation, host)),
    ...(await found(() => ruleChecks(invocation, host))),
    ...(await skillChecks(invocation)),
    ...(await documentChecks(invocation)),
    ...portChecks(host),
    ...variableChecks(host.catalog.skills, environment),
  ];
}

function lineOf({ status, finding, fix }: Check, { showsOut, columns }: Terminal): string {
  const line = row(`${finding}${fix === undefined ? "" : `  -> ${fix}`}`);
  return `${status.padEnd(4)}  ${showsOut ? wrapped(line, columns, 6) : line}\n`;
}

/** A failed check is reported with its error, so that the others are reported too. */
async function found(look: () => Promise<readonly Check[]>, told = fail): Promise<readonly Check[]> {
  try {
    return await look();
  } catch (caught) {
    if (!(caught instanceof SkillError)) throw caught;
    return [told(caught.message, caught.hint ?? "Fix the file")];
  }
}

/** The oldest release line of Node that still receives fixes (nodejs.org/en/about/previous-releases, November 2026). */
const OLDEST_MAINTAINED = 22;

/** `version` without v. */
export function nodeCheck(version: string): Check {
  const install = "Install Node 24 from nodejs.org";
  if (!semverSatisfies(version, NODE_RANGE))
    return fail(`Node ${version}; skillctl needs ${NODE_RANGE}`, install);
  return Number(version.split(".")[0]) < OLDEST_MAINTAINED
    ? warn(`Node ${version} runs skillctl, but is no longer maintained`, install)
    : ok(`Node ${version}`);
}

/** Writes a file into the state folder and removes it. */
async function stateFolderCheck(folder: string): Promise<Check> {
  const before = await nodeFiles.facts(folder).catch(() => undefined);
  const probe = join(folder, `doctor-${process.pid}.tmp`);
  try {
    await nodeFiles.makeFolder(folder);
    await nodeFiles.replace(probe, "probe");
    await nodeFiles.remove(before ? probe : folder);
    if (before && (!before.own || (before.mode ?? 0) & 0o022))
      return warn(
        `State folder ${quotedName(folder)} can be changed by other users, who could run code as you`,
        "Make it yours alone (chmod go-w), or name another: export SKILLCTL_STATE=FOLDER",
      );
    return ok(`State folder ${quotedName(folder)} can be written`);
  } catch (caught) {
    if (!(caught instanceof SkillError)) throw caught;
    return fail(
      `State folder: ${caught.message}`,
      "Make it writable, or name another: export SKILLCTL_STATE=FOLDER",
    );
  }
}

/** Reads a document from the database of the shared state, if it is configured. */
async function databaseChecks(invocation: Invocation): Promise<readonly Check[]> {
  const environment = await invocation.environment();
  if (stateAddress(environment.variable) === undefined) return [];
  const state = await stateOf(environment);
  await state.read({ collection: "core-doctor", id: "" });
  return [ok("The state database answers")];
}

async function loopbackCheck(): Promise<Check> {
  const fault = await loopbackFault();
  if (fault === undefined) return ok("A port on 127.0.0.1 can be opened");
  return fail(
    `No port on 127.0.0.1 can be opened (${fault})`,
    "Allow local servers in the sandbox or firewall",
  );
}

/** skillctl.json of the working folder: readable, and its settings fit the skills. */
async function configurationChecks(invocation: Invocation, host: Host) {
  const fault = invocation.configurationFault;
  if (fault) return [fail(fault.message, fault.hint ?? "Fix the file")];
  const file = configurationFile(invocation.workingFolder);
  if (file === undefined) return [ok("No skillctl.json in this folder; none is needed")];
  const checks: Check[] = [];
  if (invocation.waiting)
    checks.push(
      warn("The contents of skillctl.json are ignored until this folder is trusted", "skillctl trust --list"),
    );
  for (const { severity, sentence, hint } of await settingFaults(invocation, host))
    checks.push((severity === "warning" ? warn : fail)(sentence, hint));
  return checks.length > 0 ? checks : [ok("skillctl.json is valid")];
}

/** The rules of the working folder, the person and the machine that have no effect. */
async function ruleChecks(invocation: Invocation, { catalog }: Host): Promise<readonly Check[]> {
  const faults = await ownRuleFaults(invocation, catalog);
  return faults.map(({ tier, rule, sentence }) =>
    warn(sentence, `Fix the rule ${rule} in ${tier === "workspace" ? "" : `the ${tier}'s `}skillctl.json`),
  );
}

/** The faults of hosted skills, and the number of checked skills. */
async function skillChecks(invocation: Invocation): Promise<readonly Check[]> {
  const places = await hostedPlaces(invocation);
  const errors = (await faultsOf(places, invocation)).filter(({ severity }) => severity === "error");
  return [
    ...errors.map(({ file, sentence }) => {
      const folder = places.find((place) => file.startsWith(place.folder))?.folder ?? file;
      return fail(`${quotedName(file)}: ${sentence}`, `skillctl validate ${quotedName(folder)}`);
    }),
    ok(`${counted(places.length, "skill")} checked, ${counted(errors.length, "fault")}`),
  ];
}

/** Plain SKILL.md folders that are left out, and the number of hosted ones. */
async function documentChecks(invocation: Invocation): Promise<readonly Check[]> {
  const { skills, faults } = await invocation.documents();
  const told = faults.map(({ file, sentence }) => warn(`${quotedName(file)} is left out`, sentence));
  return skills.length > 0 ? [...told, ok(`${counted(skills.length, "document")} hosted`)] : told;
}

/** Whether every required port has a provider. */
function portChecks({ catalog }: Host): readonly Check[] {
  return catalog.skills.flatMap(({ manifest }) =>
    Object.entries(manifest.requires ?? {}).map(([port, need]): Check => {
      const provider = catalog.provider(port);
      if (provider) return ok(`${manifest.name} gets ${port} from ${provider.manifest.name}`);
      if (need === "optional") return ok(`${manifest.name} works without ${port}, which no skill provides`);
      return fail(
        `${manifest.name} needs ${port}, and no skill provides it`,
        "Add a skill that does: --plugin PATH or skillctl.json",
      );
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

/** The environment variables that manifests name: set or not, and whether addresses are well formed. No value is ever shown. */
function variableChecks(skills: readonly HostedSkill[], environment: Environment): readonly Check[] {
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
      `${name} is set, but is not an address with https:// or, on this machine, http://`,
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

/** The hooks of agents in this project and in the home folder: their faults, and agents that fail open. */
async function hookChecks(settings: HookSettings): Promise<readonly Check[]> {
  const checks: Check[] = [];
  let again = "skillctl hooks install --client NAME";
  for (const client of CLIENTS) {
    const look = async (): Promise<readonly Check[]> =>
      (await settings.statuses([client], ["project", "user"])).filter(isThere).map((status) => {
        const { faults, late, file } = status;
        again = installCommand(status);
        const hooks = `${client.title} hooks in ${quotedName(file)}`;
        if (faults.length > 0) return fail(`${hooks}: ${faults[0]}`, installCommand(status));
        if (late === "denied") return ok(hooks);
        return warn(
          `${hooks}: this host fails open when a hook is late; changes that tools make are still checked`,
          "skillctl hooks status",
        );
      });
    checks.push(...(await found(look, (sentence, fix) => warn(`${client.title} hooks: ${sentence}`, fix))));
  }
  if (checks.length === 0)
    return [ok("No agent has skillctl hooks here (skillctl hooks install --client NAME)")];
  const program = async (): Promise<readonly Check[]> => {
    const changed = await changedProgram(settings);
    return changed === undefined ? [] : [fail(changed, `${again}, if you made the change`)];
  };
  return [...checks, ...(await found(program))];
}
