/**
 * Every command and route with every example of its input and every derived input that its schema refuses; routes are
 * called over a real server.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contractCases, contractTests, type TestHost } from "skillctl/testing";
import { SKILLS, showSkills } from "./harness.ts";

await contractTests({ skills: SKILLS, kinds: ["commands"], prepare: showSkills });
await contractTests({ skills: SKILLS, kinds: ["routes"], prepare: openSession });

/** The routes of runtime-debug answer while a session is served. */
async function openSession(test: TestHost): Promise<() => Promise<unknown>> {
  const stop = new AbortController();
  let ended: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    ended = test.run({
      skill: "runtime-debug",
      command: "serve",
      surface: "cli",
      input: { session: "login-timeout", port: 0 },
      signal: stop.signal,
      announce: () => resolve(),
    });
    ended.catch(reject);
  });
  return () => {
    stop.abort();
    return ended;
  };
}

test("every command is called with at least one example", async () => {
  const cases = await contractCases({ skills: SKILLS, kinds: ["commands"] });
  const titles = cases.map(({ skill, title }) => `${skill} ${title}`);
  const left = SKILLS.flatMap(({ manifest: { name, commands = {} } }) =>
    Object.keys(commands).map((command) => `${name} command ${command}: example 1`),
  ).filter((start) => !titles.some((title) => title.startsWith(start)));
  assert.deepEqual(left, []);
});

test("without a session the examples of runtime-debug's routes are skipped with the reason", async () => {
  const cases = await contractCases({ skills: SKILLS, kinds: ["routes"], only: ["runtime-debug"] });
  const examples = cases.filter(({ title }) => title.includes("example"));
  assert.ok(examples.length > 5);
  for (const { title, run } of examples) assert.match((await run()) ?? "passed", /DEBUG_NOT_SERVED/, title);
});
