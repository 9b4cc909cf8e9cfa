import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { processEnvironment } from "../../../adapters/environment.ts";
import { nodePorts } from "../../../host.ts";
import { runCli, ownFolder } from "../fixture-command-line.ts";
import { edit, greetingFolder, put, say } from "../skeleton/fixture-skeleton.ts";

type Manifest = Record<string, unknown>;
const plugins = { plugins: ["greeting"] };

test("a missing or broken SKILL.md is reported to the person, and the summary replaces a missing one", async (t) => {
  const { root, skill } = await greetingFolder(t);
  await put(skill, "SKILL.md", "# Greet\n");
  assert.match(
    (await say(["prompt"], root, plugins)).err,
    /^greeting: SKILL\.md has faults; `skillctl validate .*greeting` shows them\.\n$/,
  );
  await rm(join(skill, "SKILL.md"));
  const { out, err } = await say(["prompt"], root, plugins);
  assert.match(err, /^greeting: \S+ has no SKILL\.md/);
  assert.match(out, /^<skill name="greeting">\nGreets a person by name\.\n/);
});

test("the rules of skillctl.json are included, except those that answer the question of another rule", async (t) => {
  const path = await ownFolder(t);
  const own = { on: ["tool.pre"], message: "Do not push on Fridays." };
  const rules = {
    friday: { ...own, decision: "deny" },
    monday: { ...own, decision: "ask", message: "Is it Monday?", mode: "audit" },
    yes: { ...own, decision: "allow", lifts: ["a/b"], message: "Yes." },
  };
  await writeFile(join(path, "skillctl.json"), JSON.stringify({ rules }));
  await runCli(path, ["trust"]);
  const { out } = await runCli(path, ["prompt"]);
  assert.match(
    out,
    /^<rules>\n- Do not push on Fridays\.\n(- .+\n)+\nNot enforced yet; [^\n]+\n\n- Is it Monday\?\n<\/rules>\n$/,
  );
  assert.ok(!out.includes("Yes."));
  const { output } = JSON.parse((await runCli(path, ["prompt", "--json"])).out) as {
    output: { rules: readonly object[] };
  };
  assert.deepEqual(output.rules.slice(0, 2), [
    { name: "friday", tier: "workspace", tell: "Do not push on Fridays.", kind: "enforced" },
    { name: "monday", tier: "workspace", tell: "Is it Monday?", kind: "recorded" },
  ]);
});

test("the next step of each current phase is included, and of no other", async (t) => {
  const { root, skill } = await greetingFolder(t);
  const phases = {
    collection: "greeting-rounds",
    pointer: "/rounds/*/state",
    next: { early: "Say good morning.", late: "Say good night.", over: "Go." },
  };
  await edit(skill, ["skill.json", "/phases", phases]);
  const told = async (): Promise<string | undefined> =>
    /\n## Now\n\n([^]*?)<\/skill>/.exec((await say(["prompt"], root, plugins)).out)?.[1];
  assert.equal(await told(), undefined);
  const { state } = nodePorts({
    environment: processEnvironment({ HOME: root, SKILLCTL_STATE: join(root, "state") }, root),
  });
  const rounds = { a: { state: "late" }, b: { state: "early" }, c: { state: "late" }, d: { state: "new" } };
  await state.update({ collection: "greeting-rounds", id: root }, 60_000, () => ({ rounds }));
  assert.equal(
    await told(),
    "- In the phase early: Say good morning.\n- In the phase late: Say good night.\n",
  );
  const { out } = await say(["prompt"], root, { ...plugins, json: true });
  const { output } = JSON.parse(out) as { output: { skills: readonly Manifest[] } };
  assert.deepEqual(output.skills[0]?.["now"], [
    { phase: "early", next: "Say good morning." },
    { phase: "late", next: "Say good night." },
  ]);
});
