/** `skillctl hooks`: writes hooks into the settings of an agent, and removes them byte for byte. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdir, readFile, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { createTestHost } from "skillctl/testing";
import { fixtureSkill } from "../../../testing/fixture-skills.ts";
import { programHash } from "../../../adapters/program-hash.ts";
import { runCli } from "../../cli/fixture-command-line.ts";
import { AGENTS, type Agent } from "../fixture-agents.ts";
import { hookCommand } from "../install/command.ts";
import { otherSide } from "../../../testing/fixture-other-side.ts";
import { hooksPlace } from "./hooks-harness.ts";
import { documentOf } from "../../../../contract-tests/doors-harness.ts";

const WINDOWS = process.platform === "win32";
const CLIENTS = Object.keys(AGENTS) as (keyof typeof AGENTS)[];

/** Settings in several styles; each has entries of others. */
const STYLES = [
  '{"a":1}',
  '\uFEFF{\r\n\t"a" : [ 1,2 ],\r\n\t"hooks": {}\r\n}\r\n',
  '{\n  // mine\n  "hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "say done" } ] } ], },\n}',
];

/** Commands of an earlier version, which took the status 0 of any program for an answer. */
const OLDER = [
  "skillctl guard --dialect codex || exit 2",
  "SKILLCTL_STATE='/my state' /usr/bin/node /opt/skillctl/bin/skillctl.cjs guard --dialect codex || exit 1",
];

type Json = Readonly<Record<string, unknown>>;

const NO_PUSH = {
  tell: "Never push by force.",
  on: ["tool.pre" as const],
  when: {
    type: "object",
    required: ["command"],
    properties: { command: { type: "string", pattern: "--force" } },
  },
  decision: "deny" as const,
  message: "Do not push by force.",
};

