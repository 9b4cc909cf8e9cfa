/** Imports the test files it is given; node:test runs what they register. Started by run-tests.mjs. */
import assert, { AssertionError } from "node:assert";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { configureGlobal } from "fast-check";

// Node looks for the text of a bare assertion where the compiled one stands: in TypeScript it reads other code, for minutes at times.
assert.ok = assert.strict.ok = function ok(value, message = "What is asserted is not so.") {
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
