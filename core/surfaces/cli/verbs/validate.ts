import { basename, dirname, join, relative, resolve } from "node:path";
import { buildState } from "../../../adapters/build-state.ts";
import { configurationFile, isThere } from "../../../adapters/configuration-files.ts";
import { readConfiguration } from "../../../adapters/configuration.ts";
import { satisfies } from "../../../adapters/engine-range.ts";
import { nodeFiles } from "../../../adapters/files.ts";
import { skillFolders } from "../../../adapters/foreign-skills.ts";
import { packageFolder } from "../../../adapters/package-folder.ts";
import { uncoveredFiles } from "../../../adapters/skill-content.ts";
import type { Catalog } from "../../../catalog.ts";
import type { Host } from "../../../composition.ts";
import type { OwnRule, SkillManifest } from "../../../contract.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import { OWN_RULES } from "../../../guard/own/own-rules.ts";
import { nearest } from "../../../nearest.ts";
import { pointerOf } from "../../../schema/fault.ts";
import { OWN_FILE, settingsOf } from "../../../settings.ts";
import { toldRule, withRules } from "../../../skill-document.ts";
import {
  validateSkills,
  type SkillFolder,
  type ValidationFault,
} from "../../../validation/validate-skills.ts";
import { idleLifts, unreachableRules, type RuleFinding } from "../../../validation/rule-report.ts";
import type { PendingTrust } from "../../../trust/trust.ts";
import { VERSION } from "../../../version.ts";
import { coreSchemas } from "../schema-files.ts";
import { configuredSkills } from "../served.ts";
import { answer, row } from "../text.ts";
import type { Verb, Invocation } from "../verb.ts";
import { readWords, type Flags } from "../words.ts";
import { quotedName } from "../../../quoted-name.ts";
import { parsedJson } from "../../../schema/json.ts";

const FLAGS: Flags = { fix: { type: "boolean" } };
const HELP = `Checks manifests, schemas, prompts, texts and SKILL.md files, and whether the
skills can be hosted together. Loads none of their code.

Usage: skillctl validate [PATH...] [--fix] [--json]

  PATH    A skill.json, the folder of one, or a folder of such folders. Without
          paths: the skill whose folder this is; elsewhere the built-in
          skills and the configured ones
  --fix   Write the rules of skill.json into the SKILL.md of each PATH

Every fault is one line: FILE#POINTER: sentence (CODE). The exit status is 1 if
there are faults and 0 otherwise; warnings do not count. A rule that no request
can match is a warning, and so is a SKILL.md whose block of rules differs from
skill.json. With the configured skills skillctl.json is checked too: settings
that do not fit are faults. Settings of a skill that is not hosted are warnings,
and so are rules without effect in skillctl.json, in your own file and in the
machine's.
`;

/** Finds the faults of skills, without loading their code. */
export const verb: Verb = { help: HELP, flags: FLAGS, run };

async function run(words: readonly string[], invocation: Invocation): Promise<number> {
  const read = readWords(words, FLAGS);
  const given = await givenOrHere(read.positionals, invocation.workingFolder);
  const paths = given.map((path) => asFolder(resolve(invocation.workingFolder, path)));
  const places =
    paths.length > 0 ? once(placesAt(paths, await invocation.builtin())) : await hostedPlaces(invocation);
  if (read.flags.has("fix")) {
    if (paths.length === 0) throw new SkillError("USAGE", "--fix needs the path of a skill.");
    for (const { folder } of places) await renewRules(folder);
  }
  const skillFaults = await faultsOf(places, invocation);
  const ruleFaults = await ruleFaultsOf(places, skillFaults);
  const ownFaults = paths.length > 0 ? [] : await ownFaultsOf(invocation);
  const faults = [...configurationFaults(invocation), ...ownFaults, ...skillFaults, ...ruleFaults];
  const sound = faults.every(({ severity }) => severity === "warning");
  const text = (): string => report(places.length, faults, invocation.workingFolder);
  answer(invocation, { skills: places.length, faults }, text, sound);
  return sound ? 0 : 1;
}

/** The given paths; without any, the working folder if it is the folder of a skill. */
async function givenOrHere(words: readonly string[], workingFolder: string): Promise<readonly string[]> {
  if (words.length > 0) return words;
  return (await nodeFiles.facts(join(workingFolder, "skill.json"))) ? ["."] : [];
}

/** Rewrites the block of rules in a SKILL.md. Files that cannot be read are reported as faults later. */
async function renewRules(folder: string): Promise<void> {
  const file = join(folder, "SKILL.md");
  const [manifest, text] = [
    await nodeFiles.readText(join(folder, "skill.json")),
    await nodeFiles.readText(file),
  ];
  if (manifest === undefined || text === undefined) return;
  let rules: SkillManifest["rules"];
  try {
    ({ rules } = parsedJson(manifest) as SkillManifest);
  } catch {
    return;
  }
  const plain = text.replaceAll("\r\n", "\n");
  const renewed = withRules(plain, Object.values(rules ?? {}).map(toldRule));
  const written = plain === text ? renewed : renewed.replaceAll("\n", "\r\n");
  if (renewed !== plain) await nodeFiles.replace(file, written, 0o644);
}

