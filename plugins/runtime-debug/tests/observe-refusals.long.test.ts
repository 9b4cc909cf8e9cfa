/** Refusals of observe state the reason, and affect no program. */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { WebSocketServer } from "ws";
import type { ProgramResult } from "../../../contract-tests/command-line.ts";
import { until } from "./client.ts";
import { needs, NOBODY } from "./faults/needs.ts";
import { nodeProgram, observedProject, type ObservedProject } from "./observe-harness.ts";

const CART = `let sum = 0;
const item = { price: 3 };
function total() {
  // Nothing stands here.
  return item.price;
}
process.stdin.on("data", () => console.log(total()));
console.log("ready");
`;

describe("observe", { skip: needs("linux") }, () => {
  let project: ObservedProject;
  let cart: ChildProcess;
  const say = (...words: readonly string[]): Promise<ProgramResult> => project.say(...words);
  const observe = (...words: readonly string[]): Promise<ProgramResult> =>
    say("observe", "--hypothesis", "A", "--point", "price", ...words);
  const refused = async (says: RegExp, ...words: readonly string[]): Promise<void> => {
    const { status, err } = await observe(...words);
    assert.notEqual(status, 0);
    assert.match(err, says);
    assert.match(err, /\nhint: /);
    assert.doesNotMatch(err, /\\n {4}at |INTERNAL/);
  };
  const atCart = (): readonly string[] => ["--pid", String(cart.pid), "--at", "cart.js:5"];

  before(async () => {
    project = await observedProject({ "cart.js": CART, "cart.py": "x = 1\nprint(x)\n" });
    cart = await nodeProgram(project.folder, "cart.js");
    await project.start("cart.js:5");
  });
  after(async () => {
    cart.kill("SIGKILL");
    await say("answer", "D");
    await say("cleanup");
    await project.remove();
  });

  test("without a program, or with two, says which flags name one", async () => {
    await refused(/exactly one program.*--pid N, --inspect/s, "--at", "cart.js:5");
    await refused(/exactly one program/, ...atCart(), "--inspect", "127.0.0.1:1");
  });

  test("of a process that does not exist, is not Node, or belongs to another user sends no signal", async (t) => {
    await refused(/Process 4194303 does not exist/, "--pid", "4194303", "--at", "cart.js:5");
    const sleep = spawn("sleep", ["60"]);
    t.after(() => sleep.kill("SIGKILL"));
    await refused(/is not a Node program/, "--pid", String(sleep.pid), "--at", "cart.js:5");
    assert.equal(sleep.signalCode, null);
    if (process.getuid?.() !== 0) return;
    const other = spawn(process.execPath, ["-e", "setInterval(() => 0, 1000)"], { uid: NOBODY, cwd: "/" });
    t.after(() => other.kill("SIGKILL"));
    await refused(/belongs to another user/, "--pid", String(other.pid), "--at", "cart.js:5");
    assert.equal(other.signalCode, null);
  });

  test("without an answer, or at a program that is not a debugger, fails in time", async (t) => {
    const silent = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    t.after(() => silent.close());
    const { port } = silent.address() as AddressInfo;
    await refused(/No inspector answers/, "--inspect", "127.0.0.1:1", "--at", "cart.js:5");
    await refused(/No inspector answers/, "--inspect", `127.0.0.1:${port}`, "--at", "cart.js:5");
    await refused(/No debug adapter answers/, "--adapter", "127.0.0.1:1", "--at", "cart.js:5");
  });

  test("of a line without a statement, a file that is not there and an unknown hypothesis sets nothing", async () => {
    const before = await project.observers();
    await refused(/No statement begins at cart\.js:4/, "--pid", String(cart.pid), "--at", "cart.js:4");
    await until(
      () => project.observers(),
      (now) => now.every((pid) => before.includes(pid)),
    );
    const beyond = await observe("--pid", String(cart.pid), "--at", "cart.js:99");
    assert.match(beyond.err, /cart\.js has 8 lines\./);
    await refused(/There is no file none\.js/, "--pid", String(cart.pid), "--at", "none.js:1");
    const { status, err } = await say("observe", "--hypothesis", "P", "--point", "price", ...atCart());
    assert.notEqual(status, 0);
    assert.match(err, /no hypothesis P/);
  });

  test("through an adapter refuses expressions that call something before it contacts the adapter", async () => {
    // No process listens there.
    const words = ["--adapter", "127.0.0.1:1", "--at", "cart.py:2", "--data", "x=take(1)"];
    await refused(/take\(1\).*--allow-call/s, ...words);
    assert.match((await observe(...words, "--json")).out, /"code":"DEBUG_PROBE_INVALID"/);
    await refused(/No debug adapter answers/, ...words, "--allow-call");
  });

  test("of a program that accepts the connection and never answers ends in time, and so does its observer", async (t) => {
    const silent = createHttpServer((_, response) => {
      const { port } = silent.address() as AddressInfo;
      const page = { type: "page", title: "", url: "", webSocketDebuggerUrl: `ws://127.0.0.1:${port}/` };
      response.end(JSON.stringify([page]));
    }).listen(0, "127.0.0.1");
    const sockets = new WebSocketServer({ server: silent });
    t.after(() => {
      for (const socket of sockets.clients) socket.terminate();
      silent.close();
    });
    await new Promise((resolve) => silent.once("listening", resolve));
    const { port } = silent.address() as AddressInfo;
    const began = performance.now();
    await refused(
      /The observer has not set its points\./,
      "--inspect",
      `127.0.0.1:${port}`,
      "--at",
      "cart.js:5",
    );
    assert.ok(performance.now() - began < 30_000);
    await until(
      () => project.observers(String(port)),
      (pids) => pids.length === 0,
    );
  });

  test("of a line without a statement is reported when the check lists its hypothesis", async () => {
    const from = ["A", "B", "C"].map((hypothesis, index) => {
      return {
        hypothesis,
        point: `price-${index}`,
        data: ["item.price"],
        at: `cart.js:${index < 2 ? 5 : 4}`,
      };
    });
    const points = JSON.stringify(from);
    const { status, err } = await say("observe", "--pid", String(cart.pid), "--check", "--from", points);
    assert.equal(status, 65);
    assert.match(
      err,
      /Hypothesis C is not observed\. No statement begins at cart\.js:4\.\nhint: Name another line/,
    );
  });

  test("next to a probe says that points end with their process, which must be restarted for the probe", async () => {
    assert.equal((await observe(...atCart())).status, 0);
    const probes = JSON.stringify(
      ["B", "C"].map((hypothesis) => ({ hypothesis, point: "price", data: ["item"], apply: "cart.js:5" })),
    );
    const { status, out } = await say("probe", "--check", "--from", probes);
    assert.equal(status, 0, out);
    assert.match(out, /1\. Start the program again[^]*\nObservation points end with their process: /);
  });
});
