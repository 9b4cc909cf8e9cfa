/** Where points reach: worker threads, code that is loaded later, bundles; and the reach of the inspector that is opened for them. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, realpath, appendFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { ROOT } from "../../../contract-tests/harness.ts";
import { nodeFiles } from "../../../core/adapters/files.ts";
import type { Point } from "../observe/point.ts";
import { inspectorOf, observable } from "../observe/processes.ts";
import { eventually } from "./client.ts";
import { needs } from "./faults/needs.ts";
import { nodeProgram, said } from "./observe-harness.ts";
import { attached, http, listensAt } from "./point-harness.ts";
import { lastly, scratch } from "./server-harness.ts";

function pointIn(folder: string, path: string, line: number, ...expressions: readonly string[]): Point {
  const data = expressions.map((expression) => ({ name: expression, expression }));
  const limits = { allowCall: false, perSecond: 1_000, most: 1_000 };
  return { hypothesis: "A", name: "value", path, file: join(folder, path), line, data, ...limits };
}

/** A Node program that says something when it is ready, and after each line that it is given. */
async function program(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  main: string,
  port = "--inspect-port=0",
) {
  const folder = await realpath(await scratch(t));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const begin = async (changed: readonly string[] = []) => {
    const child = await nodeProgram(folder, main, port);
    lastly(t, async () => child.kill("SIGKILL"));
    const ask = (line: string): Promise<string> => said(child, line);
    const pid = child.pid ?? 0;
    const texts = changed.map((path) => ({ file: join(folder, path), path }));
    const observe = (...points: readonly Point[]) => attached(t, pid, points, texts);
    return { pid, ask, observe };
  };
  return { folder, begin };
}

const MAIN_OF_WORKERS = `const { Worker } = require("node:worker_threads");
const workers = {};
function ask(name) {
  workers[name] ??= new Worker("./worker.js", { workerData: name }).on("message", console.log);
  workers[name].postMessage(2);
}
process.stdin.on("data", (text) => ask(String(text).trim()));
ask("first");
`;
const WORKER = `const { parentPort, workerData: name } = require("node:worker_threads");
function work(by) {
  const sum = by + 1;
  return sum;
}
const early = work(1);
parentPort.on("message", (by) => parentPort.postMessage(name + early + work(by)));
`;

const LATER = "export const by = 2;\nexport function twice(n) {\n  return n * by;\n}\n";
const MAIN_OF_LATER = `process.stdin.on("data", async (text) => {
  const { twice } = await import(String(text).trim());
  console.log(twice(21));
});
console.log("ready");
`;

const CART = `interface Item {
  readonly price: number;
}

export function total(items: readonly Item[]): number {
  let sum = 0;
  for (const { price } of items) {
    sum += price;
  }
  return sum;
}
`;
const MAIN_OF_CART = `import { total } from "./cart";
process.stdin.on("data", () => console.log(total([{ price: 2 }, { price: 3 }])));
console.log("ready");
`;

