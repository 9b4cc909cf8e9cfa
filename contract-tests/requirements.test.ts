import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "./harness.ts";
import { DEBUG_REQUIREMENTS } from "./debug-requirements.ts";
import { MUSIC_REQUIREMENTS } from "./music-requirements.ts";

const PLACES = ["core", "plugins", "contract-tests"];
const TITLE_NAME = /\[((?:music|debug)\.[a-z0-9.-]+)\]/g;

/** The names that test files hold outside of comments, which is in titles and in tables of titles. */
function citations(): ReadonlyMap<string, readonly string[]> {
  const cited = new Map<string, string[]>();
  for (const place of PLACES)
    for (const name of readdirSync(join(ROOT, place), { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".test.ts") || name.includes("node_modules")) continue;
      const file = join(place, name);
      const code = readFileSync(join(ROOT, file), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
      for (const [, id = ""] of code.matchAll(TITLE_NAME)) cited.set(id, [...(cited.get(id) ?? []), file]);
    }
  return cited;
}

const LEDGER: readonly string[] = Object.keys({ ...MUSIC_REQUIREMENTS, ...DEBUG_REQUIREMENTS });

test("every rule of the specifications is named by a test", () => {
  const cited = citations();
  const unshown = LEDGER.filter((id) => !cited.has(id));
  assert.deepEqual(unshown, []);
});

test("every rule that a test names is in the ledger", () => {
  const strange = [...citations()].filter(([id]) => !LEDGER.includes(id));
  assert.deepEqual(strange, []);
});
