/** Sessions on the short path: where they stop, and how often a reproduction fails. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { needs } from "./faults/needs.ts";
import { lastly } from "./server-harness.ts";
import { CART, causes, desk, HYPOTHESES } from "./short-path.ts";

/** Fails at every third run, which a file counts. */
const RACE = `import { existsSync, readFileSync, writeFileSync } from "node:fs";
const at = process.env.HOME + "/count";
const count = existsSync(at) ? Number(readFileSync(at, "utf8")) : 0;
writeFileSync(at, String(count + 1));
const order = count % 3 === 2 ? ["write", "read"] : ["read", "write"];
for (const step of order) {
  await step;
}
if (order[0] === "write") throw new Error("The value is stale.");
`;

const MEAN = `const list = JSON.parse("[]");
let mean = 0;
if (list.length >= 0) {
  mean = list[0].value / list.length;
}
console.log(mean);
`;
const CAUSES = causes(
  "the length is 1 | at mean.js:4 | log: list",
  "The first is missing",
  "The value is a text",
  "The list has a hole",
);
/** A random port that is most likely free, and the server of a reproduction at it. */
const PORT = String(20_000 + (process.pid % 20_000));
const WHILE = ["--while", `PORT=${PORT} node server.mjs`, "--port", PORT];
const SERVED = ["It adds", "It is a text", "It is cut"];

const SUM = `export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price + item.quantity;
  }
  return sum;
}
`;
const SUM_TEST = `import { test } from "node:test";
import assert from "node:assert/strict";
import { total } from "./total.mjs";
test("adds price times quantity", () => {
  assert.equal(total([{ price: 10, quantity: 2 }, { price: 3, quantity: 1 }]), 23);
});
`;