interface Settings {
  readonly version?: number;
  readonly hooks: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

test("settings that are nested too deeply are reported and left unchanged, and doctor continues", async (t) => {
  for (const depth of [300, 5_000, 100_000])
    for (const client of CLIENTS) {
      const { project, hooks, variables } = await hooksPlace(t);
      const file = join(project, AGENTS[client].file);
      const text = `{"hooks":/* "[ */${"[".repeat(depth)}"]"${"]".repeat(depth)}}`;
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      const install = await hooks("install", "--client", client);
      const status = await hooks("status", "--client", client);
      const doctor = await runCli(project, ["doctor"], { variables });
      for (const { out, err } of [install, status, doctor])
        assert.match(out + err, /(?:settings|hooks)\.json[^]*nested deeper than 200/, client);
      assert.notEqual(install.status, 70, install.err);
      assert.notEqual(status.status, 70, status.err);
      assert.notEqual(doctor.status, 70, doctor.err);
      assert.equal(await readFile(file, "utf8"), text);
    }
});

describe("installing", () => {
  test("adds one command to every event of the agent, once; removing deletes file and folder", async (t) => {
    const { project, hooks } = await hooksPlace(t);
    for (const client of CLIENTS) {
      const first = await hooks("install", "--client", client);
      assert.equal(first.status, 0, first.err);
      const text = await readFile(join(project, AGENTS[client].file), "utf8");
      const { hooks: written } = JSON.parse(text) as Settings;
      assert.deepEqual(Object.keys(written).toSorted(), AGENTS[client].heard.toSorted(), client);
      for (const list of Object.values(written)) assert.equal(list.length, 1, client);
      assert.match((await hooks("install", "--client", client)).out, / are already in /);
      assert.equal(await readFile(join(project, AGENTS[client].file), "utf8"), text);
      assert.equal((await hooks("remove", "--client", client)).status, 0);
      assert.deepEqual(await readdir(project), [], client);
    }
  });

  test("configures each agent that supports it to deny if the hook gives no answer", async (t) => {
    const { project, hooks } = await hooksPlace(t);
    await hooks("install", "--client", "claude-code");
    await hooks("install", "--client", "cursor");
    const claude = JSON.parse(await readFile(join(project, AGENTS["claude-code"].file), "utf8")) as Settings;
    const [group] = claude.hooks["PreToolUse"] ?? [];
    assert.equal(group?.["matcher"], "*");
    assert.equal((group["hooks"] as Readonly<Record<string, unknown>>[])[0]?.["onFailure"], "block");
    const cursor = JSON.parse(await readFile(join(project, AGENTS.cursor.file), "utf8")) as Settings;
    assert.equal(cursor.version, 1);
    assert.equal(cursor.hooks["preToolUse"]?.[0]?.["failClosed"], true);
  });

  test(
    "without skillctl on the machine no tool is called, and a turn can end, with a message",
    { skip: WINDOWS },
    async (t) => {
      const { project, program, hooks } = await hooksPlace(t);
      for (const client of CLIENTS) {
        const agent: Agent = AGENTS[client];
        await hooks("install", "--client", client);
        const { hooks: written } = JSON.parse(
          await readFile(join(project, AGENTS[client].file), "utf8"),
        ) as Settings;
        await rm(program);
        for (const [event, [entry = {}]] of Object.entries(written)) {
          const [hook = entry] = (entry["hooks"] as readonly Json[] | undefined) ?? [];
          const isEnd = agent.ends.includes(event);
          const { status, stderr } = spawnSync("sh", ["-c", String(hook["command"])], { encoding: "utf8" });
          assert.equal(status, isEnd ? 1 : 2, `${client}, ${event}`);
          assert.match(stderr, /Cannot find module/);
          assert.equal("onFailure" in hook || "failClosed" in hook, !isEnd && agent.closed !== undefined);
        }
        await writeFile(program, "");
        assert.equal((await hooks("remove", "--client", client)).status, 0);
        assert.deepEqual(await readdir(project), []);
      }
    },
  );

  test("hooks of an earlier version that refuse the end of every turn are reported, repaired and removed", async (t) => {
    const { project, hooks } = await hooksPlace(t);
    const file = join(project, AGENTS.codex.file);
    for (const action of ["install", "remove"]) {
      await hooks("install", "--client", "codex");
      const sound = await readFile(file, "utf8");
      await writeFile(file, sound.replaceAll("|| exit 1", "|| exit 2"));
      const { out, status } = await hooks("status", "--client", "codex");
      assert.deepEqual(
        [status, /At Stop the hook is missing or differs from the one that skillctl installs/.test(out)],
        [1, true],
      );
      assert.equal((await hooks(action, "--client", "codex")).status, 0);
      if (action === "install") assert.equal(await readFile(file, "utf8"), sound);
    }
    assert.deepEqual(await readdir(project), []);
  });

  test("leaves other settings unchanged, and removing restores the previous bytes", async (t) => {
    const { hooks, settings } = await hooksPlace(t);
    for (const client of CLIENTS) {
      for (const text of STYLES) {
        const file = await settings(AGENTS[client].file, text);
        const { status, err } = await hooks("install", "--client", client);
        if (text.includes("// mine") && !AGENTS[client].comments) {
          assert.deepEqual([status, /comments or trailing commas, which/.test(err)], [78, true], client);
          assert.equal(await readFile(file, "utf8"), text, client);
          continue;
        }
        const after = await readFile(file, "utf8");
        assert.notEqual(after, text);
        assert.equal(after.startsWith("\uFEFF"), text.startsWith("\uFEFF"), "its byte order mark");
        if (text.includes("say done")) assert.match(after, /"command": "say done"/);
        assert.equal((await hooks("remove", "--client", client)).status, 0);
        assert.equal(await readFile(file, "utf8"), text, client);
      }
    }
  });

  test("removing leaves no added line break in settings that have changed since", async (t) => {
    const { hooks, settings } = await hooksPlace(t);
    const group = '{"hooks":[{"type":"command","command":"true"}]}';
    for (const rest of [
      '"model":"x"}\n',
      '"model": "x" ,\r\n   "hooks": { "Stop" : [ ] }}\n\n',
      `"hooks": { "PreToolUse" : [ ${group} ] }\n}`,
      '\n  "hooks": {\n    "Stop": [{\n      "hooks": []\n    }]\n  }\n}\n',
    ]) {
      const file = await settings(AGENTS["claude-code"].file, `{${rest}`);
      await hooks("install", "--client", "claude-code");
      await writeFile(file, (await readFile(file, "utf8")).replace("{", '{ "mine": [1,  2],'));
      assert.equal((await hooks("remove", "--client", "claude-code")).status, 0);
      assert.equal(await readFile(file, "utf8"), `{ "mine": [1,  2],${rest}`);
    }
  });

  test("is undone around later changes, also without the state folder", async (t) => {
    const { state, hooks, settings } = await hooksPlace(t);
    const file = await settings(AGENTS.codex.file, '{\n  "a": 1\n}\n');
    await hooks("install", "--client", "codex");
    const told = async () => /, changed by others since$/m.test((await hooks("status")).out);
    assert.equal(await told(), false);
    await writeFile(file, (await readFile(file, "utf8")).replace('"a": 1', '"a": 2'));
    assert.equal(await told(), true);
    await hooks("remove", "--client", "codex");
    assert.equal(await readFile(file, "utf8"), '{\n  "a": 2\n}\n');
    await hooks("install", "--client", "codex");
    await rm(state, { recursive: true });
    assert.equal((await hooks("remove", "--client", "codex")).status, 0);
    const left = JSON.parse(await readFile(file, "utf8")) as Settings & { readonly a: number };
    assert.equal(left.a, 2);
    assert.deepEqual(Object.values(left.hooks ?? {}).flat(), []);
  });

  test(
    "writes through no link, neither in place of the settings nor of their folder",
    { skip: WINDOWS },
    async (t) => {
      const { project, hooks, settings } = await hooksPlace(t);
      const other = await settings("../other/settings.json", "{}");
      await mkdir(join(project, ".claude"));
      await symlink(other, join(project, AGENTS["claude-code"].file));
      await symlink(dirname(other), join(project, ".gemini"));
      await mkdir(join(project, ".cursor"));
      await symlink("nowhere.json", join(project, AGENTS.cursor.file));
      for (const client of ["claude-code", "gemini", "cursor"]) {
        const { status, err } = await hooks("install", "--client", client);
        assert.deepEqual([status, /hooks are not written through links/.test(err)], [73, true], err);
      }
      assert.equal(await readFile(other, "utf8"), "{}");
      assert.deepEqual(await readdir(dirname(other)), ["settings.json"]);
      assert.deepEqual(await readdir(join(project, ".cursor")), ["hooks.json"]);
    },
  );

  test("status and install report an older command, install replaces it, and remove deletes it", async (t) => {
    const { hooks, settings } = await hooksPlace(t);
    for (const command of OLDER) {
      const entry = [{ hooks: [{ type: "command", command, timeout: 60 }] }];
      const mine = { hooks: [{ type: "command", command: "mine" }] };
      const old = JSON.stringify({ hooks: { Stop: [mine, ...entry], PreToolUse: entry } });
      const file = await settings(AGENTS.codex.file, old);
      const { out, status } = await hooks("status", "--client", "codex");
      assert.deepEqual(
        [status, /command of an earlier version.*: install them again/.test(out)],
        [1, true],
        out,
      );
      if (command === OLDER[0]) {
        const installed = await hooks("install", "--client", "codex");
        assert.deepEqual(
          [installed.status, /replaced those of an earlier version/.test(installed.out)],
          [0, true],
        );
        assert.doesNotMatch(await readFile(file, "utf8"), /--dialect/);
      }
      assert.equal((await hooks("remove", "--client", "codex")).status, 0);
      const { hooks: left } = JSON.parse(await readFile(file, "utf8")) as Settings;
      assert.deepEqual(Object.values(left).flat(), [mine]);
    }
  });

  test(
    "the installed command denies when another program answers in the place of skillctl or Node, and passes on an answer",
    { skip: WINDOWS },
    async (t) => {
      const { project, variables } = await hooksPlace(t);
      const bin = join(project, "bin");
      await mkdir(bin);
      const event = JSON.stringify({
        hook_event_name: "PreToolUse",
        session_id: "s",
        cwd: project,
        tool_name: "Bash",
        tool_input: { command: "ls" },
      });
      const said = (program: readonly string[], path: string) =>
        new Promise<readonly unknown[]>((resolve) => {
          const command = hookCommand({ dialect: "claude-code", program });
          const child = spawn("sh", ["-c", command], {
            cwd: project,
            env: { ...variables, PATH: `${path}:/usr/bin:/bin` },
          });
          let [out, err] = ["", ""];
          child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString("utf8")));
          child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString("utf8")));
          child.stdin.on("error", () => undefined).end(event);
          child.on("close", (status) => {
            // Codex and Gemini CLI treat a denial without text as a failed hook.
            assert.equal(status === 0 || err.endsWith("skillctl guard: not allowed\n"), true, err);
            resolve([status, out]);
          });
        });
      const program = join(import.meta.dirname, "../../../../bin/skillctl.cjs");
      assert.deepEqual(await said([process.execPath, program], bin), [0, ""]);
      const empty = join(bin, "skillctl.cjs");
      await writeFile(empty, "");
      assert.deepEqual(await said([process.execPath, empty], bin), [2, ""], "an emptied file");
      assert.deepEqual(
        await said([process.execPath, join(bin, "missing.cjs")], bin),
        [2, ""],
        "a missing file",
      );
      for (const text of ["exit 0", "exit 1", "exit 77", "kill -9 $$", "echo '{}'", ""]) {
        const fake = join(bin, "skillctl");
        await writeFile(fake, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
        const [status] = await said(["skillctl"], bin);
        assert.equal(status, 2, text);
        await rename(fake, join(bin, "node"));
        assert.equal((await said([join(bin, "node"), program], bin))[0], 2, `as node: ${text}`);
      }
    },
  );

  test(
    "contains only the name skillctl if PATH leads to it; npm's own folders do not count",
    { skip: WINDOWS },
    async (t) => {
      const { project, program, variables } = await hooksPlace(t);
      const command = async (folder: string) => {
        const bin = join(project, folder);
        await mkdir(bin, { recursive: true });
        await symlink(program, join(bin, "skillctl"));
        const options = { variables: { ...variables, PATH: bin }, ownProgram: [process.execPath, program] };
        const said = await runCli(project, ["hooks", "install", "--client", "codex", "--json"], options);
        return (documentOf(said) as { output: { command: string } }).output.command;
      };
      const state = `SKILLCTL_STATE=${variables.SKILLCTL_STATE} `;
      const line = (start: string) =>
        `${state}sh -c '${start} guard --hook codex; test $''? = 93 || { echo skillctl guard: not allowed >&2; exit 2; }' || exit 2`;
      assert.equal(await command("bin"), line("skillctl"));
      const started = line(`${process.execPath} ${program}`);
      assert.equal(await command("node_modules/.bin"), started);
      variables.SKILLCTL_STATE = "postgres://u:s3cret@host/db";
      assert.doesNotMatch(await command("third"), /postgres|SKILLCTL_STATE/);
    },
  );

  test("with --http an agent that supports it asks a running server", async (t) => {
    const { project, hooks, settings } = await hooksPlace(t);
    await using place = await createTestHost({
      skills: [fixtureSkill("git-rules", { rules: { "no-push": NO_PUSH } })],
    });
    const { url } = await place.serve();
    const before = '{"a":1}';
    const file = await settings(AGENTS["claude-code"].file, before);
    const words = ["install", "--client", "claude-code", "--http"];
    const { status, out } = await hooks(...words, `${url}/?k=secret`);
    assert.deepEqual([status, /SKILLCTL_KEY/.test(out)], [0, true], out);
    assert.equal((await hooks("status", "--client", "claude-code")).status, 0);
    const text = await readFile(file, "utf8");
    assert.doesNotMatch(text, /secret/);
    const { hooks: written } = JSON.parse(text) as Settings;
    const hook = (event: string) =>
      (written[event]?.[0]?.["hooks"] as readonly Json[] | undefined)?.[0] ?? {};
    assert.equal(hook("SessionStart")["type"], "command");
    assert.equal(hook("Stop")["type"], "http");
    assert.deepEqual(hook("PreToolUse"), {
      type: "http",
      url: `${url}/v1/hook/claude-code`,
      headers: { Authorization: "Bearer $SKILLCTL_KEY" },
      allowedEnvVars: ["SKILLCTL_KEY"],
      timeout: 60,
      onFailure: "block",
    });
    const post = async (event: object) => {
      const headers = { "content-type": "application/json" };
      const reply = await fetch(String(hook("PreToolUse")["url"]), {
        method: "POST",
        headers,
        body: JSON.stringify({ session_id: "s", cwd: project, ...event }),
      });
      return { status: reply.status, body: await reply.text() };
    };
    const bash = (command: string, more: object = {}) =>
      post({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command }, ...more });
    assert.deepEqual(await bash("git push"), { status: 200, body: "{}" });
    assert.match((await bash("git push --force")).body, /"permissionDecision":"deny".*Do not push by force/);
    const odd = await bash("git push", { hook_event_name: "Elsewhere" });
    assert.deepEqual(
      [odd.status, odd.body.startsWith('{"continue":false,"stopReason":"skillctl guard denies')],
      [200, true],
    );
    assert.equal((await bash(`echo ${"x".repeat(2_000_000)}`)).status, 200);
    assert.equal((await hooks(...words, "here")).status, 64);
    assert.equal((await hooks("install", "--client", "codex", "--http", url)).status, 64);
    assert.equal((await hooks("remove", "--client", "claude-code")).status, 0);
    assert.equal(await readFile(file, "utf8"), before);
  });
});

