import type { SkillManifest } from "../../contract.ts";
import { isObject } from "../../schema/json.ts";
import { referred, withPointers } from "../../schema/references.ts";
import type { JsonSchema } from "../../schema/schemas.ts";
import { defaultsIn } from "../../settings.ts";

/** The contract file of a third-party skill, and its first line. */
export const CONTRACT_FILE = "contract.d.ts";
export const CONTRACT_BANNER =
  "// Written by `skillctl types` from skill.json and its schemas. Not edited by hand.\n";

type Contributions = Pick<SkillManifest, "name" | "commands" | "routes" | "rules" | "config">;

/**
 * The contract of a manifest and its schemas as TypeScript: a type for each schema of the skill that the manifest names, and
 * `Contract`, which types the handlers of `definePlugin`. `document` returns a schema by name. `fillsInputs`: the host fills in
 * the defaults of inputs, as it always does for settings, so the properties are always present.
 */
export async function contractFile(
  { name: skill, commands = {}, routes = {}, rules = {}, config }: Contributions,
  document: (name: string) => Promise<JsonSchema>,
  fillsInputs = true,
): Promise<string> {
  const inputs = Object.values(commands).map(({ input }) => input);
  const others = [
    ...Object.values(commands).map(({ output }) => output),
    ...Object.values(routes).flatMap(({ query, body, replies }) => [query, body, ...Object.values(replies)]),
  ];
  const named = [config, ...inputs, ...others];
  const filled = [config, ...(fillsInputs ? inputs : [])].filter((name) => !others.includes(name));
  const isOwn = (name: string | undefined): name is string => name?.startsWith(`${skill}/`) === true;
  const types = new TypeFile();
  for (const name of [...new Set(named.filter(isOwn))].sort()) {
    const schema = await document(name);
    types.add(name, filled.includes(name) ? withDefaults(schema) : schema);
  }
  const type = (name: string | undefined): string =>
    name === undefined ? "undefined" : isOwn(name) ? typeName(name) : "unknown";
  const isRaw = Object.values(routes).some(({ raw }) => raw);
  const handled = Object.entries(rules).flatMap(([name, { handler }]) =>
    handler ? [JSON.stringify(name)] : [],
  );
  return [
    ...(isRaw ? ['import type { RawBody } from "skillctl";\n'] : []),
    types.text(),
    "/** The contract of the manifest; definePlugin checks the handlers against it. */",
    "export interface Contract {",
    "  commands: {",
    ...Object.entries(commands).map(
      ([name, { input, output }]) => `    "${name}": { input: ${type(input)}; output: ${type(output)} };`,
    ),
    "  };",
    "  routes: {",
    ...Object.entries(routes).map(
      ([name, { query, body, raw }]) =>
        `    "${name}": { query: ${type(query)}; body: ${raw ? "RawBody" : type(body)} };`,
    ),
    "  };",
    `  rules: ${handled.join(" | ") || "never"};`,
    "}\n",
  ].join("\n");
}

/** The schema of a value with the defaults of its top-level properties filled in. */
function withDefaults(schema: JsonSchema): JsonSchema {
  const required = [...((schema["required"] ?? []) as readonly string[]), ...Object.keys(defaultsIn(schema))];
  return { ...schema, required };
}

