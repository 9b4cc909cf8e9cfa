/** Callers over HTTP and MCP are told calls and properties, where the command line is told command lines and flags. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTestHost } from "skillctl/testing";
import type { Command } from "../core/contract.ts";
import { temporaryFolder } from "../core/surfaces/cli/fixture-command-line.ts";
import { connect } from "../core/surfaces/mcp/tests/mcp-harness.ts";
import { ROOT, SKILLS } from "./harness.ts";

/** A call: the skill, the command and the input; answers the sentence and the hint of the error, "" without one. */
type Caller = (skill: string, command: string, input: object) => Promise<string>;

type Schema = Readonly<Record<string, unknown>>;

const COMMANDS = SKILLS.flatMap(({ manifest }) =>
  Object.entries(manifest.commands ?? {}).map(([name, command]) => [manifest.name, name, command] as const),
);

function schemaOf({ input }: Command): Schema {
  return JSON.parse(readFileSync(join(ROOT, "schemas", `${input}.json`), "utf8")) as Schema;
}

/** Every command of a surface with its own examples, and with nothing. */
async function complaints(surface: "http" | "mcp", call: Caller): Promise<readonly string[]> {
  const told: string[] = [];
  for (const [skill, name, command] of COMMANDS) {
    if (!(command.surfaces ?? [surface]).includes(surface) || command.keepsRunning) continue;
    const examples = schemaOf(command)["examples"] as readonly object[];
    for (const input of [{}, ...examples]) told.push(await call(skill, name, input));
  }
  return told.filter((text) => text !== "");
}

/** The parts of a text that only a person at a terminal can use, though the surface offers the same. */
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
  assert.ok(told.length > 20, `only ${told.length} errors`);
  for (const text of told) assert.deepEqual(terminalTalk(surface, text), [], text);
  for (const part of wanted)
    assert.ok(
      told.some((text) => text.includes(part)),
      `${part} is in none of:\n${told.join("\n")}`,
    );
}

test("an error over HTTP names addresses and properties, no command lines and flags", async () => {
  await using host = await createTestHost({ skills: SKILLS });
  const { url } = await host.serve();
  const call: Caller = async (skill, command, input) => {
    const response = await fetch(`${url}/v1/skills/${skill}/commands/${command}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    const { detail = "", hint = "" } = (await response.json()) as Readonly<Record<string, string>>;
    return response.ok ? "" : `${detail} ${hint}`;
  };
  assertTerms("http", await complaints("http", call), [
    'POST /v1/skills/runtime-debug/commands/hypothesize {"session":"login-times-out","hypotheses":["TEXT',
    "Start a server with `POST /v1/skills/runtime-debug/commands/serve`, or name the folder with outdir.",
  ]);
});

test("an error over MCP names tools and properties, no command lines and flags", async (t) => {
  const { path, close } = await temporaryFolder();
  t.after(close);
  await using opened = await connect({ folder: path });
  const call: Caller = async (skill, command, input) => {
    const given = { name: `${skill}_${command}`, arguments: input as Record<string, unknown> };
    const result = await opened.client.callTool(given);
    if (!result.isError) return "";
    const { message = "", hint = "" } = Object(result._meta?.["skillctl/error"]) as Partial<
      Record<"message" | "hint", string>
    >;
    return `${message} ${hint}`;
  };
  assertTerms("mcp", await complaints("mcp", call), [
    'runtime-debug_hypothesize {"session":"login-times-out","hypotheses":["TEXT',
    "Start a server with `skillctl run runtime-debug serve`, or name the folder with outdir.",
  ]);
});
