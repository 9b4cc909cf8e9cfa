/** What a foreign skill prints by itself never mixes with a result or an answer. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { sayInProcessOfItsOwn } from "../../../../contract-tests/command-line.ts";
import { ownFolder } from "../../../../contract-tests/doors-harness.ts";
import { writeSkill } from "../fixture-command-line.ts";
import { atTerminal, noTerminal } from "./terminal-harness.ts";

const PRINTS = `console.log("loaded"); process.stdout.write("early\\u0007\\n");
export default { commands: { greet: class { run = async (input) => { console.log("at work"); return { text: "Hello " + input.name }; } } } };
`;

test("--json is one document, also when a skill prints; what it prints is on standard error", async (t) => {
  const folder = await ownFolder(t);
  const plugin = await writeSkill(join(folder, "skills"), "noisy", { code: PRINTS });
  const words = ["run", "noisy", "Ada", "--plugin", plugin];
  const { status, out, err } = await sayInProcessOfItsOwn([...words, "--json"], folder);
  assert.deepEqual([status, JSON.parse(out)], [0, { ok: true, output: { text: "Hello Ada" } }]);
  assert.equal(err, "loaded\nearly\u0007\nat work\n");
  assert.equal((await sayInProcessOfItsOwn(words, folder)).out, "Hello Ada\n");
});

test("what a skill prints by itself is escaped at a terminal", { skip: noTerminal }, async (t) => {
  const folder = await ownFolder(t);
  await writeSkill(join(folder, "skills"), "noisy", { code: PRINTS });
  const { shown, status } = await atTerminal("run noisy Ada", { folder, columns: 80 });
  assert.equal(status, 0, shown);
  assert.match(shown, /loaded\r\nearly\\u0007\r\nat work\r\nHello Ada\r\n/);
});
