import type { CallToolResult, Tool } from "@modelcontextprotocol/server";

const text = (description: string) => ({ type: "string", description }) as const;
const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const NAME = text("The name of a command, such as SKILL_COMMAND.");

/**
 * Three tools instead of one for each command, for hosts with many skills. Their names have no underscore, so none can
 * be the name of a command.
 */
export const COMPACT_TOOLS: readonly Tool[] = [
  {
    name: "find",
    title: "Find commands",
    description: "Lists the commands of the skills: each name that matches the words, with its summary.",
    inputSchema: {
      type: "object",
      properties: { words: text("Words of name or summary. Default: all commands.") },
    },
    annotations: READS,
  },
  {
    name: "describe",
    title: "Describe a command",
    description: "Gives the input schema of a command, the types of its output, and its effects.",
    inputSchema: { type: "object", properties: { command: NAME }, required: ["command"] },
    annotations: READS,
  },
  {
    name: "call",
    title: "Call a command",
    description: "Runs a command with arguments that its input schema allows; see describe.",
    inputSchema: {
      type: "object",
      properties: { command: NAME, arguments: { type: "object", description: "The input of the command." } },
      required: ["command"],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
];

/** Answers `find`: the commands whose name and summary contain all words; all commands if no command matches. */
export function found(words: unknown, tools: readonly Tool[]): CallToolResult {
  const wanted = (typeof words === "string" ? words : "").toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const lines = tools.map(({ name, description = "" }) => `${name}: ${description}`);
  const holding = lines.filter((line) => wanted.every((word) => line.toLowerCase().includes(word)));
  return { content: [{ type: "text", text: (holding.length > 0 ? holding : lines).join("\n") }] };
}

/** Answers `describe`. */
export function described({
  name,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: Tool): CallToolResult {
  const told = { name, description, inputSchema, outputSchema, annotations };
  return { content: [{ type: "text", text: JSON.stringify(told) }] };
}
