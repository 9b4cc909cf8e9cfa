import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call, Person } from "./plugin.ts";
import { commandClass, fixtureCommand, fixtureHost, fixtureSkill } from "./testing/fixture-skills.ts";

test("who runs a command in process may name a session and bring a person; without them there are none", async () => {
  const calls: Call[] = [];
  const ask = commandClass(async (_, call) => {
    calls.push(call);
    return { text: await call.person?.secret("Key: ") };
  });
  const skill = fixtureSkill("asking", {
    commands: { ask: fixtureCommand("asking", { default: true }) },
    code: { commands: { ask } },
  });
  const host = fixtureHost([skill]);
  const person: Person = { columns: 80, secret: async (question) => `answer to ${question}` };
  const output = await host.run({ skill: "asking", input: {}, session: "s1", person });
  await host.run({ skill: "asking", input: {} });
  await host.close();
  assert.deepEqual(output, { text: "answer to Key: " });
  assert.deepEqual(
    calls.map(({ session, person: given }) => [session, given]),
    [
      ["s1", person],
      [undefined, undefined],
    ],
  );
});
