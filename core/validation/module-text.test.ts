import assert from "node:assert/strict";
import { test } from "node:test";
import { moduleFault } from "./module-text.ts";

test("a module that is no JavaScript, or throws at its top level, is told without being run", () => {
  assert.equal(moduleFault("throw new Error('out of tea');"), "throws as soon as it is loaded (line 1)");
  assert.match(moduleFault("export default {") ?? "", /^is no JavaScript module: Unexpected token \(1:16\)$/);
  assert.match(moduleFault("import { from 'x';") ?? "", /^is no JavaScript module/);
});

test("a sound module is no fault, whatever it would do when it is run", () => {
  for (const text of [
    "export default { commands: {} };",
    "#!/usr/bin/env node\nimport { CLOCK } from 'skillctl';\nawait 0;\nexport default class { #x = 1; static inject = [CLOCK]; }",
    "function later() { throw new Error('later'); }\nexport default later;",
    "globalThis.moduleTextWasRun = true; process.exit(3);",
  ]) {
    assert.equal(moduleFault(text), undefined, text);
  }
  assert.equal("moduleTextWasRun" in globalThis, false);
});
