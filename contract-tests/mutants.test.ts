/** The table of planted faults fits the current code: `npm run test:mutants` plants them and runs their tests. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "./harness.ts";

interface Mutant {
  readonly id: string;
  readonly fault: string;
  readonly door: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly test: string;
  readonly title: string;
}

const FOLDER = join(ROOT, "contract-tests", "mutants");
const DOORS = ["cli", "http", "hook", "mcp", "host"];
const MUTANTS = readdirSync(FOLDER).flatMap(
  (name) => JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as readonly Mutant[],
);

test("there are 100 to 250 planted faults, each with a unique name", () => {
  assert.ok(MUTANTS.length >= 100 && MUTANTS.length <= 250, String(MUTANTS.length));
  assert.equal(new Set(MUTANTS.map(({ id }) => id)).size, MUTANTS.length);
});

test("the text that a fault replaces occurs once in its file", () => {
  const wrong = MUTANTS.filter(({ file, find, replace }) => {
    const text = existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), "utf8") : "";
    return find === replace || text.split(find).length !== 2;
  });
  assert.deepEqual(
    wrong.map(({ id }) => id),
    [],
  );
});

test("each fault is seen through a door, by a test of the short suite unless it needs a database", () => {
  const wrong = MUTANTS.filter(
    ({ fault, door, test: file, title }) =>
      fault === "" ||
      !DOORS.includes(door) ||
      (file.endsWith(".long.test.ts") && !file.includes("/database.")) ||
      !existsSync(join(ROOT, file)) ||
      !readFileSync(join(ROOT, file), "utf8").includes(title),
  );
  assert.deepEqual(
    wrong.map(({ id, door, test: file }) => `${id} ${door} ${file}`),
    [],
  );
});