describe("a session on the short path", { skip: needs("linux") }, () => {
  test("of a failing test takes four commands and 2,500 characters, and shows its assertion", async (t) => {
    const { say, start, replace } = await desk(t, { "total.mjs": SUM, "total.test.mjs": SUM_TEST });
    const lines = [
      "Price and quantity are added | refuted by: it grows by the product | at total.mjs:4 | log: price=item.price, quantity=item.quantity, sum",
      "An item is counted twice | refuted by: each price comes once | at total.mjs:4 | log: price=item.price",
      "A price is text | refuted by: each type is number | at total.mjs:4 | log: type=typeof item.price",
    ];
    const run = [
      "--run",
      "node --test --test-reporter tap total.test.mjs",
      "--expected",
      "23",
      "--actual",
      "16",
    ];
    const begun = await start("The total is wrong", lines, ...run);
    assert.match(begun.out, /expected: 23\n +actual: 16\n[^]*\(total\.test\.mjs:5:10\)\n#1 /, begun.err);
    const judged = [
      "A confirmed #1, #4: it grows by 12",
      "B rejected #2, #5: once",
      "C rejected #3, #6: numbers",
    ];
    const found = await say("judge", "--verdicts", judged.join("\n"));
    await replace("total.mjs", "price + item.quantity;", "price * item.quantity;");
    const fixed = await say("fix", "The quantity multiplies the price.");
    const ended = await say("answer", "A", "--cleanup");
    assert.match(ended.out, /^Fix: /m, ended.err);
    const length = [begun, found, fixed, ended].reduce((sum, { out }) => sum + out.length, 0);
    assert.ok(length <= 2_500, `${length} characters`);
  });

  test("stops at the first step that is not possible, says why, and continues from there", async (t) => {
    const { say, start } = await desk(t, { "cart.js": CART });
    const away = HYPOTHESES.with(0, String(HYPOTHESES[0]).replace("cart.js:7", "cart.js:3"));
    const placed = await start("The place is wrong", away, "--run", "node cart.js");
    assert.equal(placed.status, 0);
    assert.match(placed.out, /has begun[^]*cart\.js:3[^]*^Step 4 of 11\./m);
    assert.match(placed.out, /hypothesize --session \S+ --hypotheses/);
    const called = HYPOTHESES.with(
      1,
      String(HYPOTHESES[1]).replace("name=item.name", "name=[item.name].pop()"),
    );
    const again = (...more: readonly string[]) =>
      say("hypothesize", "--hypotheses", called.join("\n"), ...more);
    assert.match((await again()).out, /it calls \[item\.name\]\.pop[^]*Add --allow-call[^]*^Step 4 of 11\./m);
    assert.match((await again("--allow-call")).out, /wrote last: 23[^]*"name":"tea"[^]*^Step 7 of 11\./m);
    const letters = ["A", "B", "C"].map((letter, at) => `${letter} inconclusive #${at + 1}`);
    assert.equal((await say("judge", "--verdicts", letters.join("\n"))).status, 0);
    const further =
      "The loop ends early | refuted by: two items come | at cart.js:6 | log: length=items.length";
    const later = await say("hypothesize", "--hypotheses", further);
    assert.match(later.out, /^#\d+ \S+ D cart\.js:6 .*\{"length":2\}$[^]*^Step 7 of 11\./m, later.err);
    await say("answer", "D", "--cleanup");
    const silent = await start("The command is wrong", HYPOTHESES, "--run", "echo before lunch; exit 3");
    assert.match(
      silent.out,
      /ended with status 3\.[^]*before lunch[^]*No event has arrived[^]*^Step 6 of 11\./m,
    );
    const shown = await say("reproduce", "node cart.js");
    assert.match(shown.out, /wrote last: 23[^]*^Step 7 of 11\./m);
    await say("answer", "D", "--cleanup");
    const some = await start(
      "Some are logged",
      HYPOTHESES.with(2, String(HYPOTHESES[2]).replace(/ \| log.*/, "")),
    );
    assert.match(some.out, /No probe yet for C\./, some.err);
    for (const [words, told] of [
      [["start", "It is wrong", "--run", "node cart.js"], /--run and --page require --hypotheses/],
      [["start", "It is wrong", "--times", "3"], /--times requires --run or --page/],
      [["reproduce", "node cart.js"], /"reproduce" is not possible now: it belongs to steps 6 and 9/],
      [["answer", "--report", "x.md"], /--report requires --cleanup/],
    ] as const) {
      const { status, err } = await say(...words);
      assert.notEqual(status, 0, words.join(" "));
      assert.match(err, told);
    }
  });

  test("counts the failures of a race, and shows where failing runs differ", async (t) => {
    const { start } = await desk(t, { "race.mjs": RACE });
    const texts = ["The order differs", "A step is lost", "A step comes twice"];
    const lines = causes("read comes first | at race.mjs:7 | log: step", ...texts);
    const begun = await start(
      "The value is stale",
      lines,
      "--run",
      "node race.mjs",
      "--times",
      "3",
      "--sync",
    );
    assert.doesNotMatch(begun.out, /node:internal/);
    assert.match(
      begun.out,
      /`node race\.mjs` failed 1 of 3 times; the first failing run ended with status 1\./,
    );
    assert.match(begun.out, /Error: The value is stale\.\n[^]*race\.mjs/);
    assert.match(
      begun.out,
      /The first difference is at event 1 of a run:\n {2}failing {2}#\d+ A race\.mjs:7 .*"write"\}\n {2}passing {2}#\d+ A .*"read"\}/,
    );
  });

  test("has a program that exits wait for its events, whose probes were set without --sync, in later rounds too", async (t) => {
    const text = "const left = 3;\nconst more = left + 1;\nprocess.exit(more);\n";
    const { say, start } = await desk(t, { "exit.js": text });
    const lines = causes("left is 3 | at exit.js:2 | log: left", "It is full", "It is a text", "It is cut");
    const silent = await start("It exits", lines, "--session", "it-exits", "--run", "node exit.js");
    assert.match(silent.out, /No event has arrived[^]*`reproduce --sync`[^]*^Step 6 of 11\./m, silent.err);
    const shown = await say("reproduce", "--sync");
    assert.match(shown.out, /^#1 \S+ A exit\.js:2 .*\{"left":3\}$[^]*^#3 [^]*^Step 7 of 11\./m, shown.err);
    const judged = ["A inconclusive #1", "B rejected #2", "C rejected #3"];
    assert.equal((await say("judge", "--verdicts", judged.join("\n"))).status, 0);
    const further = "More is wrong | refuted by: more is 4 | at exit.js:12 | log: more";
    const later = await say("hypothesize", "--hypotheses", further);
    assert.match(later.out, /D exit\.js:\d+ .*\{"more":4\}$[^]*^Step 7 of 11\./m, later.err);
  });

  test("shows the lines around a failure, and continues if the run with the fix reports nothing", async (t) => {
    const { say, start, write, replace } = await desk(t, { "cart.js": CART });
    const noise = "for i in 1 2 3 4 5 6 7 8 9; do echo later $i; echo more $i; done";
    const run = ["--run", `test -e ../none || node cart.js; ${noise}`, "--fails-when", "23"];
    const begun = await start("The total is wrong", HYPOTHESES, ...run);
    assert.match(begun.out, /^23\nlater 1\n/m, begun.err);
    assert.doesNotMatch(begun.out, /later 9/);
    const judged = ["A confirmed #1: x", "B rejected #2: x", "C rejected #3: x"];
    assert.equal((await say("judge", "--verdicts", judged.join("\n"))).status, 0);
    await replace("cart.js", "price + item.quantity;", "price * item.quantity;");
    await write("../none", "");
    const fixed = await say("fix", "The quantity multiplies the price.");
    assert.equal(fixed.status, 0, fixed.err);
    assert.match(
      fixed.out,
      /failed 0 of 1 time;[^]*^Without the fix it failed; with the fix it does not\.$[^]*later 9[^]*^Step 10 of 11\./m,
    );
  });

  test("reports that the server has ended meanwhile, as a failure", async (t) => {
    const server = `import { createServer } from "node:http";
createServer((_, response) => {
  const total = 10;
  response.end();
  setTimeout(() => {
    const error = new Error("It is over."); error.more = Object.fromEntries([..."abcdefghijklmnop"].map((key) => [key, key]));
    throw error;
  });
}).listen(Number(process.env.PORT));
`;
    const { start } = await desk(t, { "server.mjs": server });
    const client = `node -e 'fetch("http://127.0.0.1:${PORT}").then(() => setTimeout(() => 0, 500))'`;
    const words = ["--times", "5", "--run", client, ...WHILE];
    const lines = causes("it | at server.mjs:4 | log: total", ...SERVED);
    const { out, err } = await start("The server ends", lines, ...words);
    assert.match(
      out,
      /failed 1 of 1 time; the first failing run ended with status 0\.\nThe server `PORT=\d+ node server\.mjs` ended with status 1 meanwhile\.\n[^]*Error: It is over\./,
      err,
    );
  });

  test("waits for the first events of a server", async (t) => {
    const server = `import { createServer } from "node:http";
createServer((_, response) => {
  response.end();
  setTimeout(() => {
    const total = 10;
    globalThis.total = total;
  }, 2000);
}).listen(Number(process.env.PORT));
`;
    const { start } = await desk(t, { "server.mjs": server });
    const run = ["--run", `node -e 'fetch("http://127.0.0.1:${PORT}")'`, ...WHILE];
    const lines = causes("it | at server.mjs:6 | log: total", ...SERVED);
    const { out, err } = await start("The total is late", lines, ...run);
    assert.match(out, /^Step 7 of 11\./m, err);
  });

  test("runs a server meanwhile, ends what hangs, and refuses a port that is taken", async (t) => {
    const server = `import { createServer } from "node:http";
const total = (price, quantity) => {
  const sum = price + quantity;
  return sum;
};
createServer((_, response) => response.end(String(total(10, 2)))).listen(Number(process.env.PORT));
`;
    const { say, start, replace } = await desk(t, { "server.mjs": server });
    const lines = causes("it | at server.mjs:4 | log: sum", ...SERVED);
    const client = `node -e 'fetch("http://127.0.0.1:${PORT}").then((r) => r.text()).then(console.log)'`;
    const words = ["--run", client, ...WHILE, "--fails-when", "12"];
    const { out, err } = await start("The answer is wrong", lines, ...words);
    assert.match(
      out,
      /failed 1 of 1 time; the first failing run ended with status 0\.[^]*^Step 7 of 11\./m,
      err,
    );
    const judged = ["A confirmed #1: added", "B rejected #2: a number", "C rejected #3: whole"];
    assert.equal((await say("judge", "--verdicts", judged.join("\n"))).status, 0);
    await replace("server.mjs", "price + quantity", "price * quantity");
    const listener = createServer().listen(Number(PORT), "127.0.0.1");
    lastly(t, async () => void listener.close());
    await once(listener, "listening");
    const stopped = await say("fix", "It multiplies.");
    assert.match(
      stopped.out,
      /Port \d+ is already in use[^]*Steps for the user:[^]*^Step 9 of 11\./m,
      stopped.err,
    );
    listener.close();
    await say("answer", "D", "--cleanup");
    const hangs = ["--session", "it-hangs", "--run", "sleep 100", "--timeout", "1"];
    const slow = await start("It hangs", lines, ...hangs);
    assert.match(slow.out, /was ended after 1 s \(--timeout\)/);
    await say("answer", "D", "--cleanup");
  });

  test("shows the effect of a fix that bypasses all probes by the command, and the events of one that has not helped", async (t) => {
    const { say, root, replace } = await desk(t, { "mean.js": MEAN });
    const told = async (...words: readonly string[]): Promise<string> => {
      const { status, out, err } = await say(...words);
      assert.equal(status, 0, `${words[0]}: ${err}`);
      return out;
    };
    const fix = async (from: string, to: string): Promise<string> => {
      await replace("mean.js", from, to);
      return told("fix", `${from} is ${to} now.`);
    };
    const words = ["--run", "node mean.js", "--hypotheses", CAUSES.join("\n")];
    await told("start", "The mean fails", "--sync", ...words);
    const judged = ["A confirmed #1: empty", "B rejected #2: empty", "C rejected #3: empty"];
    await told("judge", "--verdicts", judged.join("\n"));
    const first = await fix("let mean", "var mean");
    assert.match(first, /^Without the fix it failed; with the fix it fails\.$/m);
    assert.doesNotMatch(first, /Fisher/);
    assert.match(await told("answer", "B"), /^#4 \S+ A mean\.js:4 .*\{"list":\[\]\}$/m);
    await told("judge", "--verdicts", "A confirmed #4: still empty");
    const fixed = await fix(">= 0", "> 0");
    assert.match(
      fixed,
      /ended with status 0\.[^]*^0$[^]*^after {2}post-fix-2: 0 events$[^]*not hit after[^]*^Step 10 of 11\./m,
    );
    await told("back");
    const other = await told("reproduce", "exit 3");
    assert.match(other, /No event has arrived[^]*Steps for the user:[^]*^Step 9 of 11\./m);
    assert.match(await told("reproduce", "node mean.js"), /^Step 10 of 11\./m);
    assert.match(await told("answer", "A", "--cleanup"), /^Fix: >= 0 is > 0 now\.$/m);
    assert.equal(
      await readFile(join(root, "mean.js"), "utf8"),
      MEAN.replace("let", "var").replace(">= 0", "> 0"),
    );
    await told("start", "The mean fails again", ...words);
    assert.doesNotMatch(await told("answer", "D", "--cleanup"), /Root cause/);
  });
});
