import type { Tool } from "@modelcontextprotocol/server";
import type { Catalog, CommandEntry } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import type { Command } from "../../contract.ts";
import { traceOf } from "../../errors/causes.ts";
import { SkillError } from "../../errors/skill-error.ts";
import { offeredInput } from "../../offered-input.ts";
import { changedSchema } from "../../schema/references.ts";
import { isObject } from "../../schema/json.ts";
import type { JsonSchema } from "../../schema/schemas.ts";

/** The names of tools (MCP 2025-11-25, server/tools, Tool Names). */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** The kinds of MCP features under which a command is offered. */
export type OfferKind = NonNullable<NonNullable<Command["mcp"]>["as"]>;

/**
 * The commands that all given surfaces offer, in the order of the manifests: as tools, and as prompts and resources if their manifest
 * says so. Names of skills and commands have no underscore, so that the name of a tool identifies one command.
 */
export class Tools {
  readonly #host: Host;
  readonly #over: "mcp" | "http";
  readonly #entries: ReadonlyMap<string, CommandEntry>;
  readonly #others: ReadonlyMap<string, CommandEntry>;
  #listed: Promise<readonly Tool[]> | undefined;

  constructor(host: Host, catalog: Catalog, over: "mcp" | "http") {
    this.#host = host;
    this.#over = over;
    const offered = new Set(catalog.commands(over).map(({ skill, name }) => `${skill} ${name}`));
    const entries = new Map<string, CommandEntry>();
    const others = new Map<string, CommandEntry>();
    for (const entry of catalog.commands("mcp")) {
      if (!offered.has(`${entry.skill} ${entry.name}`)) continue;
      const name = toolName(entry);
      const kind = kindOf(entry);
      const key = kind === "tool" ? name : `${kind} ${name}`;
      const all = kind === "tool" ? entries : others;
      const owner = all.get(key);
      if (!NAME.test(name))
        host.ports.log.notice(`${name} is not a ${kind}: its name is over 128 characters.`);
      else if (owner)
        host.ports.log.notice(
          `${entry.skill} ${entry.name} is left out: its name ${name} is that of ${owner.skill} ${owner.name}.`,
        );
      else all.set(key, entry);
    }
    this.#entries = entries;
    this.#others = others;
  }

