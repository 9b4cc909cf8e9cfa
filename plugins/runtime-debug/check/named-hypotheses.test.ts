import assert from "node:assert/strict";
import { test } from "node:test";
import { probeRegion } from "../probes/probe-text.ts";
import { LANGUAGES } from "../probes/languages.ts";
import { namedHypotheses } from "./named-hypotheses.ts";

const ENDS: Readonly<Record<string, string>> = {
  python: "py",
  ruby: "rb",
  javascript: "js",
  c: "c",
  shell: "sh",
};

const region = (session: string): string => `// #region debug-point A:sum
fetch("http://127.0.0.1:7777/event",{method:"POST",body:JSON.stringify({${session}hypothesisId:"A"})}).catch(()=>{});
// #endregion debug-point A:sum
`;

test("a probe of another session counts for no hypothesis of this one, whatever its language", () => {
  for (const language of LANGUAGES.filter((one) => one !== "sql")) {
    const wish = {
      language,
      hypothesis: "A",
      point: "sum",
      data: [],
      location: "a:1",
      fallbackUrl: "http://127.0.0.1:7777/event",
    };
    const text = probeRegion({ ...wish, session: "one-bug" }).join("\n");
    const path = `a.${ENDS[language] ?? "txt"}`;
    assert.deepEqual([...namedHypotheses(text, path, "one-bug")], ["A"], language);
    assert.deepEqual([...namedHypotheses(text, path, "two-bug")], [], language);
  }
});

test("a probe written by hand counts unless it names another session", () => {
  const names = (session: string): readonly string[] => [
    ...namedHypotheses(region(session), "a.js", "one-bug"),
  ];
  assert.deepEqual(names(""), ["A"]);
  assert.deepEqual(names('sessionId:"one-bug",'), ["A"]);
  assert.deepEqual(names('sessionId:"one-bug-two",'), []);
  assert.deepEqual(names('"session_id": "two-bug",'), []);
});
