/** Texts for callers over HTTP and MCP name calls and properties; those for the command line name command lines and flags. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTestHost } from "skillctl/testing";
import { asSkillError } from "../core/errors/skill-error.ts";
import { createAjv } from "../core/schema/ajv.ts";
import type { Command } from "../core/contract.ts";
import { writeSkill, ownFolder } from "../core/surfaces/cli/fixture-command-line.ts";
import { connect } from "../core/surfaces/mcp/tests/mcp-harness.ts";
import { ROOT, SKILLS } from "./harness.ts";

/** A call: the skill, the command and the input; returns the sentence and the hint of the error, or the output. */
type Caller = (skill: string, command: string, input: object) => Promise<string>;

type Schema = Readonly<Record<string, unknown>>;

const COMMANDS = SKILLS.flatMap(({ manifest }) =>
  Object.entries(manifest.commands ?? {}).map(([name, command]) => [manifest.name, name, command] as const),
);

function schemaOf({ input }: Command): Schema {
  return JSON.parse(readFileSync(join(ROOT, "schemas", `${input}.json`), "utf8")) as Schema;
}

/** Every command of a surface with its own examples, and with an empty input. */
async function answers(surface: "http" | "mcp", call: Caller): Promise<readonly string[]> {
  const told: string[] = [];
  for (const [skill, name, command] of COMMANDS) {
    if (!(command.surfaces ?? [surface]).includes(surface) || command.keepsRunning) continue;
    const examples = schemaOf(command)["examples"] as readonly object[];
    for (const input of [{}, ...examples]) told.push(await call(skill, name, input));
  }
  return told;
}

/** The texts of an output, one per line. */
function textsOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? Object.values(value).map(textsOf).join("\n") : "";
}

/** The parts of a text that only a person at a terminal can use, although the surface offers an equivalent. */
function terminalTalk(surface: "http" | "mcp", text: string): readonly string[] {
  // Command lines that the surface does not offer, and flags of other programs, stay as they are.
  const loose = text.replaceAll(/`[^`]*`|skillctl run [^\n.]*/gu, "");
  const flags = COMMANDS.flatMap(([, , command]) => Object.keys(Object(schemaOf(command)["properties"])))
    .map((name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`)
    .filter((flag) => new RegExp(`(?<![\\w\`-])${flag}(?![\\w-])`, "u").test(loose));
  const lines = COMMANDS.filter(([, , { surfaces }]) => (surfaces ?? [surface]).includes(surface))
    .map(([skill, name]) => `skillctl run ${skill} ${name}`)
    .filter((line) => text.includes(line));
  return [...flags, ...lines];
}

function assertTerms(surface: "http" | "mcp", told: readonly string[], wanted: readonly string[]): void {
  assert.ok(told.length > 20, `only ${told.length} answers`);
  for (const text of told) assert.deepEqual(terminalTalk(surface, text), [], text);
  for (const part of wanted)
    assert.ok(
      told.some((text) => text.includes(part)),
      `${part} is in none of:\n${told.join("\n")}`,
    );
}

