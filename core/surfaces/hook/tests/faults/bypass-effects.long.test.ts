/**
 * Whether the corpus of attempts is true: every second call that can be is carried out in a scratch project; which ones, the
 * seed says. Windows has no bash.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { BypassCall } from "../bypass/call.ts";
import { effectsOf, missingPrograms } from "../bypass/effect.ts";
import { CORPUS } from "../bypass/index.ts";
import { bypassPlace } from "../bypass/place.ts";

const PHASES = ["none", "observing", "instrumenting"] as const;
const shown = ({ call }: BypassCall): string => (typeof call === "string" ? call : JSON.stringify(call));
const FIRST = Number(process.env["TEST_SEED"] ?? 0) % 2;
const TRIED = Object.values(CORPUS)
  .flat()
  .filter((_, index) => index % 2 === FIRST);
const options = { skip: process.platform === "win32" && "there is no bash" };

describe("what the calls of the corpus do when nobody stops them", options, () => {
  for (const phase of PHASES)
    test(phase === "none" ? "without a session" : `while ${phase}`, async (t) => {
      const place = await bypassPlace(t, phase);
      const wrong: string[] = [];
      let carriedOut = 0;
      const without: string[] = [];
      for (const call of TRIED.filter((one) => (one.phase ?? "instrumenting") === phase)) {
        if (call.effect === "untried") continue;
        const missing = missingPrograms(call);
        if (missing.length > 0) {
          without.push(`${missing.join(", ")}: ${shown(call)}`);
          continue;
        }
        carriedOut += 1;
        const found = await effectsOf(call, place);
        // A probe changes code, and is what the phase is for.
        const isProbe = call.expected === "allow" && typeof call.call !== "string" && found.has("code");
        const right = call.effect === "none" ? found.size === 0 || isProbe : found.has(call.effect);
        if (!right) wrong.push(`${[...found].join(", ") || "nothing"}, not ${call.effect}: ${shown(call)}`);
      }
      t.diagnostic(`${carriedOut} carried out`);
      for (const one of without) t.diagnostic(`not carried out, for want of ${one}`);
      assert.equal(wrong.length, 0, `${wrong.length} wrong\n${wrong.join("\n")}`);
    });
});
