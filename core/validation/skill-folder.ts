import { basename, dirname, join } from "node:path";
import type { SkillManifest } from "../contract.ts";
import { CODES } from "../errors/codes.ts";
import { nearest } from "../nearest.ts";
import type { Files } from "../ports/files.ts";
import type { JsonSchema } from "../schema/schemas.ts";
import { moduleOf, type BuildState } from "../skill.ts";
import {
  readSkillDocument,
  toldRule,
  RULES_BEGIN,
  RULES_END,
  withRules,
  withoutRules,
} from "../skill-document.ts";
import type { Compiler, FullCheck } from "./compiler.ts";
import { pointerOf } from "../schema/fault.ts";
import { isObject } from "../schema/json.ts";
import { reporterInto, type FaultReporter, type ValidationFault, readJson, readText } from "./json-file.ts";
import { checkNames, checkPredicates, checkTexts } from "./manifest-names.ts";
import type { ModuleFormat } from "./module-text.ts";
import type { SchemaFiles } from "./schema-files.ts";
import { quotedName } from "../quoted-name.ts";

/** A folder to validate. */
export interface SkillFolder {
  /** Absolute. */
  readonly folder: string;
  /** Folder of its schemas, absolute. */
  readonly schemas: string;
  /** Its code belongs to this package, so there is no plugin file to check. */
  readonly builtin: boolean;
}

/** The context of a validation. */
export interface ValidationTools {
  readonly files: Files;
  readonly compile: Compiler;
  readonly manifestSchema: JsonSchema;
  /** The schema files of all skills; those of a folder belong to each of the names. */
  readonly schemasOf: (names: readonly string[], place: SkillFolder) => SchemaFiles;
  /** Whether a version range includes this version of skillctl. */
  readonly accepts: (range: string) => boolean;
  readonly version: string;
  readonly uncovered: UncoveredLook;
  readonly buildState: BuildLook;
}

/** Compares the code of a skill with its TypeScript source, if any. */
export type BuildLook = (folder: string, module: string) => BuildState | undefined;

/** Finds files that the manifest names but trust would not cover. */
export type UncoveredLook = (
  folder: string,
  manifest: Partial<SkillManifest>,
) => readonly { readonly pointer: string; readonly sentence: string }[];

/** All faults of one skill by itself. Loads none of its code. */
export async function checkSkillFolder(
  place: SkillFolder,
  tools: ValidationTools,
): Promise<readonly ValidationFault[]> {
  const { folder } = place;
  const { files } = tools;
  const facts = await files.facts(folder);
  if (facts === undefined) return [fault(folder, "FILE_UNREADABLE", `There is no ${quotedName(folder)}.`)];
  const file = join(folder, "skill.json");
  if (facts.kind === "file")
    return [
      fault(
        folder,
        "FILE_UNREADABLE",
        `${quotedName(folder)} is neither a skill.json nor the folder of one.`,
      ),
    ];
  if ((await files.facts(file)) === undefined) {
    if (isPlain(folder)) return checkDocument(folder, files, undefined);
    return [
      fault(
        file,
        "MANIFEST_INVALID",
        `There is no skill.json in ${quotedName(folder)} or in one of its folders${await otherCase(file, files)}.`,
      ),
    ];
  }
  const faults: ValidationFault[] = [];
  const report = reporterInto(faults, file, "MANIFEST_INVALID");
  const value = await readJson(files, file, "", report);
  let sound: Partial<SkillManifest> | undefined;
  let names = [basename(folder)];
  let schemas = tools.schemasOf(names, place);
  if (isObject(value)) {
    const manifest = soundManifest(value, tools.manifestSchema, tools.compile, report);
    checkIdentity(manifest, basename(folder), tools, report);
    // A renamed folder is one fault: schemas with either name cause no further one.
    names = [...new Set([...names, manifest.name ?? basename(folder)])];
    schemas = tools.schemasOf(names, place);
    const uncovered = place.builtin ? [] : tools.uncovered(folder, manifest);
    for (const { pointer, sentence } of uncovered) report(pointer, sentence);
    if (uncovered.length > 0) return faults;
    await checkNames(manifest, value, schemas, report);
    checkPredicates(manifest, tools.compile, report);
    await checkTexts(manifest, folder, files, report);
    const declared = Object.keys(Object(value["errors"]));
    if (!place.builtin) faults.push(...(await checkCode(manifest, declared, folder, tools, report)));
    // The text is checked only if the manifest is valid.
    if (faults.every(({ severity }) => severity === "warning")) sound = manifest;
  }
  const config = isObject(value) ? String(value["config"]) : undefined;
  faults.push(...(await schemas.check(names, place.schemas, config)));
  const tables = await compiledCore("core/rule-cases", schemas, tools);
  faults.push(
    ...(await checkTables(isObject(value) ? Object(value["rules"]) : {}, sound, folder, files, tables)),
  );
  const ofDocument = await checkDocument(folder, files, sound);
  faults.push(...ofDocument.filter(({ code }) => code !== "NAME_FOLDER" || names.length === 1));
  return faults;
}

