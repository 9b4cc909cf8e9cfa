/** The places of points, when they report, and when they are removed, through the command line. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { CHROMIUM_MISSING, listening } from "../../../contract-tests/browser.ts";
import { until } from "./client.ts";
import { needs } from "./faults/needs.ts";
import {
  isThere,
  nodeProgram,
  observedProject,
  pointWords,
  type ObservedProject,
} from "./observe-harness.ts";
import { observedBrowser } from "./observe-programs.ts";
import { lastly } from "./server-harness.ts";

async function project(t: TestContext, files: Readonly<Record<string, string>>): Promise<ObservedProject> {
  const made = await observedProject(files);
  lastly(t, made.remove);
  lastly(t, async () => {
    await made.say("answer", "D");
    await made.say("cleanup");
  });
  return made;
}

const WORKER = `import { threadId } from "node:worker_threads";
function work(n) {
  return n;
}
setTimeout(() => work(threadId), 200);
`;

describe("a point", { skip: needs("linux") }, () => {
  test("of a started program reports from its first line on, in its child, its workers and late modules", async (t) => {
    const { ask, say, start, events } = await project(t, {
      "main.mjs": `import { fork } from "node:child_process";
import { Worker } from "node:worker_threads";
const begun = "first";
console.log(begun);
const worker = () => new Worker(new URL("worker.mjs", import.meta.url));
worker();
fork(new URL("child.mjs", import.meta.url)).on("exit", () => {
  worker().on("exit", async () => {
    const { late } = await import("./late.mjs");
    process.exitCode = late(3);
  });
});
`,
      "worker.mjs": WORKER,
      "child.mjs": "function child(n) {\n  return n + 1;\n}\nchild(41);\n",
      "late.mjs": "export function late(n) {\n  return n;\n}\n",
    });
    const session = await start("main.mjs:4");
    const points = [
      ["A", "begun", "begun", "main.mjs:4"],
      ["B", "child", "n", "child.mjs:2"],
      ["B", "worker", "n", "worker.mjs:3"],
      ["C", "late", "n", "late.mjs:2"],
    ].map(([hypothesis, point, data, at]) => ({ hypothesis, point, data: [data], at }));
    const from = JSON.stringify(points);
    const { status, out, err } = await say("observe", "--run", "node main.mjs", "--check", "--from", from);
    assert.equal(status, 0, err);
    assert.match(out, /late\.mjs:2 waits for the program to start\./);
    assert.match(
      out,
      /4 observation points in the running program, 4 of them waiting for code\. Nothing else has changed\./,
    );
    assert.match(out, /The program has ended with status 3\.$/m);
    assert.match(out, /^B:worker worker\.mjs:3 is observed\. 2 reported\.$/m);
    assert.match(err, /^first$/m);
    const told = (await events(session)).map(({ location, data }) => [location, Object.values(data)[0]]);
    const order = (all: readonly unknown[]) => all.map((one) => JSON.stringify(one)).toSorted();
    assert.deepEqual(
      order(told),
      order([
        ["main.mjs:4", "first"],
        ["child.mjs:2", 41],
        ["worker.mjs:3", 1],
        ["worker.mjs:3", 2],
        ["late.mjs:2", 3],
      ]),
    );
    const noted = async () => String((await ask("status"))["text"]);
    assert.match(await noted(), /No point is set now: .* has ended\.$/m);
    await say("answer", "A");
    assert.doesNotMatch(await noted(), /No point is set now/);
  });

  test("follows its statement through a fix with one command, and is removed with another", async (t) => {
    const beat = (by: string, above = ""): string =>
      `${above}let n = 0;\nfunction beat(by) {\n  n += ${by};\n  return n;\n}\nsetInterval(() => beat(2), 30);\nconsole.log("ready");\n`;
    const { folder, ask, start, events } = await project(t, { "beat.js": beat("by") });
    const session = await start("beat.js:3");
    const run = async (): Promise<string> => {
      const child = await nodeProgram(folder, "beat.js");
      lastly(t, async () => child.kill("SIGKILL"));
      return String(child.pid);
    };
    const told = async (name: string): Promise<readonly string[]> =>
      until(
        async () => (await events(session)).filter(({ _run }) => _run === name),
        (all) => ["A", "B", "C"].every((letter) => all.some(({ hypothesisId }) => hypothesisId === letter)),
      ).then((all) =>
        ["A", "B", "C"].map((letter) => String(all.find((one) => one.hypothesisId === letter)?._seq)),
      );
    const from = ["A", "B", "C"].map((hypothesis) => ({
      hypothesis,
      point: "beat",
      data: ["n"],
      at: "beat.js:4",
    }));
    await ask("observe", "--pid", await run(), "--check", "--from", JSON.stringify(from));
    const [one, two, three] = await told("pre-fix");
    await ask("answer", "A");
    await ask(
      "judge",
      "--verdicts",
      `A confirmed #${one}: x\nB rejected #${two}: x\nC rejected #${three}: x`,
    );
    await writeFile(join(folder, "beat.js"), beat("by / 2", "// One.\n// Two.\n"));
    assert.match(
      String((await ask("fix", "by half"))["text"]),
      /observe --again --session value-wrong --pid N/,
    );
    const again = await ask("observe", "--again", "--pid", await run());
    assert.deepEqual(
      (again["points"] as { at: string }[]).map(({ at }) => at),
      Array(3).fill("beat.js:6"),
    );
    await told("post-fix");
    assert.match(String((await ask("observe", "--remove", "C:beat"))["text"]), /^Removed: C:beat\.\n/);
    const text = String((await ask("status"))["text"]);
    assert.match(text, /^ *B {2}beat in /m);
    assert.doesNotMatch(text, /^ *C {2}beat in /m);
    assert.equal((await ask("verify"))["state"], "confirming");
  });

  test("of a program that hangs reports at once, and ends it at its time limit with all of its children", async (t) => {
    const { say, start, events, folder } = await project(t, {
      "main.js": `const { spawn } = require("node:child_process");
const child = spawn("sh", ["-c", "trap '' TERM; while :; do sleep 0.1; done"]);
require("node:fs").writeFileSync("child", String(child.pid));
console.log("begun");
setInterval(() => child.pid, 50);
`,
    });
    const session = await start("main.js:4");
    const words = pointWords("child", "main.js:3", "pid=child.pid");
    const { status, out, err } = await say("observe", "--run", "node main.js", "--timeout", "3", ...words);
    assert.equal(status, 0, err);
    assert.match(
      err,
      /^A:child main\.js:3 waits for the program to start\.\nThe program runs for at most 3 s \(--timeout\): node main\.js\n[^]*^begun\n/m,
    );
    assert.match(
      out,
      /\nThe program was still running after 3 s and has been ended; --timeout SECONDS gives it more time\.\n/,
    );
    assert.equal((await events(session)).length, 1);
    const pid = Number(await readFile(join(folder, "child"), "utf8"));
    // If no process reaps it, its number stays in use.
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ") Z");
    assert.match(stat, /\) Z/);
  });

  test("at a line without a statement reports no pass of the next statement", async (t) => {
    const { say, start, events } = await project(t, {
      "main.js": `function total(all) {
  let sum = 0;
  for (const one of all) {
    sum += one;
  }
  return sum;
}
console.log(total([1, 2]));
`,
    });
    const session = await start("main.js:4");
    const { out } = await say("observe", "--run", "node main.js", ...pointWords("end", "main.js:5", "sum"));
    assert.match(out, /No statement begins at main\.js:5\. 0 reported\./);
    assert.equal((await events(session)).length, 0);
  });
});

const COUNT = `let n = 0;
function count() {
  n += 1;
  return n;
}
setInterval(count, 5);
console.log("ready");
`;

const STEADY = `let beats = 0;
function beat(step) {
  const next = beats + step;
  beats = next;
  return next;
}
setInterval(() => beat(1), 20);
console.log("ready");
`;

test(
  "a second call gives its points to the same observer, and a point replaces one of the same name",
  { skip: needs("linux") },
  async (t) => {
    const { folder, ask, say, start, events } = await project(t, { "steady.js": STEADY });
    const child = await nodeProgram(folder, "steady.js");
    lastly(t, async () => void child.kill("SIGKILL"));
    const session = await start("steady.js:4");
    const program = ["--pid", String(child.pid)];
    const observe = (point: string, line: number, data: string, ...more: readonly string[]) =>
      ask("observe", ...program, "--limit", "500", ...pointWords(point, `steady.js:${line}`, data), ...more);
    await observe("never", 3, "never=step", "--when", "step > 1");
    const first = await observe("next", 4, "wrong=step");
    const unchecked = await say("check");
    assert.match(unchecked.err + unchecked.out, /probe --hypothesis B`, or `observe --hypothesis B` in the/);
    const told = (name: string) =>
      until(
        async () => (await events(session)).filter(({ data }) => name in data),
        (found) => found.length >= 5,
      );
    await told("wrong");
    const second = await observe("next", 5, "next");
    await observe("beats", 5, "beats");
    assert.equal(second["pid"], first["pid"]);
    const before = (await events(session)).length;
    for (const name of ["next", "beats"]) {
      const after = await until(
        async () => (await events(session)).slice(before).filter(({ data }) => name in data),
        (found) => found.length >= 5,
      );
      const numbers = after.map(({ data }) => data[name] as number);
      assert.deepEqual(
        numbers,
        Array.from(numbers, (_, index) => (numbers[0] ?? 0) + index),
        name,
      );
    }
    assert.ok(!(await events(session)).slice(before).some(({ data }) => "wrong" in data));
    assert.ok(!(await events(session)).some(({ data }) => "never" in data));
    const { text } = await ask("status");
    assert.match(String(text), /steady\.js:5 is observed/);
    assert.doesNotMatch(String(text), /steady\.js:4 is observed/);

    const lines = ["It is wrong", "It is late", "It is a text"].map(
      (one) => `${one} | refuted by: it | at steady.js:4`,
    );
    const other = await ask("start", "The step is wrong", "--hypotheses", lines.join("\n"));
    const words = ["--session", String(other["session"]), ...pointWords("next", "steady.js:4")];
    const refused = await say("observe", ...program, ...words);
    assert.equal(refused.status, 65);
    assert.match(refused.err, /already observed, under another name or for another session\./);
    for (const id of [other["session"], session]) {
      await ask("answer", "D", "--session", String(id));
      await ask("cleanup", String(id));
    }
  },
);

/** A page with that script in a browser; `more` is added to the page itself only, not to a frame in it. */
async function shownPage(t: TestContext, script: string, more: (port: number) => string = () => "") {
  const server = await listening((request, response) => {
    const isScript = request.url === "/shown.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    const rest = request.url === "/" ? more(server.port) : "";
    response.end(isScript ? script : `<!doctype html><script src=/shown.js></script>${rest}`);
  });
  lastly(t, server.close);
  const browser = await observedBrowser();
  lastly(t, browser.end);
  const at = `http://127.0.0.1:${server.port}/`;
  await browser.page.goto(at);
  return { browser, at };
}

