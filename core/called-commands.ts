import { surfacesOf, type CommandEntry } from "./catalog.ts";
import { SkillError } from "./errors/skill-error.ts";
import type { SurfaceName } from "./plugin.ts";
import { INSTRUCTIONS, isObject, jsonValue, kebab } from "./schema/json.ts";
import { resolved } from "./schema/references.ts";
import type { JsonSchema, Schemas } from "./schema/schemas.ts";

/** A surface whose callers type no command lines. */
export interface CallingSurface {
  readonly name: SurfaceName;
  /** All commands of the served skills, whether the surface offers them or not; none if it serves no commands. */
  readonly commands: readonly CommandEntry[];
  readonly schemas: Schemas;
  /** The call of a command in the terms of the surface; `input` is JSON, or "" for none. */
  readonly call: (entry: CommandEntry, input: string) => string;
}

/** A command or route of a skill. */
type Contribution = Pick<CommandEntry, "skill" | "name">;

/**
 * An error of a command or route in the terms of a surface: errors name command lines (`skillctl run SKILL COMMAND …`, also without
 * the first three words in backticks) and flags, and texts for callers name the calls and properties instead. A command that the
 * surface does not offer stays a command line. Anything but a SkillError is returned as it is.
 */
export async function inTermsOf(
  surface: CallingSurface,
  entry: Contribution,
  caught: unknown,
): Promise<unknown> {
  if (!(caught instanceof SkillError)) return caught;
  const { code, hint, cause, pointer, file, result, evaluation } = caught;
  const reword = await rewordingOf(surface, entry, `${caught.message} ${hint}`);
  const told = new SkillError(code, reword(caught.message), {
    hint: hint === undefined ? undefined : reword(hint),
    cause,
    result,
    evaluation,
    ...(pointer !== undefined && { pointer }),
    ...(file !== undefined && { file }),
  });
  if (caught.stack !== undefined) told.stack = caught.stack;
  return told;
}

/**
 * The output of a command or route in the terms of a surface. Its schema marks the texts that name command lines and flags with
 * `"format": "instructions"`; every other value stays byte for byte.
 */
export async function outputInTermsOf(
  surface: CallingSurface,
  entry: Contribution,
  schema: string,
  output: unknown,
): Promise<unknown> {
  if (surface.commands.length === 0) return output;
  const document = await surface.schemas.document(schema);
  const texts: string[] = [];
  withInstructions(output, document, document, (text) => {
    texts.push(text);
    return text;
  });
  if (texts.length === 0) return output;
  return withInstructions(output, document, document, await rewordingOf(surface, entry, texts.join(" ")));
}

/** A text of a skill in the terms of a surface. */
export async function textInTermsOf(surface: CallingSurface, skill: string, text: string): Promise<string> {
  return (await rewordingOf(surface, { skill, name: "" }, text))(text);
}

/** A value whose texts are reworded where its schema marks them, below references and branches too. */
export function withInstructions(
  value: unknown,
  schema: unknown,
  document: JsonSchema,
  reword: (text: string) => string,
): unknown {
  if (!isObject(schema)) return value;
  const { format, items, properties, additionalProperties, ...rest } = resolved(schema, document);
  const inner = (one: unknown, part: unknown): unknown => withInstructions(one, part, document, reword);
  let told = value;
  if (typeof value === "string" && format === INSTRUCTIONS) told = reword(value);
  else if (Array.isArray(value)) told = value.map((one) => inner(one, items));
  else if (isObject(value)) {
    const known = isObject(properties) ? properties : {};
    const members = Object.entries(value).map(
      ([name, one]) => [name, inner(one, known[name] ?? additionalProperties)] as const,
    );
    told = Object.fromEntries(members);
  }
  return BRANCHES.flatMap((keyword) => rest[keyword] ?? []).reduce(inner, told);
}

const BRANCHES = ["allOf", "anyOf", "oneOf", "then", "else"] as const;

/** Gives texts of a command in the terms of the surface. */
async function rewordingOf(
  surface: CallingSurface,
  { skill, name }: Contribution,
  texts: string,
): Promise<(text: string) => string> {
  const inputs = await inputsOf(surface, skill, name, texts);
  return (text) => reworded(text, inputs, skill, surface);
}

