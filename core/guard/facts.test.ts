import assert from "node:assert/strict";
import { test } from "node:test";
import { namedPlaces } from "./facts.ts";

test("a request names its paths, and what its shell command writes, runs and starts programs in", () => {
  const facts = { reads: ["/r"], urls: [], sets: [], uses: [], unknown: [] };
  const programs = [
    { name: "make", args: [], cwd: "/b" },
    { name: "echo", args: [] },
  ];
  const shell = { ...facts, programs, writes: ["/w", "/p"], scripts: ["/s"] };
  const subject = { event: "tool.pre", surface: "hook", cwd: "/c", paths: ["/p"], shell } as const;
  assert.deepEqual(namedPlaces({ ...subject, paths: ["/p"], shell }), ["/p", "/w", "/s", "/b"]);
  assert.deepEqual(namedPlaces({ event: "prompt.submit", surface: "hook" }), []);
});
