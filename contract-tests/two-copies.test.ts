import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { builtinSkills } from "skillctl/skills";
import { SkillError } from "skillctl";
import { createTestHost } from "skillctl/testing";
import { ROOT } from "./harness.ts";

const PLUGIN = `import { CLOCK, SkillError } from "skillctl";
class TellCommand {
  static inject = [CLOCK];
  constructor(clock) { this.clock = clock; }
  run = async ({ refuse }) => {
    if (refuse) throw new SkillError("CANCELLED", "Not today.", { hint: "Tomorrow." });
    return { now: this.clock.now() };
  };
}
export default { commands: { tell: TellCommand }, routes: {}, rules: {} };
`;

const schema = (id: string, properties: object): string =>
  JSON.stringify({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: id,
    type: "object",
    additionalProperties: false,
    properties,
  });

test("a plugin that brings its own copy of skillctl gets the host's ports, and its errors keep code and hint", async () => {
  const folder = join(await mkdtemp(join(tmpdir(), "skillctl-two-")), "teller");
  const copy = join(folder, "node_modules", "skillctl");
  await mkdir(join(folder, "schemas"), { recursive: true });
  await cp(join(ROOT, "dist"), join(copy, "dist"), { recursive: true });
  // Without the condition of this repository, so that the copy is the built one whoever imports it.
  await writeFile(
    join(copy, "package.json"),
    JSON.stringify({ name: "skillctl", type: "module", exports: { ".": "./dist/index.js" } }),
  );
  await writeFile(join(folder, "plugin.js"), PLUGIN);
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await writeFile(join(folder, "schemas", "in.json"), schema("teller/in", { refuse: { type: "boolean" } }));
  await writeFile(join(folder, "schemas", "out.json"), schema("teller/out", { now: { type: "number" } }));
  const command = { summary: "Tells the time.", input: "teller/in", output: "teller/out", default: true };
  const manifest = {
    manifestVersion: 1,
    name: "teller",
    version: "1.0.0",
    summary: "Tells the time.",
    engines: { skillctl: "*" },
  };
  await writeFile(join(folder, "skill.json"), JSON.stringify({ ...manifest, commands: { tell: command } }));
  const host = await createTestHost({ skills: builtinSkills(), plugins: [folder], now: 1234 });
  try {
    assert.deepEqual(await host.run({ skill: "teller", input: {} }), { now: 1234 });
    const refused = await host
      .run({ skill: "teller", input: { refuse: true } })
      .catch((caught: unknown) => caught);
    assert.ok(refused instanceof SkillError);
    assert.deepEqual([refused.code, refused.hint], ["CANCELLED", "Tomorrow."]);
  } finally {
    await host.close();
    await rm(join(folder, ".."), { recursive: true, force: true });
  }
});
