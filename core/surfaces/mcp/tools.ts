import type { Tool } from "@modelcontextprotocol/server";
import type { Catalog, CommandEntry } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import type { Command } from "../../contract.ts";
import { SkillError } from "../../errors/skill-error.ts";
import { changedSchema } from "../../schema/references.ts";
import type { JsonSchema } from "../../schema/schemas.ts";

/** The names of tools (MCP 2025-11-25, server/tools, Tool Names). */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * The commands that the surface offers, as tools, in the order of the manifests. Names of skills and commands have no underscore,
 * so that the name of a tool identifies one command.
 */
export class Tools {
  readonly #host: Host;
  readonly #entries: ReadonlyMap<string, CommandEntry>;
  #listed: Promise<readonly Tool[]> | undefined;

  constructor(host: Host, catalog: Catalog) {
    this.#host = host;
    const entries = catalog.commands("mcp").map((entry) => [`${entry.skill}_${entry.name}`, entry] as const);
    for (const [name] of entries) {
      if (!NAME.test(name)) host.ports.log.notice(`${name} is not a tool: its name is over 128 characters.`);
    }
    this.#entries = new Map(entries.filter(([name]) => NAME.test(name)));
  }

  names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  find(name: string): CommandEntry | undefined {
    return this.#entries.get(name);
  }

  /** Loads no code of a skill. A tool whose schema cannot be read is left out and noted; the next request tries it again. */
  list(): Promise<readonly Tool[]> {
    return (this.#listed ??= this.#read());
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

  async #tool(
    name: string,
    { skill, name: command, command: { summary, input, output, effects } }: CommandEntry,
  ) {
    const { schemas } = this.#host;
    const [inputSchema, outputSchema] = await Promise.all([
      schemas.document(input),
      schemas.document(output),
    ]);
    // One such tool would make a client of 2025 refuse the whole list.
    if (inputSchema["type"] !== "object")
      throw new SkillError("SCHEMA_INVALID", `${input} does not say \`"type": "object"\` at its root.`);
    return {
      name,
      title: `${skill} ${command}`,
      description: summary,
      inputSchema: terse(inputSchema) as Tool["inputSchema"],
      outputSchema: outline(outputSchema) as NonNullable<Tool["outputSchema"]>,
      annotations: annotationsOf(effects),
    };
  }
}

/** A command without `effects` may have any effect. */
function annotationsOf(effects: Command["effects"]): NonNullable<Tool["annotations"]> {
  const { readOnly = false, destructive, idempotent = false, openWorld } = effects ?? {};
  return {
    readOnlyHint: readOnly,
    destructiveHint: destructive ?? effects === undefined,
    idempotentHint: idempotent,
    openWorldHint: openWorld ?? effects === undefined,
  };
}

/**
 * Keywords that are left out of the list of tools, which a model reads each time: those for readers of the file, and the bounds
 * of texts and lists, which a call is held to all the same.
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
]);

function terse(schema: JsonSchema): unknown {
  return changedSchema(schema, (part) =>
    Object.fromEntries(Object.entries(part).filter(([keyword]) => !LEFT_OUT.has(keyword))),
  );
}

/** The properties of an output and their types. The model sees the rest in the result. */
function outline({ type, required, properties = {} }: JsonSchema): JsonSchema {
  const names = Object.entries(properties as Readonly<Record<string, JsonSchema>>);
  const types = names.map(([name, property]) => [
    name,
    property["type"] === undefined ? {} : { type: property["type"] },
  ]);
  return {
    ...(type !== undefined && { type }),
    ...(required !== undefined && { required }),
    ...(names.length > 0 && { properties: Object.fromEntries(types) as JsonSchema }),
  };
}
