import { join } from "node:path";
import type { Command, SkillManifest } from "../contract.ts";
import { OWN_PORTS } from "../conflicts.ts";
import { CODES } from "../errors/codes.ts";
import { nearest } from "../nearest.ts";
import { quotedName } from "../quoted-name.ts";
import type { Files } from "../ports/files.ts";
import { isObject } from "../schema/json.ts";
import type { JsonSchema } from "../schema/schemas.ts";
import type { Compiler } from "./compiler.ts";
import { pointerOf } from "../schema/fault.ts";
import { type FaultReporter, readText } from "./json-file.ts";
import { lostReferences } from "./schema-rules.ts";
import type { SchemaFiles } from "./schema-files.ts";

type ValidPart = Partial<SkillManifest>;

/**
 * Checks every name in a manifest against its target: schemas, properties, codes. `whole` includes the invalid parts.
 */
export async function checkNames(
  manifest: ValidPart,
  whole: Readonly<Record<string, unknown>>,
  schemas: SchemaFiles,
  report: FaultReporter,
): Promise<void> {
  const document = async (name: string | undefined, pointer: string): Promise<JsonSchema | undefined> => {
    if (name === undefined) return undefined;
    const found = await schemas.document(name);
    if ("document" in found) return found.document;
    report(pointer, found.sentence, "SCHEMA_INVALID");
    return undefined;
  };
  const declared = Object.keys(Object(whole["errors"]));
  const known = Object.keys(Object(whole["commands"]));
  await document(manifest.config, "/config");
  for (const [name, command] of Object.entries(manifest.commands ?? {})) {
    const at = pointerOf("commands", name);
    const input = await document(command.input, `${at}/input`);
    const output = await document(command.output, `${at}/output`);
    checkPositional(command.positional ?? [], input, `${at}/positional`, command.input, report);
    if (input && ![input["type"]].flat().includes("object"))
      report(
        `${at}/input`,
        `${command.input} does not have "type": "object": such an input cannot be given on a command line, and MCP leaves the command out.`,
        undefined,
        "warning",
      );
    const { http = [], mcp = [] } = command.withheld ?? {};
    const needed = [input?.["required"] ?? []].flat().map(String);
    if (command.mcp?.as === "resource")
      checkAddress(
        command.mcp.uri ?? `${manifest.name}://${name}`,
        command.input,
        input,
        needed,
        `${at}/mcp/uri`,
        report,
      );
    const named = { paths: command.paths ?? [], "mcp/rare": command.mcp?.rare ?? [] };
    for (const [place, properties] of Object.entries({
      ...named,
      "withheld/http": http,
      "withheld/mcp": mcp,
    }))
      properties.forEach((property, index) => {
        const where = `${at}/${place}/${index}`;
        const found = checkProperty(property, input, where, command.input, report);
        if (place === "paths" && isOther(found, "string", "array"))
          report(where, `${quotedName(property)} cannot be a path: paths names strings or lists of strings.`);
        if (place === "mcp/rare" && needed.includes(property))
          report(
            where,
            `${quotedName(property)} is required by ${command.input}, so the list of tools must describe it: remove it from rare.`,
            undefined,
            "warning",
          );
        const [, surface] = /^withheld\/(.*)$/.exec(place) ?? [];
        if (surface !== undefined && needed.includes(property) && isOffered(command, surface))
          report(
            where,
            `${quotedName(property)} is required by ${command.input}, so no call over ${surface} can succeed: make it optional, or leave ${surface} out of surfaces.`,
          );
      });
    const { display, errors = [], exitStatus = {} } = command;
    const displayed =
      display === undefined
        ? undefined
        : checkProperty(display, output, `${at}/display`, command.output, report);
    if (isOther(displayed, "string", "array"))
      report(
        `${at}/display`,
        `${quotedName(display ?? "")} is not a string, so the whole output is shown as JSON.`,
        undefined,
        "warning",
      );
    checkCodes(declared, errors, `${at}/errors`, report);
    const statuses = Object.keys(exitStatus).filter((code) => code !== "other");
    checkCodes(declared, statuses, `${at}/exitStatus`, report);
    for (const code of statuses.filter((one) => declared.includes(one) && !errors.includes(one)))
      report(
        `${at}/exitStatus/${code}`,
        `${code} has an exit status, but is not in the errors of this command: add it there, or remove the status.`,
        undefined,
        "warning",
      );
  }
  for (const [name, route] of Object.entries(manifest.routes ?? {})) {
    const at = pointerOf("routes", name);
    await document(route.query, `${at}/query`);
    await document(route.body, `${at}/body`);
    if (route.method === "GET" && route.body !== undefined)
      report(
        `${at}/body`,
        "A request with GET has no body: name the schema as query, or set method to POST.",
      );
    checkCodes(declared, route.errors ?? [], `${at}/errors`, report);
    for (const [status, reply] of Object.entries(route.replies))
      await document(reply, `${at}/replies/${status}`);
  }
  for (const port of Object.keys(manifest.requires ?? {}))
    if (OWN_PORTS.test(port))
      report(
        `/requires/${port}`,
        `${port} is a port of skillctl itself, which needs no entry here: inject ${port.toUpperCase()} from "skillctl".`,
        undefined,
        "warning",
      );
  checkAgents(manifest, known, report);
  // If `commands` is not an object, that is already reported.
  if (isObject(whole["commands"] ?? {})) checkSequences(manifest, known, declared, report);
  checkOnce(manifest, report);
}

