import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { setTimeout as pause } from "node:timers/promises";
import { ROOT } from "../../../contract-tests/harness.ts";
import { chromium, CHROMIUM_MISSING, listening } from "../../../contract-tests/browser.ts";
import { until } from "./client.ts";
import { needs } from "./faults/needs.ts";
import { nodeProgram, said } from "./observe-harness.ts";

/** A program that runs and can be observed. */
export interface Running {
  /** The flags that name it to `observe`. */
  readonly target: readonly string[];
  /** The started process, if it is a separate one. */
  readonly pid?: number | undefined;
  /** Makes the bug show once. */
  readonly reproduce: () => Promise<void>;
  readonly end: () => Promise<void>;
}

/** A program with a bug in `FILE:LINE`, where `total` is summed up over items. */
export interface ObservedProgram {
  readonly name: string;
  readonly skip: string | false;
  readonly files: Readonly<Record<string, string>>;
  /** The line before which the sum, the price and the quantity of an item are reported. */
  readonly at: string;
  /** The values reported there: the sum, the price, the quantity. */
  readonly data: readonly [string, string, string];
  readonly fix: readonly [file: string, from: string, to: string];
  readonly start: (folder: string) => Promise<Running>;
}

const ITEMS = "[{ price: 10, quantity: 1 }, { price: 10, quantity: 3 }]";
const JS = (typed: string): string => `function total(items${typed}) {
  let sum = 0;
  for (const item of items) {
    sum += item.price + item.quantity;
  }
  return sum;
}
`;
const JS_DATA = ["sum", "price=item.price", "quantity=item.quantity"] as const;
const JS_FIX = (file: string): readonly [string, string, string] => [file, "price + item", "price * item"];

/** A program that computes its sum at each line of its standard input. */
function piped(child: ChildProcess, target: readonly string[]): Running {
  return {
    target,
    pid: child.pid,
    reproduce: async () => void (await said(child, "again")),
    end: () => ended(child),
  };
}

async function ended(child: ChildProcess): Promise<void> {
  const over = new Promise((resolve) => child.once("close", resolve));
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await over;
}

/** A free port. */
async function port(): Promise<number> {
  const { port, close } = await listening(() => undefined);
  await close();
  return port;
}

function untilListening(at: number): Promise<boolean> {
  const look = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(at, "127.0.0.1", () => socket.end(() => resolve(true)));
      socket.once("error", () => resolve(false));
    });
  return until(look, (isThere) => isThere, 60_000);
}

async function node(folder: string, file: string): Promise<Running> {
  const child = await nodeProgram(folder, file);
  return piped(child, ["--pid", String(child.pid)]);
}

/** A browser that can be observed, with one page. */
export async function observedBrowser(): Promise<{
  readonly page: Page;
  readonly target: readonly string[];
  readonly end: () => Promise<void>;
}> {
  const at = await port();
  const { browser, close } = await chromium(`--remote-debugging-port=${at}`);
  return { page: await browser.newPage(), target: ["--inspect", `127.0.0.1:${at}`], end: close };
}

/** The types of Node are not available there, but the output is written all the same. */
function compiled(folder: string): void {
  spawnSync(join(ROOT, "node_modules", ".bin", "tsc"), ["--project", folder], { cwd: folder });
}

