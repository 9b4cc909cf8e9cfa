import assert from "node:assert/strict";
import { test } from "node:test";
import type { Subject } from "../plugin.ts";
import { namedPlaces, withFacts } from "./facts.ts";

test("a request names its paths, the files that its shell command writes and runs, and the folders of its programs", () => {
  const facts = { reads: ["/r"], urls: [], sets: [], uses: [], unknown: [], unread: [] };
  const programs = [
    { name: "make", args: [], cwd: "/b" },
    { name: "echo", args: [] },
  ];
  const shell = { ...facts, programs, writes: ["/w", "/p"], scripts: ["/s"] };
  const subject = { event: "tool.pre", surface: "hook", cwd: "/c", paths: ["/p"], shell } as const;
  assert.deepEqual(namedPlaces({ ...subject, paths: ["/p"], shell }), ["/p", "/w", "/s", "/b"]);
  assert.deepEqual(namedPlaces({ event: "prompt.submit", surface: "hook" }), []);
});

test("edits are computed only before a call, and only where a skill is in a phase", async () => {
  const subject = { event: "tool.pre", surface: "hook", tool: "edit", name: "Edit" } as const;
  const computed: string[] = [];
  const edits = async ({ event }: Subject) => {
    computed.push(event);
    return [{ path: "/w/a.js", after: "x" }];
  };
  const found = (phases: readonly string[], event: "tool.pre" | "tool.post" = "tool.pre") =>
    withFacts({ ...subject, event }, ["phases", "edits"], { phases: async () => phases, edits });
  assert.equal((await found([])).edits, undefined);
  assert.equal((await found(["a:open"], "tool.post")).edits, undefined);
  assert.deepEqual(computed, []);
  assert.deepEqual((await found(["a:open"])).edits, [{ path: "/w/a.js", after: "x" }]);
});
