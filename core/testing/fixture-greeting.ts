import { dirname, join } from "node:path";
import { nodeFiles } from "../adapters/files.ts";

/** Files of a skill by path; other values than strings become JSON, undefined leaves a file out. */
export type SkillFiles = Readonly<Record<string, unknown>>;

const text = { type: "string", minLength: 1, maxLength: 40 };
const object = { type: "object", additionalProperties: false };

/** The files of a small valid skill: one command, one route, one rule. Its code imports nothing. */
export function greetingFiles(name = "greeting"): SkillFiles {
  const schema = (file: string, rest: object): object => ({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `${name}/${file}`,
    title: "A shape",
    description: "A shape of the fixture.",
    ...object,
    ...rest,
  });
  return {
    "skill.json": greetingManifest(name),
    "SKILL.md": `---\nname: ${name}\ndescription: Greets a person by name. Use it to greet.\n---\n\nGreet.\n`,
    "schemas/input.json": schema("input", {
      required: ["name"],
      properties: { name: text },
      examples: [{ name: "Ada" }],
    }),
    "schemas/query.json": schema("query", {
      required: ["times"],
      properties: { times: { type: "integer", minimum: 1, maximum: 3 } },
      examples: [{ times: 2 }],
    }),
    "schemas/output.json": schema("output", {
      required: ["text"],
      properties: { text },
      examples: [{ text: "Hello Ada." }],
    }),
    "rules/no-shouting.json": {
      passes: [{ event: "command.pre", surface: "cli", skill: name, name: "greet", input: { name: "Ada" } }],
      stops: [
        {
          subject: {
            event: "command.pre",
            surface: "cli",
            skill: name,
            name: "greet",
            input: { name: "ADA" },
          },
          decision: "deny",
        },
      ],
    },
    "plugin.js": `
class Greet { async run({ name }) { return { text: \`Hello \${name}.\`.slice(0, 40) }; } }
class Echo { async handle({ query, body }) { return { status: 200, body: { text: \`\${body.name} \`.repeat(query.times).slice(0, 40) } }; } }
export default { commands: { greet: Greet }, routes: { echo: Echo }, rules: {} };
`,
  };
}

/** The manifest in `greetingFiles`. */
export function greetingManifest(name = "greeting") {
  return {
    manifestVersion: 1,
    name,
    version: "0.1.0",
    summary: "Greets a person by name.",
    engines: { skillctl: ">=0.1.0" },
    commands: {
      greet: {
        summary: "Greets.",
        input: `${name}/input`,
        output: `${name}/output`,
        positional: ["name"],
        display: "text",
        default: true,
      },
    },
    routes: {
      echo: {
        summary: "Says a name several times.",
        method: "POST",
        path: "/echo",
        query: `${name}/query`,
        body: `${name}/input`,
        replies: { 200: `${name}/output` },
      },
    },
    rules: {
      "no-shouting": {
        tell: "Write a name as its owner does.",
        on: ["command.pre"],
        when: {
          type: "object",
          required: ["input"],
          properties: {
            input: { type: "object", properties: { name: { type: "string", pattern: "^[A-Z]{2,}$" } } },
          },
        },
        decision: "deny",
        message: "A name all in capitals reads like shouting.",
      },
    },
  };
}

/** Writes a skill into a folder and returns the skill's folder. */
export async function writeSkill(parent: string, name: string, files: SkillFiles): Promise<string> {
  const folder = join(parent, name);
  for (const [path, content] of Object.entries(files)) {
    if (content === undefined) continue;
    const file = join(folder, path);
    await nodeFiles.makeFolder(dirname(file));
    await nodeFiles.replace(file, typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}
