import type { CallToolResult } from "@modelcontextprotocol/server";
import type { CallingSurface } from "../../called-commands.ts";
import type { Catalog, CommandEntry } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import type { Command } from "../../contract.ts";
import { traceOf } from "../../errors/causes.ts";
import { SkillError } from "../../errors/skill-error.ts";
import { hintOf } from "../../errors/surface-hint.ts";
import { isObject } from "../../schema/json.ts";
import { toolName } from "./tools.ts";

/** The terms of the callers: tools with their arguments. */
export function termsOf({ schemas }: Pick<Host, "schemas">, catalog: Catalog): CallingSurface {
  return {
    name: "mcp",
    commands: catalog.commands("cli"),
    schemas,
    call: (called, given) => `${toolName(called)} ${given}`.trimEnd(),
  };
}

/** The key of an error in the `_meta` of a result, for programs. */
export const ERROR_KEY = "skillctl/error";

/**
 * An error as a result for the model: code, sentence and hint, after a partial output, if any. The causes of unexpected
 * and of system errors are written to the log; they are never sent to the client.
 */
export function errorResult(caught: unknown, { catalog, ports }: Host, entry: CommandEntry): CallToolResult {
  const error = caught instanceof SkillError ? caught : unforeseen();
  const { code, message, pointer, result } = error;
  const hint = hintOf(error, TERMS);
  if (
    error !== caught ||
    error.cause !== undefined ||
    catalog.codeEntry(code, entry.skill).fault === "system"
  ) {
    for (const line of traceOf(caught)) ports.log.detail(`${entry.skill} ${entry.name}: ${line}`);
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

/** An error as text for the model. */
export function errorText(caught: unknown, host: Host, entry: CommandEntry): string {
  const { content } = errorResult(caught, host, entry);
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** The property that `display` names, unchanged; otherwise the whole output as JSON. */
export function shown({ display }: Command, output: unknown): { type: "text"; text: string } {
  const text = display !== undefined && isObject(output) ? output[display] : undefined;
  return { type: "text", text: typeof text === "string" ? text : JSON.stringify(output) };
}

const TERMS = {
  input: "The input schema of the tool says which arguments it takes.",
  question: "The client cannot show the question of this rule; only a person can answer it.",
  evaluation: (id: string): string => `Evaluation: ${id}.`,
};

/** A general error, since the message of an unexpected one may contain secrets. */
function unforeseen(): SkillError {
  return new SkillError("INTERNAL", "The call failed through no fault of the caller.", {
    hint: "The log of the server has the cause when the server is started with --verbose.",
  });
}