/** The end of a sentence about a missing file, if its folder has it in other capitals. */
async function otherCase(file: string, files: Files): Promise<string> {
  const names = (await files.list(dirname(file)).catch(() => undefined)) ?? [];
  const other = names.find((name) => name.toLowerCase() === basename(file).toLowerCase());
  return other === undefined ? "" : `: rename ${quotedName(other)}`;
}

/** Whether a folder lies where plain SKILL.md folders are found. */
function isPlain(folder: string): boolean {
  return /[\\/]\.(?:agents|claude)[\\/]skills[\\/][^\\/]+$/.test(folder);
}

function fault(file: string, code: string, sentence: string): ValidationFault {
  return { file, pointer: "", code, severity: "error", sentence };
}

function checkIdentity(
  manifest: Partial<SkillManifest>,
  folder: string,
  tools: ValidationTools,
  report: FaultReporter,
): void {
  const { name, engines } = manifest;
  if (name !== undefined && name !== folder)
    report(
      "/name",
      `The name ${quotedName(name)} is not the name of the folder, ${quotedName(folder)}: rename one of them.`,
    );
  if (engines?.skillctl !== undefined && !tools.accepts(engines.skillctl)) {
    report(
      "/engines/skillctl",
      `The skill asks for skillctl ${engines.skillctl}, but this is version ${tools.version}: write a range that includes it, such as ^${tools.version}.`,
      "ENGINE_MISMATCH",
    );
  }
}

/**
 * Checks by its text that the code exists and is a module, without loading it. Returns a warning for code that is older
 * than its source, and for each error code that it throws and no manifest declares. A skill without handlers needs no
 * code.
 */