/** The folders of the built-in skills and of the configured ones. */
export async function hostedPlaces(invocation: Invocation): Promise<readonly SkillFolder[]> {
  const builtin = await invocation.builtin();
  return once([...builtin.map(placeOf), ...placesAt(invocation.options.plugins, builtin)]);
}

/** The faults of some folders, individually and together with the hosted skills. */
export async function faultsOf(
  places: readonly SkillFolder[],
  invocation: Invocation,
): Promise<readonly ValidationFault[]> {
  return validateSkills(places, {
    files: nodeFiles,
    coreSchemas: join(packageFolder(), "schemas", "core"),
    version: VERSION,
    accepts: satisfies,
    uncovered: uncoveredFiles,
    buildState,
    neighbours: await hostedPlaces(invocation),
  });
}

/** Warnings about rules that no request can match, in skills without errors. */
async function ruleFaultsOf(
  places: readonly SkillFolder[],
  known: readonly ValidationFault[],
): Promise<readonly ValidationFault[]> {
  const broken = new Set(known.filter(({ severity }) => severity === "error").map(({ file }) => file));
  const request = await coreSchemas.document("core/guard-request");
  const faults: ValidationFault[] = [];
  for (const { folder } of places) {
    const file = join(folder, "skill.json");
    const text = broken.has(file) ? undefined : await nodeFiles.readText(file);
    if (text === undefined) continue;
    const { name, rules = {} } = parsedJson(text) as SkillManifest;
    for (const { rule, code, sentence } of unreachableRules(name, rules, request))
      faults.push({ file, pointer: `/rules/${rule}`, code, severity: "warning", sentence });
  }
  return faults;
}

/** The error of an unusable skillctl.json. */
function configurationFaults({
  configurationFault: fault,
  workingFolder,
}: Invocation): readonly ValidationFault[] {
  if (!fault) return [];
  const { code, message, pointer = "", file = join(workingFolder, "skillctl.json") } = fault;
  // The report names the file already.
  return [{ file, pointer, code, severity: "error", sentence: message.replace(`${quotedName(file)}: `, "") }];
}

/** Faults in settings, and warnings about rules, of the configuration files. */
async function ownFaultsOf(invocation: Invocation): Promise<readonly ValidationFault[]> {
  if (invocation.configurationFault) return [];
  const hasRules = (await ownTiers(invocation)).length > 0;
  if (settingsFiles(invocation).length === 0 && !hasRules) return [];
  const host = await invocation.host();
  const settings = await settingFaults(invocation, host);
  const faults = await ownRuleFaults(invocation, host.catalog);
  const rules = faults.map(({ file, rule, code, sentence }) => {
    return { file, pointer: `/rules/${rule}`, code, severity: "warning", sentence } as const;
  });
  return [...settings, ...rules];
}

/** A fault of settings in skillctl.json, with its remedy. */
interface SettingFault extends ValidationFault {
  readonly hint: string;
}

interface SettingsFile extends Pick<Host, "catalog" | "schemas"> {
  readonly file: string;
  /** Its name in messages. */
  readonly name: string;
  /** The untrusted contents, which may include the skill. */
  readonly waiting?: PendingTrust;
  /** Whether another file may hold required settings. Default: no. */
  readonly isPart?: boolean;
}

/** The files with settings of skills: those of the working folder and of the person. */
function settingsFiles({
  workingFolder,
  ruleFiles,
}: Invocation): readonly { readonly file: string; readonly name: string }[] {
  const project = configurationFile(workingFolder);
  const own = ruleFiles?.user;
  return [
    ...(project === undefined ? [] : [{ file: project, name: "skillctl.json" }]),
    ...(own !== undefined && isThere(own) ? [{ file: own, name: OWN_FILE }] : []),
  ];
}

/** The faults of settings in files that can be read; settings of a skill that is not hosted are a warning. */
export async function settingFaults(
  invocation: Invocation,
  { catalog, schemas }: Pick<Host, "catalog" | "schemas">,
): Promise<readonly SettingFault[]> {
  const faults: SettingFault[] = [];
  const all: Record<string, object> = {};
  const files = settingsFiles(invocation);
  for (const { file, name } of files) {
    const { config } = readConfiguration(file, await schemas.check("core/configuration"));
    const { waiting } = invocation;
    const source = { file, name, catalog, schemas, ...(waiting && { waiting }) };
    faults.push(...(await faultsOfSettings(config, { ...source, isPart: true })));
    for (const [skill, settings] of Object.entries(config))
      all[skill] = { ...all[skill], ...Object(settings) };
  }
  const [first] = files;
  // A required setting may be in either file.
  if (first && faults.length === 0)
    faults.push(...(await faultsOfSettings(all, { ...first, catalog, schemas })));
  try {
    configuredSkills(invocation, catalog);
  } catch (caught) {
    if (!(caught instanceof SkillError)) throw caught;
    const { code, message, pointer = "", file = "", hint = "Fix the file" } = caught;
    const sentence = message.replace(`${quotedName(file)}: `, "");
    faults.push({ file, pointer, code, severity: "error", sentence, hint });
  }
  return faults;
}

