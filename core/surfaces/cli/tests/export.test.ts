/** `skillctl export`: the files that a client installs, compared with the client's formats and started as the client starts them. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, readFile, readdir, realpath, stat, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { JSON_SCHEMA, load } from "js-yaml";
import { parse } from "smol-toml";
import { sayInProcess, variablesOf } from "../../../../contract-tests/command-line.ts";
import { ownFolder } from "../../../../contract-tests/doors-harness.ts";
import { createAjv } from "../../../schema/ajv.ts";
import { readSkillDocument } from "../../../skill-document.ts";
import { AGENTS, type Agent } from "../../hook/fixture-agents.ts";
import { FORMATS, type Format } from "../export/fixture-formats.ts";
import { writeSkill } from "../fixture-command-line.ts";

interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const CLIENTS = Object.keys(FORMATS);
const RECORD = ".skillctl-export.json";
/** The tools of the debug subagent, as MCP names them. */
const FIVE = ["start", "logs", "judge", "fix", "answer"].map((name) => `runtime-debug_${name}`);

async function place(t: TestContext) {
  const folder = await ownFolder(t);
  const out = join(folder, "out");
  const say = (...words: readonly string[]) =>
    sayInProcess(words, folder, { variables: variablesOf(folder) });
  const exported = async (client: string, ...words: readonly string[]) => {
    const said = await say("export", "--client", client, "--out", out, "--json", ...words);
    assert.equal(said.status, 0, said.err);
    return JSON.parse(said.out).output as {
      readonly files: readonly string[];
      readonly removed: readonly string[];
      readonly notes: readonly string[];
      readonly next: string;
    };
  };
  const read = (path: string): Promise<string> => readFile(join(out, path), "utf8");
  return { folder, out, say, exported, read };
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((file) => join(file.parentPath, file.name).slice(folder.length + 1)).toSorted();
}

/** The data of a file and the text after it. */
function partsOf(path: string, text: string): readonly [data: unknown, body: string] {
  if (path.endsWith(".json")) return [JSON.parse(text), ""];
  if (path.endsWith(".toml")) return [parse(text), ""];
  const [, front, body = text] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text) ?? [];
  return [front === undefined ? undefined : load(front, { schema: JSON_SCHEMA }), body.trim()];
}

function faultsOf({ schema, body }: Format, [data, text]: readonly [unknown, string]): string {
  if ((body ?? false) !== text.length > 0) return "the text is missing or superfluous";
  if (!schema) return data === undefined ? "" : "there is superfluous data";
  const ajv = createAjv();
  return ajv.validate(schema, data) ? "" : ajv.errorsText();
}

/** Every server entry of the files of an export, wherever a client has it. */
function serversIn(data: unknown): readonly ServerEntry[] {
  if (typeof data !== "object" || data === null) return [];
  if ("command" in data && "args" in data) return [data as ServerEntry];
  return Object.values(data).flatMap(serversIn);
}

