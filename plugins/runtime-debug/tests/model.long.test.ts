/** Whatever happens to a server, it answers as the documentation says. Uses what `npm run build` makes. */
import { join } from "node:path";
import { describe, test } from "node:test";
import fc from "fast-check";
import { scratch } from "./server-harness.ts";
import { ModelledServer } from "./model-server.ts";
import { steps, type Step } from "./model-steps.ts";

/** A little more than 1 MiB. */
const FILLED: readonly Step[] = Array.from({ length: 4 }, () => ({
  kind: "burst",
  bodies: Array.from({ length: 10 }, () => [{ msg: "[DEBUG] probe one", hypothesisId: "A", size: 27_000 }]),
}));

describe("a server and the model of its log", () => {
  test("agree on every answer after any events, clears, runs, restarts and kills", async (t) => {
    const home = await scratch(t);
    let rounds = 0;
    await fc.assert(
      fc.asyncProperty(steps({ largest: 2_000, count: 25 }), (taken) =>
        new ModelledServer(t, join(home, String((rounds += 1)), ".dbg"), []).play(taken),
      ),
      { numRuns: 6 },
    );
  });

  test("agree over the gaps of a log that is full", async (t) => {
    const home = await scratch(t);
    let rounds = 0;
    await fc.assert(
      fc.asyncProperty(steps({ largest: 60_000, count: 20 }), (taken) =>
        new ModelledServer(t, join(home, String((rounds += 1)), ".dbg"), ["--max-mib", "1"]).play([
          ...FILLED,
          ...taken,
        ]),
      ),
      { numRuns: 5 },
    );
  });
});
