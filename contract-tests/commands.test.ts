/** Every command with every example of its input, and with every derived input that its schema refuses. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contractCases, contractTests } from "skillctl/testing";
import { SKILLS, showSkills } from "./harness.ts";

await contractTests({ skills: SKILLS, kinds: ["commands"], prepare: showSkills });

test("no command is left out, and each is tried with an example at least", async () => {
  const titles = (await contractCases({ skills: SKILLS, kinds: ["commands"] })).map(
    ({ skill, title }) => `${skill} ${title}`,
  );
  for (const { manifest } of SKILLS) {
    for (const name of Object.keys(manifest.commands ?? {})) {
      assert.ok(
        titles.some((title) => title.startsWith(`${manifest.name} command ${name}: example 1`)),
        `${manifest.name} ${name}`,
      );
    }
  }
});
