/** `skillctl hooks` on real settings files: what it writes, what it leaves, and that it takes all of it back. */
import assert from "node:assert/strict";
import { chmod, lstat, mkdir, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import fc from "fast-check";
import { nodeFiles } from "../../../adapters/files.ts";
import { processEnvironment } from "../../../adapters/environment.ts";
import { runCli, temporaryFolder } from "../../cli/fixture.ts";
import { CLIENTS } from "../install/clients.ts";
import { hookCommand } from "../install/command.ts";
import { writtenSettings } from "../install/fixture-settings.ts";
import { install, remove } from "../install/installer.ts";
import { hasComments } from "../install/settings-text.ts";
import { placeOf } from "../install/place.ts";
import { effort } from "../../../../contract-tests/harness.ts";

const WINDOWS = process.platform === "win32";

async function place(t: TestContext) {
  const { path, close } = await temporaryFolder();
  t.after(close);
  const project = join(path, "project");
  await mkdir(project);
  const program = join(path, "skillctl.cjs");
  await writeFile(program, "");
  const variables = { HOME: join(path, "home"), SKILLCTL_STATE: join(path, "state") };
  const hooks = async (...words: string[]) =>
    runCli(project, ["hooks", ...words], { variables, ownProgram: [process.execPath, program] });
  const settings = async (file: string, text: string | Uint8Array) => {
    await mkdir(join(project, file, ".."), { recursive: true });
    await writeFile(join(project, file), text);
    return join(project, file);
  };
  return { path, project, hooks, settings, variables };
}

for (const { name, file, events } of CLIENTS) {
  describe(name, () => {
    test("where there were no settings, some are made, and go again with their folder", async (t) => {
      const { project, hooks } = await place(t);
      const first = await hooks("install", "--client", name);
      assert.equal(first.status, 0, first.err);
      const text = await readFile(join(project, file), "utf8");
      const { hooks: written } = JSON.parse(text) as { hooks: object };
      assert.deepEqual(Object.keys(written), Object.keys(events));
      const commands = new Set([...text.matchAll(/"command": ("sh [^\n]*"),?$/gm)].map(([, line]) => line));
      assert.ok(commands.size <= 1, "one command for all events");
      assert.match((await hooks("install", "--client", name)).out, / already\.$/m);
      assert.equal(await readFile(join(project, file), "utf8"), text);
      assert.equal((await hooks("remove", "--client", name)).status, 0);
      assert.deepEqual(await readdir(project), []);
      assert.match((await hooks("remove", "--client", name)).out, /none of our hooks/);
    });

    test("settings in any style get their bytes back", async (t) => {
      const { project, variables, path } = await place(t);
      const client = CLIENTS.find((one) => one.name === name) ?? assert.fail();
      await mkdir(join(project, file, ".."), { recursive: true });
      const ports = { environment: processEnvironment(variables, project), files: nodeFiles };
      const target = await placeOf(client, "project", ports);
      const bom = fc.constantFrom("", "\uFEFF");
      await fc.assert(
        fc.asyncProperty(writtenSettings(client), bom, async ({ text }, mark) => {
          await writeFile(target.file, mark + text);
          if (hasComments(text) && !client.reads.includes("comments")) {
            await assert.rejects(install(target, "node", ports), /which .* does not read\.$/);
            assert.equal(await readFile(target.file, "utf8"), mark + text);
            return;
          }
          assert.equal(
            await install(
              target,
              hookCommand({ dialect: name, dispatcher: `${path}/guard/dispatcher.sh` }),
              ports,
            ),
            true,
          );
          const after = await readFile(target.file, "utf8");
          assert.ok(after.startsWith(mark) && after.includes("dispatcher.sh"));
          assert.equal(
            await install(
              target,
              hookCommand({ dialect: name, dispatcher: "/o't her/guard/dispatcher.sh" }),
              ports,
            ),
            true,
          );
          assert.equal(await remove(target, ports), true);
          assert.equal(await readFile(target.file, "utf8"), mark + text);
        }),
        { numRuns: effort(4, 36) },
      );
    });

    test("what others have changed since stays, and nothing of ours", async (t) => {
      const { hooks, settings } = await place(t);
      const target = await settings(file, '{\n  // mine\n  "a": 1\n}\n');
      await hooks("install", "--client", name);
      await writeFile(target, (await readFile(target, "utf8")).replace('"a": 1', '"a": 2'));
      assert.equal((await hooks("remove", "--client", name)).status, 0);
      assert.equal(await readFile(target, "utf8"), '{\n  // mine\n  "a": 2\n}\n');
    });

    test("a file that only others have made tidy goes all the same; one with something of theirs stays", async (t) => {
      const { project, hooks } = await place(t);
      await hooks("install", "--client", name);
      const target = join(project, file);
      const value = JSON.parse(await readFile(target, "utf8")) as object;
      await writeFile(target, JSON.stringify(value));
      await hooks("remove", "--client", name);
      assert.deepEqual(await readdir(project), []);
      await hooks("install", "--client", name);
      await writeFile(target, JSON.stringify({ ...value, a: 1 }));
      await hooks("remove", "--client", name);
      assert.deepEqual(JSON.parse(await readFile(target, "utf8")), { a: 1 });
    });
  });
}

describe("the file itself", () => {
  test("its rights stay", { skip: WINDOWS }, async (t) => {
    const { hooks, settings } = await place(t);
    const target = await settings(".claude/settings.json", '{"a":1}');
    await chmod(target, 0o640);
    for (const action of ["install", "remove"]) {
      assert.equal((await hooks(action, "--client", "claude-code")).status, 0);
      assert.equal((await lstat(target)).mode & 0o777, 0o640);
    }
    assert.equal(await readFile(target, "utf8"), '{"a":1}');
  });

  test("a link that leads nowhere is not written through", { skip: WINDOWS }, async (t) => {
    const { project, hooks } = await place(t);
    await mkdir(join(project, ".claude"));
    await symlink("nowhere.json", join(project, ".claude/settings.json"));
    const { status, err } = await hooks("install", "--client", "claude-code");
    assert.equal(status, 66);
    assert.match(err, /is a link that leads nowhere/);
    assert.deepEqual(await readdir(join(project, ".claude")), ["settings.json"]);
  });

  test("what is no JSON is refused by every action and stays as it is", async (t) => {
    const { hooks, settings } = await place(t);
    for (const text of ["{", "[]", '{"hooks":{},"hooks":{}}', Buffer.from([0x7b, 0xff, 0x7d])]) {
      const target = await settings(".gemini/settings.json", text);
      for (const action of ["install", "remove", "status"]) {
        const { status, err, out } = await hooks(action, "--client", "gemini");
        assert.deepEqual([status, out], [78, ""], `${action} ${String(text)}`);
        assert.match(err, /settings\.json is left as it is: /);
      }
      assert.deepEqual(await readFile(target), Buffer.from(text));
    }
  });

  test(
    "hooks in the home: where variables of an agent say, for the person only",
    { skip: WINDOWS },
    async (t) => {
      const { path, project, variables } = await place(t);
      const own = {
        variables: { ...variables, CODEX_HOME: join(path, "cx") },
        ownProgram: ["node", process.execPath],
      };
      const words = ["hooks", "install", "--client", "codex", "--scope", "user"];
      assert.equal((await runCli(project, words, own)).status, 0);
      assert.equal((await lstat(join(path, "cx/hooks.json"))).mode & 0o777, 0o600);
      assert.deepEqual(await readdir(project), []);
    },
  );

  test("when the state folder is lost, our hooks are still found and go", async (t) => {
    const { path, hooks, settings } = await place(t);
    const target = await settings(".codex/hooks.json", '{"hooks":{"Stop":[{"hooks":[]}]}}');
    await hooks("install", "--client", "codex");
    await rm(join(path, "state"), { recursive: true });
    assert.equal((await hooks("remove", "--client", "codex")).status, 0);
    const { hooks: left } = JSON.parse(await readFile(target, "utf8")) as {
      hooks: Record<string, unknown[]>;
    };
    assert.deepEqual(left["Stop"], [{ hooks: [] }]);
    assert.deepEqual(Object.values(left).flat(), [{ hooks: [] }]);
  });
});

describe("status", () => {
  test("each agent and place, whether it is installed, and which agents fail open", async (t) => {
    const { hooks, project } = await place(t);
    await hooks("install", "--client", "codex");
    await hooks("install", "--client", "cursor");
    const { status, out } = await hooks("status");
    assert.equal(status, 0);
    assert.match(
      out,
      /^Codex, project: installed\n {2}\S+hooks\.json\n {2}starts \S+dispatcher\.sh \(\S+skillctl\.cjs\)/m,
    );
    assert.match(out, /fails open when the hook is late \(60 s\)\. .* is told at the next event/);
    assert.match(out, /^Not installed: Claude Code \(project\), Claude Code \(user\), Codex \(user\), /m);
    const { out: json } = await hooks("status", "--client", "codex", "--scope", "project", "--json");
    const { output } = JSON.parse(json) as { output: { hooks: Record<string, unknown>[] } };
    const [one] = output.hooks;
    assert.equal(output.hooks.length, 1);
    assert.deepEqual(
      [one?.["file"], one?.["installed"], one?.["changed"], one?.["late"]],
      [join(project, ".codex/hooks.json"), "yes", false, "let through"],
    );
  });

  test("what keeps hooks from working is told, with the exit status 1", async (t) => {
    const rows: readonly (readonly [string, (text: string, state: string) => Promise<string>, RegExp])[] = [
      [
        "gemini",
        async (text) => text.replace("{", '{ "hooksConfig": { "enabled": false },'),
        /switch hooks off/,
      ],
      ["claude-code", async (text) => text.replace("{", '{ "disableAllHooks": true,'), /switch hooks off/],
      ["claude-code", async (text) => text.replace("{", "{ // mine"), /does not read settings with comments/],
      ["codex", async (text) => `\uFEFF${text}`, /begin with a byte order mark/],
      ["codex", async (text) => text.replace('"Stop"', '"Stopped"'), /The hook is missing at Stop\./],
      [
        "cursor",
        async (text, state) => {
          await rm(join(state, "guard"), { recursive: true });
          return text;
        },
        /dispatcher\.sh is missing: every call is denied\./,
      ],
      [
        "gemini",
        async (text, state) => {
          await writeFile(join(state, "guard", "dispatcher.sh"), "");
          return text;
        },
        /dispatcher\.sh was changed, or is of another version/,
      ],
      [
        "gemini",
        async (text, state) => {
          await rm(join(state, "guard", "dispatcher.sh"));
          await mkdir(join(state, "guard", "dispatcher.sh"));
          return text;
        },
        /dispatcher\.sh is no regular file\. Every call is denied\./,
      ],
      [
        "codex",
        async (text, state) => {
          await rm(join(state, "..", "skillctl.cjs"));
          return text;
        },
        /skillctl\.cjs is missing: calls are denied when no warm host answers\./,
      ],
    ];
    for (const [name, change, told] of rows) {
      const { hooks, path, project } = await place(t);
      await hooks("install", "--client", name);
      const file = join(project, CLIENTS.find((one) => one.name === name)?.file ?? "");
      await writeFile(file, await change(await readFile(file, "utf8"), join(path, "state")));
      const { status, out } = await hooks("status", "--client", name);
      assert.equal(status, 1, out);
      assert.match(out, told);
    }
  });
});

test("words that cannot be understood are told with what can be typed", async (t) => {
  const { hooks, project } = await place(t);
  const rows: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /hooks needs a word more\..*install, status or remove/s],
    [["show"], /There is no "hooks show"\./],
    [["install"], /--client is missing\..*claude-code, codex, cursor, gemini/s],
    [["remove", "--client", "vim"], /--client must be one of claude-code/],
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