async function checkCode(
  manifest: Partial<SkillManifest>,
  declared: readonly string[],
  folder: string,
  { files, buildState }: ValidationTools,
  report: FaultReporter,
): Promise<readonly ValidationFault[]> {
  const { commands = {}, routes = {}, rules = {}, plugin } = manifest;
  const module = moduleOf(manifest);
  if (module === undefined) return [];
  const pointer = plugin === undefined ? "" : "/plugin";
  const path = join(folder, module);
  const build = buildState(folder, module);
  const mend = build ? ` It is compiled from ${build.source}: ${build.remedy}.` : "";
  if ((await files.facts(path)) !== undefined) {
    const { moduleFaults, thrownCodes } = await import("./module-text.ts");
    const wanted = {
      commands: Object.keys(commands),
      routes: Object.keys(routes),
      rules: Object.keys(rules).filter((name) => rules[name]?.handler),
    };
    const reportBroken: FaultReporter = (_, sentence) => report(pointer, sentence, "PLUGIN_BROKEN");
    const text = await readText(files, path, "", reportBroken);
    if (text === undefined) return [];
    const format = await formatOf(path, files, reportBroken);
    for (const { handler, sentence } of moduleFaults(text, wanted, {
      ...format,
      isCompiled: build !== undefined,
    }))
      report(handler ? pointerOf(...handler) : pointer, `${module} ${sentence}.${mend}`, "PLUGIN_BROKEN");
    const known = [...declared, ...Object.keys(CODES)];
    const undeclared = [...thrownCodes(text, format)]
      .filter(([code]) => !known.includes(code))
      .map(([code, line]) => {
        const guess = nearest(code, known);
        const remedy = guess
          ? `did you mean ${guess}?`
          : "add it there and to errors of each command and route that ends with it.";
        const sentence = `The code ${quotedName(code)} is not in errors of skill.json; ${remedy}`;
        return {
          file: path,
          pointer: "",
          line,
          code: "CODE_UNDECLARED",
          severity: "warning",
          sentence,
        } as const;
      });
    if (build?.state !== "older") return undeclared;
    const sentence = `It is older than ${build.source}, its source: ${build.remedy}.`;
    const stale = { file: join(folder, build.made), pointer: "", code: "BUILD_STALE", sentence } as const;
    return [{ ...stale, severity: "warning" }, ...undeclared];
  }
  report(pointer, `The code of the skill is missing: there is no ${module}.${mend}`, "PLUGIN_MISSING");
  return [];
}

/**
 * How Node loads a file: by its name, otherwise by `type` of the nearest package.json (Node, "Determining module
 * system").
 */
async function formatOf(path: string, files: Files, report: FaultReporter): Promise<ModuleFormat> {
  const ending = path.slice(-4);
  if (ending === ".mjs") return { kind: "module", reason: "its name" };
  if (ending === ".cjs") return { kind: "commonjs", reason: "its name" };
  let folder = dirname(path);
  const isAbove = (): boolean => basename(folder) === "node_modules" || folder === dirname(folder);
  while (!isAbove() && (await files.facts(join(folder, "package.json"))) === undefined)
    folder = dirname(folder);
  const file = join(folder, "package.json");
  const value = isAbove()
    ? {}
    : await readJson(files, file, "", (_, sentence) => report("", `${quotedName(file)}: ${sentence}`));
  const { type } = Object(value) as { readonly type?: unknown };
  if (type !== "module" && type !== "commonjs") return { kind: "syntax", reason: "" };
  return { kind: type, reason: `"type": "${type}" in ${quotedName(file)}` };
}

/** Compiles a schema of the core. */
async function compiledCore(
  name: string,
  schemas: SchemaFiles,
  { compile }: ValidationTools,
): Promise<FullCheck> {
  const found = await schemas.document(name);
  const compiled = compile(("document" in found && found.document) || {});
  if ("faults" in compiled) throw new Error(`${name} cannot be compiled: ${compiled.faults[0]?.sentence}`);
  return compiled.check;
}

/** Checks the form of the tables of enforced rules; `skillctl test` evaluates the rules on their cases. */
async function checkTables(
  rules: Readonly<Record<string, unknown>>,
  sound: Partial<SkillManifest> | undefined,
  folder: string,
  files: Files,
  check: FullCheck,
): Promise<readonly ValidationFault[]> {
  const faults: ValidationFault[] = [];
  for (const [rule, { enforced, applies }] of Object.entries(rules).map(
    ([name, one]) => [name, Object(one)] as const,
  )) {
    const file = join(folder, "rules", `${rule}.json`);
    if ((await files.facts(file)) !== undefined) {
      const report = reporterInto(faults, file, "MANIFEST_INVALID");
      const tables = await readJson(files, file, "", report);
      const wrong = isObject(tables) ? check(tables, "The file") : [];
      for (const { pointer, sentence } of wrong) report(pointer, sentence);
      if (isObject(tables) && wrong.length === 0 && sound)
        for (const { pointer, sentence } of lostSubjects(tables, sound, basename(folder), applies === "all"))
          report(pointer, sentence, undefined, "warning");
      continue;
    }
    if (enforced === false) continue;
    const sentence = `The rule has no cases, so \`skillctl test\` fails: rules/${rule}.json, with passes and stops, is missing.`;
    const at = { file: join(folder, "skill.json"), pointer: pointerOf("rules", rule), code: "RULE_UNTESTED" };
    faults.push({ ...at, severity: "warning", sentence });
  }
  return faults;
}

