import type { SkillManifest } from "../../../contract.ts";
import { toldRule, withRules } from "../../../skill-document.ts";
import { CONTRACT_BANNER, contractFile } from "../contract-file.ts";
import data from "./skeleton.json" with { type: "json" };

interface SkeletonOptions {
  readonly name: string;
  /** The version of skillctl that the skill is made for. */
  readonly version: string;
  /** The path of the manifest schema for editors, relative to the skill's folder. */
  readonly schema: string;
  /** In TypeScript, with the compiled JavaScript. */
  readonly isTyped: boolean;
}

/** The files of a new skill, by path in its folder with `/`. */
export async function skeletonFiles({
  name,
  version,
  schema,
  isTyped,
}: SkeletonOptions): Promise<Readonly<Record<string, string>>> {
  const filled = (text: string): string =>
    text
      .replaceAll("{NAME}", name)
      .replaceAll("{VERSION}", version)
      .replaceAll("{SCHEMA}", JSON.stringify(schema).slice(1, -1));
  const filledJson = (value: unknown): string => filled(`${JSON.stringify(value, undefined, 2)}\n`);
  const json = (path: keyof typeof data): string => filledJson(data[path]);
  const manifest = JSON.parse(json("skill.json")) as SkillManifest;
  const told = Object.values(manifest.rules ?? {}).map(toldRule);
  const document = async (of: string) =>
    data[of.endsWith("input") ? "schemas/greet-input.json" : "schemas/greet-output.json"];
  return {
    ".gitignore": "node_modules\n",
    "SKILL.md": withRules(filled(DOCUMENT), told),
    "contract.d.ts": CONTRACT_BANNER + (await contractFile(manifest, document)),
    "package.json": filledJson({
      ...data["package.json"],
      ...(isTyped && data["package.json of TypeScript"]),
    }),
    "plugin.js": isTyped ? COMPILED : PLAIN,
    ...(isTyped && { "plugin.ts": TYPED, "tsconfig.json": json("tsconfig.json") }),
    "plugin.test.js": TEST,
    "rules/no-shouting.json": json("rules/no-shouting.json"),
    "schemas/greet-input.json": json("schemas/greet-input.json"),
    "schemas/greet-output.json": json("schemas/greet-output.json"),
    "skill.json": json("skill.json"),
  };
}

/** The code of a new skill: plain JavaScript whose types an editor checks. */
const PLAIN = `// @ts-check
/** @import { CommandHandler, Plugin } from "skillctl" */
/** @import { Contract, GreetInput, GreetOutput } from "./contract.d.ts" */
import { definePlugin } from "skillctl";

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

/** The code of a new skill in TypeScript. */
const TYPED = `import { definePlugin, type CommandHandler } from "skillctl";
import type { Contract, GreetInput, GreetOutput } from "./contract.d.ts";

class GreetCommand implements CommandHandler<GreetInput, GreetOutput> {
  async run({ name }: GreetInput): Promise<GreetOutput> {
    return { text: \`Hello \${name}.\` };
  }
}

/** One class for each command of skill.json. The rule is data and needs none. */
export default definePlugin<Contract>({ commands: { greet: GreetCommand }, routes: {}, rules: {} });
`;

/** The compiled code, so that the skill runs at once. A test compiles the TypeScript and compares. */
const COMPILED = `import { definePlugin } from "skillctl";
class GreetCommand {
    async run({ name }) {
        return { text: \`Hello \${name}.\` };
    }
}
/** One class for each command of skill.json. The rule is data and needs none. */
export default definePlugin({ commands: { greet: GreetCommand }, routes: {}, rules: {} });
`;

const TEST = `import { contractTests } from "skillctl/testing";

// Every test that follows from skill.json, the schemas and the tables in rules/. Your own go into further *.test.js files.
await contractTests({ plugins: [import.meta.dirname] });
`;

/** The instructions for an agent. */
const DOCUMENT = `---
name: {NAME}
description: Greets a person by name. Use when the user asks for a greeting or to say hello to a person.
---

# Greet a person

1. Find out whom to greet. Ask if no name is given.
2. Run \`skillctl run {NAME} greet "NAME"\` with the name as its owner writes it, not in all capitals.
3. Show the greeting unchanged.
`;