describe("a point", { skip: needs("linux") }, () => {
  test("in a worker thread reports from its first pass on, also in a worker that starts later", async (t) => {
    const { folder, begin } = await program(
      t,
      { "main.js": MAIN_OF_WORKERS, "worker.js": WORKER },
      "main.js",
    );
    const { ask, observe } = await begin();
    const { passes, notes } = await observe(pointIn(folder, "worker.js", 4, "name", "sum"));
    await eventually(() => notes.at(-1)?.state === "set");
    assert.equal(await ask("first"), "first23");
    assert.equal(await ask("later"), "later23");
    await eventually(() => passes.length === 3);
    assert.deepEqual(
      passes.map(({ data }) => [data["name"], data["sum"]]),
      [
        ["first", 3],
        ["later", 2],
        ["later", 3],
      ],
    );
  });

  test("in code that is not loaded yet waits, and reports from its first line on once it is loaded", async (t) => {
    const { folder, begin } = await program(t, { "main.mjs": MAIN_OF_LATER, "later.mjs": LATER }, "main.mjs");
    const { ask, observe } = await begin();
    const { passes, notes } = await observe(
      pointIn(folder, "later.mjs", 1, "1"),
      pointIn(folder, "later.mjs", 3, "n"),
    );
    assert.deepEqual(
      notes.map(({ state, sentence }) => [state, sentence]),
      [1, 3].map((line) => ["waiting", `later.mjs:${line} waits: none of its code is loaded yet.`]),
    );
    assert.equal(await ask("./later.mjs"), "42");
    await eventually(() => passes.map(({ data }) => data).length === 2);
    assert.deepEqual(
      passes.map(({ data }) => data),
      [{ 1: 1 }, { n: 21 }],
    );
    assert.deepEqual(
      notes.slice(-2).map(({ state }) => state),
      ["set", "set"],
    );
    // The file changes, and the program loads it anew: the line that is observed is that of the new text.
    await writeFile(join(folder, "later.mjs"), LATER.replace("n * by", "(n += 1) * by"));
    const { length } = notes;
    assert.equal(await ask("./later.mjs?again"), "44");
    await eventually(() => notes.length > length + 1);
    assert.equal(await ask("./later.mjs?again"), "44");
    await eventually(() => passes.at(-1)?.data["n"] === 20 + 1);
    // The file changes, and the program loads a text without a statement there.
    await writeFile(join(folder, "later.mjs"), LATER.replace("  return", "  // Twice.\n  return"));
    assert.equal(await ask("./later.mjs?moved"), "42");
    await eventually(() => notes.at(-1)?.sentence === "No statement begins at later.mjs:3.");
  });

  test("in a file whose build is loaded without a source map names that build", async (t) => {
    const files = {
      "main.mjs": MAIN_OF_LATER,
      "dist/later.js": LATER,
      "src/later.ts": LATER,
      "package.json": '{"type":"module"}',
    };
    const { folder, begin } = await program(t, files, "main.mjs");
    const { ask, observe } = await begin();
    assert.equal(await ask("./dist/later.js"), "42");
    const { notes } = await observe(pointIn(folder, "src/later.ts", 3, "n"));
    assert.match(
      notes.at(-1)?.sentence ?? "",
      /^src\/later\.ts:3 waits: none of its code is loaded yet\. dist\/later\.js is loaded, and has no source map/,
    );
  });

  test("in a bundle is named by the source, with the map in the bundle or next to it", async (t) => {
    const { folder, begin } = await program(
      t,
      { "src/cart.ts": CART, "src/main.ts": MAIN_OF_CART },
      "bundle.js",
    );
    for (const map of ["inline", "linked"]) {
      const words = ["src/main.ts", "--bundle", "--platform=node", "--minify", `--sourcemap=${map}`];
      const esbuild = join(ROOT, "node_modules", ".bin", "esbuild");
      const built = spawnSync(esbuild, [...words, "--outfile=bundle.js"], { cwd: folder });
      assert.equal(built.status, 0, built.stderr.toString());
      const { ask, observe } = await begin();
      const { passes, notes } = await observe(pointIn(folder, "src/cart.ts", 8, "1"));
      assert.deepEqual(
        notes.map(({ sentence }) => sentence),
        ["src/cart.ts:8 is observed; the first pass checks the data."],
      );
      assert.equal(await ask("again"), "5");
      await eventually(() => passes.length === 2);
    }
    await appendFile(join(folder, "src/cart.ts"), "// Later.\n");
    const { notes } = await (await begin()).observe(pointIn(folder, "src/cart.ts", 8, "1"));
    assert.equal(
      notes.at(-1)?.sentence,
      "src/cart.ts:8 is observed; the first pass checks the data. src/cart.ts has changed since it was built.",
    );
  });

  test("in a build without the fix, or in a build that differs from the disk, is refused", async (t) => {
    const options =
      '"rootDir": "src", "outDir": "dist", "sourceMap": true, "module": "commonjs", "types": []';
    const { folder, begin } = await program(
      t,
      {
        "src/cart.ts": CART,
        "src/main.ts": MAIN_OF_CART,
        "dist/main.js": "console.log()",
        "tsconfig.json": `{ "compilerOptions": { ${options}, "target": "es2022" } }`,
      },
      "dist/main.js",
    );
    const cart = join(folder, "src/cart.ts");
    // The types of Node are not available there, but the output is written all the same.
    const build = () => spawnSync(join(ROOT, "node_modules", ".bin", "tsc"), { cwd: folder });
    const said = async (
      { observe }: Awaited<ReturnType<typeof begin>>,
      file = "src/cart.ts",
      line = 8,
    ): Promise<string> => {
      const { notes } = await observe(pointIn(folder, file, line, "1"));
      return `${notes.at(-1)?.state}: ${notes.at(-1)?.sentence.replaceAll(folder, "")}`;
    };
    build();
    await writeFile(cart, CART.replace("+= price", "-= price"));
    for (const [file, line] of [
      ["src/cart.ts", 8],
      ["src/main.ts", 3],
    ] as const)
      assert.equal(
        await said(await begin(["src/cart.ts"]), file, line),
        "refused: file:///dist/cart.js was built without the fix: build it again.",
      );
    build();
    const running = await begin(["src/cart.ts"]);
    assert.equal(await said(running), "set: src/cart.ts:8 is observed; the first pass checks the data.");
    const older = await begin();
    await writeFile(cart, CART.replace("+= price", "+= 2 * price"));
    build();
    assert.equal(
      await said(older),
      "refused: The program runs another version of /dist/cart.js than the present file.",
    );
  });

  test("opens no inspector that other machines can reach", async (t) => {
    const { folder, begin } = await program(t, { "main.mjs": MAIN_OF_LATER }, "main.mjs");
    const { pid, observe } = await begin();
    assert.deepEqual(await listensAt(pid), []);
    await observe(pointIn(folder, "main.mjs", 3, "1"));
    assert.deepEqual(await listensAt(pid), ["0100007F"]);

    const open = await program(t, { "main.mjs": MAIN_OF_LATER }, "main.mjs", "--inspect-port=0.0.0.0:0");
    const other = await open.begin();
    for (const look of [observable, inspectorOf])
      await assert.rejects(
        look(other.pid, nodeFiles, http),
        /would open its inspector to other machines, at 0\.0\.0\.0/,
      );
    assert.deepEqual(await listensAt(other.pid), []);
    const near = await program(t, { "main.mjs": MAIN_OF_LATER }, "main.mjs", "--inspect-port=[::1]:0");
    await observable((await near.begin()).pid, nodeFiles, http);
  });
});
