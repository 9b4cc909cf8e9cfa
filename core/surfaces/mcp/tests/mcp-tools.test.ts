/** The tools of MCP and their calls, seen by a real client of each revision of the protocol, over standard input and over HTTP. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Progress, Tool } from "@modelcontextprotocol/client";
import { Catalog, type CommandEntry } from "../../../catalog.ts";
import type { Host } from "../../../composition.ts";
import { memoryLog } from "../../../testing.ts";
import { Tools } from "../tools.ts";
import { SKILLS } from "../../../../contract-tests/harness.ts";
import { ERAS, WAYS, connect, connectOnce, probeWords, textOf } from "./mcp-harness.ts";

const catalog = new Catalog(SKILLS);
const offeredTo = (over: (typeof WAYS)[number]): readonly CommandEntry[] =>
  catalog
    .commands("mcp")
    .filter(({ command }) => command.surfaces !== undefined || !command.keepsRunning)
    .filter(({ command: { surfaces } }) => over === "stdio" || (surfaces?.includes("http") ?? true));

const SKILL_FOLDER = SKILLS.find(({ manifest }) => manifest.name === "runtime-debug")?.folder ?? "";

function fileOf(name: string): unknown {
  const [skill = "", file = ""] = name.split("/");
  const owner = SKILLS.find(({ manifest }) => manifest.name === skill);
  return JSON.parse(readFileSync(join(owner?.schemas ?? "", `${file}.json`), "utf8"));
}

test("of two commands with one name the first is a tool, and the notice names both", () => {
  const [skill] = SKILLS;
  assert.ok(skill);
  const command = { summary: "Once.", input: "shop/input", output: "shop/output", mcp: { name: "buy" } };
  const manifest = { ...skill.manifest, name: "shop", commands: { one: command, two: command } };
  const log = memoryLog();
  const host = { ports: { log } } as unknown as Host;
  assert.deepEqual(new Tools(host, new Catalog([{ ...skill, manifest }]), "mcp").names(), ["buy"]);
  assert.deepEqual(log.notices, ["shop two is left out: its name buy is that of shop one."]);
});

for (const [era, over] of ERAS.flatMap((one) => WAYS.map((way) => [one, way] as const))) {
  describe(`MCP ${era} over ${over}`, () => {
    const offered = offeredTo(over);
    const opened = connectOnce(async (folder) => ({ era, over, words: await probeWords(folder) }));
    const call = (name: string, given: Record<string, unknown> = {}) =>
      opened.client.callTool({ name, arguments: given });

    test("the tools are the commands that the manifests offer, in their order, with name and summary", async () => {
      const { tools } = await opened.client.listTools();
      const own = tools.filter(({ name }) => !name.startsWith("probe_"));
      assert.deepEqual(
        own.map(({ name, description = "" }) => [name, description.split(" Also: ", 1)[0]]),
        offered.map(({ skill, name, command }) => [`${skill}_${name}`, command.summary]),
      );
      assert.ok(own.length > 5);
      const names = tools.map(({ name }) => name).filter((name) => name.startsWith("probe_"));
      assert.deepEqual(
        ["probe_once", "probe_keep", "probe_keep-here", "probe_not-here"].map((name) => names.includes(name)),
        [true, false, over === "stdio", false],
      );
      assert.deepEqual((await opened.client.listTools({ cursor: undefined })).tools, tools);
    });

    test("the instructions name every skill with tools and its foremost rules, in at most 2,000 characters", () => {
      const instructions = opened.client.getInstructions() ?? "";
      assert.ok(instructions.length <= 2_000, `${instructions.length}`);
      const told = instructions.split("\n");
      for (const { manifest } of SKILLS) {
        const { name, summary, rules = {} } = manifest;
        assert.ok(told.includes(`${name}: ${summary}`), name);
        const foremost = Object.values(rules).filter((rule) => rule.foremost);
        for (const { tell } of foremost.slice(0, 2)) assert.ok(told.includes(`- ${tell}`), tell);
      }
    });

    test("a tool describes the common input of its command and names the rest; the list has at most 15,000 characters", async () => {
      const { tools } = await opened.client.listTools();
      const own = tools.filter(({ name }) => !name.startsWith("probe_"));
      assert.ok(JSON.stringify(own).length <= 15_000, `${JSON.stringify(own).length}`);
      for (const { name, description = "" } of own) assert.ok(description.length <= 600, name);
      for (const { skill, name, command } of offered) {
        const tool = tools.find((one) => one.name === `${skill}_${name}`);
        const [input, output] = [command.input, command.output].map(
          (one) => fileOf(one) as Record<string, unknown>,
        );
        const names = ({ properties = {} }: Record<string, unknown> = {}) =>
          Object.keys(properties as object);
        const withheld = command.withheld?.[over === "stdio" ? "mcp" : "http"] ?? [];
        const rare = (command.mcp?.rare ?? []).filter((one) => !withheld.includes(one));
        const common = names(input).filter((one) => ![...rare, ...withheld].includes(one));
        assert.deepEqual(names(tool?.inputSchema), common, name);
        for (const one of withheld)
          assert.doesNotMatch(tool?.description ?? "", new RegExp(`Also: .*\\b${one}\\b`), name);
        for (const one of rare)
          assert.match(tool?.description ?? "", new RegExp(`Also: .*\\b${one}\\b`), name);
        assert.deepEqual(tool?.inputSchema.required, input?.["required"], name);
        assert.deepEqual(tool?.outputSchema?.["type"] ?? "object", output?.["type"], name);
        assert.equal(tool?.annotations?.readOnlyHint === true, command.effects?.readOnly === true, name);
      }
    });

    test("a property that is the same in several tools of a skill is described in the first of them", async () => {
      const { tools } = await opened.client.listTools();
      const described = (skill: string, property: string): readonly boolean[] =>
        tools
          .filter(({ name }) => name.startsWith(`${skill}_`))
          .flatMap(({ inputSchema: { properties = {} } }) => properties[property] ?? [])
          .map((schema) => Object.hasOwn(schema as object, "description"));
      assert.deepEqual(described("music-analysis", "conversation"), [true, false]);
      assert.equal(described("runtime-debug", "hypothesis")[0], true);
      assert.ok(described("runtime-debug", "data").every(Boolean), "each takes different data");
    });

    test("the input schema of a tool keeps its values and leaves out its titles and the bounds of texts", async () => {
      const { tools } = await opened.client.listTools();
      const probe = tools.find(({ name }) => name === "probe_once");
      assert.deepEqual(probe?.inputSchema.properties, {
        options: { default: { title: "a value" } },
        word: { type: "string" },
      });
    });

    test("the prompts are those of the manifests, with their texts; an unknown one is an error that names the nearest", async () => {
      const { prompts } = await opened.client.listPrompts();
      assert.deepEqual(
        prompts.map(({ name, title }) => [name, title]),
        [["runtime-debug_session", "runtime-debug session"]],
      );
      const { messages } = await opened.client.getPrompt({ name: "runtime-debug_session" });
      const [message] = messages;
      const text = readFileSync(join(SKILL_FOLDER, "prompts", "session.md"), "utf8").trim();
      assert.deepEqual(message?.content, {
        type: "text",
        text: text.replaceAll(
          /`(?:skillctl run runtime-debug )?(status|probe|check|fix|answer|cleanup)`/g,
          "`runtime-debug_$1`",
        ),
      });
      await assert.rejects(
        opened.client.getPrompt({ name: "runtime-debug_sesion" }),
        /Did you mean runtime-debug_session\?/,
      );
    });

    test("three tools find, describe and call all commands if the host chooses so", async () => {
      const { folder } = opened;
      const words = ["--plugin", `${folder}/skills/probe`, "--tools", "compact"];
      await using compact = await connect({ era, over, folder, words });
      const { tools } = await compact.client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        ["find", "describe", "call"],
      );
      assert.ok(JSON.stringify(tools).length < 2_000, `${JSON.stringify(tools).length}`);
      const use = (name: string, given: Record<string, unknown> = {}) =>
        compact.client.callTool({ name, arguments: given });
      assert.equal(textOf(await use("find", { words: "Greets probe" })), "probe_greet: Greets.");
      const all = textOf(await use("find")).split("\n");
      assert.deepEqual(textOf(await use("find", { words: "no such words" })).split("\n"), all);
      for (const { skill, name } of offered)
        assert.ok(all.some((line) => line.startsWith(`${skill}_${name}: `)));
      const described = JSON.parse(textOf(await use("describe", { command: "probe_greet" }))) as Tool;
      const whole = (await opened.client.listTools()).tools.find(({ name }) => name === "probe_greet");
      assert.equal(described.inputSchema["additionalProperties"], false, "the whole schema");
      assert.deepEqual(described.inputSchema.properties, whole?.inputSchema.properties);
      assert.equal(
        textOf(await use("call", { command: "probe_greet", arguments: { name: "Ada" } })),
        "Hello Ada",
      );
      assert.match(textOf(await use("call", { command: "probe_greet" })), /^INPUT_INVALID: /);
      for (const name of ["call", "describe"])
        await assert.rejects(use(name, { command: "probe_gret" }), /Did you mean probe_greet\?/);
      await assert.rejects(use("call"), { code: -32_602 });
    });

    test("an output that is not an object reaches the client in the form of its revision", async () => {
      await opened.client.listTools();
      const result = await call("probe_list");
      const list = ["a", "b"];
      assert.deepEqual(result.structuredContent, era === "2025-11-25" ? { result: list } : list);
      assert.equal(textOf(result), '["a","b"]');
    });

    test("arguments of a mebibyte, and several calls at once, each get their own answer", async () => {
      const sizes = [1_048_576, 1, 70_000, 300_000, 2, 65_536, 65_537, 500_000];
      const results = await Promise.all(sizes.map((size) => call("probe_size", { text: "ö".repeat(size) })));
      assert.deepEqual(
        results.map(textOf),
        sizes.map((size) => String(size)),
      );
    });

    test("progress reaches a caller that asked for it, and a call that the caller gives up is aborted", async () => {
      const giveUp = new AbortController();
      const onprogress = ({ progress, message }: Progress): void => {
        if (progress === 1 && message === "Waiting.") giveUp.abort("enough");
      };
      await assert.rejects(
        opened.client.callTool({ name: "probe_wait" }, { signal: giveUp.signal, onprogress }),
      );
      // Over HTTP the end of the connection and the next request are two events.
      let ended = "";
      for (let tries = 0; tries < 500 && ended !== "aborted: 1"; tries += 1)
        ended = textOf(await call("probe_ended"));
      assert.equal(ended, "aborted: 1");
    });
  });
}