/** Checks that the commands and error codes of sequences exist. */
function checkSequences(
  { sequences = {} }: ValidPart,
  known: readonly string[],
  declared: readonly string[],
  report: FaultReporter,
): void {
  for (const [name, steps] of Object.entries(sequences))
    steps.forEach(({ command, error }, index) => {
      const at = pointerOf("sequences", name, index);
      if (!known.includes(command)) report(`${at}/command`, noCommand(command, known));
      checkCodes(declared, error === undefined ? [] : [error], `${at}/error`, report);
    });
}

function noCommand(called: string, known: readonly string[]): string {
  const guess = nearest(called, known);
  return `The skill has no command "${called}"${guess ? `; did you mean ${guess}?` : "."}`;
}

/** Checks that the commands of subagents are tools of MCP. */
function checkAgents(
  { agents = {}, commands = {} }: ValidPart,
  known: readonly string[],
  report: FaultReporter,
): void {
  for (const [name, agent] of Object.entries(agents))
    agent.commands.forEach((called, index) => {
      const at = pointerOf("agents", name, "commands", index);
      const command = Object.hasOwn(commands, called) ? commands[called] : undefined;
      if (!known.includes(called)) report(at, noCommand(called, known));
      else if (command && !isTool(command))
        report(at, `${called} is not a tool of MCP, so no subagent can call it.`);
    });
}

function isTool(command: Command): boolean {
  return isOffered(command, "mcp") && (command.mcp?.as ?? "tool") === "tool";
}

/** Whether http or mcp offers a command. */
function isOffered({ surfaces, keepsRunning }: Command, surface: string): boolean {
  return surfaces?.some((one) => one === surface) ?? !keepsRunning;
}

