import type { HookEvent } from "./dialect.ts";

/** Tools of the kind `shell` that end a command or wait for one, and need be given nothing. */
const WORDLESS = /^(killshell|writestdin|writeshellstdin)$/;
const COMMANDS = ["command", "cmd", "script"];

/**
 * What a call of a shell runs, when it can be told: `found` is what its input names. Undefined when it names nothing, or
 * something that is no text and no list of texts in its place; empty for a tool that need be given nothing.
 */
export function shellCommand(
  name: string,
  input: HookEvent | undefined,
  found: string | undefined,
): string | undefined {
  if (input && COMMANDS.some((key) => input[key] !== undefined && !isWords(input[key]))) return undefined;
  return found ?? (WORDLESS.test(name.toLowerCase().replaceAll(/[_-]/g, "")) ? "" : undefined);
}

function isWords(value: unknown): boolean {
  return typeof value === "string" || (Array.isArray(value) && value.every((one) => typeof one === "string"));
}
