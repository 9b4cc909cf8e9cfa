/** Points in a running Node program: what they report, what they refuse, and what they leave behind. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { nodeFiles } from "../../../core/adapters/files.ts";
import type { Point } from "../observe/point.ts";
import {
  addressOf,
  inspectorOf,
  observable,
  preload,
  preloadOptions,
  targetsAt,
  writtenTargets,
} from "../observe/processes.ts";
import { eventually, until } from "./client.ts";
import { nodeProgram, said } from "./observe-harness.ts";
import { attached, http } from "./point-harness.ts";
import { lastly, scratch } from "./server-harness.ts";

const PROGRAM = `let calls = 0;
const item = { price: 3, get odd() { calls += 100; return 1; } };
function total(f, q, d, k, s) {
  const sum = f + q + d + k + s + item.price - 3;
  // Nothing stands here.
  calls += 1;
  return sum;
}
process.stdin.on("data", (text) => {
  for (const _ of String(text).trim()) total(1, 2, 3, 4, 5);
  console.log(JSON.stringify({ calls, names: Object.keys(globalThis).filter((name) => /skillctl/.test(name)) }));
});
console.log("ready");
`;

interface LoopReport {
  readonly calls: number;
  readonly names: readonly string[];
}

/** The program, with points in it. */
async function observed(t: TestContext, given: Partial<Point>, disk = PROGRAM) {
  const folder = await realpath(await scratch(t));
  const file = join(folder, "total.js");
  await writeFile(file, PROGRAM);
  const child = await nodeProgram(folder, file);
  lastly(t, async () => child.kill("SIGKILL"));
  await writeFile(file, disk);
  const point: Point = {
    hypothesis: "A",
    name: "sum",
    path: "total.js",
    file,
    line: 7,
    data: [{ name: "sum", expression: "sum" }],
    allowCall: false,
    perSecond: 1_000,
    most: 1_000,
    ...given,
  };
  /** Makes the program pass the points this many times, and waits for its output. */
  const pass = async (times: number): Promise<LoopReport> =>
    JSON.parse(await said(child, "x".repeat(times))) as LoopReport;
  return { child, pass, ...(await attached(t, child.pid ?? 0, [point])) };
}