/** Keywords that may state properties besides `properties`. */
const OPENING = ["$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "patternProperties"];

/** Checks the variables in the address of a resource (RFC 6570), which are its whole input. */
function checkAddress(
  uri: string,
  schemaName: string,
  schema: JsonSchema | undefined,
  needed: readonly string[],
  pointer: string,
  report: FaultReporter,
): void {
  const variables = [...uri.matchAll(/\{[+#./;?&]?([^{}]*)\}/g)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.replace(/(?:\*|:\d+)$/, "")),
  );
  // Another keyword may state further properties.
  const isClosed = schema?.["additionalProperties"] === false && !OPENING.some((key) => key in schema);
  const unknown = isClosed
    ? variables.filter((name) => !checkProperty(name, schema, pointer, schemaName, report))
    : [];
  const missing = needed.filter((name) => !variables.includes(name));
  if (missing.length === 0 || unknown.length > 0) return;
  const [plain = ""] = uri.split(/\{[?&]/, 1);
  const example = missing.reduce((address, name) => `${address}/{${name}}`, plain);
  report(
    pointer,
    `The address ${quotedName(uri)} lacks ${missing.map(quotedName).join(", ")}, which ${schemaName} requires: set uri to ${quotedName(example)}, for example.`,
  );
}

/** Checks that there is at most one default command, one route for each address, and no error code of the core. */
function checkOnce(
  { name: skill, commands = {}, routes = {}, errors = {} }: ValidPart,
  report: FaultReporter,
): void {
  const offers = new Map<string, string>();
  for (const [name, command] of Object.entries(commands)) {
    if (!isOffered(command, "mcp")) continue;
    const { as = "tool", name: offer = `${skill}_${name}` } = command.mcp ?? {};
    const owner = offers.get(`${as} ${offer}`);
    if (owner === undefined) offers.set(`${as} ${offer}`, name);
    else
      report(
        `${pointerOf("commands", name)}/mcp/name`,
        `${offer} is already the name of the ${as} of the command ${owner}: choose another.`,
      );
  }
  const [first, ...more] = Object.keys(commands).filter((name) => commands[name]?.default);
  for (const name of more)
    report(
      `${pointerOf("commands", name)}/default`,
      `${first} is already the default command; a skill has at most one.`,
    );
  const addresses = new Map<string, string>();
  for (const [name, { method, path }] of Object.entries(routes)) {
    const address = `${method} ${path}`;
    const owner = addresses.get(address);
    if (owner === undefined) addresses.set(address, name);
    else
      report(`${pointerOf("routes", name)}/path`, `${address} is already the address of the route ${owner}.`);
  }
  for (const code of Object.keys(errors)) {
    if (Object.hasOwn(CODES, code))
      report(
        pointerOf("errors", code),
        `${code} is a code of skillctl itself; put the skill's name before it.`,
      );
  }
}

function checkPositional(
  names: readonly string[],
  schema: JsonSchema | undefined,
  pointer: string,
  schemaName: string,
  report: FaultReporter,
): void {
  names.forEach((name, index) => {
    const property = checkProperty(name, schema, `${pointer}/${index}`, schemaName, report);
    if (property?.["type"] === "array" && index < names.length - 1) {
      report(`${pointer}/${index}`, `${name} takes a list of words, so it must be the last positional.`);
    }
  });
}

/** The property of that name, or undefined with a fault. */
function checkProperty(
  name: string,
  schema: JsonSchema | undefined,
  pointer: string,
  schemaName: string,
  report: FaultReporter,
): JsonSchema | undefined {
  if (schema === undefined) return undefined;
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (isObject(property)) return property;
  const guess = nearest(name, Object.keys(properties));
  const known = Object.keys(properties).join(", ") || "none";
  report(
    pointer,
    `${schemaName} has no property "${name}"; ${guess ? `did you mean ${guess}?` : `it has: ${known}.`}`,
  );
  return undefined;
}

/** Whether a property has a type, and none of the wanted ones. */
function isOther(property: JsonSchema | undefined, ...wanted: readonly string[]): boolean {
  const type = property?.["type"];
  return type !== undefined && !wanted.some((one) => [type].flat().includes(one));
}

function checkCodes(
  declared: readonly string[],
  codes: readonly string[],
  pointer: string,
  report: FaultReporter,
): void {
  const known = [...declared, ...Object.keys(CODES)];
  codes.forEach((code, index) => {
    if (known.includes(code)) return;
    const guess = nearest(code, known);
    const [, kind] = /\/(exitStatus|errors)$/.exec(pointer) ?? [];
    const place = kind === undefined ? "" : pointerOf(kind === "errors" ? index : code);
    report(
      pointer + place,
      `${code} is neither a code of skillctl nor in the errors of this manifest${guess ? `; did you mean ${guess}?` : "."}`,
    );
  });
}

const PLACEHOLDER = /\{([A-Z][A-Z0-9_]*)\}/g;

/** Checks prompts, subagents and texts against their placeholders, in both directions, and that their files exist. */
export async function checkTexts(
  manifest: ValidPart,
  folder: string,
  files: Files,
  report: FaultReporter,
): Promise<void> {
  const { prompts = {}, agents = {} } = manifest;
  const named = Object.entries({ prompts, agents }).flatMap(([part, all]) =>
    Object.entries(all).map(([name, prompt]) => [pointerOf(part, name), prompt] as const),
  );
  for (const [at, prompt] of named) {
    const text = await readText(
      files,
      join(folder, prompt.file),
      `There is no file ${prompt.file}.`,
      (_, sentence, code) => report(`${at}/file`, sentence, code),
    );
    if (text !== undefined) checkPlaceholders(text, prompt.placeholders ?? [], at, prompt.file, report);
  }
  for (const [name, text] of Object.entries(manifest.texts ?? {})) {
    checkPlaceholders(text.text, text.placeholders ?? [], pointerOf("texts", name), "The text", report);
  }
}

function checkPlaceholders(
  text: string,
  declared: readonly string[],
  at: string,
  where: string,
  report: FaultReporter,
): void {
  const used = new Set([...text.matchAll(PLACEHOLDER)].map(([, name]) => name as string));
  declared.forEach((name, index) => {
    if (!used.has(name)) report(`${at}/placeholders/${index}`, `${where} does not contain {${name}}.`);
  });
  for (const name of used) {
    if (declared.includes(name) && text.includes(`{{${name}}}`))
      report(
        `${at}/placeholders`,
        `${where} contains {{${name}}}; one pair of braces stays in the result: write {${name}}.`,
        undefined,
        "warning",
      );
    if (!declared.includes(name))
      report(`${at}/placeholders`, `${where} has the placeholder {${name}}, which is not in placeholders.`);
  }
}

/** Compiles the predicate of every rule as a schema. */
export function checkPredicates({ rules = {} }: ValidPart, compile: Compiler, report: FaultReporter): void {
  for (const [name, rule] of Object.entries(rules)) {
    if (rule.when === undefined) continue;
    const at = `${pointerOf("rules", name)}/when`;
    const when: JsonSchema = { ...rule.when };
    const lost = lostReferences(when);
    for (const { pointer, sentence } of lost) report(at + pointer, sentence, "SCHEMA_INVALID");
    if (lost.length > 0) continue;
    const compiled = compile(when);
    const faults = "faults" in compiled ? compiled.faults : [];
    for (const { pointer, sentence } of faults) report(at + pointer, sentence, "SCHEMA_INVALID");
  }
}