  /** The commands that are offered as prompts, or as resources, by name. */
  offered(kind: Exclude<OfferKind, "tool">): readonly (readonly [name: string, entry: CommandEntry])[] {
    return [...this.#others.values()]
      .filter((entry) => kindOf(entry) === kind)
      .map((entry) => [toolName(entry), entry]);
  }

  names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  find(name: string): CommandEntry | undefined {
    return this.#entries.get(name);
  }

  /** The input schema of a command for these surfaces. @throws SkillError `SCHEMA_INVALID` */
  input({ command }: CommandEntry): Promise<JsonSchema> {
    return offeredInput(this.#host.schemas, command, this.#over);
  }

  /**
   * Loads code only for skills with a varying input. A tool whose schema cannot be read is omitted and noted; the next
   * request tries again.
   */
  async all(): Promise<readonly Tool[]> {
    const tools = await (this.#listed ??= this.#read());
    return Promise.all(tools.map((tool) => this.#current(tool)));
  }

  /**
   * The same with fewer characters, since a model reads the list with each request. A property of several tools of a
   * skill is described only in the first of them.
   */
  async list(): Promise<readonly Tool[]> {
    const told = new Set<string>();
    return (await this.all()).map((tool) => {
      const { properties = {} } = tool.inputSchema;
      const { skill = "", command } = this.#entries.get(tool.name) ?? {};
      const rare = command?.mcp?.rare ?? [];
      const short = brief(
        tool,
        rare.filter((property) => property in properties),
      );
      const { properties: own = {} } = short.inputSchema;
      const once = Object.entries(own).map(([name, property]) => {
        const key = JSON.stringify([skill, name, property]);
        const isTold = told.has(key);
        told.add(key);
        return [name, isTold && isObject(property) ? withoutDescription(property) : property];
      });
      return {
        ...short,
        inputSchema: { ...short.inputSchema, properties: Object.fromEntries(once) as typeof own },
      };
    });
  }

  /** A tool without the values that have no data at present; unchanged if its skill cannot tell. */
  async #current(tool: Tool): Promise<Tool> {
    const entry = this.#entries.get(tool.name);
    if (entry?.command.inputVaries !== true) return tool;
    try {
      const handler = await this.#host.activator.command(entry.skill, entry.name);
      const absent = new Set<unknown>(await handler.absent?.());
      return { ...tool, inputSchema: without(tool.inputSchema, absent) as Tool["inputSchema"] };
    } catch (caught) {
      const { log } = this.#host.ports;
      const reason = caught instanceof SkillError ? caught.message : "its skill failed.";
      log.notice(`The tool ${tool.name} is listed with all its values: ${reason}`);
      for (const line of traceOf(caught)) log.detail(`${tool.name}: ${line}`);
      return tool;
    }
  }

  /** One tool with its whole schema. */
  async whole(name: string): Promise<Tool | undefined> {
    return (await this.all()).find((tool) => tool.name === name);
  }

  async #read(): Promise<readonly Tool[]> {
    const tools: Tool[] = [];
    for (const [name, entry] of this.#entries) {
      try {
        tools.push(await this.#tool(name, entry));
      } catch (caught) {
        if (!(caught instanceof SkillError)) throw caught;
        this.#listed = undefined;
        this.#host.ports.log.notice(`The tool ${name} is left out: ${caught.message}`);
      }
    }
    return tools;
  }

  async #tool(name: string, entry: CommandEntry) {
    const { summary, input, output, effects, display } = entry.command;
    const [inputSchema, outputSchema] = await Promise.all([
      this.input(entry),
      this.#host.schemas.document(output),
    ]);
    // One tool without it would make a client of 2025 refuse the whole list.
    if (inputSchema["type"] !== "object")
      throw new SkillError("SCHEMA_INVALID", `${input} has no \`"type": "object"\` at its root.`);
    return {
      name,
      description: summary,
      inputSchema: terse(inputSchema) as Tool["inputSchema"],
      ...(!isContent(display, outputSchema) && {
        outputSchema: outline(outputSchema) as NonNullable<Tool["outputSchema"]>,
      }),
      annotations: annotationsOf(effects),
    };
  }
}

/** The name of a command as a tool, prompt or resource. */
export function toolName({ skill, name, command }: CommandEntry): string {
  return command.mcp?.name ?? `${skill}_${name}`;
}

function kindOf({ command: { mcp } }: CommandEntry): OfferKind {
  return mcp?.as ?? "tool";
}

/** Whether the displayed property is a list: its items are content blocks of MCP, and there is no structured result. */
export function isContent(display: string | undefined, { properties = {} }: JsonSchema): boolean {
  const shown = display === undefined ? undefined : (properties as Record<string, JsonSchema>)[display];
  return shown?.["type"] === "array";
}

/**
 * The effects that differ from those that a client assumes (MCP 2025-11-25, schema, ToolAnnotations). A command without
 * `effects` may have any effect, which is the assumption of clients.
 */
function annotationsOf(effects: Command["effects"]): NonNullable<Tool["annotations"]> {
  if (!effects) return {};
  const { readOnly, destructive, idempotent, openWorld } = effects;
  return {
    // The next two are meaningful only for tools that write.
    ...(readOnly === true
      ? { readOnlyHint: true }
      : {
          ...(destructive !== true && { destructiveHint: false }),
          ...(idempotent === true && { idempotentHint: true }),
        }),
    ...(openWorld !== true && { openWorldHint: false }),
  };
}

/**
 * Keywords that are omitted from the list of tools, which a model reads each time: those for readers of the file, and
 * the bounds and patterns of texts and lists, which are still enforced for a call. The description of the input is
 * omitted since the tool has it, those of plain items since their list has it, and those of the properties of an item
 * that the root describes under the same name.
 */
const LEFT_OUT = new Set([
  "$schema",
  "$id",
  "title",
  "examples",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "pattern",
]);

function terse(schema: JsonSchema): unknown {
  const { properties: own = {}, description: _, ...rest } = schema;
  return changedSchema({ ...rest, properties: own }, (part) => {
    const kept = Object.entries(part).filter(([keyword]) => !LEFT_OUT.has(keyword));
    return Object.fromEntries(
      kept.map(([keyword, value]) => [
        keyword,
        keyword === "items" ? plainItems(value, own as object) : value,
      ]),
    );
  });
}

function plainItems(items: unknown, own: object): unknown {
  if (!isObject(items)) return items;
  if (!isObject(items["properties"])) return withoutDescription(items);
  const properties = Object.entries(items["properties"]).map(([name, property]) => {
    return [name, name in own && isObject(property) ? withoutDescription(property) : property];
  });
  return { ...items, properties: Object.fromEntries(properties) as unknown };
}

function withoutDescription(schema: JsonSchema): JsonSchema {
  const { description: _, ...rest } = schema;
  return rest;
}

/** Further keywords that the list omits; a call is validated against all of them. */
const BOUNDS = new Set(["additionalProperties", "uniqueItems", "minimum", "maximum"]);

/**
 * A tool for the list: rare properties are named in its description, a description is its first sentence, a value that
 * is a text or an object is described as the text, and of an output that is not an object only the type is given.
 */
function brief(
  { description, inputSchema, outputSchema, annotations = {}, ...tool }: Tool,
  rare: readonly string[],
): Tool {
  const { properties = {}, ...rest } = inputSchema;
  const common = Object.entries(properties).filter(([key]) => !rare.includes(key));
  const short = changedSchema({ ...rest, properties: Object.fromEntries(common) }, (part) => {
    const told = asText(part);
    const kept = Object.entries(told).filter(([keyword]) => !BOUNDS.has(keyword));
    return Object.fromEntries(
      kept.map(([keyword, value]) => [
        keyword,
        keyword === "description" && typeof value === "string" ? firstSentence(value) : value,
      ]),
    );
  });
  return {
    ...tool,
    description: rare.length === 0 ? description : `${description} Also: ${rare.join(", ")}.`,
    inputSchema: withoutUnused(short as Tool["inputSchema"]),
    // Clients assume an object.
    ...(outputSchema &&
      outputSchema["type"] !== "object" && { outputSchema: { type: outputSchema["type"] } }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}

/** A schema for a text or an object, without the object. */
function asText(schema: JsonSchema): JsonSchema {
  const { type, properties: _, required: __, anyOf = [], ...rest } = schema;
  const takesText = (types: unknown): boolean => [types].flat().includes("string");
  if (Array.isArray(type) && takesText(type) && "properties" in schema) return { type: "string", ...rest };
  const isText = (anyOf as readonly unknown[]).some((one) => isObject(one) && takesText(one["type"]));
  return isText ? { type: "string", ...rest } : schema;
}

function withoutUnused(schema: Tool["inputSchema"]): Tool["inputSchema"] {
  const { $defs, ...rest } = schema;
  if (!isObject($defs)) return schema;
  const text = JSON.stringify(schema);
  const used = Object.entries($defs).filter(([name]) => text.includes(`"#/$defs/${name}"`));
  if (used.length === Object.keys($defs).length) return schema;
  return withoutUnused({ ...rest, ...(used.length > 0 && { $defs: Object.fromEntries(used) }) });
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.) (?=[A-Z`0-9])/, 1)[0] ?? text;
}

/** The schema with shorter enums. An enum that would be empty stays. */
function without(schema: unknown, absent: ReadonlySet<unknown>): unknown {
  return changedSchema(schema, (part) => {
    const all = part["enum"];
    const left = Array.isArray(all) ? all.filter((value) => !absent.has(value)) : [];
    return left.length === 0 ? part : { ...part, enum: left };
  });
}

/** The properties of an output and their types. The model sees the rest in the result. */
function outline({ type, properties = {} }: JsonSchema): JsonSchema {
  const names = Object.entries(properties as Readonly<Record<string, JsonSchema>>);
  const types = names.map(([name, property]) => [
    name,
    property["type"] === undefined ? {} : { type: property["type"] },
  ]);
  return {
    ...(type !== undefined && { type }),
    ...(names.length > 0 && { properties: Object.fromEntries(types) as JsonSchema }),
  };
}