describe("the files for", () => {
  for (const client of CLIENTS)
    test(`${client} are the listed ones, each in the client's format`, async (t) => {
      const { out, exported, read } = await place(t);
      const { files } = await exported(client);
      assert.deepEqual(await filesIn(out), [...files].toSorted());
      const formats = FORMATS[client] ?? [];
      const seen = new Set<Format>();
      for (const path of files.filter((one) => one !== RECORD)) {
        const text = await read(path);
        const [, skill = "", file] = /(?:^|\/)skills\/([^/]+)\/(.+)$/.exec(path) ?? [];
        if (file === "SKILL.md") assert.deepEqual((await readSkillDocument(text, skill)).faults, [], path);
        if (file !== undefined) continue;
        const format =
          formats.find((one) => one.path.test(path)) ?? assert.fail(`${path} is no file of ${client}`);
        assert.equal(faultsOf(format, partsOf(path, text)), "", path);
        seen.add(format);
      }
      assert.deepEqual(
        [...formats].filter((one) => !seen.has(one)),
        [],
      );
      for (const skill of ["login-proxy", "music-analysis", "music-gateway", "runtime-debug"])
        assert.ok(
          files.some((path) => path.endsWith(`skills/${skill}/SKILL.md`)),
          skill,
        );
      assert.ok(files.some((path) => path.endsWith("skills/runtime-debug/references/probes.md")));
    });

  for (const client of CLIENTS)
    test(`${client} start a server that has the five tools of the debug subagent`, async (t) => {
      const { folder, exported, read } = await place(t);
      const { files } = await exported(client, "--only", "runtime-debug");
      const data = await Promise.all(
        files
          .filter((path) => /\.(json|toml)$/.test(path) && path !== RECORD)
          .map(async (path) => partsOf(path, await read(path))[0]),
      );
      const entries = data.flatMap(serversIn);
      assert.ok(entries.length > 0);
      const [{ command, args, env }] = entries as [ServerEntry];
      for (const one of entries)
        assert.deepEqual([basename(one.command), one.args, one.env], [basename(command), args, env]);
      const transport = new StdioClientTransport({
        command,
        args: [...args],
        env: { ...variablesOf(folder), ...env },
        cwd: folder,
      });
      const mcp = new Client({ name: "test", version: "1" });
      await mcp.connect(transport);
      const names = (await mcp.listTools()).tools.map(({ name }) => name);
      await mcp.close();
      for (const name of FIVE) assert.ok(names.includes(name), name);
      assert.ok(
        names.every((name) => name.startsWith("runtime-debug_")),
        names.join(),
      );
      const agent = files.find((path) => /agents\/runtime-debug-lead\./.test(path));
      if (agent === undefined) return assert.equal(client, "agent-plugin");
      const text = await read(agent);
      for (const name of FIVE) assert.ok(text.includes(`\`${name}\``), name);
      const [front] = partsOf(agent, text) as [
        { tools?: string[]; mcp_servers?: { skillctl: { enabled_tools: string[] } } },
        string,
      ];
      const tools = front.tools ?? front.mcp_servers?.skillctl.enabled_tools;
      const own = tools?.filter((name) => name.includes("runtime-debug"));
      if (client === "cursor") return assert.equal(tools, undefined);
      assert.deepEqual(
        own?.map((name) => name.slice(name.indexOf("runtime-debug"))),
        FIVE,
      );
    });

  for (const [client, agent] of Object.entries(AGENTS) as [string, Agent][])
    test(`${client} have a hook that judges a call`, { skip: process.platform === "win32" }, async (t) => {
      const { folder, exported, read } = await place(t);
      const { files } = await exported(client);
      const settings = JSON.parse(
        await read(files.find((path) => path.endsWith("hooks.json")) ?? ""),
      ) as object;
      const judged = async (file: string) => {
        const event = agent.event(file, folder);
        const line = agent.expanded(agent.command(settings, String(event["hook_event_name"])), folder);
        const child = spawn("sh", ["-c", line], { cwd: folder, env: variablesOf(folder) });
        child.stdin.end(JSON.stringify(event));
        let [out, err] = ["", ""];
        child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
        child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
        const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
        return [agent.verdict({ status, out, err }), out + err] as const;
      };
      const [allowed, said] = await judged(join(folder, "notes.txt"));
      assert.equal(allowed, "runs", said);
      const [denied, reason] = await judged(join(folder, "state", "guard", "audit.ndjson"));
      assert.equal(denied, "stopped", reason);
      assert.match(reason, /skillctl/);
    });

  test("the debug subagent name its five tools, and those that read, search and edit", async (t) => {
    const { exported, read } = await place(t);
    await exported("claude-code");
    const path = "agents/runtime-debug-lead.md";
    const [{ tools }] = partsOf(path, await read(path)) as [{ readonly tools: readonly string[] }, string];
    const five = FIVE.map((name) => `mcp__plugin_skillctl_skillctl__${name}`);
    assert.deepEqual(tools, ["Read", "Grep", "Glob", "Edit", ...five]);
  });

  test("a client without a kind of file leave that out, and a sentence says so", async (t) => {
    const { say, folder } = await place(t);
    const lines: readonly (readonly [string, RegExp])[] = [
      ["claude-code", /^Claude Code reads no AGENTS\.md of a plugin/m],
      ["codex", /^Codex reads prompts in CODEX_HOME only/m],
      ["copilot", /^The guard has no dialect for the hooks of Copilot/m],
      ["agent-plugin", /^Agent Plugins 1\.0\.0 has no subagents\.$/m],
    ];
    for (const [client, sentence] of lines) {
      const said = await say("export", "--client", client, "--out", join(folder, client));
      assert.match(said.out, sentence);
      assert.match(said.out, /^Next: .+\n$/m);
      const without = await say(
        "export",
        "--client",
        client,
        "--out",
        join(folder, `${client}-2`),
        "--only",
        "login-proxy",
      );
      assert.doesNotMatch(without.out, /subagents\.$|CODEX_HOME/m);
    }
  });
});