/** A page of a folder that a server offers. */
async function served(folder: string): Promise<Running> {
  const server = await listening((request, response) => {
    const file = request.url === "/" ? "index.html" : (request.url ?? "").slice(1);
    const type = file.endsWith(".js") ? "text/javascript" : "text/html";
    void readFile(join(folder, file.startsWith("dist/") ? ".." : "", file)).then(
      (bytes) => response.writeHead(200, { "content-type": type }).end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  const { page, target, end } = await observedBrowser();
  await page.goto(`http://127.0.0.1:${server.port}/`);
  return {
    target,
    reproduce: async () => {
      await page.evaluate("localStorage.again = 1");
      await page.waitForFunction("!localStorage.again");
    },
    end: async () => {
      await end();
      await server.close();
    },
  };
}

const EACH_LINE = `process.stdin.on("data", () => console.log(total(${ITEMS})));\nconsole.log("ready");\n`;

const ON_PAGE = `setInterval(() => {\n  if (localStorage.again) document.title = String(total(${ITEMS}));\n  localStorage.clear();\n}, 20);\n`;

export const OBSERVED: readonly ObservedProgram[] = [
  {
    name: "a Node program that waits, by its process id",
    skip: needs("linux"),
    files: { "cart.js": JS("") + EACH_LINE },
    at: "cart.js:4",
    data: JS_DATA,
    fix: JS_FIX("cart.js"),
    start: (folder) => node(folder, "cart.js"),
  },
  {
    name: "a Node program that hangs in a busy loop",
    skip: needs("linux"),
    // The items are two a round, and a round takes a good second; the loop never returns to the event loop.
    files: {
      "loop.mjs": `${JS("")}process.stdout.write("ready\\n");
for (let last = Date.now(); ; ) {
  if (Date.now() - last < 1200) continue;
  last = Date.now();
  total(${ITEMS});
}
`,
    },
    at: "loop.mjs:4",
    data: JS_DATA,
    fix: JS_FIX("loop.mjs"),
    start: async (folder) => ({ ...(await node(folder, "loop.mjs")), reproduce: () => pause(1_500) }),
  },
  {
    name: "a TypeScript program built with source maps",
    skip: needs("linux"),
    files: {
      "src/cart.ts": `interface Item {\n  readonly price: number;\n  readonly quantity: number;\n}\n\nexport ${JS(": readonly Item[]")}${EACH_LINE}`,
      "tsconfig.json":
        '{ "compilerOptions": { "rootDir": "src", "outDir": "../dist", "sourceMap": true, "module": "commonjs", "target": "es2022" } }\n',
    },
    at: "src/cart.ts:9",
    data: JS_DATA,
    fix: JS_FIX("src/cart.ts"),
    start: (folder) => {
      compiled(folder);
      return node(folder, join("..", "dist", "cart.js"));
    },
  },
  {
    name: "a page in Chromium",
    skip: CHROMIUM_MISSING,
    files: {
      "index.html": "<!doctype html><title>Cart</title><script src=cart.js></script>\n",
      "cart.js": JS("") + ON_PAGE,
    },
    at: "cart.js:4",
    data: JS_DATA,
    fix: JS_FIX("cart.js"),
    start: (folder) => served(folder),
  },
  {
    name: "a page in Chromium whose script was built with a source map",
    skip: CHROMIUM_MISSING,
    files: {
      "index.html": "<!doctype html><title>Cart</title><script src=dist/cart.js></script>\n",
      "src/cart.ts": `interface Item {\n  readonly price: number;\n  readonly quantity: number;\n}\n\n${JS(": readonly Item[]")}${ON_PAGE}`,
      "tsconfig.json":
        '{ "compilerOptions": { "rootDir": "src", "outDir": "../dist", "sourceMap": true, "target": "es2022" } }\n',
    },
    at: "src/cart.ts:9",
    data: JS_DATA,
    fix: JS_FIX("src/cart.ts"),
    start: (folder) => {
      compiled(folder);
      return served(folder);
    },
  },
  {
    name: "a Python program under debugpy",
    skip:
      needs("python3") ||
      (spawnSync("/usr/bin/python3", ["-c", "import debugpy"]).status !== 0 &&
        "needs debugpy, which is missing here"),
    files: {
      "cart.py": `import sys


def total(items):
    sum = 0
    for item in items:
        sum += item["price"] + item["quantity"]
    return sum


print("ready", flush=True)
for line in sys.stdin:
    print(total([{"price": 10, "quantity": 1}, {"price": 10, "quantity": 3}]), flush=True)
`,
    },
    at: "cart.py:7",
    data: ["sum", 'price=item["price"]', 'quantity=item["quantity"]'],
    fix: ["cart.py", '["price"] + item', '["price"] * item'],
    start: async (folder) => {
      const at = await port();
      const words = ["-m", "debugpy", "--listen", `127.0.0.1:${at}`, "cart.py"];
      const child = spawn("/usr/bin/python3", words, { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
      await said(child);
      return piped(child, ["--adapter", `127.0.0.1:${at}`]);
    },
  },
  {
    name: "a Go program under Delve",
    skip: needs("go", "dlv"),
    files: {
      "go.mod": "module cart\n\ngo 1.19\n",
      "cart.go": `package main

import (
	"bufio"
	"fmt"
	"os"
)

type item struct{ price, quantity int }

func total(items []item) int {
	sum := 0
	for _, item := range items {
		sum += item.price + item.quantity
	}
	return sum
}

func main() {
	fmt.Println("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		fmt.Println(total([]item{{10, 1}, {10, 3}}))
	}
}
`,
    },
    at: "cart.go:14",
    data: ["sum", "price=item.price", "quantity=item.quantity"],
    fix: ["cart.go", "price + item", "price * item"],
    start: async (folder) => {
      const at = await port();
      const output = await mkdtemp(join(tmpdir(), "skillctl-observed-"));
      const env = {
        ...process.env,
        GOFLAGS: "-buildvcs=false",
        GOCACHE: join(tmpdir(), "go-cache"),
        HOME: output,
      };
      const binary = join(output, "cart");
      const built = spawnSync("go", ["build", "-gcflags=all=-N -l", "-o", binary, "."], { cwd: folder, env });
      if (built.status !== 0) throw new Error(built.stderr.toString());
      const words = [
        "exec",
        binary,
        "--headless",
        "--accept-multiclient",
        "--continue",
        "--listen",
        `127.0.0.1:${at}`,
      ];
      const child = spawn("dlv", words, {
        cwd: folder,
        env,
        stdio: ["pipe", "pipe", "ignore"],
        detached: true,
      });
      await untilListening(at);
      const running = piped(child, ["--adapter", `127.0.0.1:${at}`]);
      return {
        ...running,
        end: async () => {
          // The debugger and the program are one group.
          if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
            process.kill(-child.pid, "SIGKILL");
          await running.end();
          await rm(output, { recursive: true, force: true, maxRetries: 5 });
        },
      };
    },
  },
];