describe("status", () => {
  test("exits with 1 and the reason if hooks cannot work, and lists hooks that are not installed", async (t) => {
    const { project, program, hooks } = await hooksPlace(t);
    assert.equal((await hooks("status")).status, 0);
    await hooks("install", "--client", "cursor");
    const sound = await hooks("status");
    assert.equal(sound.status, 0);
    assert.match(sound.out, /^Cursor, project: installed$/m);
    assert.match(sound.out, /^Not installed: .*Claude Code \(project\), /m);
    const file = join(project, AGENTS.cursor.file);
    const { hooks: events, ...rest } = JSON.parse(await readFile(file, "utf8")) as Settings;
    const { preToolUse: _, ...fewer } = events;
    await writeFile(file, JSON.stringify({ ...rest, hooks: fewer }));
    const missing = await hooks("status", "--client", "cursor", "--json");
    assert.equal(missing.status, 1);
    assert.match(missing.out, /preToolUse/);
    await hooks("install", "--client", "cursor");
    const mended = JSON.parse(await readFile(file, "utf8")) as Settings;
    for (const [event, list] of Object.entries(mended.hooks)) assert.equal(list.length, 1, event);
    await rm(program);
    assert.equal((await hooks("status")).status, 1);
  });

  test(
    "hooks are not called working where PATH contains no skillctl, or to another",
    { skip: WINDOWS },
    async (t) => {
      const { project, program, variables } = await hooksPlace(t);
      const bin = join(project, "bin");
      const link = join(bin, "skillctl");
      await mkdir(bin);
      await symlink(program, link);
      const options = { variables: { ...variables, PATH: bin }, ownProgram: [process.execPath, program] };
      assert.equal((await runCli(project, ["hooks", "install", "--client", "codex"], options)).status, 0);
      assert.equal((await runCli(project, ["hooks", "status"], options)).status, 0);
      await rm(link);
      const none = await runCli(project, ["hooks", "status"], options);
      assert.deepEqual([none.status, /PATH contains no skillctl/.test(none.out)], [1, true], none.out);
      await writeFile(link, "");
      const other = await runCli(project, ["hooks", "status"], options);
      assert.deepEqual(
        [other.status, /leads to \S+bin\/skillctl, which is a different program/.test(other.out)],
        [1, true],
      );
    },
  );

  test("hooks that another settings file disables are not reported as working", async (t) => {
    const { project, variables, hooks, settings } = await hooksPlace(t);
    const off = '{ "disableAllHooks": true }';
    const rows = [
      ["claude-code", project, ".claude/settings.local.json", off],
      ["claude-code", variables.HOME, ".claude/settings.json", off],
      ["gemini", variables.HOME, ".gemini/settings.json", '// mine\n{ "hooksConfig": { "enabled": false } }'],
    ] as const;
    for (const [client, folder, name, text] of rows) {
      await hooks("install", "--client", client);
      assert.equal((await hooks("status", "--client", client)).status, 0);
      const file = await settings(name, text, folder);
      const { status, out } = await hooks("status", "--client", client);
      assert.deepEqual([status, out.includes(`${file} switches hooks off.`)], [1, true], out);
      await writeFile(file, "{");
      assert.equal((await hooks("status", "--client", client, "--scope", "project")).status, 0);
      await rm(file);
    }
  });

  test("hooks whose program or rules another settings file can replace are not reported as working", async (t) => {
    const { project, variables, hooks, settings } = await hooksPlace(t);
    const rows = [
      [
        "claude-code",
        project,
        ".claude/settings.local.json",
        '{ "env": { "NODE_OPTIONS": "-r ./x" } }',
        "sets NODE_OPTIONS ",
      ],
      [
        "claude-code",
        variables.HOME,
        ".claude/settings.json",
        '{ "env": { "PATH": ".", "A": "1" } }',
        "sets PATH ",
      ],
      ["gemini", project, ".env", "A=1\nSKILLCTL_STATE=/tmp/x\n", "sets SKILLCTL_STATE "],
      ["gemini", variables.HOME, ".gemini/.env", "export LD_PRELOAD=/tmp/x.so", "sets LD_PRELOAD "],
      [
        "codex",
        project,
        ".codex/config.toml",
        "model = 'x'\n[features]\nweb = true\nhooks = false\n",
        "switches hooks off",
      ],
      ["codex", variables.HOME, ".codex/config.toml", "features.hooks=false\n", "switches hooks off"],
    ] as const;
    for (const [client, folder, name, text, told] of rows) {
      await hooks("install", "--client", client);
      assert.equal((await hooks("status", "--client", client, "--scope", "project")).status, 0);
      const file = await settings(name, text, folder);
      const { status, out } = await hooks("status", "--client", client, "--scope", "project");
      assert.deepEqual([status, out.includes(`${file} ${told}`)], [1, true], out);
      await writeFile(file, name.endsWith(".json") ? '{ "env": { "A": "1" } }' : "A=1\n");
      assert.equal((await hooks("status", "--client", client, "--scope", "project")).status, 0);
      await rm(file);
    }
  });

  test("a server that has ended is reported neither as a working hook nor as one that always denies", async (t) => {
    const { hooks } = await hooksPlace(t);
    const place = await createTestHost({ skills: [] });
    const { url } = await place.serve();
    await hooks("install", "--client", "claude-code", "--http", url);
    const words =
      /^ {2}Without the server, or with another key, Claude Code denies the call from 2\.1\.295 on; older/m;
    const there = await hooks("status", "--client", "claude-code");
    assert.deepEqual([there.status, words.test(there.out)], [0, true], there.out);
    await place[Symbol.asyncDispose]();
    const gone = await hooks("status", "--client", "claude-code");
    assert.deepEqual([gone.status, gone.out.includes(`No server answers at ${url}: `)], [1, true], gone.out);
  });

  test("an address in settings that came with a project is asked by no command until it is installed", async (t) => {
    const asked: string[] = [];
    const server = await otherSide(t, (request, response) => {
      response.end(String(asked.push(request.url ?? "")));
    });
    const words = ["--client", "claude-code", "--http", new URL(server.url).origin];
    const other = await hooksPlace(t);
    await other.hooks("install", ...words);
    asked.length = 0;
    const { project, hooks, settings, variables } = await hooksPlace(t);
    const name = AGENTS["claude-code"].file;
    await settings(name, await readFile(join(other.project, name)));
    for (const look of [["doctor"], ["hooks", "audit", name]]) await runCli(project, look, { variables });
    const { status, out } = await hooks("status");
    assert.deepEqual([status, asked], [1, []]);
    assert.match(out, /The hooks ask http:\/\/127\.0\.0\.1:\d+, an address that came with the folder/);
    assert.equal((await hooks("install", ...words)).status, 0);
    assert.equal((await hooks("status", "--client", "claude-code")).status, 0);
    assert.deepEqual([...new Set(asked)], ["/health"]);
    assert.equal((await hooks("remove", "--client", "claude-code")).status, 0);
    assert.doesNotMatch(await readFile(join(project, name), "utf8"), /hook\/claude-code|skillctl/);
  });

  test("lists the agents that run a call if its hook is late", async (t) => {
    const { hooks } = await hooksPlace(t);
    for (const client of CLIENTS) {
      await hooks("install", "--client", client);
      const said = await hooks("status", "--client", client, "--scope", "project", "--json");
      const [hook] = (documentOf(said) as { output: { hooks: { late: string }[] } }).output.hooks;
      assert.equal(hook?.late, AGENTS[client].late, client);
    }
  });

  test("reports an agent that fails open in one sentence", async (t) => {
    const { hooks } = await hooksPlace(t);
    const sentence = /^ *[A-Z][A-Za-z ]* fails open when the hook is late \(60 s\)\. /m;
    for (const client of CLIENTS.filter((name) => AGENTS[name].late === "let through"))
      for (const verb of ["install", "status"]) {
        const { out, err } = await hooks(verb, "--client", client);
        assert.match(out + err, sentence);
        assert.doesNotMatch(out + err, /It fails open/);
      }
  });

  test("reports a program or rules that have changed since the installation", async (t) => {
    const { project, state, hooks, variables } = await hooksPlace(t);
    const doctor = () => runCli(project, ["doctor"], { variables });
    await hooks("install", "--client", "claude-code");
    assert.equal((await hooks("status")).status, 0);
    assert.doesNotMatch((await doctor()).out, /^fail/m);
    const note = join(state, "program.json");
    const { folder, hash } = JSON.parse(await readFile(note, "utf8")) as Readonly<Record<string, string>>;
    assert.equal(hash, programHash(folder));
    const other = join(state, "other");
    await mkdir(join(other, "dist", "rules"), { recursive: true });
    await writeFile(join(other, "dist", "rules", "a.json"), "1");
    const before = programHash(other);
    await writeFile(join(other, "dist", "rules", "a.json"), "2");
    assert.notEqual(programHash(other), before);
    await writeFile(note, JSON.stringify({ folder, hash: before }));
    const changed = await hooks("status");
    assert.equal(changed.status, 1);
    assert.match(
      changed.out,
      /^The skillctl program or its rules in .* have changed since the hooks were installed\./,
    );
    const examined = await doctor();
    assert.equal(examined.status, 1);
    assert.match(examined.out, /^fail .* have changed since the hooks were installed/m);
    await hooks("install", "--client", "claude-code");
    assert.equal((await hooks("status")).status, 0);
    await hooks("remove", "--client", "claude-code");
    assert.ok(!(await readdir(state)).includes("program.json"));
  });
});
