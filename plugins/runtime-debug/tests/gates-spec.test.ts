/** Every sentence of the specification of runtime debugging that commands or forbids, and the rules that tell it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Rule } from "../../../core/contract.ts";
import { ROOT } from "../../../contract-tests/harness.ts";

/** By place in the specification; sentences in short. */
const SENTENCES: readonly (readonly [place: string, sentence: string, rules: readonly string[]])[] = [
  [
    "What the service does",
    "The order is hypothesis, instrumentation, reproduction, analysis, fix, verification.",
    ["phase-order"],
  ],
  [
    "What the service does",
    "It is triggered when the user asks, or several rounds of static analysis have not solved it.",
    ["static-first"],
  ],
  [
    "What the service does",
    "Inputs from the user: symptoms, steps, environment, existing logs, impact.",
    ["ask-inputs"],
  ],
  ["What the service does", "Outputs 1: 3-5 hypotheses.", ["three-to-five"]],
  ["What the service does", "Outputs 1: falsifiable, each tied to one observation point.", ["falsifiable"]],
  [
    "What the service does",
    "Outputs 2: after every instrumentation step or fix a summary and a concrete path for the user.",
    ["user-guidance"],
  ],
  [
    "What the service does",
    "Outputs 3: an analysis that cites log lines and marks each hypothesis.",
    ["cite-log-lines", "cite-in-analysis"],
  ],
  ["What the service does", "Outputs 4: a minimal fix.", ["minimal-fix"]],
  [
    "What the service does",
    "Outputs 4: a comparison of the logs before and after the fix.",
    ["compare-first"],
  ],
  [
    "What the service does",
    "Outputs 5: an explicit invitation for user verification at key milestones.",
    ["compare-first", "user-guidance"],
  ],
  [
    "What the service does",
    "Outputs 6: a cleanup summary with the root cause, after the fix is confirmed.",
    ["cleanup-summary"],
  ],
  [
    "Resources and their fields",
    "Session id: 2-4 lowercase English words joined by hyphens, unique per session.",
    ["session-id"],
  ],
  [
    "Resources and their fields",
    "The record is created before anything else in the session.",
    ["record-first"],
  ],
  ["Resources and their fields", "The record carries a status; [OPEN] exists.", ["confirmation-gate"]],
  ["Resources and their fields", "The log file of the session is the server's.", ["no-forged-evidence"]],
  [
    "Resources and their fields",
    "All instrumentation code is wrapped in regions #region debug-point.",
    ["evidence-gate"],
  ],
  [
    "Resources and their fields",
    "Hypotheses are listed in the conversation in the first response.",
    ["hypotheses-told"],
  ],
  [
    "Rules on instrumentation 1",
    "Native logging is forbidden; logs are reported over the network.",
    ["no-native-logging", "evidence-gate"],
  ],
  [
    "Rules on instrumentation 2",
    "No new utility files in the business codebase; inline one-liners only.",
    ["no-new-file"],
  ],
  [
    "Rules on instrumentation 3",
    "After instrumentation or a fix the user gets clear guidance.",
    ["user-guidance"],
  ],
  ["Rules on instrumentation 3", "... and the assistant yields the turn.", ["yield-turn"]],
  ["States and transitions", "A phase may not be skipped.", ["phase-order"]],
  ["States and transitions", "No business logic may be touched in steps 1-4.", ["evidence-gate"]],
  [
    "States and transitions",
    "The first code change consists only of log-reporting instrumentation.",
    ["evidence-gate"],
  ],
  [
    "States and transitions",
    "Each hypothesis is marked confirmed or rejected from log lines.",
    ["cite-log-lines"],
  ],
  [
    "States and transitions",
    "Fix allowed only once evidence points to the root cause.",
    ["evidence-gate", "phase-order"],
  ],
  ["States and transitions", "The fix has the smallest scope.", ["minimal-fix"]],
  ["States and transitions", "The evidence comparison is presented first.", ["compare-first"]],
  [
    "States and transitions",
    "The debug server must stay running until the user confirms.",
    ["server-stays-up"],
  ],
  [
    "States and transitions",
    "The answers A to D are the user's and decide what comes next.",
    ["own-words", "phase-order"],
  ],
  [
    "States and transitions",
    "Cleanup: root-cause summary; after an abort the progress.",
    ["cleanup-summary"],
  ],
  [
    "Gates 1",
    "Before runtime evidence exists, no business-logic modification.",
    ["evidence-gate", "no-forged-evidence", "ledger-untouched"],
  ],
  [
    "Gates 2",
    "While the record status is [OPEN], cleanup is forbidden.",
    ["confirmation-gate", "ledger-untouched"],
  ],
  ["Gates 3", "An abort option is offered at every checkpoint.", ["abort-offered"]],
  ["Gates 4", "User questions use an interactive question tool when available.", ["question-tool"]],
  ["States and transitions", "Cleanup is the last of the 11 steps.", ["confirmation-gate", "phase-order"]],
  [
    "Limits",
    "Hypotheses per session: 3 to 5; words in a session id: 2 to 4.",
    ["three-to-five", "session-id"],
  ],
  ["Limits", "The server must not be closed before the user's final confirmation.", ["server-stays-up"]],
];
/** Told beside the specification: what its rules come down to in an agent's work. */
const BESIDE = ["never-say-fixed", "tree-check"];

const MANIFEST = JSON.parse(readFileSync(join(ROOT, "skills", "runtime-debug", "skill.json"), "utf8")) as {
  readonly rules: Readonly<Record<string, Rule>>;
};

test("every sentence of the specification that commands or forbids is told by a rule of the manifest", () => {
  for (const [place, sentence, rules] of SENTENCES) {
    assert.ok(rules.length > 0, `${place}: ${sentence}`);
    for (const rule of rules) assert.ok(Object.hasOwn(MANIFEST.rules, rule), `${place}: ${rule}`);
  }
});

test("every rule of the manifest stands for a sentence of the specification, or is named as one beside it", () => {
  const told = new Set(SENTENCES.flatMap(([, , rules]) => rules));
  const strange = Object.keys(MANIFEST.rules).filter((name) => !told.has(name) && !BESIDE.includes(name));
  assert.deepEqual(strange, []);
});

test("the gates of the specification are enforced; what is only told says why", () => {
  const gates = SENTENCES.filter(([place]) => /^Gates [1-3]/.test(place)).flatMap(([, , rules]) => rules);
  for (const name of gates) assert.notEqual(MANIFEST.rules[name]?.enforced, false, name);
  for (const [name, rule] of Object.entries(MANIFEST.rules))
    assert.equal(rule.enforced === false, rule.why !== undefined, name);
});
