/** `skillctl hooks` on real settings files: its changes, the preserved text, and complete removal. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod, lstat, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import fc from "fast-check";
import { nodeFiles } from "../../../adapters/files.ts";
import { processEnvironment } from "../../../adapters/environment.ts";
import { runCli } from "../../cli/fixture-command-line.ts";
import { CLIENTS } from "../hook.ts";
import { hookCommand } from "../install/command.ts";
import { writtenSettings } from "../install/fixture-settings.ts";
import { HookSettings } from "../install/hook-settings.ts";
import { hasComments } from "../install/settings-text.ts";
import { effort } from "../../../../contract-tests/harness.ts";
import { hooksPlace } from "./hooks-harness.ts";

const WINDOWS = process.platform === "win32";

for (const { name, file, title, form } of CLIENTS) {
  describe(name, () => {
    test("settings in any style keep other text, and removing restores their bytes", async (t) => {
      const { project, variables } = await hooksPlace(t);
      const client = CLIENTS.find((one) => one.name === name) ?? assert.fail();
      await mkdir(dirname(join(project, file)), { recursive: true });
      const installer = new HookSettings(processEnvironment(variables, project), nodeFiles, "");
      const target = await installer.fileOf(client, "project");
      const command = (folder: string) => ({
        command: hookCommand({ dialect: name, program: ["/usr/bin/node", `${folder}/skillctl.cjs`] }),
      });
      const bom = fc.constantFrom("", "\uFEFF");
      await fc.assert(
        fc.asyncProperty(writtenSettings(client), bom, async ({ text, comments }, mark) => {
          await writeFile(target.file, mark + text);
          if (hasComments(text) && !client.reads.includes("comments")) {
            await assert.rejects(installer.install(target, command("/a")), /which .* does not read\.$/);
            assert.equal(await readFile(target.file, "utf8"), mark + text);
            return;
          }
          for (const folder of ["/a", "/o't her"]) {
            assert.equal(await installer.install(target, command(folder)), true);
            assert.equal(await installer.install(target, command(folder)), false);
            const after = await readFile(target.file, "utf8");
            assert.ok(after.startsWith(mark));
            assert.equal(after.split(" guard --hook ").length - 1, Object.keys(client.events).length);
            for (const comment of comments) assert.ok(after.includes(comment), comment);
          }
          assert.equal(await installer.remove(target), true);
          assert.equal(await readFile(target.file, "utf8"), mark + text);
        }),
        { numRuns: effort(4, 36) },
      );
    });

    test("a file that has changed loses only the added hooks; one that was only reformatted is deleted", async (t) => {
      const { project, hooks, settings } = await hooksPlace(t);
      await hooks("install", "--client", name);
      const target = join(project, file);
      const value = JSON.parse(await readFile(target, "utf8")) as object;
      await writeFile(target, JSON.stringify(value));
      await hooks("remove", "--client", name);
      assert.deepEqual(await readdir(project), []);
      await settings(file, '{\n  "a": 1\n}\n');
      for (const round of [1, 2]) {
        await hooks("install", "--client", name);
        const altered = (await readFile(target, "utf8")).replaceAll(/"timeout": \d+/g, `"timeout": ${round}`);
        await writeFile(target, altered);
      }
      await hooks("install", "--client", name);
      await writeFile(target, (await readFile(target, "utf8")).replace('"a": 1', '"a": 2'));
      assert.equal((await hooks("remove", "--client", name)).status, 0);
      assert.equal(await readFile(target, "utf8"), '{\n  "a": 2\n}\n');
    });

    test("a disabled hook is not reported as sound, and the user's own command stays", async (t) => {
      const { hooks, project } = await hooksPlace(t);
      const target = join(project, file);
      const within = (text: string, before: string): string =>
        text.replaceAll(/"command": "/g, (start) => start + before);
      const rows: readonly (readonly [(text: string) => string, RegExp])[] = [
        [(text) => within(text, "exit 0; "), /were removed or replaced by other commands/],
        [
          (text) => text.replaceAll(`--hook ${name}`, "--hook skillctl"),
          /the hook is missing or differs from the one/,
        ],
        [
          (text) => text.replaceAll(/"timeout": \d+/g, '"timeout": 0'),
          /the hook is missing or differs from the one/,
        ],
        [
          (text) => text.replaceAll(/"matcher": "\*"/g, '"matcher": "Nothing"'),
          form === "flat" ? /installed/ : /the hook is missing or differs from the one/,
        ],
        [
          (text) => text.replaceAll(/SKILLCTL_STATE=\S+/g, "SKILLCTL_STATE=/elsewhere"),
          WINDOWS ? /installed/ : /uses the state folder \/elsewhere, not /,
        ],
      ];
      for (const [change, told] of rows) {
        await hooks("install", "--client", name);
        const text = await readFile(target, "utf8");
        await writeFile(target, change(text));
        const { status, out } = await hooks("status", "--client", name);
        assert.match(out, told);
        if (change(text) === text) continue;
        assert.equal(status, 1, out);
        assert.match(out, new RegExp(`^${title}, project: does not work$`, "m"));
        await rm(target);
      }
      await hooks("install", "--client", name);
      const changed = within(await readFile(target, "utf8"), "/usr/local/bin/my-audit-log; ");
      await writeFile(target, changed);
      await hooks("remove", "--client", name);
      assert.equal(await readFile(target, "utf8"), changed);
    });
  });
}

describe("the settings file", () => {
  test(
    "keeps its permissions; one in the home folder is readable by its owner only",
    { skip: WINDOWS },
    async (t) => {
      const { project, program, hooks, settings, variables } = await hooksPlace(t);
      const target = await settings(".claude/settings.json", '{"a":1}');
      await chmod(target, 0o640);
      for (const action of ["install", "remove"]) {
        assert.equal((await hooks(action, "--client", "claude-code")).status, 0);
        assert.equal((await lstat(target)).mode & 0o777, 0o640);
      }
      assert.equal(await readFile(target, "utf8"), '{"a":1}');
      const own = {
        variables: { ...variables, CODEX_HOME: join(project, "cx") },
        ownProgram: ["node", program],
      };
      const words = ["hooks", "install", "--client", "codex", "--scope", "user"];
      assert.equal((await runCli(project, words, own)).status, 0);
      assert.equal((await lstat(join(project, "cx/hooks.json"))).mode & 0o777, 0o600);
    },
  );

  test("settings that are not JSON are refused by every action, with the reason, and stay unchanged", async (t) => {
    const { hooks, settings } = await hooksPlace(t);
    const rows: readonly (readonly [string | Uint8Array, RegExp])[] = [
      ["{\n\n  x}", /line 3 is not valid JSON\./],
      ["[]", /it is not a JSON object/],
      ['{"hooks": []}', /its "hooks" is not an object/],
      ['{"hooks":{},"hooks":{}}', /it has "hooks" twice/],
      ['{"hooks": {"BeforeTool": {}}}', /its hooks at BeforeTool are not a list/],
      [Buffer.from([0x7b, 0xff, 0x7d]), /it is not UTF-8/],
    ];
    for (const [text, reason] of rows) {
      const target = await settings(".gemini/settings.json", text);
      for (const action of ["install", "remove", "status"]) {
        const { status, err, out } = await hooks(action, "--client", "gemini");
        assert.deepEqual([status, out], [78, ""], `${action} ${String(text)}`);
        assert.match(err, reason);
      }
      assert.deepEqual(await readFile(target), Buffer.from(text));
    }
  });

  test("is treated as missing if it is empty", async (t) => {
    for (const text of ["", "\n", "\uFEFF"]) {
      const { hooks, settings } = await hooksPlace(t);
      const target = await settings(".gemini/settings.json", text);
      assert.equal((await hooks("status", "--client", "gemini")).status, 0, JSON.stringify(text));
      const { status, err } = await hooks("install", "--client", "gemini");
      assert.equal(status, text === "\uFEFF" ? 1 : 0, `${JSON.stringify(text)}: ${err}`);
      await hooks("remove", "--client", "gemini");
      assert.equal(await readFile(target, "utf8"), text, JSON.stringify(text));
    }
  });
});

describe("status", () => {
  test("lists each agent and place, the program that is started, and the agents that fail open", async (t) => {
    const { hooks, project } = await hooksPlace(t);
    await hooks("install", "--client", "codex");
    const { status, out } = await hooks("status");
    assert.equal(status, 0);
    assert.match(
      out,
      /^Codex, project: installed\n {2}\S+hooks\.json\n {2}starts \S+node\S* \S+skillctl\.cjs$/m,
    );
    assert.match(out, /Codex fails open when the hook is late \(60 s\)\. .* are reported at the next event/);
    assert.match(out, /^Not installed: .*Claude Code \(project\), Claude Code \(user\), Codex \(user\), /m);
    const { out: json } = await hooks("status", "--client", "codex", "--scope", "project", "--json");
    const [one] = (JSON.parse(json) as { output: { hooks: Record<string, unknown>[] } }).output.hooks;
    assert.deepEqual(
      [one?.["file"], one?.["installed"], one?.["changed"], one?.["late"]],
      [join(project, ".codex/hooks.json"), "yes", false, "let through"],
    );
  });

  test("reports faults that keep hooks from working with exit status 1; installing lists them first", async (t) => {
    const rows: readonly (readonly [string, (text: string) => string, RegExp])[] = [
      ["gemini", (text) => text.replace("{", '{ "hooksConfig": { "enabled": false },'), /switch hooks off/],
      ["claude-code", (text) => text.replace("{", '{ "disableAllHooks": true,'), /switch hooks off/],
      ["claude-code", (text) => text.replace("{", "{ // mine"), /does not read settings with comments/],
      ["codex", (text) => `\uFEFF${text}`, /begin with a byte order mark/],
      ["codex", (text) => text.replace('"Stop"', '"Stopped"'), /At Stop the hook is missing or differs/],
    ];
    for (const [name, change, told] of rows) {
      const { hooks, project } = await hooksPlace(t);
      await hooks("install", "--client", name);
      const file = join(project, CLIENTS.find((one) => one.name === name)?.file ?? "");
      await writeFile(file, change(await readFile(file, "utf8")));
      const { status, out } = await hooks("status", "--client", name);
      assert.equal(status, 1, out);
      assert.match(out, told);
    }
    const { hooks, settings, program } = await hooksPlace(t);
    await settings(".claude/settings.json", '{ "disableAllHooks": true }');
    const { status, out } = await hooks("install", "--client", "claude-code");
    assert.deepEqual(
      [status, /^The hooks of Claude Code cannot work: .*switch hooks off/.test(out)],
      [1, true],
    );
    await hooks("install", "--client", "codex");
    await rm(program);
    const gone = await hooks("status", "--client", "codex");
    assert.deepEqual(
      [gone.status, /skillctl\.cjs is missing: every call is/.test(gone.out)],
      [1, true],
      gone.out,
    );
  });

  test("finds the hooks of the project from a folder below; install names the folder that they apply to", async (t) => {
    const { hooks, hooksIn, project } = await hooksPlace(t);
    const below = join(project, "packages", "a");
    await mkdir(below, { recursive: true });
    await hooks("install", "--client", "claude-code");
    assert.match((await hooksIn(below, "status")).out, /^Not installed: .*Claude Code \(project\)/m);
    await mkdir(join(project, ".git"));
    const { out } = await hooksIn(below, "status");
    assert.ok(out.includes(join(project, ".claude", "settings.json")), out);
    const installed = await hooksIn(below, "install", "--client", "claude-code");
    assert.match(installed.out, /The root of the project is (.*project)\. Claude Code started there/);
    for (const left of [1, 0]) {
      await hooksIn(below, "remove", "--client", "claude-code");
      assert.deepEqual(existsSync(join(project, ".claude")), left === 1);
    }
  });
});

test("invalid arguments are reported with the valid ones", async (t) => {
  const { hooks, project } = await hooksPlace(t);
  const rows: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /hooks needs an action\..*install, status, remove and audit/s],
    [["show"], /There is no "hooks show"\./],
    [["install"], /--client is missing: one of .*claude-code, codex, cursor, gemini/s],
    [["remove", "--client", "vim"], /--client must be one of .*claude-code/],
    [["install", "--client", "codex", "--scope", "all"], /--scope must be project or user, not "all"/],
    [["status", "codex"], /one word too many/],
  ];
  for (const [words, told] of rows) {
    const { status, err, out } = await hooks(...words);
    assert.deepEqual([status, out], [64, ""], words.join(" "));
    assert.match(err, told);
  }
  assert.deepEqual(await readdir(project), []);
});
