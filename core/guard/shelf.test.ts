import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Catalog } from "../catalog.ts";
import type { Rule } from "../contract.ts";
import type { Subject } from "../plugin.ts";
import { fixtureSkill } from "../testing/fixture-skills.ts";
import { rulesFor } from "./planned-rule.ts";
import { boardAt, shelved } from "./shelf.ts";
import { effort } from "../../contract-tests/effort.ts";

const WHENS = [
  undefined,
  { required: ["tool"], properties: { tool: { const: "shell" } } },
  { required: ["tool"], properties: { tool: { enum: ["write", "edit"] } } },
  { required: ["tool"], properties: { tool: { enum: ["write", 5] } } },
  { properties: { tool: { const: "shell" } } },
  { required: ["event"], properties: { tool: { const: "shell" } } },
  { required: ["tool"], properties: { tool: { not: { const: "shell" } } } },
  { required: ["name"], properties: { name: { const: "toString" } } },
  { anyOf: [{ required: ["tool"], properties: { tool: { const: "read" } } }] },
  { required: ["tool", "name"], properties: { tool: { const: "read" }, name: { const: "a" } } },
];
const SUBJECTS: readonly Subject[] = [undefined, "shell", "write", "edit", "read", "other"].flatMap((tool) =>
  [undefined, "a", "toString"].map((name) => ({ event: "tool.pre", surface: "hook", tool, name }) as Subject),
);

test("no rule that speaks of a request is left out, and the order of the others stays", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...WHENS), { maxLength: 6 }), (whens) => {
      const rules = Object.fromEntries(
        whens.map((when, index): [string, Rule] => [
          `r${index}`,
          { tell: "It is told.", on: ["tool.pre"], decision: "deny", message: "No.", ...(when && { when }) },
        ]),
      );
      const plan = rulesFor("tool.pre", undefined, new Catalog([fixtureSkill("a", { rules })]), {});
      const shelf = shelved(plan);
      for (const subject of SUBJECTS) {
        const { rules: kept } = boardAt(shelf, subject);
        const speaking = (given: typeof plan) =>
          given.filter(({ when }) => !when || when(subject)).map(({ id }) => id);
        assert.deepEqual(speaking(kept), speaking(plan), JSON.stringify(subject));
      }
    }),
    { numRuns: effort(33, 600) },
  );
});

test("a request is put before the rules of its kind only", () => {
  const rules = Object.fromEntries(
    ["shell", "write", "read"].map((tool): [string, Rule] => [
      tool,
      {
        tell: "It is told.",
        on: ["tool.pre"],
        decision: "deny",
        message: "No.",
        when: { required: ["tool"], properties: { tool: { const: tool } } },
      },
    ]),
  );
  const shelf = shelved(rulesFor("tool.pre", undefined, new Catalog([fixtureSkill("a", { rules })]), {}));
  const at = (tool: Subject["tool"]) =>
    boardAt(shelf, { event: "tool.pre", surface: "hook", tool } as Subject).rules.map(({ name }) => name);
  assert.deepEqual([at("shell"), at("other"), at(undefined)], [["shell"], [], []]);
});

test("what rules need to know is found out for requests of their kind only", () => {
  const kind = (tool: string, property: string): Rule => ({
    tell: "It is told.",
    on: ["tool.pre"],
    decision: "deny",
    message: "No.",
    when: { required: ["tool", property], properties: { tool: { const: tool }, [property]: {} } },
  });
  const rules = { run: kind("shell", "shell"), write: kind("write", "phases"), read: kind("read", "paths") };
  const shelf = shelved(rulesFor("tool.pre", undefined, new Catalog([fixtureSkill("a", { rules })]), {}));
  const at = (tool: Subject["tool"]) =>
    boardAt(shelf, { event: "tool.pre", surface: "hook", tool } as Subject).needs;
  assert.deepEqual([at("shell"), at("write"), at("read"), at("other")], [["shell"], ["phases"], [], []]);
});
