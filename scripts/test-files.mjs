/** Imports the test files it is given; node:test runs what they register. Started by run-tests.mjs. */
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { configureGlobal } from "fast-check";

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
