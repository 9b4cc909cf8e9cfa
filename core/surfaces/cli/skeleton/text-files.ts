/** The code of a new skill: plain JavaScript whose types an editor checks. */
export function plugin(): string {
  return `// @ts-check
import { definePlugin } from "skillctl";

/**
 * @import { CommandHandler, Plugin } from "skillctl"
 * @typedef {{ readonly name: string }} GreetInput schemas/greet-input.json
 * @typedef {{ readonly text: string }} GreetOutput schemas/greet-output.json
 * @typedef {{ commands: { greet: { input: GreetInput, output: GreetOutput } }, routes: {}, rules: never }} Contract
 */

/** @implements {CommandHandler<GreetInput, GreetOutput>} */
class GreetCommand {
  /** @param {GreetInput} input */
  async run({ name }) {
    return { text: \`Hello \${name}.\` };
  }
}

/**
 * One class for each command of skill.json. The rule is data and needs none.
 * @type {Plugin<Contract>}
 */
const plugin = { commands: { greet: GreetCommand }, routes: {}, rules: {} };

export default definePlugin(plugin);
`;
}

export function pluginTest(): string {
  return `import { contractTests } from "skillctl/testing";

// Every test that follows from skill.json, the schemas and the tables in rules/.
await contractTests({ plugins: [import.meta.dirname] });
`;
}

/** The instructions for an agent. */
export function skillDocument(name: string): string {
  return `---
name: ${name}
description: Greets somebody by name. Use when the user asks for a greeting or to say hello to somebody.
---

# Greet somebody

1. Find out who is to be greeted. Ask when no name is given.
2. Run \`skillctl run ${name} greet "NAME"\` with the name the way its owner writes it, not all in capitals.
3. Show the greeting as it is.
`;
}
