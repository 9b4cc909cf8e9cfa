/** `skillctl export` in the client itself: Gemini CLI, which needs no login to check and install an extension. It is fetched from the registry. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { sayInProcess, variablesOf } from "../../../../contract-tests/command-line.ts";
import { ownFolder } from "../../../../contract-tests/doors-harness.ts";
import { install } from "../../../../contract-tests/registry.ts";

const PACKAGE = "@google/gemini-cli@0.61.0";

test(
  "Gemini CLI checks and installs the extension, and starts its server",
  { timeout: 240_000 },
  async (t) => {
    const installed = await install(t, [PACKAGE]);
    if (!installed) return;
    const folder = await ownFolder(t);
    const out = join(folder, "out");
    const { status, err } = await sayInProcess(["export", "--client", "gemini", "--out", out], folder, {
      variables: variablesOf(folder),
    });
    assert.equal(status, 0, err);
    await mkdir(join(folder, ".gemini"));
    const settings = { security: { folderTrust: { enabled: false } } };
    await writeFile(join(folder, ".gemini", "settings.json"), JSON.stringify(settings));
    const gemini = async (...words: readonly string[]): Promise<string> => {
      const ran = await installed.run("gemini", words, { GEMINI_CLI_HOME: folder, NO_COLOR: "1" });
      assert.equal(ran.status, 0, ran.err);
      return ran.out + ran.err;
    };
    assert.match(await gemini("extensions", "validate", out), /successfully validated/);
    await gemini("extensions", "install", out, "--consent");
    const listed = await gemini("extensions", "list");
    for (const part of ["✓ skillctl (0.1.0)", "GEMINI.md", "runtime-debug:"])
      assert.ok(listed.includes(part), listed);
    assert.match(await gemini("mcp", "list"), /skillctl \(from skillctl\): .* - Connected/);
  },
);
