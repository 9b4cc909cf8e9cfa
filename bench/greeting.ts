import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const INPUT = {
  type: "object",
  required: ["name"],
  additionalProperties: false,
  properties: {
    name: { description: "Who is greeted.", type: "string", minLength: 1, maxLength: 100 },
    times: { description: "How often.", type: "integer", minimum: 1, maximum: 9 },
    manner: { description: "In which manner.", enum: ["plain", "warm"] },
  },
  examples: [{ name: "Ada" }],
};
const OUTPUT = {
  type: "object",
  required: ["text", "length"],
  additionalProperties: false,
  properties: {
    text: { description: "The greeting.", type: "string", maxLength: 1000 },
    length: { description: "Its length.", type: "integer", minimum: 0, maximum: 1000 },
  },
  examples: [{ text: "Hello, Ada.", length: 11 }],
};

/** The skill's code. The service shows that the container makes what a handler asks for. */
const PLUGIN = `import { token } from "skillctl";

const WORDS = token("words");

class Words {
  hello = (name) => "Hello, " + name + ".";
}

class Greet {
  static inject = [WORDS];
  constructor(words) {
    this.words = words;
  }
  run = async ({ name }) => {
    const text = this.words.hello(name);
    return { text, length: text.length };
  };
}

export default { wire: ({ single }) => single(WORDS, Words), commands: { greet: Greet }, routes: {}, rules: {} };
`;

/** The same without anything imported, for a folder from which no package can be found. */
const PLAIN_PLUGIN = `export default {
  commands: {
    greet: class {
      run = async ({ name }) => ({ text: "Hello, " + name + ".", length: name.length + 8 });
    },
  },
};
`;

export interface GreetingOptions {
  /** How many data rules it has. Rule 0 refuses the name Mallory; the others never speak here. Default 0. */
  readonly rules?: number;
  /** Its code imports `skillctl` and is given a service. Default: it imports nothing. */
  readonly injected?: boolean;
}

/** The schemas of the command, without names of their own. */
export const GREET = { input: INPUT, output: OUTPUT } as const;

/** Writes the skill `greeting` into a folder of skills. */
export function writeGreeting(skills: string, { rules = 0, injected = false }: GreetingOptions = {}): void {
  const folder = join(skills, "greeting");
  const schemas = join(folder, "schemas");
  mkdirSync(schemas, { recursive: true });
  const manifest = {
    manifestVersion: 1,
    name: "greeting",
    version: "0.1.0",
    summary: "Greets somebody by name.",
    engines: { skillctl: "*" },
    commands: {
      greet: {
        summary: "Greets.",
        input: "greeting/greet-input",
        output: "greeting/greet-output",
        positional: ["name"],
        display: "text",
        default: true,
      },
    },
    ...(rules > 0 && { rules: Object.fromEntries(Array.from({ length: rules }, (_, index) => rule(index))) }),
  };
  writeFileSync(join(folder, "skill.json"), JSON.stringify(manifest, undefined, 2));
  writeFileSync(join(folder, "plugin.js"), injected ? PLUGIN : PLAIN_PLUGIN);
  for (const [name, title, schema] of [
    ["greet-input", "Greet input", INPUT],
    ["greet-output", "Greeting", OUTPUT],
  ] as const) {
    const document = {
      $schema: DIALECT,
      $id: `greeting/${name}`,
      title,
      description: `${title}.`,
      ...schema,
    };
    writeFileSync(join(schemas, `${name}.json`), JSON.stringify(document, undefined, 2));
  }
}

function rule(index: number): readonly [string, object] {
  const name = index === 0 ? "Mallory" : `Nobody ${index}`;
  const input = { type: "object", required: ["name"], properties: { name: { const: name } } };
  return [
    `not-${index}`,
    {
      tell: `${name} is not greeted.`,
      on: ["command.pre"],
      when: { type: "object", required: ["input"], properties: { input } },
      decision: "deny",
      message: `${name} is not greeted here.`,
    },
  ];
}
