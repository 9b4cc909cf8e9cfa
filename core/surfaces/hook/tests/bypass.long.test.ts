/**
 * Attempts to get round the rules, and daily work that must not be stopped: what the guard decides about each. That the
 * attempts really do what they are said to do is shown in faults/bypass-effects.long.test.ts.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CORPUS } from "./bypass/index.ts";
import { OTHER_AGENTS } from "./bypass/other-agents.ts";
import { bypassPlace } from "./bypass/place.ts";
import type { BypassCall } from "./bypass/call.ts";

const PHASES = ["none", "observing", "instrumenting"] as const;
/** What is asked about may be denied, and what is only told after the call may be stopped before it. */
const isRight = (decision: string, expected: string): boolean =>
  decision === expected || expected === "told" || (expected === "ask" && decision === "deny");
const shown = ({ call }: BypassCall): string => (typeof call === "string" ? call : JSON.stringify(call));
const ALL = Object.values(CORPUS).flat();
const options = { skip: process.platform === "win32" && "there is no bash" };

describe("the corpus", () => {
  test("it is large, and a good part of it must be let through", () => {
    assert.ok(ALL.length >= 150);
    assert.ok(ALL.filter(({ expected }) => expected === "allow").length >= 40);
    assert.equal(new Set(ALL.map((one) => `${one.phase} ${shown(one)}`)).size, ALL.length);
  });

  for (const phase of PHASES)
    test(`decisions, ${phase === "none" ? "without a session" : `while ${phase}`}`, options, async (t) => {
      const place = await bypassPlace(t, phase);
      const wrong: string[] = [];
      for (const [name, calls] of Object.entries(CORPUS)) {
        for (const call of calls.filter((one) => (one.phase ?? "instrumenting") === phase)) {
          const { decision, reason } = await place.decide(call);
          if (!isRight(decision, call.expected))
            wrong.push(
              `${name}: ${decision}, not ${call.expected}: ${shown(call)}\n    ${call.why}. ${reason}`,
            );
        }
      }
      assert.equal(wrong.length, 0, `${wrong.length} wrong\n${wrong.join("\n")}`);
    });

  test("other agents, in their own words", options, async (t) => {
    const place = await bypassPlace(t, "instrumenting");
    const wrong: string[] = [];
    for (const one of OTHER_AGENTS) {
      const { decision, reason } = await place.hear(one);
      if (isRight(decision, one.expected)) continue;
      wrong.push(
        `${one.dialect}: ${decision}, not ${one.expected}: ${JSON.stringify(one.event)}\n    ${one.why}. ${reason}`,
      );
    }
    assert.equal(wrong.length, 0, `${wrong.length} wrong\n${wrong.join("\n")}`);
  });
});
