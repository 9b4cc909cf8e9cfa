import type { SkillManifest } from "../../../contract.ts";
import type { JsonSchema } from "../../../schema/schemas.ts";
import { toldRule, withRules } from "../../../skill-document.ts";
import { CONTRACT_BANNER, contractFile } from "../contract-file.ts";

interface SkeletonOptions {
  readonly name: string;
  /** The version of skillctl that the skill is made for. */
  readonly version: string;
  /** Where the editor finds the schema of manifests, relative to the skill's folder. */
  readonly schema: string;
  /** Written in TypeScript, with what the compiler makes of it. */
  readonly isTyped: boolean;
}

/** The files of a new skill by path in its folder, `/` between the parts. */
export async function skeletonFiles({
  name,
  version,
  schema,
  isTyped,
}: SkeletonOptions): Promise<Readonly<Record<string, string>>> {
  const data = manifest(name, version, schema);
  const told = Object.values(data.rules).map(toldRule);
  const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;
  const schemas = { input: inputSchema(name), output: outputSchema(name) };
  const document = async (of: string): Promise<JsonSchema> =>
    (of.endsWith("input") ? schemas.input : schemas.output) as JsonSchema;
  return {
    ".gitignore": "node_modules\n",
    "SKILL.md": withRules(skillDocument(name), told),
    "contract.d.ts": CONTRACT_BANNER + (await contractFile(data as SkillManifest, document)),
    "package.json": json(packageFile(name, version, isTyped)),
    "plugin.js": isTyped ? COMPILED : plugin(),
    ...(isTyped && { "plugin.ts": TYPED, "tsconfig.json": json(COMPILER) }),
    "plugin.test.js": pluginTest(),
    "rules/no-shouting.json": json(ruleCases(name)),
    "schemas/greet-input.json": json(schemas.input),
    "schemas/greet-output.json": json(schemas.output),
    "skill.json": json(data),
  };
}

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Names somebody whom nobody would greet: three capitals or more, in any script, and nothing else. */
const SHOUTED = "^\\p{Lu}{3,}$";

/** The manifest of a new skill. `schema`: where the editor finds the schema of manifests. */
export function manifest(name: string, version: string, schema: string) {
  return {
    $schema: schema,
    manifestVersion: 1,
    name,
    version: "0.1.0",
    summary: "Greets somebody by name.",
    engines: { skillctl: `^${version}` },
    commands: {
      greet: {
        summary: "Greet somebody by name.",
        input: `${name}/greet-input`,
        output: `${name}/greet-output`,
        positional: ["name"],
        display: "text",
        default: true,
      },
    },
    rules: {
      "no-shouting": {
        tell: "Write a name the way its owner writes it, not all in capitals.",
        on: ["command.pre"],
        when: {
          type: "object",
          required: ["input"],
          properties: {
            input: {
              type: "object",
              required: ["name"],
              properties: { name: { type: "string", pattern: SHOUTED } },
            },
          },
        },
        decision: "deny",
        message: "A name all in capitals reads like shouting. Write it the way its owner does.",
      },
    },
  };
}

function inputSchema(name: string): object {
  return {
    $schema: DIALECT,
    $id: `${name}/greet-input`,
    title: "Greet input",
    description: "Whom to greet.",
    type: "object",
    required: ["name"],
    additionalProperties: false,
    properties: {
      name: { description: "Who is greeted.", type: "string", minLength: 1, maxLength: 100 },
    },
    examples: [{ name: "Ada" }],
  };
}

function outputSchema(name: string): object {
  return {
    $schema: DIALECT,
    $id: `${name}/greet-output`,
    title: "Greet output",
    description: "The greeting.",
    type: "object",
    required: ["text"],
    additionalProperties: false,
    properties: {
      text: { description: "The greeting, ready to be shown.", type: "string", minLength: 1, maxLength: 200 },
    },
    examples: [{ text: "Hello Ada." }],
  };
}

/** What the rule lets pass and what it stops. */
function ruleCases(name: string): object {
  const subject = (who: string): object => ({
    event: "command.pre",
    surface: "cli",
    skill: name,
    name: "greet",
    input: { name: who },
  });
  return {
    passes: [subject("Ada"), subject("AJ"), subject("Ada LOVELACE")],
    stops: [
      { subject: subject("ADA"), decision: "deny" },
      { subject: subject("ÉMILE"), decision: "deny" },
    ],
  };
}

function packageFile(name: string, version: string, isTyped: boolean): object {
  return {
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    scripts: { ...(isTyped && { build: "tsc" }), test: "skillctl test ." },
    peerDependencies: { skillctl: `^${version}` },
  };
}

/** The code of a new skill: plain JavaScript whose types an editor checks. */
export function plugin(): string {
  return `// @ts-check
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
}

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

/** What the compiler makes of it, so that the skill runs at once: a test compiles it. */
const COMPILED = `import { definePlugin } from "skillctl";
class GreetCommand {
    async run({ name }) {
        return { text: \`Hello \${name}.\` };
    }
}
/** One class for each command of skill.json. The rule is data and needs none. */
export default definePlugin({ commands: { greet: GreetCommand }, routes: {}, rules: {} });
`;

const COMPILER = {
  compilerOptions: {
    target: "es2023",
    module: "nodenext",
    strict: true,
    experimentalDecorators: true,
    types: [],
    skipLibCheck: true,
  },
  files: ["plugin.ts"],
};

function pluginTest(): string {
  return `import { contractTests } from "skillctl/testing";

// Every test that follows from skill.json, the schemas and the tables in rules/.
await contractTests({ plugins: [import.meta.dirname] });
`;
}

/** The instructions for an agent. */
function skillDocument(name: string): string {
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