/** The properties of a command's input. */
interface CommandInput {
  readonly entry: CommandEntry;
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

/** The inputs that a text may speak of: of the command that failed, of all of its skill, and of all skills that it names. */
async function inputsOf(
  { commands, schemas }: CallingSurface,
  skill: string,
  name: string,
  text: string,
): Promise<readonly CommandInput[]> {
  if (!/skillctl run|--|`/.test(text)) return [];
  const all = commands
    .filter((entry) => entry.skill === skill || text.includes(` ${entry.skill}`))
    .toSorted((one, other) => rank(other) - rank(one));
  function rank(entry: CommandEntry): number {
    return Number(entry.skill === skill) + Number(entry.skill === skill && entry.name === name);
  }
  return Promise.all(
    all.map(async (entry) => {
      const { properties } = await schemas.document(entry.command.input);
      return { entry, properties: isObject(properties) ? (properties as CommandInput["properties"]) : {} };
    }),
  );
}

/** A span in backticks, a command line outside of them, and a flag. */
const MENTION = /`([^`]*)`|skillctl run (?:"[^"\n]*"|[^"\n;,.(]|[,.](?!\s|$))*|(?<![\w-])--[a-z][a-z-]*/gu;
const RUN = "skillctl run ";

function reworded(
  text: string,
  inputs: readonly CommandInput[],
  skill: string,
  surface: CallingSurface,
): string {
  return text.replaceAll(MENTION, (mention: string, quoted: string | undefined) => {
    if (quoted?.startsWith("--") === true) {
      const [flag = "", value] = quoted.slice(2).split(/[ =](.*)/su, 2);
      const name = propertyOf(flag, inputs);
      if (name === undefined) return mention;
      return value === undefined ? `\`${name}\`` : `\`"${name}": ${JSON.stringify(unquoted(value))}\``;
    }
    if (quoted !== undefined) {
      const line = quoted.startsWith(RUN) ? quoted.slice(RUN.length) : `${skill} ${quoted}`;
      const call = callOf(line, inputs, surface, !quoted.startsWith(RUN));
      return call === undefined ? mention : `\`${call}\``;
    }
    if (mention.startsWith("--")) return propertyOf(mention.slice(2), inputs) ?? mention;
    const line = mention.trimEnd();
    const call = callOf(line.slice(RUN.length), inputs, surface, false);
    return call === undefined ? mention : call + mention.slice(line.length);
  });
}

/** The property of a flag: that of the command that failed first. */
function propertyOf(flag: string, inputs: readonly CommandInput[]): string | undefined {
  for (const { properties } of inputs) {
    const name = Object.keys(properties).find((one) => kebab(one) === flag);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The call that a command line makes; undefined if it cannot be read as one, or the surface does not offer the command. */
function callOf(
  line: string,
  inputs: readonly CommandInput[],
  surface: CallingSurface,
  isNamed: boolean,
): string | undefined {
  const [skill, first, ...rest] = [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    unquoted(word),
  );
  const ofSkill = inputs.filter(({ entry }) => entry.skill === skill);
  const named = ofSkill.find(({ entry }) => entry.name === first);
  const input = named ?? (isNamed ? undefined : ofSkill.find(({ entry }) => entry.command.default));
  if (!input || !surfacesOf(input.entry.command).includes(surface.name)) return undefined;
  const words = named || first === undefined ? rest : [first, ...rest];
  const values = valuesOf(words, input);
  if (!values) return undefined;
  const isEmpty = Object.keys(values).length === 0;
  return surface.call(input.entry, isEmpty ? "" : JSON.stringify(values));
}

/** The words as an input; undefined if a flag is not a property of it. */
function valuesOf(
  words: readonly string[],
  { entry, properties }: CommandInput,
): Readonly<Record<string, unknown>> | undefined {
  const values: Record<string, unknown> = {};
  const put = (name: string, word: string): void => {
    const { type } = properties[name] ?? {};
    const value = typed(word, type);
    const before = values[name];
    values[name] =
      type === "array" ? [...(Array.isArray(before) ? (before as unknown[]) : []), value] : value;
  };
  const waiting = [...(entry.command.positional ?? [])];
  let isOver = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    if (word === "--" && !isOver) {
      isOver = true;
      continue;
    }
    if (isOver || !word.startsWith("--")) {
      const [next] = waiting;
      if (next === undefined) return undefined;
      put(next, word);
      if (properties[next]?.["type"] !== "array") waiting.shift();
      continue;
    }
    const [flag = "", given] = word.slice(2).split(/=(.*)/su, 2);
    const name = propertyOf(flag, [{ entry, properties }]);
    if (name === undefined && flag === "input") {
      const whole = objectIn(given ?? words[(at += 1)] ?? "");
      if (!whole) return undefined;
      Object.assign(values, whole);
      continue;
    }
    if (name === undefined) return undefined;
    if (properties[name]?.["type"] === "boolean") values[name] = given !== "false";
    else put(name, given ?? words[(at += 1)] ?? "");
  }
  return values;
}

/** A word of a command line without its quotes. */
function unquoted(word: string): string {
  return word.replaceAll(
    /"([^"]*)"|'([^']*)'/g,
    (_, double?: string, single?: string) => double ?? single ?? "",
  );
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = jsonValue(text);
  return isObject(value) ? value : undefined;
}

function typed(word: string, type: unknown): unknown {
  const isNumber = type === "integer" || type === "number";
  return isNumber && /^-?\d+(?:\.\d+)?$/.test(word) ? Number(word) : word;
}
