/** The command that shows a bug, run by the session: how often it fails, where failing runs differ, and how it ends. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { BUG, FIX, walkedTo, type Walk } from "./doors-walk.ts";

/** Every third run adds other items, and fails when their sum is wrong. */
const PROGRAM = `import { existsSync, readFileSync, writeFileSync } from "node:fs";
const at = new URL("count", import.meta.url);
const count = existsSync(at) ? Number(readFileSync(at, "utf8")) : 0;
writeFileSync(at, String(count + 1));
const items = count % 3 === 2 ? [9, 3] : [1, 4];
const { total } = await import(process.argv[2]);
console.log("before lunch", total(items));
if (items[0] === 9 && total(items) !== 12) process.exitCode = 1;
`;

async function reproducing(t: TestContext): Promise<Walk & { readonly command: string }> {
  const files = { "package.json": '{"type":"module"}\n', "../sum.mjs": PROGRAM };
  const walk = await walkedTo(t, "reproducing", files);
  const { root } = walk;
  return { ...walk, command: `${process.execPath} ${join(root, "..", "sum.mjs")} ${join(root, "total.js")}` };
}

describe("the command that shows the bug", { skip: process.platform === "win32" }, () => {
  test("reports a rate, the first difference of failing runs, and the chance that a fix has no effect", async (t) => {
    const { run, replace, command } = await reproducing(t);
    const shown = await run("reproduce", { command, times: 6 });
    assert.equal(shown.state, "judging", shown.text);
    assert.match(shown.text, /failed 2 of 6 times; the first failing run ended with status 1\./);
    assert.match(
      shown.text,
      /first difference is at event 1 of a run:\n {2}failing {2}.*\{"sum":3\}\n {2}passing {2}.*\{"sum":4\}/,
    );
    const [, line = ""] = /^#(\d+) \S+ A .*\{"sum":3\}$/m.exec(shown.text) ?? [];
    const verdicts = [
      `A confirmed #${line}: the first is left out`,
      "B inconclusive #2",
      "C inconclusive #3",
    ];
    await run("judge", { verdicts });
    await replace(BUG, FIX);
    const { text } = await run("fix", { summary: "The loop begins at 0." });
    assert.match(
      text,
      /^The command failed 2 of 6 times before the fix, and failed 0 of 6 times with it\. .* would be 22\.7 % \(Fisher's exact test\)\.\n\d+ further runs/m,
    );
    await replace(FIX, "index = +0");
    await run("keep", { files: ["total.js"] });
    for (const other of [{ command: `${command} again` }, { command, timeout: 59 }]) {
      const { text } = await run("reproduce", other);
      assert.match(
        text,
        /^`.*total\.js` failed 2 of 6 times before the fix, and has not been run with it in the same way\.$/m,
      );
      await run("back");
    }
  });

  test("fails by a text of its output, waits for events on demand, and is ended when it hangs", async (t) => {
    const { run, command } = await reproducing(t);
    const hanging = `echo before; ${process.execPath} -e "setTimeout(() => 0, 30_000)"`;
    const late = await run("reproduce", { command: hanging, timeout: 1 });
    assert.match(late.text, /was ended after 1 s \(--timeout\)\.[^]*^before$[^]*No event has arrived/m);
    assert.equal(late.state, "reproducing");
    const exits = `${process.execPath} -e 'import(process.argv[1]).then(({ total }) => { total([1]); process.exit(1); })' ${command.split(" ").at(-1)}`;
    assert.match((await run("reproduce", { command: exits })).text, /No event has arrived.*reproduce --sync/);
    const waiting = await run("reproduce", { command: exits, sync: true });
    assert.equal(waiting.state, "judging", waiting.text);
    assert.doesNotMatch(waiting.text, /reported no event/, "a run with other settings");
    await run("back");
    const told = await run("reproduce", { command, failsWhen: "lunch", timeout: 60 });
    assert.match(
      told.text,
      /failed 1 of 1 time; the first failing run ended with status 0\.[^]*^before lunch 4$/m,
    );
    await run("back");
    const cut = await run("reproduce", { command: hanging, failsWhen: "lunch", timeout: 1 });
    assert.match(cut.text, /^1 run was ended after 1 s \(--timeout\): later/m);
  });

  test("runs again for the hypotheses of a later round, with a probe for each one that names its data", async (t) => {
    const { run, read, command } = await reproducing(t);
    const long = await run("reproduce", { command, times: 9 });
    assert.match(long.text, /^#12 .*\n#25 /m, "the first and the last ones");
    await run("judge", { verdicts: ["A rejected #1", "B rejected #2", "C rejected #3"] });
    const further =
      "The list is cut | refuted by: it has two items | at total.js:2 | log: count=items.length";
    const { text, state } = await run("hypothesize", { hypotheses: [further] });
    assert.equal(state, "judging", text);
    assert.match(text, /^#\d+ \S+ D total\.js:2 .*\{"count":2\}$/m);
    assert.equal((await read("total.js")).match(/#region debug-point D:count/g)?.length, 1);
    await run("judge", { verdicts: ["D rejected #37"] });
    const many = `${process.execPath} -e 'import(process.argv[1]).then(({ total }) => total(Array(3_000).fill(1)))' ${command.split(" ").at(-1)}`;
    const line = 1 + (await read("total.js")).split("\n").findIndex((one) => one.includes("sum +="));
    const last = `The sum overflows | refuted by: it stays under 4,000 | at total.js:${line} | log: reached=sum`;
    const longer = await run("hypothesize", { hypotheses: [last], run: many, times: 1, inside: true });
    assert.match(longer.text, /total.js` ended with status 0[^]*At least [\d,]+ passes were not reported/);
  });
});
