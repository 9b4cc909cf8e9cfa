/** Imports the given test files; node:test runs the tests that they register. Started by run-tests.mjs. */
import assert, { AssertionError } from "node:assert";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { configureGlobal } from "fast-check";

// Node looks for the source of a bare assertion at its compiled position: in TypeScript it reads other code, at times for minutes.
assert.ok = assert.strict.ok = function ok(value, message = "The assertion is false.") {
  if (value) return;
  if (message instanceof Error) throw message;
  throw new AssertionError({ message, actual: value, expected: true, operator: "==", stackStartFn: ok });
};

configureGlobal({ seed: Number(process.env.TEST_SEED) });

for (const file of process.argv.slice(2)) {
  try {
    await import(pathToFileURL(file).href);
  } catch (caught) {
    // A file that cannot be imported is a failed test.
    test(`${file} can be imported`, () => {
      throw caught;
    });
  }
}
