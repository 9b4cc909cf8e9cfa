/** Hooks that are not as they were installed: what `skillctl hooks` says of them, and what it leaves alone. */
import assert from "node:assert/strict";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { processEnvironment } from "../../../adapters/environment.ts";
import { nodeFiles } from "../../../adapters/files.ts";
import { statusText } from "../../cli/hooks/hook-words.ts";
import { clientOf, CLIENTS } from "../install/clients.ts";
import { windowsCommand } from "../install/command.ts";
import { install, remove } from "../install/installer.ts";
import { placeOf } from "../install/place.ts";
import { statusOf } from "../install/status.ts";
import { hooksPlace } from "./hooks-harness.ts";

const WINDOWS = process.platform === "win32";

async function harness(t: TestContext) {
  const place = await hooksPlace(t);
  const { project, variables } = place;
  const ports = { environment: processEnvironment(variables, project), files: nodeFiles };
  return { ...place, ports, place: (name: string) => placeOf(clientOf(name, ""), "project", ports) };
}

describe("a hook that somebody has changed", () => {
  const own = "/usr/local/bin/my-audit-log; ";
  const within = (text: string, before: string): string =>
    text.replaceAll(/"command": "/g, (start) => start + before);

  for (const { name, file, title, form } of CLIENTS) {
    test(`${name}: one that is disarmed is not called sound`, async (t) => {
      const { hooks, project } = await harness(t);
      const target = join(project, file);
      const rows: readonly (readonly [(text: string) => string, RegExp])[] = [
        [(text) => within(text, "exit 0; "), /stands a command that only names the guard/],
        [(text) => text.replaceAll(`${name} || exit 2`, "skillctl || exit 2"), /is not as it is installed/],
        [(text) => text.replaceAll(/"timeout": \d+/g, '"timeout": 0'), /is not as it is installed/],
        [
          (text) => text.replaceAll(/"matcher": "\*"/g, '"matcher": "Nothing"'),
          form === "flat" ? /installed/ : /the hook is not as it is installed/,
        ],
        [(text) => text.replaceAll(/\/[^ ']*\/guard\/dispatcher/g, "/nowhere/guard/dispatcher"), /nowhere/],
        [
          (text) => text.replaceAll(/SKILLCTL_STATE=\S+/g, "SKILLCTL_STATE=/elsewhere"),
          WINDOWS ? /installed/ : /goes by the state folder \/elsewhere, not by /,
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
    });

    test(`${name}: a person's own command that holds ours is not taken out`, { skip: WINDOWS }, async (t) => {
      const { hooks, project } = await harness(t);
      const target = join(project, file);
      await hooks("install", "--client", name);
      const changed = within(await readFile(target, "utf8"), own);
      await writeFile(target, changed);
      const { out } = await hooks("remove", "--client", name);
      assert.equal(await readFile(target, "utf8"), changed);
      assert.match(out, /There were none of our hooks[^]*stands a command that only names the guard/);
      await hooks("install", "--client", name);
      assert.equal((await hooks("status", "--client", name)).status, 0);
      await hooks("remove", "--client", name);
      assert.deepEqual(JSON.parse(await readFile(target, "utf8")), JSON.parse(changed));
    });
  }
});

test("what is written into an installer's folder while it goes is not lost", async (t) => {
  const { hooks, project, ports, place } = await harness(t);
  await hooks("install", "--client", "codex");
  const target = await place("codex");
  const mine = join(project, ".codex", "mine.toml");
  let wrote = false;
  const files = {
    ...nodeFiles,
    list: async (path: string) => {
      const names = await nodeFiles.list(path);
      await writeFile(mine, "x");
      wrote = true;
      return names;
    },
  };
  assert.equal(await remove(target, { ...ports, files }), true);
  assert.deepEqual(await readdir(project, { recursive: true }), wrote ? [".codex", ".codex/mine.toml"] : []);
});

test("a dispatcher that was changed anywhere is not called sound", { skip: WINDOWS }, async (t) => {
  const { hooks, state } = await harness(t);
  await hooks("install", "--client", "codex");
  const file = join(state, "guard", "dispatcher.sh");
  const text = await readFile(file, "utf8");
  for (const changed of [
    text.replace("\n", "\nexit 0\n"),
    text.replace(/exit 2$/m, "exit 0"),
    text.replace("skillctl.cjs", "other.cjs"),
    `${text}\n`,
    "",
  ]) {
    await writeFile(file, changed);
    const { status, out } = await hooks("status", "--client", "codex");
    assert.match(
      out,
      /dispatcher\.sh was changed, or is of another version: install the hooks again\./,
      changed,
    );
    assert.equal(status, 1);
  }
  await hooks("install", "--client", "codex");
  assert.equal(await readFile(file, "utf8"), text);
  assert.equal((await hooks("status", "--client", "codex")).status, 0);
});

test("a folder goes only when nothing is in it", async (t) => {
  const { project } = await harness(t);
  const folder = join(project, "made");
  await mkdir(folder);
  await writeFile(join(folder, "mine"), "x");
  assert.equal(await nodeFiles.removeEmpty(folder), false);
  assert.equal(await nodeFiles.removeEmpty(join(folder, "mine")), false);
  await rm(join(folder, "mine"));
  assert.equal(await nodeFiles.removeEmpty(folder), true);
  assert.equal(await nodeFiles.removeEmpty(folder), false);
  assert.deepEqual(await readdir(project), []);
});

test("on Windows, status says what a program that cannot be started means", async (t) => {
  const { program, ports, place } = await harness(t);
  const rows = [
    ["codex", "let through"],
    ["gemini", "let through"],
    ["claude-code", "denied"],
    ["cursor", "denied"],
  ] as const;
  for (const [name, failing] of rows) {
    const target = await place(name);
    await install(target, windowsCommand(name, program), ports);
    const status = await statusOf(target, ports);
    assert.deepEqual([status.failing, status.faults], [failing, []]);
    const told = /A hook that fails or is missing denies the call/;
    if (failing === "denied") assert.match(statusText([status]), told);
    else {
      assert.doesNotMatch(statusText([status]), told);
      assert.match(statusText([status]), /lets the call through when node or skillctl cannot be started/);
    }
    await install(target, windowsCommand(name, "/gone/skillctl.cjs"), ports);
    const { faults } = await statusOf(target, ports);
    assert.match(faults.join(), /gone.skillctl\.cjs is missing: every call is (denied|let through)\./);
  }
});