/** The cases of a rule about commands and routes that the skill does not have. */
function lostSubjects(
  tables: Readonly<Record<string, unknown>>,
  { commands = {}, routes = {} }: Partial<SkillManifest>,
  owner: string,
  ofAll: boolean,
): readonly { readonly pointer: string; readonly sentence: string }[] {
  type Request = Readonly<Record<string, unknown>>;
  const { passes, stops } = tables as unknown as {
    readonly passes: readonly Request[];
    readonly stops: readonly { readonly subject: Request }[];
  };
  const cases = [
    ...passes.map((one, index) => [pointerOf("passes", index), one] as const),
    ...stops.map(({ subject }, index) => [pointerOf("stops", index, "subject"), subject] as const),
  ];
  return cases.flatMap(([at, { event, skill = ofAll ? "" : owner, name }]) => {
    const kind = /^(command|route)\./.exec(String(event))?.[1];
    if (kind !== undefined && at.startsWith("/stops") && !ofAll && skill !== owner)
      return [
        {
          pointer: `${at}/skill`,
          sentence: `The rule applies to ${owner} only: write ${owner}, or "applies": "all" in skill.json.`,
        },
      ];
    const known = Object.keys(kind === "command" ? commands : kind === "route" ? routes : {});
    if (known.length === 0 || skill !== owner || typeof name !== "string" || known.includes(name)) return [];
    const guess = nearest(name, known);
    const sentence = `${owner} has no ${kind} ${quotedName(name)}${guess ? `; did you mean ${guess}?` : "."}`;
    return [{ pointer: `${at}/name`, sentence }];
  });
}

async function checkDocument(
  folder: string,
  files: Files,
  manifest: Partial<SkillManifest> | undefined,
): Promise<readonly ValidationFault[]> {
  const file = join(folder, "SKILL.md");
  const faults: ValidationFault[] = [];
  const report = reporterInto(faults, file, "FILE_UNREADABLE");
  const missing = `SKILL.md, with the instructions for the agent, is missing${await otherCase(file, files)}.`;
  const text = await readText(files, file, missing, report);
  if (text === undefined) return faults;
  const document = await readSkillDocument(text, basename(folder));
  const named = manifest ? [...staleRules(text, manifest, folder), ...lostCommands(text, manifest)] : [];
  const lost = await lostLinks(text, folder, files);
  return [...document.faults, ...named, ...lost].map(({ code, severity, line, sentence }) => ({
    file,
    pointer: "",
    line,
    code,
    severity,
    sentence,
  }));
}

