/** `skillctl export` in the client itself: Gemini CLI, which needs no login to check and install an extension. It is fetched from the registry. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { sayInProcess, variablesOf } from "../../../../contract-tests/command-line.ts";
import { ownFolder } from "../../../../contract-tests/doors-harness.ts";

const PACKAGE = "@google/gemini-cli@0.61.0";

test(
  "Gemini CLI checks and installs the extension, and starts its server",
  { timeout: 240_000 },
  async (t) => {
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
      const { stdout, stderr } = await promisify(execFile)("npx", ["--yes", PACKAGE, ...words], {
        cwd: folder,
        env: { ...process.env, GEMINI_CLI_HOME: folder, NO_COLOR: "1" },
        shell: process.platform === "win32",
      });
      return stdout + stderr;
    };
    assert.match(await gemini("extensions", "validate", out), /successfully validated/);
    await gemini("extensions", "install", out, "--consent");
    const listed = await gemini("extensions", "list");
    for (const part of ["✓ skillctl (0.1.0)", "GEMINI.md", "runtime-debug:"])
      assert.ok(listed.includes(part), listed);
    assert.match(await gemini("mcp", "list"), /skillctl \(from skillctl\): .* - Connected/);
  },
);
