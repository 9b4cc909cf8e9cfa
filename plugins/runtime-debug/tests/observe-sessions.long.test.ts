/** Whole sessions that edit nothing before the fix, from `start` to a clean tree, through the command line only. */
import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { until } from "./client.ts";
import { observedProject, type LoggedEvent } from "./observe-harness.ts";
import { OBSERVED, type Running } from "./observe-programs.ts";
import { lastly } from "./server-harness.ts";

/** The source files with their bytes; the output of a build is not part of the project. */
async function sources(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  );
  const paths = names.map((one) => join(one.parentPath, one.name)).filter((path) => !path.includes("/dist/"));
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(path, "latin1")] as const)),
  );
}

/** The reports of the program in one reproduction, computed without it. */
function passes(sum: (before: number, price: number, quantity: number) => number): readonly object[] {
  const items = [
    { price: 10, quantity: 1 },
    { price: 10, quantity: 3 },
  ];
  let before = 0;
  return items.map((item) => {
    const told = { sum: before, ...item };
    before = sum(before, item.price, item.quantity);
    return told;
  });
}

/** The reports for one hypothesis from the beginning of a sum: the points may be set within one. */
function rounds(events: readonly LoggedEvent[]): readonly object[] {
  const told = events.filter(({ hypothesisId }) => hypothesisId === "A").map(({ data }) => data);
  const first = told.findIndex(({ sum }) => sum === 0);
  return first === -1 ? [] : told.slice(first);
}

describe("a session that observes", () => {
  for (const program of OBSERVED) {
    test(
      `${program.name} ends with the fix, and edits nothing before it`,
      { skip: program.skip },
      async (t) => {
        const { folder, place, ask, say, events: all, remove } = await observedProject(program.files);
        lastly(t, remove);
        const first = await program.start(folder);
        lastly(t, first.end);
        const before = await sources(folder);
        const at = program.at;
        const hypotheses = ["Price and quantity are added", "An item is counted twice", "A price is text"];
        const lines = hypotheses.map((text) => `${text} | refuted by: the values at the line | at ${at}`);
        const { session } = await ask("start", "The cart total is wrong", "--hypotheses", lines.join("\n"));
        const points = ["A", "B", "C"].map((hypothesis, index) => ({
          hypothesis,
          point: ["sums", "items", "types"][index],
          data: program.data,
          at,
        }));
        const file = join(place, "points.json");
        await writeFile(file, JSON.stringify(points));
        const logged = async (run: string): Promise<readonly LoggedEvent[]> =>
          // A server may get the port of one that was killed, and the events that are still sent there.
          (await all(String(session))).filter((event) => event._run === run && event.sessionId === session);
        const observe = async ({ target, reproduce }: Running, run: string, ...more: readonly string[]) => {
          const { points } = await ask("observe", ...target, "--from", file, ...more);
          for (const { state, sentence } of points as { state: string; sentence: string }[])
            assert.equal(state, "set", sentence);
          await reproduce();
          return until(
            () => logged(run),
            (events) => rounds(events).length >= 2,
          );
        };

        const events = await observe(first, "pre-fix", "--check");
        assert.deepEqual(
          rounds(events).slice(0, 2),
          passes((sum, price, quantity) => sum + price + quantity),
        );
        await ask("answer", "A");
        const now = await sources(folder);
        for (const [path, text] of before) assert.equal(now.get(path), text, path);
        // The program may pass before all three points are set: the first lines are not always of A, B and C.
        const line = (letter: string): string =>
          `#${events.find(({ hypothesisId }) => hypothesisId === letter)?._seq}`;
        await ask(
          "judge",
          "--verdicts",
          [
            `A confirmed ${line("A")}: added`,
            `B rejected ${line("B")}: once`,
            `C rejected ${line("C")}: numbers`,
          ].join("\n"),
        );

        const [fixed, from, to] = program.fix;
        const text = await readFile(join(folder, fixed), "utf8");
        await writeFile(join(folder, fixed), text.replace(from, to));
        await ask("fix", "The quantity multiplies");
        // The old code still runs: its events do not belong to the fix.
        await first.reproduce();
        assert.match(String((await ask("status"))["text"]), /No point is set now/);
        assert.deepEqual(await logged("post-fix"), []);
        const early = await say("verify", "--json");
        assert.equal(early.status, 65, early.out);
        assert.match(early.out + early.err, /set them again \(observe --again\)/);
        const old = await say("observe", ...first.target, "--from", file);
        assert.notEqual(old.status, 0, old.out);
        assert.match(old.err, /was started before the fix was written/);
        await first.end();
        const second = await program.start(folder);
        lastly(t, second.end);
        const after = await observe(second, "post-fix");
        assert.deepEqual(
          rounds(after).slice(0, 2),
          passes((sum, price, quantity) => sum + price * quantity),
        );
        await ask("verify");
        await ask("answer", "A");
        await ask("cleanup");
        const wanted = new Map(
          [...before].map(([path, was]) => [
            path,
            path === join(folder, fixed) ? was.replace(from, to) : was,
          ]),
        );
        assert.deepEqual(await sources(folder), wanted);
      },
    );
  }
});