test(
  "a point in a page reports again after a reload, and in a frame",
  { skip: CHROMIUM_MISSING },
  async (t) => {
    const text = "function shown(n) {\n  return n;\n}\nsetInterval(() => shown(location.pathname), 50);\n";
    const { ask, start, events } = await project(t, { "shown.js": text });
    // Another name of this machine is another site, whose frame has a separate process.
    const { browser } = await shownPage(
      t,
      text,
      (port) => `<iframe src=http://localhost:${port}/frame></iframe>`,
    );
    const session = await start("shown.js:2");
    const words = pointWords("shown", "shown.js:2", "n");
    await ask("observe", ...browser.target, "--limit", "100", ...words);
    for (let round = 0; round < 2; round += 1) {
      await browser.page.reload();
      const before = (await events(session)).length;
      await until(
        async () => new Set((await events(session)).slice(before).map(({ data }) => data["n"])),
        (paths) => paths.has("/") && paths.has("/frame"),
      );
    }
  },
);

for (const then of ["is loaded again", "is left"] as const)
  test(`a page that has crashed is reported, and ${then}`, { skip: CHROMIUM_MISSING }, async (t) => {
    const text = "let n = 0;\nfunction shown() {\n  return n++;\n}\nsetInterval(shown, 50);\n";
    const { ask, say, start, events } = await project(t, { "shown.js": text });
    const { browser, at } = await shownPage(t, text);
    const session = await start("shown.js:3");
    const words = pointWords("shown", "shown.js:3", "n");
    const { pid } = await ask("observe", ...browser.target, ...words);
    const more = (than: number) =>
      until(
        async () => (await events(session)).length,
        (count) => count > than,
      );
    await more(0);
    const debug = await browser.page.context().newCDPSession(browser.page);
    void debug.send("Page.crash").catch(() => undefined);
    const status = (says: (out: string) => boolean) => until(async () => (await say("status")).out, says);
    await status((out) => out.includes("The page has crashed: load it again."));
    if (then === "is loaded again") {
      const before = (await events(session)).length;
      // Playwright does not list a crashed page.
      await debug.send("Page.navigate", { url: at });
      await more(before + 5);
      await status((out) => !out.includes("crashed") && out.includes("shown.js:3 is observed"));
      await ask("observe", ...browser.target, ...words.toSpliced(1, 1, "B"), "--data", "again=true");
      await until(
        () => events(session),
        (all) => all.some(({ data }) => "again" in data),
      );
    }
    const began = performance.now();
    await ask("answer", "D");
    assert.ok(performance.now() - began < 5_000);
    await until(
      async () => isThere(pid as number),
      (is) => !is,
      5_000,
    );
  });