test("an answer over HTTP names addresses and properties, no command lines and flags", async () => {
  await using host = await createTestHost({ skills: SKILLS });
  const { url } = await host.serve();
  const call: Caller = async (skill, command, input) => {
    const response = await fetch(`${url}/v1/skills/${skill}/commands/${command}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    const answer = (await response.json()) as Readonly<Record<string, string>>;
    return response.ok ? textsOf(answer) : `${answer["detail"]} ${answer["hint"]}`;
  };
  assertTerms("http", await answers("http", call), [
    'POST /v1/skills/runtime-debug/commands/hypothesize {"session":"login-times-out","hypotheses":["TEXT',
    'To abort at any time: POST /v1/skills/runtime-debug/commands/answer {"answer":"D","session":"',
    'Start a server with `POST /v1/skills/runtime-debug/commands/serve {"session":"',
  ]);
});

test("an answer over MCP names tools and properties, no command lines and flags", async (t) => {
  const path = await ownFolder(t);
  await using opened = await connect({ folder: path });
  const call: Caller = async (skill, command, input) => {
    const given = { name: `${skill}_${command}`, arguments: input as Record<string, unknown> };
    const result = await opened.client.callTool(given);
    if (!result.isError) return textsOf(result.structuredContent);
    const { message = "", hint = "" } = Object(result._meta?.["skillctl/error"]) as Partial<
      Record<"message" | "hint", string>
    >;
    return `${message} ${hint}`;
  };
  assertTerms("mcp", await answers("mcp", call), [
    'runtime-debug_hypothesize {"session":"login-times-out","hypotheses":["TEXT',
    'Type (one line for each): runtime-debug_hypothesize {"session":"',
    'Start a server with `runtime-debug_serve {"session":"login-',
  ]);
});

/** Texts that an author writes, as callers over MCP read them; over HTTP the address stands in place of the tool. */
const WORDING: readonly (readonly [written: string, told: string])[] = [
  ["Type `skillctl run scale convert 2 --unit tsp`.", 'Type `scale_convert {"amount":2,"unit":"tsp"}`.'],
  ["Type `convert 2 --unit=tsp`.", 'Type `scale_convert {"amount":2,"unit":"tsp"}`.'],
  ["Type: skillctl run scale 2 --unit 'a b'", 'Type: scale_convert {"amount":2,"unit":"a b"}'],
  ["Type `convert -- -2`.", 'Type `scale_convert {"amount":-2}`.'],
  [`Type \`skillctl run scale convert --input '{"amount": 2}'\`.`, 'Type `scale_convert {"amount":2}`.'],
  ["`--unit` names it, as `--unit tsp` does.", '`unit` names it, as `"unit": "tsp"` does.'],
  ["Name it with --unit.", "Name it with unit."],
  ["Type `convert 2 --no-such flag`, or `git --help`.", "Type `convert 2 --no-such flag`, or `git --help`."],
];

const TEXT = { type: "string", format: "instructions" };
const SCALE = {
  schemas: {
    input: {
      type: "object",
      additionalProperties: false,
      properties: { amount: { type: "number" }, unit: { type: "string" } },
      examples: [{}],
    },
    text: {
      type: "object",
      additionalProperties: false,
      properties: { written: { type: "string" }, fails: { type: "boolean" } },
      examples: [{}],
    },
    output: {
      type: "object",
      $defs: { text: TEXT },
      properties: {
        plain: { type: "string" },
        direct: TEXT,
        referred: { $ref: "#/$defs/text" },
        either: { anyOf: [{ type: "null" }, { type: "array", items: { $ref: "#/$defs/text" } }] },
      },
      additionalProperties: { allOf: [{ $ref: "#/$defs/text" }] },
    },
  },
  manifest: {
    commands: {
      convert: {
        summary: "Converts.",
        input: "scale/input",
        output: "scale/output",
        positional: ["amount"],
        default: true,
      },
      tell: { summary: "Tells.", input: "scale/text", output: "scale/output" },
    },
    routes: {
      told: {
        summary: "Tells.",
        method: "GET",
        path: "/told",
        query: "scale/text",
        replies: { 200: "scale/output" },
      },
    },
  },
  code: `import { SkillError } from "skillctl";
const answer = ({ written, fails }) => {
  if (fails) throw new SkillError("NOT_FOUND", "No.", { hint: written });
  return { plain: written, direct: written, referred: written, either: [written], more: written };
};
class Tell { run = async (input) => answer(input); }
class Told { handle = async ({ query }) => ({ status: 200, body: answer(query) }); }
export default { commands: { convert: Tell, tell: Tell }, routes: { told: Told } };`,
};

test("texts of a third-party command and route use the terms of HTTP and MCP", async (t) => {
  const path = await ownFolder(t);
  const plugin = await writeSkill(path, "scale", SCALE);
  await using host = await createTestHost({ plugins: [plugin] });
  const { url } = await host.serve();
  await using opened = await connect({ folder: path, words: ["--plugin", plugin] });
  const json = async (response: Response): Promise<object> => (await response.json()) as object;
  for (const [written, told] of WORDING) {
    const output = (text: string) => ({
      plain: written,
      direct: text,
      referred: text,
      either: [text],
      more: text,
    });
    const http = told.replaceAll("scale_convert ", "POST /v1/skills/scale/commands/convert ");
    const asked = new URLSearchParams({ written }).toString();
    const post = (input: object) =>
      fetch(`${url}/v1/skills/scale/commands/tell`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(input),
      }).then(json);
    assert.deepEqual(await post({ written }), output(http));
    assert.deepEqual(await json(await fetch(`${url}/scale/told?${asked}`)), output(http));
    const failures = [
      await post({ written, fails: true }),
      await json(await fetch(`${url}/scale/told?${asked}&fails=true`)),
    ];
    for (const failure of failures) assert.equal((failure as { hint?: string }).hint, http);
    const call = (input: Record<string, unknown>) =>
      opened.client.callTool({ name: "scale_tell", arguments: input });
    assert.deepEqual((await call({ written })).structuredContent, output(told));
    const { _meta } = await call({ written, fails: true });
    assert.equal(Object(_meta?.["skillctl/error"]).hint, told);
  }
});

