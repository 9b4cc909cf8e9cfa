/**
 * The rules of the two specifications, `requirements.json`: their sources and what must hold. A test that shows one names it in
 * its title, in square brackets: `[music.request.fields]`.
 */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "./harness.ts";
import requirements from "./requirements.json" with { type: "json" };

const TITLE_NAME = /\[((?:music|debug)\.[a-z0-9.-]+)\]/g;

/** The names in test files outside comments, that is, in titles and in tables of titles. */
function cited(): ReadonlySet<string> {
  const files = ["core", "plugins", "contract-tests"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) =>
      join(ROOT, folder, name),
    ),
  );
  const names = files
    .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules"))
    .map((file) => readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ""))
    .flatMap((code) => [...code.matchAll(TITLE_NAME)].map(([, id = ""]) => id));
  return new Set(names);
}

test("every rule of the specifications is named by a test, and every rule that a test names exists", () => {
  assert.deepEqual([...cited()].sort(), Object.keys(requirements).sort());
});
