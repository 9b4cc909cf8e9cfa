import type { Tool } from "@modelcontextprotocol/server";
import type { CommandEntry } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import { SkillError } from "../../errors/skill-error.ts";

/** The names of tools (MCP 2025-11-25, server/tools, Tool Names). */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * The commands that the surface offers, as tools, in the order of the manifests. One that keeps running is a tool only
 * when its manifest says so by name. Neither skills nor commands have an underscore in their names, so that the name of a
 * tool names one command.
 */
export class Tools {
  readonly #host: Host;
  readonly #entries: ReadonlyMap<string, CommandEntry>;
  #listed: Promise<readonly Tool[]> | undefined;

  constructor(host: Host) {
    this.#host = host;
    const entries = host.catalog
      .commands("mcp")
      .filter(({ command }) => command.surfaces !== undefined || !command.keepsRunning)
      .map((entry) => [`${entry.skill}_${entry.name}`, entry] as const);
    for (const [name] of entries) {
      if (!NAME.test(name)) host.ports.log.notice(`${name} is no tool: its name is over 128 characters.`);
    }
    this.#entries = new Map(entries.filter(([name]) => NAME.test(name)));
  }

  names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  find(name: string): CommandEntry | undefined {
    return this.#entries.get(name);
  }

  /** Loads no code of a skill. What cannot be shown is left out and noted, and tried anew by the next request. */
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

  async #tool(name: string, { skill, name: command, command: { summary, input, output } }: CommandEntry) {
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
      inputSchema: inputSchema as Tool["inputSchema"],
      outputSchema: outputSchema as NonNullable<Tool["outputSchema"]>,
    };
  }
}
