import assert from "node:assert/strict";
import { test } from "node:test";
import schema from "../../schemas/core/guard-request.json" with { type: "json" };
import { Catalog } from "../catalog.ts";
import type { Rule } from "../contract.ts";
import { Guard } from "../guard.ts";
import type { GuardEvent } from "../plugin.ts";
import { fixtureSkill } from "../testing/fixture-skills.ts";
import { isOfSkill } from "./events.ts";

const EVENTS = schema.properties.event.enum as readonly GuardEvent[];

test("the events of a skill are its commands, routes and phases", () => {
  for (const event of EVENTS) assert.equal(isOfSkill(event), /^(command|route|phase)\./.test(event), event);
});

test("a guard names every rule that is asked once, by tiers; one that is only told is none of them", () => {
  const rule = (on: Rule["on"], more: Partial<Rule> = {}): Rule => ({
    tell: "It is told.",
    on: on ?? [],
    decision: "deny",
    message: "No.",
    ...more,
  });
  const own = { on: ["tool.pre" as const], decision: "deny" as const, message: "No." };
  const told: Rule = { tell: "Be kind.", enforced: false, why: "It has no measure." };
  const skills = [
    fixtureSkill("a", { rules: { told, late: rule(["phase.leave"]), all: rule([...EVENTS]) } }),
    fixtureSkill("b", { rules: { audited: rule(["command.post"], { mode: "audit", applies: "all" }) } }),
  ];
  const handlers = { rule: () => Promise.reject(new Error("no code is needed")) };
  const rules = { operator: { x: own }, workspace: { x: own }, core: { x: rule(["turn.stop"]) } };
  const found = new Guard(new Catalog(skills), handlers, { rules }).rules();
  assert.deepEqual(
    found.map(({ id }) => id).filter((id) => !/^[ab]/.test(id)),
    ["workspace/x", "operator/x", "core/x"],
  );
  assert.deepEqual(
    found
      .slice(0, 3)
      .map(({ id }) => id)
      .sort(),
    ["a/all", "a/late", "b/audited"],
  );
});
