/** The rule against native logging is a pattern: what it must not match, and how long it takes. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Rule } from "../../../core/contract.ts";
import { compilePredicate } from "../../../core/guard/predicate.ts";
import { probeRegion } from "../probes/probe-text.ts";
import { sampleWish, WRITTEN } from "./probes/sample.ts";
import { ROOT } from "../../../contract-tests/harness.ts";

const { rules } = JSON.parse(readFileSync(join(ROOT, "skills", "runtime-debug", "skill.json"), "utf8")) as {
  readonly rules: Readonly<Record<string, Rule>>;
};
const speaks = await compilePredicate("no-native-logging", rules["no-native-logging"]?.when ?? assert.fail());
const logs = (content: string): boolean =>
  speaks({ tool: "write", paths: ["/shop/a"], phases: ["runtime-debug:instrumenting"], content });

test("no probe that the command prints counts as native logging, in any context [debug.instrumentation.native]", () => {
  for (const language of WRITTEN) {
    const region = probeRegion(sampleWish(language)).join("\n");
    assert.equal(logs(`print(1)\n${region}\nconsole.log(2);\n${region}\nprintf("3");\n`), false, language);
    const [begin = "", body = "", end = ""] = region.split("\n");
    assert.equal(logs([begin, body, "console.log(sum);", end].join("\n")), true, language);
  }
});

test("a text of markers alone is read once", () => {
  assert.equal(logs("// #region debug-point A\n".repeat(100_000)), false);
  assert.equal(logs(`// #region debug-point A\n${"x ".repeat(1_000_000)}`), false);
});
