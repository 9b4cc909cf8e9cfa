import assert from "node:assert/strict";
import { test } from "node:test";
import type { DocumentName } from "../ports/state.ts";
import { fixtureSkill } from "../testing/fixture-skills.ts";
import { phaseSources, phasesAt } from "./phases.ts";

const DOCUMENTS: Readonly<Record<string, unknown>> = {
  "debug-sessions /shop": { sessions: { one: { state: "fixing" }, two: { state: "fixing" }, "a/b": 5 } },
  "debug-sessions /other": { sessions: [] },
  "debug-sessions /": { sessions: { old: { state: "closing" } } },
  "debug-sessions folders": { folders: ["/shop", "/gone", "/", 5, "x".repeat(1_001)] },
  "plain /": { state: "early" },
};
const state = {
  read: async ({ collection, id }: DocumentName) => {
    assert.ok(id.length <= 1_000);
    return DOCUMENTS[`${collection} ${id}`];
  },
  update: () => assert.fail("nothing is written"),
};
const files = { realPath: async (path: string) => (path === "/link" ? "/shop/deep/down" : undefined) };
const skills = [
  fixtureSkill("debug", { phases: { collection: "debug-sessions", pointer: "/sessions/*/state" } }),
  fixtureSkill("plain", { phases: { collection: "plain", pointer: "/state" } }),
  fixtureSkill("none"),
];

test("phases are those of the nearest folder that has any, links followed, each once", async () => {
  const phases = (folder: string) => phasesAt(folder, phaseSources({ skills }), { state, files });
  assert.deepEqual(await phases("/shop"), ["debug:fixing", "plain:early"]);
  assert.deepEqual(await phases("/shop/a/b"), ["debug:fixing", "plain:early"]);
  assert.deepEqual(await phases("/link"), ["debug:fixing", "plain:early"]);
  assert.deepEqual(await phases("/other/x"), ["debug:closing", "plain:early"]);
  assert.deepEqual(await phasesAt("/shop", [], { state, files }), []);
});

test("phases are those of every folder that a skill lists, when they are asked for everywhere", async () => {
  const listing = fixtureSkill("debug", {
    phases: { collection: "debug-sessions", pointer: "/sessions/*/state", index: "folders" },
  });
  const phases = (everywhere: boolean) =>
    phasesAt("/other/x", phaseSources({ skills: [listing] }), { state, files }, { everywhere });
  assert.deepEqual(await phases(false), ["debug:closing"]);
  assert.deepEqual(await phases(true), ["debug:closing", "debug:fixing"]);
});

test("phases are those of all places that a request names; a path that no document can have as its name is skipped", async () => {
  const phases = (...places: string[]) => phasesAt(places, phaseSources({ skills }), { state, files });
  assert.deepEqual(await phases("/other", "/shop/a.js", "/shop"), [
    "debug:closing",
    "debug:fixing",
    "plain:early",
  ]);
  assert.deepEqual(await phases(`/shop/${"x/".repeat(600)}a.js`), ["debug:fixing", "plain:early"]);
});
