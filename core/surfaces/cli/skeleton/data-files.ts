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

export function inputSchema(name: string): object {
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

export function outputSchema(name: string): object {
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
export function ruleCases(name: string): object {
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

export function packageFile(name: string, version: string): object {
  return {
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    scripts: { test: "skillctl test ." },
    peerDependencies: { skillctl: `^${version}` },
  };
}
