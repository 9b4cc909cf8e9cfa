import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Host } from "../../composition.ts";
import type { CommandEntry } from "../../catalog.ts";
import type { Command } from "../../contract.ts";
import { causesOf, withStack } from "../../errors/causes.ts";
import { SkillError } from "../../errors/skill-error.ts";

/** Where the parts of an error stand in the `_meta` of a result, for programs. */
const ERROR_KEY = "skillctl/error";

/** The output as it is, and as a person is shown it. */
export function successResult(command: Command, output: unknown): CallToolResult {
  return { content: [shown(command, output)], structuredContent: output };
}

/**
 * An error as a result that a model can read and act on: code, sentence, hint, and before them what came all the same. What
 * lies behind an error that nobody foresaw, that has a cause or that is the system's goes to the log, never over the wire.
 */
export function errorResult(caught: unknown, { catalog, ports }: Host, entry: CommandEntry): CallToolResult {
  const error = caught instanceof SkillError ? caught : unforeseen();
  const { code, message, hint, pointer, result } = error;
  if (
    error !== caught ||
    error.cause !== undefined ||
    catalog.codeEntry(code, entry.skill).fault === "system"
  ) {
    const causes = caught instanceof Error ? causesOf(caught).map((cause) => `caused by ${cause}`) : [];
    for (const line of [withStack(caught), ...causes])
      ports.log.detail(`${entry.skill} ${entry.name}: ${line}`);
  }
  const text = `${code}: ${message}${hint === undefined ? "" : `\nHint: ${hint}`}`;
  return {
    isError: true,
    content: [...(result === undefined ? [] : [shown(entry.command, result)]), { type: "text", text }],
    _meta: {
      [ERROR_KEY]: {
        code,
        message,
        ...(hint !== undefined && { hint }),
        ...(pointer !== undefined && { pointer }),
      },
    },
  };
}

/** The property that `display` names, byte for byte, else the whole as JSON. */
function shown({ display }: Command, output: unknown): { type: "text"; text: string } {
  const isObject = typeof output === "object" && output !== null;
  const text =
    display !== undefined && isObject ? (output as Readonly<Record<string, unknown>>)[display] : undefined;
  return { type: "text", text: typeof text === "string" ? text : JSON.stringify(output) };
}

/** The message of a fault that nobody foresaw may hold anything. */
function unforeseen(): SkillError {
  return new SkillError("INTERNAL", "The call failed for a reason that is not the caller's.", {
    hint: "Start `skillctl mcp` with --verbose to see the cause on its standard error.",
  });
}