describe("the next export", () => {
  test("writes the same files, and touches none of them", async (t) => {
    const { out, exported, read } = await place(t);
    const state = async () =>
      Promise.all(
        (await filesIn(out)).map(async (path) => [
          path,
          await read(path),
          (await stat(join(out, path))).mtimeMs,
        ]),
      );
    await exported("gemini");
    const before = await state();
    assert.deepEqual((await exported("gemini")).removed, []);
    assert.deepEqual(await state(), before);
  });

  test("removes the files of skills that are no longer served, and their folders", async (t) => {
    const { out, folder, exported, read, say } = await place(t);
    await exported("cursor");
    await writeFile(join(out, "README.md"), "mine");
    await writeFile(join(folder, "skillctl.json"), JSON.stringify({ skills: { only: ["login-proxy"] } }));
    const { files, removed } = await exported("cursor");
    assert.ok(removed.includes(".cursor/agents/runtime-debug-lead.md"));
    assert.deepEqual(await filesIn(out), [...files, "README.md"].toSorted());
    assert.deepEqual(await readdir(join(out, ".cursor")), ["hooks.json", "mcp.json", "skills"]);
    const { args } = serversIn(JSON.parse(await read(".cursor/mcp.json")))[0] ?? assert.fail();
    assert.deepEqual(args.slice(-2), ["--only", "login-proxy"]);
    assert.match(
      (await say("export", "--client", "cursor", "--out", out, "--only", "nothing")).err,
      /There is no skill "nothing"\./,
    );
  });
});

describe("nothing is written", () => {
  const refusals: readonly (readonly [
    title: string,
    prepare: (out: string, exported: () => Promise<unknown>) => Promise<unknown>,
    sentence: RegExp,
  ])[] = [
    [
      "into a folder with files of others",
      async (out) => {
        await mkdir(out);
        await writeFile(join(out, "a.txt"), "mine");
      },
      /out is not empty, and was not written by export\.\nhint: Move it away, or choose another folder with --out\./,
    ],
    ["in the place of a file", (out) => writeFile(out, "mine"), /out is not a folder\./],
    [
      "over a file that was changed since",
      async (out, exported) => {
        await exported();
        await writeFile(join(out, "AGENTS.md"), "mine");
      },
      /out\/AGENTS\.md differs from what export wrote\./,
    ],
    [
      "over a file that it has not written",
      async (out, exported) => {
        await exported();
        const record = JSON.parse(await readFile(join(out, RECORD), "utf8")) as {
          files: Record<string, string>;
        };
        delete record.files["AGENTS.md"];
        await writeFile(join(out, RECORD), JSON.stringify(record));
        await writeFile(join(out, "AGENTS.md"), "mine");
      },
      /out\/AGENTS\.md differs from what export wrote\./,
    ],
    [
      "through a link",
      async (out, exported) => {
        await exported();
        await mkdir(join(out, "..", "elsewhere"));
        const { rename } = await import("node:fs/promises");
        await rename(join(out, ".codex"), join(out, "..", "elsewhere", ".codex"));
        await symlink(join(out, "..", "elsewhere", ".codex"), join(out, ".codex"));
      },
      /out\/\.codex is a link\./,
    ],
    [
      "by a record that names a path outside of the folder",
      async (out) => {
        await mkdir(out);
        const hash = "0".repeat(64);
        await writeFile(join(out, RECORD), JSON.stringify({ client: "codex", files: { "../a.txt": hash } }));
      },
      /out is not empty, and was not written by export\./,
    ],
  ];
  for (const [title, prepare, sentence] of refusals)
    test(title, { skip: process.platform === "win32" }, async (t) => {
      const { folder, out, say, exported } = await place(t);
      await prepare(out, () => exported("codex"));
      const before = await filesIn(folder);
      const { status, err } = await say(
        "export",
        "--client",
        "codex",
        "--out",
        out,
        "--only",
        "runtime-debug",
      );
      assert.match(err.replaceAll(await realpath(folder), ""), sentence);
      assert.equal(status, 73);
      assert.deepEqual(await filesIn(folder), before);
    });

  test("over the export for another client, and without a client or a folder", async (t) => {
    const { out, say, exported } = await place(t);
    await exported("codex");
    const refused = async (...words: readonly string[]) => (await say("export", ...words)).err;
    assert.match(
      await refused("--client", "cursor", "--out", out),
      /out holds an export for another client, codex\./,
    );
    assert.match(
      await refused("--out", out),
      /export needs a client\.\nhint: Give --client with one of: claude-code, codex, cursor, gemini, copilot, agent-plugin\./,
    );
    assert.match(
      await refused("--client", "claude", "--out", out),
      /There is no client "claude" to export for\.\n/,
    );
    assert.match(await refused("--client", "gemni", "--out", out), /Did you mean gemini\?/);
    assert.match(await refused("--client", "codex"), /export needs a folder\./);
  });
});