describe("a point in a running program", { skip: process.platform !== "linux" && "needs /proc" }, () => {
  test("reports its values at each pass, including the first one, whatever the program's names are", async (t) => {
    const names = ["f", "q", "d", "k", "s", "sum"].map((name) => ({ name, expression: name }));
    const { pass, passes, notes } = await observed(t, { data: names });
    assert.deepEqual(
      notes.map(({ state }) => state),
      ["set"],
    );
    assert.equal((await pass(3)).calls, 3);
    await eventually(() => passes.length === 3);
    for (const { data } of passes) assert.deepEqual(data, { f: 1, q: 2, d: 3, k: 4, s: 5, sum: 15 });
  });

  test("reports values without a JSON form as text, and unavailable ones with the reason", async (t) => {
    const data = ["NaN", "10n", "undefined", "nothing.at.all", "item"].map((expression) => ({
      name: expression,
      expression,
    }));
    const { pass, passes } = await observed(t, { data, allowCall: true });
    await pass(1);
    await eventually(() => passes.length === 1);
    const told = passes[0]?.data ?? {};
    assert.deepEqual([told["NaN"], told["10n"], told["undefined"]], ["NaN", "10n", "undefined"]);
    assert.match(String(told["nothing.at.all"]), /^! ReferenceError/);
    assert.deepEqual(told["item"], { price: 3, odd: 1 });
  });

  test("preserves sets, maps, symbols, invalid dates and circular objects", async (t) => {
    const values = {
      set: "new Set([1, new Set([2])])",
      map: "new Map([['a', 1n]])",
      symbol: "({ of: Symbol('x'), more: 1 })",
      date: "[new Date(NaN), new Date(0)]",
      circular: "(o => ((o.of = [o]), (o.twice = [item, item]), o))({})",
    };
    const data = Object.entries(values).map(([name, expression]) => ({ name, expression }));
    const { pass, passes } = await observed(t, { data, allowCall: true });
    await pass(1);
    await eventually(() => passes.length === 1);
    const item = { price: 3, odd: 1 };
    assert.deepEqual(passes[0]?.data, {
      set: { Set: [1, { Set: [2] }] },
      map: { Map: [["a", "1n"]] },
      symbol: { of: "Symbol(x)", more: 1 },
      date: ["Invalid Date", "1970-01-01T00:00:00.000Z"],
      circular: { of: ["[circular]"], twice: [item, item] },
    });
  });

  test("counts passes beyond its limits and reports them with the next event", async (t) => {
    const { pass, passes } = await observed(t, { perSecond: 2 });
    await pass(9);
    await eventually(() => passes.length === 2);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    await pass(1);
    await eventually(() => passes.length === 3);
    assert.deepEqual(
      passes.map(({ skipped }) => skipped),
      [0, 0, 7],
    );
  });

  test("reports at most the requested number of events, and that there are more", async (t) => {
    const { pass, passes, beyond } = await observed(t, { most: 3 });
    await pass(5);
    await eventually(() => passes.length === 3);
    await until(
      async () => {
        await pass(5);
        return beyond.length;
      },
      (times) => times > 1,
    );
    assert.equal(passes.length, 3);
  });

  test("with a condition reports only when it holds", async (t) => {
    const { pass, passes } = await observed(t, {
      line: 6,
      when: "calls > 3",
      data: [{ name: "calls", expression: "calls" }],
    });
    await pass(6);
    await eventually(() => passes.length === 2);
    assert.deepEqual(
      passes.map(({ data }) => data["calls"]),
      [4, 5],
    );
  });

  test("whose expression would change something is refused before it does, and the program continues", async (t) => {
    const { pass, passes, notes } = await observed(t, { data: [{ name: "odd", expression: "item.odd" }] });
    await pass(2);
    assert.equal((await pass(1)).calls, 3);
    await eventually(() => notes.at(-1)?.state === "refused");
    assert.match(notes.at(-1)?.sentence ?? "", /odd of total\.js:7 may have side effects: item\.odd/);
    assert.equal(passes.length, 0);
  });

  test("with an invalid expression is refused before its first pass, if the fault is visible out of context", async (t) => {
    const { notes } = await observed(t, { data: [{ name: "twice", expression: "sum sum" }] });
    const sentence = "twice of total.js:7 is not a JavaScript expression: sum sum.";
    assert.deepEqual(
      notes.map((note) => note.sentence),
      [sentence],
    );
    const data = ["item.odd", "item.#a b"].map((expression) => ({ name: expression, expression }));
    const inside = await observed(t, { data: data.slice(1) });
    assert.equal(inside.notes.at(-1)?.sentence, "total.js:7 is observed; the first pass checks the data.");
    await inside.pass(1);
    await eventually(
      () =>
        inside.notes.at(-1)?.sentence ===
        "item.#a b of total.js:7 is not a JavaScript expression: item.#a b.",
    );
    const both = await observed(t, { data });
    assert.equal((await both.pass(2)).calls, 2);
    assert.match(both.notes.at(-1)?.sentence ?? "", /item\.odd of total\.js:7 may have side effects/);
  });

  test("at a line without a statement, or beyond the end of its file, is refused", async (t) => {
    for (const line of [5, 99]) {
      const { notes } = await observed(t, { line });
      const { state, sentence } = notes.at(-1) ?? assert.fail();
      assert.deepEqual([state, sentence], ["refused", `No statement begins at total.js:${line}.`]);
    }
  });

  test("in a program that runs an older text of the line is refused, with that text", async (t) => {
    const { pass, passes, notes } = await observed(t, {}, PROGRAM.replace("return sum;", "return sum + 1;"));
    assert.equal(notes.at(-1)?.state, "refused");
    assert.match(
      notes.at(-1)?.sentence ?? "",
      /runs another version of total\.js: its line 7 is `return sum;`/,
    );
    await pass(2);
    assert.equal(passes.length, 0);
  });

  test("leaves no name, no breakpoint and no inspector behind when it is removed", async (t) => {
    const { pass, passes, attachment, address } = await observed(t, {});
    assert.equal((await pass(1)).names.length, 1);
    await eventually(() => passes.length === 1);
    await attachment.leave(true);
    const { calls, names } = await pass(2);
    assert.deepEqual([calls, names], [3, []]);
    await assert.rejects(targetsAt(address, http), /No inspector answers/);
    assert.equal(passes.length, 1);
  });

  test("can be removed in time from a program that is stopped, and is gone once it runs again", async (t) => {
    const { child, pass, attachment, address } = await observed(t, {});
    await pass(1);
    child.kill("SIGSTOP");
    const begun = performance.now();
    await attachment.leave(true);
    assert.ok(performance.now() - begun < 8_000);
    child.kill("SIGCONT");
    // Its earlier requests take effect when it continues.
    await until(
      () => pass(1),
      ({ names }) => names.length === 0,
    );
    await until(
      () => targetsAt(address, http).then(() => "", String),
      (caught) => /No inspector answers/.test(caught),
    );
  });

  test("is set in no process of another program, nor beyond this machine", async (t) => {
    // One would die of the signal, the other would handle it as a signal for itself.
    for (const words of ["exec sleep 60", "trap 'exit 3' USR1; while :; do sleep 0.1; done"]) {
      const other = spawn("sh", ["-c", words], { stdio: "ignore" });
      t.after(() => other.kill("SIGKILL"));
      await assert.rejects(inspectorOf(other.pid ?? 0, nodeFiles, http), /is not a Node program/);
      await assert.rejects(observable(other.pid ?? 0, nodeFiles, http), /is not a Node program/);
      assert.deepEqual([other.signalCode, other.exitCode], [null, null]);
    }
    await assert.rejects(inspectorOf(4_194_303, nodeFiles, http), /does not exist/);
    for (const address of ["192.0.2.7:9229", "debug.example:5678"])
      assert.throws(() => addressOf(address), { message: /is not this machine/, hint: /`ssh -L \d+:127/ });
    assert.throws(() => addressOf("9229"), /is not the address/);
    assert.deepEqual(addressOf("[::1]:9229"), ["::1", 9229]);
  });
});

test("a program that is started to be observed does not reveal at its port how to run code in it", async (t) => {
  const folder = await realpath(await scratch(t));
  const module = join(folder, "preload.cjs");
  await writeFile(module, preload(folder, process.pid));
  const env = { ...process.env, NODE_OPTIONS: preloadOptions(module) };
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { env, stdio: "ignore" });
  lastly(t, async () => child.kill("SIGKILL"));
  const [url] = await until(
    async () => [...(await writtenTargets(folder, nodeFiles)).values()],
    (written) => written.length > 0,
  );
  const { host } = new URL(url ?? "");
  for (const path of ["/json", "/json/list"]) {
    const { status } = await fetch(`http://${host}${path}`);
    assert.equal(status, 404, path);
  }
});