async function faultsOfSettings(
  config: Readonly<Record<string, unknown>>,
  { file, name: source, catalog, schemas, waiting, isPart = false }: SettingsFile,
): Promise<readonly SettingFault[]> {
  const faults: SettingFault[] = [];
  const names = catalog.skills.map(({ manifest }) => manifest.name);
  for (const name of Object.keys(config).filter((one) => !names.includes(one))) {
    const later = (waiting?.plugins ?? []).map((folder) => basename(folder));
    const guess = later.includes(name) ? undefined : nearest(name, [...names, ...later]);
    const reason =
      waiting && !guess
        ? `but skills of ${quotedName(waiting.folder)} are not trusted yet. To look: skillctl trust --list; to accept: ${waiting.accept}`
        : `but no skill of that name is hosted${guess === undefined ? "" : `; did you mean ${quotedName(guess)}?`}`;
    const sentence = `There are settings for ${quotedName(name)} in ${source}, ${reason}`;
    const hint = guess ? `Rename them to ${quotedName(guess)}` : waiting ? waiting.accept : "Remove them";
    const at = { file, pointer: pointerOf("config", name), code: "CONFIG_INVALID" };
    faults.push({ ...at, severity: "warning", sentence, hint });
  }
  for (const skill of catalog.skills)
    try {
      await settingsOf(skill, config[skill.manifest.name], schemas, { file: source, isPart });
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      const { code, message: sentence, pointer = "", hint = "Fix the file" } = caught;
      faults.push({ file, pointer, code, severity: "error", sentence, hint });
    }
  return faults;
}

/** A fault of a rule in a configuration file. */
interface OwnRuleFault extends RuleFinding {
  readonly tier: string;
  /** Absolute. */
  readonly file: string;
}

/** The rules of the working folder, the person and the machine, if there are any. */
async function ownTiers(
  invocation: Invocation,
): Promise<readonly (readonly [tier: string, rules: Readonly<Record<string, OwnRule>>])[]> {
  const given: readonly (readonly [string, unknown])[] = Object.entries(await invocation.rules());
  return given.flatMap(([tier, some]) => {
    const rules = (some ?? {}) as Readonly<Record<string, OwnRule>>;
    return tier === "core" || Object.keys(rules).length === 0 ? [] : [[tier, rules] as const];
  });
}

/** Faults of the rules of the working folder, the person and the machine. */
export async function ownRuleFaults(
  invocation: Invocation,
  { skills }: Pick<Catalog, "skills">,
): Promise<readonly OwnRuleFault[]> {
  const tiers = await ownTiers(invocation);
  if (tiers.length === 0) return [];
  const request = await coreSchemas.document("core/guard-request");
  const workspace = join(invocation.workingFolder, "skillctl.json");
  const files: Readonly<Record<string, string>> = { workspace, ...invocation.ruleFiles };
  const lower: Record<string, OwnRule> = {};
  const faults: OwnRuleFault[] = [];
  for (const [tier, rules] of tiers) {
    const found = [
      ...unreachableRules(tier, rules, request),
      ...idleLifts(tier, rules, { skills, lower, core: Object.keys(OWN_RULES) }),
    ];
    for (const one of found) faults.push({ ...one, tier, file: files[tier] ?? "" });
    for (const [name, rule] of Object.entries(rules)) lower[`${tier}/${name}`] = rule;
  }
  return faults;
}

function placeOf({ folder, schemas, builtin }: SkillFolder): SkillFolder {
  return { folder, schemas, builtin };
}

/** The folders at or under each path; a built-in one keeps the built-in schemas. */
function placesAt(paths: readonly string[], builtin: readonly SkillFolder[]): readonly SkillFolder[] {
  return skillFolders(paths).map((folder) => {
    const own = builtin.find((skill) => skill.folder === folder);
    return own ? placeOf(own) : { folder, schemas: join(folder, "schemas"), builtin: false };
  });
}

function asFolder(path: string): string {
  return ["skill.json", "SKILL.md"].includes(basename(path)) ? dirname(path) : path;
}

function once(places: readonly SkillFolder[]): readonly SkillFolder[] {
  return [...new Map(places.map((place) => [place.folder, place])).values()];
}

export function report(skills: number, faults: readonly ValidationFault[], from: string): string {
  const lines = faults.map((fault) => {
    const short = relative(from, fault.file);
    const file = short.startsWith("..") ? fault.file : short;
    const place = fault.line === undefined ? `${file}#${fault.pointer}` : `${file}:${fault.line}`;
    const kind = fault.severity === "warning" ? "warning: " : "";
    return row(`${quotedName(place)}: ${kind}${fault.sentence} (${fault.code})`);
  });
  const errors = faults.filter(({ severity }) => severity === "error").length;
  const warnings = faults.length - errors;
  const counts = [
    errors === 0 ? "no faults" : counted(errors, "fault"),
    ...(warnings > 0 ? [counted(warnings, "warning")] : []),
  ];
  return [...lines, `${counted(skills, "skill")} checked, ${counts.join(", ")}.`, ""].join("\n");
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