describe("a third-party skill", () => {
  const manifest = {
    prompts: { hello: { file: "prompts/hello.md" } },
    agents: {
      polite: {
        description: "Greets in {NAME}'s stead.",
        file: "agents/polite.md",
        commands: ["greet"],
        uses: ["shell"],
      },
    },
  };

  async function polite(t: TestContext) {
    const found = await place(t);
    const skill = await writeSkill(found.folder, "greeting", { manifest });
    for (const [path, text] of [
      ["prompts/hello.md", "Say ''' and \"hello\".\nIn two lines.\n"],
      ["agents/polite.md", "Greet with {skill} and \\ and '''.\n<!-- skillctl:end -->\n"],
    ] as const) {
      await mkdir(join(skill, path, ".."), { recursive: true });
      await writeFile(join(skill, path), text);
    }
    return { ...found, skill };
  }

  test("brings prompts and subagents, and the server hosts it", async (t) => {
    const { exported, read, say, skill, folder } = await polite(t);
    await exported("codex", "--plugin", skill);
    const config = parse(await read(".codex/agents/greeting-polite.toml")) as Record<string, unknown>;
    assert.equal(
      String(config["developer_instructions"]).trim(),
      "Greet with {skill} and \\ and '''.\n<!-- skillctl:end -->",
    );
    assert.equal(config["description"], "Greets in {NAME}'s stead.");
    const [{ args }] = serversIn(parse(await read(".codex/config.toml"))) as [ServerEntry];
    assert.deepEqual(args.slice(-2), ["--plugin", skill]);
    assert.match(await read("AGENTS.md"), /^- The subagent greeting-polite: Greets in \{NAME\}'s stead\.$/m);
    const into = (client: string) =>
      say("export", "--client", client, "--out", join(folder, client), "--plugin", skill);
    await into("gemini");
    const { prompt } = parse(await readFile(join(folder, "gemini", "commands/greeting/hello.toml"), "utf8"));
    assert.equal(prompt, "Say ''' and \"hello\".\nIn two lines.");
    await into("claude-code");
    const text = await readFile(join(folder, "claude-code", "agents/greeting-polite.md"), "utf8");
    const [front] = partsOf("agents/greeting-polite.md", text) as [{ tools: readonly string[] }, string];
    assert.deepEqual(front.tools, ["Bash", "mcp__plugin_skillctl_skillctl__greeting_greet"]);
  });

  test("whose SKILL.md has faults has no documents in the export, which is reported", async (t) => {
    const { exported, skill } = await polite(t);
    await writeFile(join(skill, "SKILL.md"), "no front matter");
    const { files, notes } = await exported("claude-code", "--plugin", skill);
    assert.ok(!files.some((path) => path.startsWith("skills/greeting/")));
    assert.ok(
      notes.includes(
        `The documents of greeting are left out, since its SKILL.md has faults: skillctl validate ${skill}`,
      ),
      notes.join("\n"),
    );
  });

  test("validate reports that a subagent needs its file, and tools for commands", async (t) => {
    const { say, skill, folder } = await polite(t);
    const written = JSON.parse(await readFile(join(skill, "skill.json"), "utf8")) as Record<string, unknown>;
    const commands = written["commands"] as Record<string, object>;
    const agent = { description: "Greets.", file: "agents/none.md", commands: ["gret", "quiet"] };
    await writeFile(
      join(skill, "skill.json"),
      JSON.stringify({
        ...written,
        commands: { ...commands, quiet: { ...commands["greet"], default: false, surfaces: ["cli"] } },
        agents: { lead: agent },
      }),
    );
    const { out } = await say("validate", join(folder, "greeting"));
    assert.match(
      out,
      /#\/agents\/lead\/commands\/0: .*The skill has no command "gret"; did you mean greet\?/,
    );
    assert.match(
      out,
      /#\/agents\/lead\/commands\/1: .*quiet is not a tool of MCP, so no subagent can call it\./,
    );
    assert.match(out, /#\/agents\/lead\/file: .*There is no file agents\/none\.md\./);
  });
});
