import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ServerContext } from "@modelcontextprotocol/server";
import type { Choice } from "../../plugin.ts";
import { Questions } from "./questions.ts";

const question = (text: string, ...values: readonly string[]): Choice => ({
  text,
  options: values.map((value) => ({ value, label: `Option ${value}` })),
});

interface Sent {
  readonly requestState?: unknown;
  readonly inputResponses?: Record<string, unknown>;
}

const asked = ({ requestState, inputResponses }: Sent = {}): Questions =>
  new Questions({
    mcpReq: { requestState: () => requestState, ...(inputResponses && { inputResponses }) },
  } as unknown as Pick<ServerContext, "mcpReq">);

const accepted = (choice: unknown) => ({ action: "accept", content: { choice } });

/** The questions of a first run of the command: the keys, and the state. */
async function firstRound(...questions: readonly Choice[]) {
  const first = asked();
  for (const one of questions) await assert.rejects(first.choose(one), { code: "CANCELLED" });
  const { inputRequests = {}, requestState } = first.request(undefined) ?? {};
  return { keys: Object.keys(inputRequests), requestState, inputRequests };
}

describe("the questions of a run", () => {
  test("keep their answers in the state, so that later rounds know them", async () => {
    const [one, two] = [question("Same?", "A", "B"), question("Same?", "A", "B")];
    const { keys, requestState } = await firstRound(one);
    const second = asked({ requestState, inputResponses: { [keys[0] ?? ""]: accepted("A") } });
    assert.equal(await second.choose(one), "A");
    await assert.rejects(
      second.choose(two),
      { code: "CANCELLED" },
      "a repeated question needs its own answer",
    );
    const next = second.request(undefined);
    const [key = ""] = Object.keys(next?.inputRequests ?? {});
    const third = asked({ requestState: next?.requestState, inputResponses: { [key]: accepted("B") } });
    assert.deepEqual([await third.choose(one), await third.choose(two)], ["A", "B"]);
  });

  for (const [what, other] of [
    ["other words", question("Delete all?", "A", "B")],
    ["other options", question("Well?", "A", "C")],
  ] as const) {
    test(`do not take an answer that was given to ${what}`, async () => {
      const { keys } = await firstRound(other);
      const second = asked({ inputResponses: { [keys[0] ?? ""]: accepted("A") } });
      await assert.rejects(second.choose(question("Well?", "A", "B")), { code: "CANCELLED" });
      assert.ok(second.request(undefined), "it is asked");
    });
  }

  test("refuse an answer in the state that is not one of the options", async () => {
    const { keys } = await firstRound(question("Well?", "A", "B"));
    const second = asked({ requestState: JSON.stringify({ [keys[0] ?? ""]: "Z" }) });
    await assert.rejects(second.choose(question("Well?", "A", "B")), { code: "INPUT_INVALID" });
  });

  test("refuse a state that the server did not create", () => {
    for (const requestState of ["", "{", "[1]", "null", '{"a":1}', '"text"', 5]) {
      assert.throws(() => asked({ requestState }), { code: -32_602 }, JSON.stringify(requestState));
    }
  });

  test("have the form of lists that clients before 2025-11-25 support", async () => {
    const first = asked();
    await assert.rejects(first.choose(question("Well?", "A", "B")), { code: "CANCELLED" });
    const requests = JSON.stringify(first.request("2025-06-18")?.inputRequests);
    assert.match(requests, /"enum":\["A","B"\],"enumNames":\["Option A","Option B"\]/);
    assert.doesNotMatch(requests, /oneOf/);
  });
});