/** The beginning or end of a block of code in Markdown, also at the beginning of an item of a list. */
const FENCE = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}|~{3,})/;
const LINK = /\]\((?:\.\/)?([\w-][\w./-]*\.\w+)(?:#[^()[\]]*)?\)/g;

/** Reports links of a SKILL.md, outside code, to files that its folder does not have. */
async function lostLinks(text: string, folder: string, files: Files) {
  const faults = [];
  let fence = "";
  for (const [index, line] of text.split("\n").entries()) {
    const [, mark = ""] = FENCE.exec(line) ?? [];
    if (mark !== "" && mark.startsWith(fence)) fence = fence === "" ? mark : "";
    if (mark !== "" || fence !== "") continue;
    const prose = line.split(/`+/).filter((_, part) => part % 2 === 0);
    for (const [, path = ""] of prose.flatMap((part) => [...part.matchAll(LINK)]))
      if ((await files.facts(join(folder, path)).catch(() => undefined)) === undefined)
        faults.push({
          code: "FILE_UNREADABLE",
          severity: "warning" as const,
          line: index + 1,
          sentence: `There is no file ${path}.`,
        });
  }
  return faults;
}

/** Reports a block of rules in a SKILL.md that differs from the manifest. Without a block there is no fault. */
function staleRules(text: string, manifest: Partial<SkillManifest>, folder: string) {
  const rules = Object.values(manifest.rules ?? {}).map(toldRule);
  const plain = text.replaceAll("\r\n", "\n");
  const line = plain.slice(0, plain.indexOf(RULES_BEGIN)).split("\n").length;
  if (withoutRules(plain) === plain) {
    if (!plain.includes(RULES_BEGIN)) return [];
    const sentence = `The block of rules has no end: the line ${RULES_END} is missing.`;
    return [{ code: "RULES_STALE", severity: "warning" as const, line, sentence }];
  }
  if (withRules(plain, rules) === plain) return [];
  const sentence = `The rules here differ from those of skill.json; \`skillctl validate --fix ${quotedName(folder)}\` writes them.`;
  return [{ code: "RULES_STALE", severity: "warning" as const, line, sentence }];
}

/**
 * A command line up to the word after the skill, which is a command in lower case; text is quoted or begins
 * differently.
 */
const CALL = /\bskillctl run ([a-z\d-]+) ([a-z][a-z\d]*(?:-[a-z\d]+)*)(?!\S)/g;

/** Reports command lines of the skill, in code of its SKILL.md, that name none of its commands. */
function lostCommands(text: string, { name, commands = {} }: Partial<SkillManifest>) {
  const known = Object.keys(commands);
  let isFenced = false;
  return text.split("\n").flatMap((line, index) => {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    const code = isFenced ? [line] : [...line.matchAll(/`([^`]*)`/g)].map(([, span = ""]) => span);
    const calls = code.flatMap((span) => [...span.matchAll(CALL)]);
    return calls
      .filter(([, skill, word = ""]) => skill === name && !known.includes(word))
      .map(([, , word = ""]) => {
        const guess = nearest(word, known);
        const others = known.length > 0 ? `; its commands: ${known.join(", ")}. Put text in quotes.` : ".";
        const sentence = `The skill has no command "${word}"${guess ? `; did you mean ${guess}?` : others}`;
        return { code: "UNKNOWN_COMMAND", severity: "warning" as const, line: index + 1, sentence };
      });
  });
}

const ONE_DECISION =
  'must have "on", "decision" and "message"; or "on" and "handler": true, without "decision"; or "enforced": false and "why"';

/**
 * Validates a manifest and returns its valid parts, so that one invalid entry hides no fault in another.
 */
function soundManifest(
  value: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
  compile: Compiler,
  report: FaultReporter,
): Partial<SkillManifest> {
  const compiled = compile(schema);
  if ("faults" in compiled)
    throw new Error(`schemas/core/skill-manifest.json cannot be compiled: ${compiled.faults[0]?.sentence}`);
  const faults = compiled.check(value, "The manifest");
  for (const { pointer, keyword, sentence } of faults) {
    report(pointer, keyword === "oneOf" ? `${pointer} ${ONE_DECISION}.` : sentence);
  }
  const wrong = faults.map(({ pointer }) => pointer);
  const isSound = (pointer: string): boolean =>
    !wrong.some((one) => one === pointer || one.startsWith(`${pointer}/`));
  const sound = Object.entries(value).flatMap(([key, part]): [string, unknown][] => {
    const pointer = pointerOf(key);
    if (isSound(pointer)) return [[key, part]];
    if (!isObject(part) || wrong.includes(pointer)) return [];
    const kept = Object.entries(part).filter(([name]) => isSound(pointer + pointerOf(name)));
    return [[key, Object.fromEntries(kept)]];
  });
  return Object.fromEntries(sound);
}