/** Values that a property may refuse, one for each keyword that bounds it. */
function misfits({ minimum, maximum, maxLength, maxItems }: Schema): readonly unknown[] {
  const bounds = [Number(minimum ?? 0) - 1, Number(maximum ?? 0) + 1, 0.5];
  const long = Math.min(Number(maxLength ?? 10) + 1, 10_000);
  const many = Array.from({ length: Math.min(Number(maxItems ?? 1) + 1, 1_000) }, () => "a");
  return [
    ...bounds,
    "",
    " ",
    "\u2603",
    "x".repeat(long),
    [],
    [""],
    ["\u2603"],
    many,
    {},
    { sesion: 1 },
    null,
    true,
  ];
}

test("an invalid input is reported in plain words, without patterns, symbols or sentences of the validator", async () => {
  await using host = await createTestHost({ skills: SKILLS });
  const ajv = createAjv();
  let sent = 0;
  for (const [skill, name, command] of COMMANDS) {
    if (!(command.surfaces ?? ["http"]).includes("http")) continue;
    const schema = schemaOf(command);
    const fits = ajv.compile(schema);
    ajv.removeSchema(command.input);
    const [example = {}] = schema["examples"] as readonly object[];
    const properties = Object.entries(Object(schema["properties"]) as Readonly<Record<string, Schema>>);
    const inputs = properties.flatMap(([key, property]) => [
      ...misfits(property).map((value) => ({ ...example, [key]: value })),
      { ...example, [`${key}x`]: 1 },
    ]);
    for (const input of inputs.filter((one) => !fits(one))) {
      sent += 1;
      const call = { skill, command: name, input, surface: "http" } as const;
      const { message: detail, code } = await host.run(call).then(() => assert.fail(), asSkillError);
      assert.equal(code, "INPUT_INVALID", detail);
      assert.match(detail, /^\/\S+ (?:must|is|has|does not) [^\n]*[^.?][.?]$/, detail);
      assert.doesNotMatch(detail, /\bNOT\b|must match|[<>]=|\^|\$|\[[a-z]-[a-z]/u, detail);
    }
  }
  assert.ok(sent > 500, `only ${sent}`);
});

test("a misspelt property is reported with the nearest name, over HTTP and to an embedder", async () => {
  await using host = await createTestHost({ skills: SKILLS });
  const { url } = await host.serve();
  const input = { sesion: "login-timeout" };
  const sentence = "/sesion is not a known property; did you mean session?";
  const response = await fetch(`${url}/v1/skills/runtime-debug/commands/status`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  assert.equal(((await response.json()) as Readonly<Record<string, string>>)["detail"], sentence);
  const run = host.run({ skill: "runtime-debug", command: "status", input });
  await assert.rejects(run, { code: "INPUT_INVALID", message: sentence });
});