test(
  "a point reports each pass once while another of its name replaces it, and misses two at most",
  { skip: needs("linux") },
  async (t) => {
    const { folder, ask, start, events } = await project(t, { "count.js": COUNT });
    const child = await nodeProgram(folder, "count.js");
    lastly(t, async () => void child.kill("SIGKILL"));
    const session = await start("count.js:4");
    const program = ["--pid", String(child.pid), "--limit", "1000"];
    let before = 0;
    for (let round = 0; round < 6; round += 1) {
      await ask("observe", ...program, ...pointWords("count", "count.js:4", "n", `round=${round}`));
      const told = await until(
        () => events(session),
        (all) => all.filter(({ data }) => data["round"] === round).length > 50,
      );
      const numbers = told.map(({ data }) => data["n"] as number);
      const once = new Set(numbers).size;
      assert.equal(numbers.length, once);
      const missing = Math.max(...numbers) - Math.min(...numbers) + 1 - once;
      assert.ok(missing - before <= 2, `${missing - before} passes are missing`);
      before = missing;
    }
  },
);

/** A debug adapter that answers `initialize` with this. */
async function adapter(t: TestContext, answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => socket.once("data", () => answer(socket)));
  lastly(t, async () => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("an adapter without log points is refused, and so is one that never answers, in time", async (t) => {
  const { say, start } = await project(t, { "cart.py": "price = 1\nprint(price)\n" });
  await start("cart.py:2");
  const observe = (at: string) => say("observe", "--adapter", at, ...pointWords("price", "cart.py:2"));
  const plain = await adapter(t, (socket) => {
    const body = JSON.stringify({ type: "response", request_seq: 1, success: true, body: {} });
    socket.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
  });
  const { status, err } = await observe(plain);
  assert.equal(status, 65);
  assert.match(err, /This debug adapter does not support log points\.\nhint: Set probes in the code instead/);
  const silent = await observe(await adapter(t, () => undefined));
  assert.notEqual(silent.status, 0);
  assert.match(silent.err, /The debug adapter does not answer initialize\./);
});
