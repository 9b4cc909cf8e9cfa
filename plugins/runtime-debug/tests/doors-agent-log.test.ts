/** Whole sessions with the agent logs of editors, whose code always names the same run, from the outside. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BUG, FIX, verdict, verdicts, walkedTo } from "./doors-walk.ts";

const AT = 1_766_000_000_000;

/** A log statement as an editor writes it, in one of the ways in which it names the session. */
function agentLog(hypothesisId: string, { sessionId, headers }: Named): string {
  return `// #region agent log
fetch('http://127.0.0.1:7242/ingest/5f0e3a52-8c1d-4d8e-9a53-0d2f3c1b7e64',{method:'POST',headers:${JSON.stringify(headers)},body:JSON.stringify({sessionId:'${sessionId}',runId:'run1',hypothesisId:'${hypothesisId}',location:'total.js:${hypothesisId}',message:'sum so far',data:{sum},timestamp:Date.now()})}).catch(()=>{});
// #endregion
`;
}

interface Named {
  readonly sessionId: string;
  readonly headers: Readonly<Record<string, string>>;
}

const JSON_TYPE = { "Content-Type": "application/json" };
const EDITORS: readonly (readonly [string, Named])[] = [
  ["of one name", { sessionId: "debug-session", headers: JSON_TYPE }],
  ["by number", { sessionId: "5b9aab", headers: { ...JSON_TYPE, "X-Debug-Session-Id": "5b9aab" } }],
];

describe("agent logs that always name the run run1", () => {
  for (const [how, named] of EDITORS)
    test(`are evidence of the current run, and are compared, in sessions ${how}`, async (t) => {
      const walk = await walkedTo(t, "instrumenting");
      const { run, fails, write, read, replace, url } = walk;
      const body = (hypothesisId: string, sum: number): object => ({
        sessionId: named.sessionId,
        runId: "run1",
        hypothesisId,
        location: `total.js:${hypothesisId}`,
        message: "sum so far",
        data: { sum },
        timestamp: AT + sum,
      });
      const report = async (...events: readonly object[]): Promise<void> => {
        for (const event of events) {
          const sent = { method: "POST", headers: named.headers, body: JSON.stringify(event) };
          const path = "/ingest/5f0e3a52-8c1d-4d8e-9a53-0d2f3c1b7e64";
          assert.equal((await fetch(`${url}${path}`, sent)).status, 200);
        }
      };
      const [first = "", ...rest] = (await read("total.js")).split(/(?<=let sum = 0;\n)/);
      const regions = ["A", "B", "C"].map((letter) => agentLog(letter, named));
      await write("total.js", first + regions.join("") + rest.join(""));
      await run("check");
      await report(body("A", 1), body("B", 2), body("C", 3));
      const { text } = await run("answer", { answer: "A" });
      assert.match(text, /\n#1 \S+ A total\.js:A "sum so far" \{"sum":1\} .*"runId":"run1"/);
      assert.match(
        (await fails("judge", { verdicts: [verdict("A", "confirmed", "#2")] })).message,
        /#2 was reported for B/,
      );
      await run("judge", { verdicts: verdicts("#1", "#2", "#3") });
      await replace(BUG, FIX);
      await run("fix", { summary: "The loop begins at 0." });
      assert.equal((await fails("verify")).code, "DEBUG_STEP");
      await report(body("A", 9), body("B", 2));
      const numbers = async (...runId: readonly string[]): Promise<readonly unknown[]> => {
        const { events } = await run("logs", { runId, format: "json" });
        return events?.map((one) => one["_seq"]) ?? [];
      };
      assert.deepEqual(await numbers("run1"), [1, 2, 3, 4, 5]);
      assert.deepEqual(await numbers("pre-fix"), [1, 2, 3]);
      assert.deepEqual(await numbers("post"), [4, 5]);
      const { hypotheses, probes } = await run("compare");
      assert.deepEqual(
        hypotheses.map(({ before, after }) => [before, after]),
        [
          [1, 1],
          [1, 1],
          [1, 0],
        ],
      );
      const [, a] = probes;
      assert.deepEqual(a?.changed, [{ field: "sum", before: ["1"], after: ["9"] }]);
      assert.match((await run("verify")).text, /\n {5}sum: 1 → 9\n/);
      await run("answer", { answer: "A" });
      await walk.stop();
      await run("cleanup");
      assert.equal(await read("total.js"), (first + rest.join("")).replace(BUG, FIX));
    });
});
