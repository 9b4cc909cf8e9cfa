import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Choice } from "../../plugin.ts";
import { Questions, type Round } from "./questions.ts";

const question = (text: string, ...values: readonly string[]): Choice => ({
  text,
  options: values.map((value) => ({ value, label: `Option ${value}` })),
});

const asked = (round: Partial<Round> = {}): Questions =>
  new Questions({ methods: ["elicitation/create"], ...round });

const accepted = (choice: unknown) => ({ action: "accept", content: { choice } });

/** The keys of the questions of a first run of the command. */
async function firstRound(...questions: readonly Choice[]): Promise<readonly string[]> {
  const first = asked();
  for (const one of questions) await assert.rejects(first.choose(one), { code: "CANCELLED" });
  return Object.keys(first.open ?? {});
}

describe("the questions of a run", () => {
  test("keep their answers in the state, so that later rounds know them", async () => {
    const [one, two] = [question("Same?", "A", "B"), question("Same?", "A", "B")];
    const [first = ""] = await firstRound(one);
    const second = asked({ responses: { [first]: accepted("A") } });
    assert.equal(await second.choose(one), "A");
    await assert.rejects(
      second.choose(two),
      { code: "CANCELLED" },
      "a repeated question needs its own answer",
    );
    const [key = ""] = Object.keys(second.open ?? {});
    const third = asked({ given: second.given, responses: { [key]: accepted("B"), [first]: accepted("B") } });
    assert.deepEqual([await third.choose(one), await third.choose(two)], ["A", "B"]);
  });

  for (const [what, other] of [
    ["other words", question("Delete all?", "A", "B")],
    ["other options", question("Well?", "A", "C")],
  ] as const) {
    test(`do not take an answer that was given to ${what}`, async () => {
      const [key = ""] = await firstRound(other);
      const second = asked({ responses: { [key]: accepted("A") } });
      await assert.rejects(second.choose(question("Well?", "A", "B")), { code: "CANCELLED" });
      assert.ok(second.open, "it is asked");
    });
  }

  test("refuse an answer that is not one of the options", async () => {
    const [key = ""] = await firstRound(question("Well?", "A", "B"));
    const second = asked({ given: { [key]: accepted("Z") } });
    await assert.rejects(second.choose(question("Well?", "A", "B")), { code: "INPUT_INVALID" });
  });

  test("ask again for a result of another kind", async () => {
    const [key = ""] = await firstRound(question("Well?", "A", "B"));
    for (const other of [7, "A", {}, { roots: [] }, { role: "user", content: { type: "text", text: "A" } }]) {
      const second = asked({ responses: { [key]: other } });
      await assert.rejects(second.choose(question("Well?", "A", "B")), { code: "CANCELLED" });
      assert.deepEqual(Object.keys(second.open ?? {}), [key], JSON.stringify(other));
    }
  });

  test("have the form of lists that clients before 2025-11-25 support", async () => {
    const first = asked({ protocolVersion: "2025-06-18" });
    await assert.rejects(first.choose(question("Well?", "A", "B")), { code: "CANCELLED" });
    const requests = JSON.stringify(first.open);
    assert.match(requests, /"enum":\["A","B"\],"enumNames":\["Option A","Option B"\]/);
    assert.doesNotMatch(requests, /oneOf/);
  });
});