/** `music-analysis/ask-input` -> `AskInput`, `Own rule` -> `OwnRule`. */
function typeName(name: string): string {
  const words = name.slice(name.lastIndexOf("/") + 1).split(/\W+/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

const PLAIN: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

/** Schemas as TypeScript types. An object with a title, or in the definitions, becomes a named type. */
export class TypeFile {
  readonly #types = new Map<string, string>();

  /** Adds the type of a schema, by the name of its file. */
  add(name: string, given: JsonSchema): void {
    const schema = withPointers(given);
    this.#declare(typeName(name), schema, schema);
  }

  text(): string {
    return [...this.#types.values()].join("\n");
  }

  #declare(name: string, schema: JsonSchema, root: JsonSchema): void {
    this.#types.set(name, "");
    const { title: _, ...untitled } = schema;
    const type = this.#typeOf(schema === root ? schema : untitled, root, []);
    const declared = isOneObject(type) ? `interface ${name} ${type}` : `type ${name} = ${type};`;
    this.#types.set(name, `${comment(schema, "")}export ${declared}\n`);
  }

  #typeOf(schema: unknown, root: JsonSchema, followed: readonly string[]): string {
    if (!isObject(schema)) return schema === false ? "never" : "unknown";
    const { $ref: reference, type, properties, ...rest } = schema;
    if (typeof reference === "string") return this.#referred(reference, schema, root, followed);
    if ("const" in rest) return JSON.stringify(rest["const"]);
    if (Array.isArray(rest["enum"])) return union(rest["enum"].map((value) => JSON.stringify(value)));
    if (Array.isArray(type))
      return union(type.map((one) => this.#typeOf({ ...schema, type: one }, root, followed)));
    if (typeof type === "string" && Object.hasOwn(PLAIN, type)) return PLAIN[type] ?? "unknown";
    if (type === "array") {
      const item = this.#typeOf(rest["items"], root, followed);
      return `${/[|&]/.test(item) && !isOneObject(item) ? `(${item})` : item}[]`;
    }
    if (type === "object" || isObject(properties)) {
      const { title } = rest;
      if (typeof title !== "string" || schema === root) return this.#object(schema, root, followed);
      return this.#named(title, schema, root);
    }
    const branches = rest["anyOf"] ?? rest["oneOf"];
    if (Array.isArray(branches)) return union(branches.map((branch) => this.#typeOf(branch, root, followed)));
    const all = [rest["allOf"] ?? []].flat().map((part) => this.#typeOf(part, root, followed));
    return all.filter((part) => part !== "unknown").join(" & ") || "unknown";
  }

  #referred(reference: string, schema: JsonSchema, root: JsonSchema, followed: readonly string[]): string {
    const { $ref: _, ...own } = schema;
    const definition = referred(reference, root) as JsonSchema;
    const { type, title } = definition ?? {};
    if (type === "object" && reference !== "#")
      return this.#named(typeof title === "string" ? title : reference, definition, root);
    // A schema may refer to itself.
    if (followed.includes(reference)) return "unknown";
    return this.#typeOf({ ...definition, ...own }, root, [...followed, reference]);
  }

  #named(title: string, schema: JsonSchema, root: JsonSchema): string {
    const name = typeName(title);
    if (!this.#types.has(name)) this.#declare(name, schema, root);
    return name;
  }

  #object(schema: JsonSchema, root: JsonSchema, followed: readonly string[]): string {
    const { properties = {}, patternProperties = {}, required = [], additionalProperties } = schema;
    const inner = (part: unknown): string => this.#typeOf(part, root, followed).replaceAll("\n", "\n  ");
    const lines = Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, part]) => {
      const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
      const optional = (required as readonly string[]).includes(name) ? "" : "?";
      return `${comment(part, "  ")}  ${key}${optional}: ${inner(part)};\n`;
    });
    const [further = additionalProperties] = Object.values(patternProperties as JsonSchema);
    if (further !== undefined && further !== false)
      lines.push(`  [name: string]: ${lines.length > 0 ? "unknown" : inner(further)};\n`);
    return lines.length > 0 ? `{\n${lines.join("")}}` : "{ [name: string]: unknown }";
  }
}

function isOneObject(type: string): boolean {
  return type.startsWith("{") && type.indexOf("\n}") === type.length - 2;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

function comment(schema: unknown, indent: string): string {
  const text = isObject(schema) ? schema["description"] : undefined;
  return typeof text === "string" ? `${indent}/** ${text.replaceAll("*/", "*\\/")} */\n` : "";
}
