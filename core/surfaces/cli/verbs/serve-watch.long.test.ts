import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { packageFolder } from "../../../adapters/package-folder.ts";
import { greetingFolder, put } from "../skeleton/fixture-skeleton.ts";

const SLOW = `import { definePlugin } from "skillctl";
class GreetCommand {
  async run({ name }) {
    if (name === "Slow") await new Promise((resolve) => setTimeout(resolve, 3_000));
    return { text: \`Hello \${name}.\` };
  }
}
export default definePlugin({ commands: { greet: GreetCommand }, routes: {}, rules: {} });
`;

test("serve --watch serves a changed skill at the same port, finishes requests, and keeps the last sound state", async (t) => {
  const { root, skill } = await greetingFolder(t);
  await put(skill, "plugin.js", SLOW);
  // Its settings are never trusted.
  await put(root, "skillctl.json", '{ "config": { "music-analysis": {} } }');
  const program = join(packageFolder(), "bin", "skillctl.cjs");
  const words = [program, "serve", "--watch", "--no-key", "--port", "0", "--plugin", skill];
  const env = { PATH: process.env["PATH"], HOME: root, SKILLCTL_STATE: join(root, "state"), NO_COLOR: "1" };
  const server = spawn(process.execPath, words, {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  t.after(() => server.kill("SIGKILL"));
  let said = "";
  server.stderr.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
  const [first] = (await once(server.stdout, "data")) as [Buffer];
  const url = first.toString("utf8").trim();
  const until = async (pattern: RegExp): Promise<void> => {
    while (!pattern.test(said)) await once(server.stderr, "data", { signal: AbortSignal.timeout(20_000) });
    said = "";
  };
  const greet = async (name: string): Promise<unknown> => {
    const response = await fetch(`${url}/v1/skills/greeting/commands/greet`, {
      method: "POST",
      // The process that ends may close a kept connection just as the next request is sent.
      headers: { "content-type": "application/json", connection: "close" },
      body: JSON.stringify({ name }),
    });
    return response.json();
  };
  assert.deepEqual(await greet("Ada"), { text: "Hello Ada." });
  const slow = greet("Slow");
  await put(skill, "plugin.js", SLOW.replace("Hello", "Welcome"));
  await until(/Reloaded\./);
  assert.deepEqual(await greet("Ada"), { text: "Welcome Ada." });
  assert.deepEqual(await slow, { text: "Hello Slow." }, "the request began before the change");
  const manifest = await readFile(join(skill, "skill.json"), "utf8");
  await put(skill, "skill.json", manifest.replace('"summary"', '"sumary"'));
  await until(/sumary[^]*The previous version of the skills is still served\./);
  assert.deepEqual(await greet("Ada"), { text: "Welcome Ada." });
  await put(skill, "skill.json", manifest);
  await until(/Reloaded\./);
  assert.deepEqual(await greet("Bo"), { text: "Welcome Bo." });
  for (const word of ["Hi", "Hey"]) {
    // As editors save: another file takes the place of the old one. Then the same file is written in place.
    await put(root, "plugin.tmp", SLOW.replace("Hello", word));
    await rename(join(root, "plugin.tmp"), join(skill, "plugin.js"));
    await until(/Reloaded\./);
    assert.deepEqual(await greet("Bo"), { text: `${word} Bo.` });
    await put(skill, "plugin.js", SLOW);
    await until(/Reloaded\./);
    assert.deepEqual(await greet("Bo"), { text: "Hello Bo." });
  }
  // Once the folder is trusted, an untrusted change is not applied.
  const trusted = spawnSync(process.execPath, [program, "trust"], { cwd: root, env, encoding: "utf8" });
  assert.equal(trusted.status, 0, trusted.stderr);
  await put(skill, "plugin.js", SLOW.replace("Hello", "Ahoy"));
  await until(/Reloaded\./);
  assert.deepEqual(await greet("Bo"), { text: "Ahoy Bo." });
  await put(root, "skillctl.json", '{ "config": { "music-analysis": {}, "music-gateway": {} } }');
  await put(skill, "plugin.js", SLOW);
  await until(/has changed since it was trusted[^]*The previous version of the skills is still served\./);
  assert.deepEqual(await greet("Bo"), { text: "Ahoy Bo." });
  server.kill("SIGTERM");
  const [status] = (await once(server, "exit")) as [number];
  assert.equal(status, 0);
  await assert.rejects(greet("Ada"));
});
