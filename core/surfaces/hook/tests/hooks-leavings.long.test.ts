/** What installing and removing hooks leaves behind, where it looks, and what it says when the hooks cannot work. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { processEnvironment } from "../../../adapters/environment.ts";
import { nodeFiles } from "../../../adapters/files.ts";
import { hookChecks } from "../../cli/doctor/checks.ts";
import { CLIENTS } from "../install/clients.ts";
import { hostSocket } from "../warm/dispatcher.ts";
import { hooksPlace } from "./hooks-harness.ts";

const WINDOWS = process.platform === "win32";

async function harness(t: TestContext) {
  const place = await hooksPlace(t);
  const { project } = place;
  const write = async (file: string, text: string) => {
    await mkdir(dirname(join(project, file)), { recursive: true });
    await writeFile(join(project, file), text);
    return join(project, file);
  };
  return { ...place, write };
}

describe("installing where the hooks cannot work", () => {
  test("says so first and ends with 1", async (t) => {
    for (const [text, reason] of [['{ "disableAllHooks": true }', /switch hooks off/]] as const) {
      const { hooks, write } = await harness(t);
      await write(".claude/settings.json", text);
      for (const times of [1, 2]) {
        const { status, out } = await hooks("install", "--client", "claude-code");
        assert.equal(status, 1, `${text}: ${times}: ${out}`);
        const [first = ""] = out.split("\n");
        assert.match(first, /^The hooks of Claude Code cannot work: /, text);
        assert.match(first, reason, text);
        assert.equal(out.match(new RegExp(reason, "g"))?.length, 1, text);
      }
      const { status, out } = await hooks("install", "--client", "claude-code", "--json");
      const { output } = JSON.parse(out) as { output: { faults: string[]; changed: boolean } };
      assert.deepEqual([status, output.changed, output.faults.length], [1, false, 1], text);
    }
  });
});

describe("after the last removal", { skip: WINDOWS }, () => {
  test("no dispatcher, no socket and no mark of a start is left; before it, all stay", async (t) => {
    const { hooks, state, project } = await harness(t);
    await hooks("install", "--client", "codex");
    await hooks("install", "--client", "gemini");
    const socket = hostSocket(state);
    await mkdir(dirname(socket), { recursive: true, mode: 0o700 });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    t.after(() => server.close());
    const mark = join(dirname(socket), "starting");
    await writeFile(mark, "");
    const audit = join(state, "guard", "audit.ndjson");
    await writeFile(audit, "{}\n");
    const dispatcher = join(state, "guard", "dispatcher.sh");
    const { out: first } = await hooks("remove", "--client", "codex");
    assert.deepEqual([existsSync(dispatcher), existsSync(socket), existsSync(mark)], [true, true, true]);
    assert.doesNotMatch(first, /still runs/);
    const { status, out } = await hooks("remove", "--client", "gemini");
    assert.equal(status, 0);
    assert.match(out, /An agent that still runs .* is denied every call until it is started again\./);
    assert.deepEqual([existsSync(dispatcher), existsSync(socket), existsSync(mark)], [false, false, false]);
    assert.deepEqual(await readdir(project), []);
    assert.deepEqual(await readdir(join(state, "guard")), ["audit.ndjson"]);
    assert.equal((await hooks("install", "--client", "codex")).status, 0);
    assert.ok(existsSync(dispatcher));
  });

  test("a removal that found nothing takes the dispatcher from nobody", async (t) => {
    const { hooks, state } = await harness(t);
    await hooks("install", "--client", "codex");
    await rm(join(state, "hooks"), { recursive: true });
    await hooks("remove", "--client", "gemini");
    assert.ok(existsSync(join(state, "guard", "dispatcher.sh")));
  });
});

for (const { name, file } of CLIENTS)
  test(`${name}: installing over entries that somebody has altered still knows what was there before`, async (t) => {
    const { hooks, project, write } = await harness(t);
    const alter = async (): Promise<void> => {
      const text = await readFile(join(project, file), "utf8");
      await write(file, text.replaceAll(/"timeout": \d+/g, '"timeout": 1'));
    };
    for (const settings of [
      undefined,
      '{\n  "a": {} // mine\n}\n',
      '{ "version": 1, "hooks": { "Stop": [] } }',
    ]) {
      if (settings !== undefined) await write(file, settings);
      await hooks("install", "--client", name);
      for (const _ of [1, 2]) {
        await alter();
        await hooks("install", "--client", name);
      }
      await hooks("remove", "--client", name);
      if (settings === undefined) assert.deepEqual(await readdir(project), []);
      else {
        const blanks = /\s/g;
        const left = await readFile(join(project, file), "utf8");
        assert.equal(left.replaceAll(blanks, ""), settings.replaceAll(blanks, ""));
      }
    }
  });

describe("in a folder below the project's root", () => {
  test("status and remove find the hooks of the project; install says which folder they count for", async (t) => {
    const { hooks, hooksIn, project, variables } = await harness(t);
    const below = join(project, "packages", "a");
    await mkdir(below, { recursive: true });
    await hooks("install", "--client", "claude-code");
    assert.match((await hooksIn(below, "status")).out, /^Not installed: Claude Code \(project\)/m);
    await mkdir(join(project, ".git"));
    const { out, status } = await hooksIn(below, "status");
    assert.equal(status, 0);
    assert.ok(out.includes(join(project, ".claude", "settings.json")), out);
    assert.match(out, /^Not installed: Claude Code \(user\)/m);
    const environment = processEnvironment(variables, below);
    const [check] = await hookChecks(environment, nodeFiles);
    assert.ok(JSON.stringify(check).includes("settings.json"), JSON.stringify(check));
    const installed = await hooksIn(below, "install", "--client", "claude-code");
    assert.match(installed.out, /The root of the project is (.*project)\. Claude Code started there/);
    assert.match((await hooksIn(below, "status")).out, /(Claude Code, project: installed[^]*){2}/);
    for (const left of [1, 0]) {
      await hooksIn(below, "remove", "--client", "claude-code");
      assert.deepEqual(existsSync(join(project, ".claude")), left === 1);
    }
    assert.deepEqual(await readdir(below), []);
    assert.doesNotMatch((await hooks("install", "--client", "codex")).out, /root of the project/);
  });
});

test("settings with nothing in them are as none", async (t) => {
  for (const text of ["", "\n", "\uFEFF"]) {
    const { hooks, write } = await harness(t);
    const target = await write(".gemini/settings.json", text);
    assert.equal((await hooks("status", "--client", "gemini")).status, 0, JSON.stringify(text));
    assert.equal((await hooks("remove", "--client", "gemini")).status, 0, JSON.stringify(text));
    assert.equal(await readFile(target, "utf8"), text, JSON.stringify(text));
    const { status, err } = await hooks("install", "--client", "gemini");
    assert.equal(status, text === "\uFEFF" ? 1 : 0, `${JSON.stringify(text)}: ${err}`);
    const { hooks: written } = JSON.parse((await readFile(target, "utf8")).replace("\uFEFF", "")) as {
      hooks: object;
    };
    assert.ok(Object.keys(written).length > 3, JSON.stringify(text));
    await hooks("remove", "--client", "gemini");
    assert.equal(await readFile(target, "utf8"), text, JSON.stringify(text));
  }
});
