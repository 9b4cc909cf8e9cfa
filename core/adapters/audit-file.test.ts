import assert from "node:assert/strict";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Evaluation } from "../guard/options.ts";
import { auditFile, auditFiles, noteOutcome, readAudit } from "./audit-file.ts";

function place(t: TestContext) {
  const folder = fs.mkdtempSync(join(tmpdir(), "skillctl-audit-"));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  const notices: string[] = [];
  const audit = auditFile(join(folder, "state"), { notice: (sentence) => void notices.push(sentence) });
  return { state: join(folder, "state"), audit, notices };
}

const evaluation = (id: string, command = "echo hunter2"): Evaluation => ({
  id,
  at: Date.UTC(2026, 10, 22),
  tookUs: 12,
  decision: "deny",
  findings: [
    {
      rule: "a/strict",
      version: 3,
      tier: "plugin",
      decision: "deny",
      reasonCode: "A_STRICT",
      message: "Put back: a.ts. Kept in /state/x.",
      agentMessage: "hunter2",
      failed: false,
    },
  ],
  subject: { event: "tool.pre", surface: "hook", origin: "hook:codex", session: "s", tool: "shell", command },
});

test("a decision is logged as one line with a hash of the request and none of its text", (t) => {
  const { state, audit, notices } = place(t);
  audit.record(evaluation("g-1"));
  audit.record(evaluation("g-2", "other"));
  const [first, second] = readAudit(state);
  assert.deepEqual(
    { ...first, request: "" },
    {
      id: "g-1",
      at: "2026-11-22T00:00:00.000Z",
      event: "tool.pre",
      surface: "hook",
      origin: "hook:codex",
      session: "s",
      tool: "shell",
      request: "",
      decision: "deny",
      tookUs: 12,
      rules: [
        {
          rule: "a/strict",
          version: 3,
          tier: "plugin",
          decision: "deny",
          message: "Put back: a.ts. Kept in /state/x.",
        },
      ],
    },
  );
  assert.match(String(first?.request), /^[0-9a-f]{64}$/);
  assert.notEqual(first?.request, second?.request);
  const [, newer] = auditFiles(state);
  assert.doesNotMatch(fs.readFileSync(newer, "utf8"), /hunter2/);
  if (process.platform !== "win32") assert.equal(fs.statSync(newer).mode & 0o777, 0o600);
  assert.deepEqual(notices, []);
});

test("messages and failures of rules are logged with bounded length and without tokens", (t) => {
  const { state, audit } = place(t);
  const [finding = assert.fail()] = evaluation("g-1").findings;
  const token = `eyJ${"a".repeat(12)}.${"b".repeat(12)}.${"c".repeat(12)}`;
  const findings = [
    { ...finding, message: `It is ${token}. ${"x".repeat(3_000)}` },
    { ...finding, failed: true, failure: "no answer within 50 ms" },
    { ...finding, idle: "audit" as const },
  ];
  audit.record({ ...evaluation("g-1"), findings });
  const [long, failed, idle] = readAudit(state)[0]?.rules ?? [];
  assert.match(long?.message ?? "", /^It is \[token\]\. x+…$/);
  assert.equal(long?.message?.length, 1_000);
  assert.equal(failed?.failure, "no answer within 50 ms");
  assert.equal(idle?.message, undefined);
});

test("an outcome is joined to its decision, also after the log has been rotated", (t) => {
  const { state, audit, notices } = place(t);
  const log = { notice: (sentence: string) => void notices.push(sentence) };
  const [older, newer] = auditFiles(state);
  audit.record(evaluation("g-1"));
  fs.renameSync(newer, older);
  noteOutcome(state, { id: "g-1", decision: "deny", by: "codex" }, log);
  noteOutcome(state, { id: "g-none", decision: "deny", by: "codex" }, log);
  audit.record(evaluation("g-2"));
  assert.deepEqual(
    readAudit(state).map(({ id, said }) => [id, said]),
    [
      ["g-1", { decision: "deny", by: "codex" }],
      ["g-2", undefined],
    ],
  );
  fs.rmSync(join(state, "guard"), { recursive: true });
  fs.writeFileSync(join(state, "guard"), "");
  noteOutcome(state, { id: "g-1", decision: "deny", by: "codex" }, log);
  assert.match(notices.join(), /^The outcome of the decision g-1 could not be recorded: /);
});

test("the audit log is bounded: a full file replaces the archived one", (t) => {
  const { state, audit } = place(t);
  const [older, newer] = auditFiles(state);
  audit.record(evaluation("g-1"));
  const filler = `${JSON.stringify({ id: "filler", rules: [], fill: "x".repeat(500_000) })}\n`;
  for (let round = 0; round < 3; round += 1) {
    fs.appendFileSync(newer, filler.repeat(3));
    audit.record(evaluation(`g-full-${round}`));
    assert.ok(!fs.existsSync(newer));
  }
  audit.record(evaluation("g-last"));
  assert.ok(fs.statSync(older).size + fs.statSync(newer).size < 2 * 1_048_576 + 1_000_000);
  assert.deepEqual(
    readAudit(state)
      .map(({ id }) => id)
      .filter((id) => id !== "filler"),
    ["g-full-2", "g-last"],
  );
});

test("lines of other programs and incomplete lines are ignored", (t) => {
  const { state, audit } = place(t);
  audit.record(evaluation("g-1"));
  const [, newer] = auditFiles(state);
  fs.appendFileSync(newer, 'null\n7\n{"id":"x"}\n{"id":"g-2","rules":[');
  assert.deepEqual(
    readAudit(state).map(({ id }) => id),
    ["g-1"],
  );
});

test("a failure to record is a notice and throws nothing; a link is not followed", (t) => {
  const { state, audit, notices } = place(t);
  fs.mkdirSync(join(state, "guard"), { recursive: true });
  const target = join(state, "elsewhere");
  fs.writeFileSync(target, "");
  if (process.platform === "win32") return t.skip("links need rights here");
  fs.symlinkSync(target, auditFiles(state)[1]);
  audit.record(evaluation("g-1"));
  assert.equal(fs.readFileSync(target, "utf8"), "");
  assert.match(notices.join(), /The decision g-1 of the rules could not be recorded: .*ELOOP/);
});
