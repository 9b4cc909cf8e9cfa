/** Installations and removals that are cut off at any write leave the old file or the new one, and can be undone. */
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { processEnvironment } from "../../../adapters/environment.ts";
import { nodeFiles } from "../../../adapters/files.ts";
import type { Files } from "../../../ports/files.ts";
import { ownFolder } from "../../cli/fixture-command-line.ts";
import { clientOf } from "../hook.ts";
import { hookCommand } from "../install/command.ts";
import { HookSettings } from "../install/hook-settings.ts";

const OLD = '{ "theme": "dark" }';
const one = { command: hookCommand({ dialect: "claude-code", program: ["/one/node", "/one/skillctl.cjs"] }) };
const two = { command: hookCommand({ dialect: "claude-code", program: ["/two/node", "/two/skillctl.cjs"] }) };

class ProcessKill extends Error {}

/** Files that simulate the end of the process at one of their changes. */
function endingAt(change: number): Files {
  let count = 0;
  const counted =
    <Words extends readonly unknown[], T>(action: (...words: Words) => Promise<T>) =>
    async (...words: Words): Promise<T> => {
      if (count++ === change) throw new ProcessKill();
      return action(...words);
    };
  const { replace, remove, makeFolder } = nodeFiles;
  return {
    ...nodeFiles,
    replace: counted(replace),
    remove: counted(remove),
    makeFolder: counted(makeFolder),
  };
}

async function harness(t: TestContext) {
  const path = await ownFolder(t);
  await mkdir(join(path, ".claude"));
  const file = join(path, ".claude", "settings.json");
  await writeFile(file, OLD);
  const variables = { HOME: join(path, "home"), SKILLCTL_STATE: join(path, "state") };
  const environment = processEnvironment(variables, path);
  const at = (files: Files) => new HookSettings(environment, files, "");
  const settings = at(nodeFiles);
  const place = await settings.fileOf(clientOf("claude-code"), "project");
  const text = () => readFile(file, "utf8");
  return {
    text,
    place,
    settings,
    at,
    cut: (change: number) => at(endingAt(change)),
  };
}

const CHANGES = [0, 1, 2, 3, 4];

test("an installation that is cut off can be repeated and removed", async (t) => {
  for (const change of CHANGES) {
    const { text, place, settings, cut } = await harness(t);
    const whole = await cut(change)
      .install(place, one)
      .catch((caught: unknown) => caught);
    assert.ok(whole === true || whole instanceof ProcessKill);
    const now = await text();
    assert.ok(now === OLD || now.includes('"theme": "dark"'), now);
    await settings.install(place, one);
    await settings.remove(place);
    assert.equal(await text(), OLD, `cut at ${change}`);
  }
});

test("an installation over another that is cut off leaves one of the two", async (t) => {
  for (const change of CHANGES) {
    const { text, place, settings, cut } = await harness(t);
    await settings.install(place, one);
    await cut(change)
      .install(place, two)
      .catch(() => undefined);
    const now = await text();
    assert.equal(["/one/", "/two/"].filter((part) => now.includes(part)).length, 1, "one of the two");
    await settings.remove(place);
    assert.equal(await text(), OLD, `cut at ${change}`);
  }
});

test("a removal that is cut off can be repeated", async (t) => {
  for (const change of CHANGES) {
    const { text, place, settings, cut } = await harness(t);
    await settings.install(place, one);
    await cut(change)
      .remove(place)
      .catch(() => undefined);
    await settings.remove(place);
    assert.equal(await text(), OLD, `cut at ${change}`);
  }
});

test("text that another program writes between reading and writing is not lost", async (t) => {
  const { text, place, settings, at } = await harness(t);
  let reads = 0;
  const files: Files = {
    ...nodeFiles,
    readBytes: async (path) => {
      if (path === place.target && reads++ === 1) await writeFile(path, '{ "theme": "light" }');
      return nodeFiles.readBytes(path);
    },
  };
  await assert.rejects(at(files).install(place, one), {
    code: "FILE_UNWRITABLE",
    message: /has just been changed by another program/,
  });
  assert.equal(await text(), '{ "theme": "light" }');
  await settings.install(place, one);
  await settings.remove(place);
  assert.equal(await text(), '{ "theme": "light" }');
});
