import assert from "node:assert/strict";
import { test } from "node:test";
import { decisionOf, type Finding } from "./judgement.ts";

const finding = (message: string, more: Partial<Finding> = {}): Finding => ({
  rule: "a/one",
  version: 1,
  tier: "plugin",
  decision: "deny",
  reasonCode: "A_ONE",
  message,
  agentMessage: message,
  failed: false,
  ...more,
});
const messageOf = (...messages: readonly string[]): string =>
  decisionOf({ decision: "deny", findings: messages.map((message) => finding(message)) }).message ?? "";

test("messages that fit are shown completely, each sentence once", () => {
  assert.equal(messageOf("One.", "Two.", "One."), "One.\nTwo.");
  const long = "x".repeat(1_000);
  assert.equal(messageOf(`${long}a`, "y".repeat(998)).length, 2_000);
});

test("as many rules are listed as fit, with the number of the others", () => {
  const messages = Array.from({ length: 100 }, (_, index) => `Rule ${index} says no, ${"x".repeat(80)}.`);
  const text = messageOf(...messages);
  const lines = text.split("\n");
  assert.ok(text.length <= 2_000, String(text.length));
  assert.deepEqual(lines.slice(0, -1), messages.slice(0, lines.length - 1));
  assert.equal(lines.at(-1), `${100 - lines.length + 1} more rules say so.`);
});

test("one sentence that is too long is cut between characters, and a second one is still counted", () => {
  const odd = `x${"😀".repeat(2_000)}`;
  const alone = messageOf(odd);
  assert.ok(alone.length <= 2_000 && alone.endsWith("😀…"), alone.slice(-5));
  const two = messageOf(odd, "Two.");
  assert.ok(two.length <= 2_000 && two.endsWith("😀…\n1 more rule says so."), two.slice(-30));
});

test("the message for the model and further facts are bounded too", () => {
  const context = Array.from({ length: 70 }, (_, index) => `${index} ${"x".repeat(3_000)}`);
  const judged = decisionOf({
    decision: "deny",
    findings: [finding("No.", { agentMessage: "x".repeat(30_000), context })],
  });
  assert.equal(judged.message, "No.");
  assert.equal(judged.agentMessage?.length, 2_000);
  assert.deepEqual([judged.context?.length, judged.context?.[0]?.length], [64, 2_000]);
});
