/** The lines of `skillctl mcp` byte for byte: invalid input, messages that no client sees, and the end. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { temporaryFolder } from "../../cli/fixture-command-line.ts";
import { PROGRAM, program } from "../../../../contract-tests/command-line.ts";
import { probeWords } from "./mcp-harness.ts";

interface Line {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly progressToken?: unknown;
    readonly progress?: number;
    readonly message?: string;
    readonly level?: string;
    readonly data?: unknown;
  };
  readonly result?: {
    readonly content?: readonly { readonly text: string }[];
    readonly protocolVersion?: string;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

let folder = "";
let words: readonly string[] = [];
let close = async (): Promise<void> => undefined;
before(async () => {
  ({ path: folder, close } = await temporaryFolder());
  words = await probeWords(folder);
});
after(() => close());

/** A server whose lines are read one by one; it is killed at the end if it still runs. */
async function served(
  action: (server: Server) => Promise<void>,
  verb: readonly string[] = words,
): Promise<void> {
  const server = new Server(["mcp", ...verb]);
  try {
    await action(server);
  } finally {
    server.child.kill("SIGKILL");
    await server.over;
  }
}

class Server {
  readonly child;
  readonly over: Promise<{ readonly status: number | null; readonly err: string }>;
  readonly #lines: AsyncIterator<string>;

  constructor(verb: readonly string[]) {
    this.child = program(verb, folder, { start: PROGRAM });
    let err = "";
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    this.over = once(this.child, "close").then(([status]) => ({ status: status as number | null, err }));
    this.#lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  say(...lines: readonly (string | object)[]): void {
    const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
    this.child.stdin.write(texts.map((text) => `${text}\n`).join(""));
  }

  /** Every line is a message, or the test fails. */
  async hear(): Promise<Line> {
    const { value, done } = await this.#lines.next();
    assert.ok(!done, "the server has ended");
    const line = JSON.parse(value) as Line & { readonly jsonrpc: string };
    assert.equal(line.jsonrpc, "2.0");
    return line;
  }

  /** A message, or the messages of a batch. */
  async hearAll(): Promise<Line | Line[]> {
    const { value, done } = await this.#lines.next();
    assert.ok(!done, "the server has ended");
    return JSON.parse(value) as Line | Line[];
  }

  async begin(protocolVersion = "2025-11-25"): Promise<Line> {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "lines", version: "1" } };
    this.say({ jsonrpc: "2.0", id: "begin", method: "initialize", params });
    const line = await this.hear();
    this.say({ jsonrpc: "2.0", method: "notifications/initialized" });
    return line;
  }
}

const call = (id: number, name: string, more: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, ...more },
});

describe("a line that is not a message", () => {
  test("is answered, with its id if it has one, and the next line is read", () =>
    served(async (server) => {
      await server.begin();
      server.say(
        "",
        "this is not JSON",
        '{"jsonrpc":"2.0","id":7,"method":5}',
        '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
        "null",
        '{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"probe_talk","arguments":[1]}}\r',
        { jsonrpc: "2.0", id: 9, method: "no/such" },
        call(10, "probe_talk", { arguments: { name: "still here" } }),
      );
      const heard: Line[] = [];
      while (heard.length < 7) heard.push(await server.hear());
      assert.deepEqual(
        heard.map(({ id, error }) => [id, error?.code]).sort(([, a = 0], [, b = 0]) => Number(a) - Number(b)),
        [
          [undefined, -32_700],
          [8, -32_602],
          [9, -32_601],
          [7, -32_600],
          [undefined, -32_600],
          [undefined, -32_600],
          [10, undefined],
        ],
      );
    }));

  test("is refused and skipped if it is over 16 MiB, and the next one is read", () =>
    served(async (server) => {
      await server.begin();
      server.say(
        JSON.stringify(call(1, "probe_size", { arguments: { text: "x".repeat(17 * 1024 * 1024) } })),
      );
      assert.deepEqual((await server.hear()).error, {
        code: -32_600,
        message: "A message has at most 16777216 bytes.",
      });
      server.say(call(2, "probe_size", { arguments: { text: "x".repeat(15 * 1024 * 1024) } }));
      assert.equal((await server.hear()).result?.content?.[0]?.text, String(15 * 1024 * 1024));
    }));
});

test("progress comes in order and never after the answer, as log messages if the caller did not ask for it", () =>
  served(async (server) => {
    await server.begin();
    server.say(call(1, "probe_speak", { _meta: { progressToken: "t" } }));
    const heard = [await server.hear(), await server.hear(), await server.hear(), await server.hear()];
    assert.deepEqual(
      heard.map(({ method, params, id }) => [method ?? id, params?.progress, params?.message]),
      [
        ["notifications/progress", 1, "One."],
        ["notifications/progress", 2, "Two."],
        ["notifications/progress", 3, "Three."],
        [1, undefined, undefined],
      ],
    );
    assert.equal(heard[0]?.params?.progressToken, "t");
    server.say(call(2, "probe_speak"));
    for (const data of ["One.", "Two.", "Three."]) {
      const { method, params } = await server.hear();
      assert.deepEqual([method, params?.level, params?.data], ["notifications/message", "info", data]);
    }
    assert.equal((await server.hear()).id, 2);
    server.say({ jsonrpc: "2.0", id: "level", method: "logging/setLevel", params: { level: "error" } });
    assert.equal((await server.hear()).id, "level");
    server.say(call(20, "probe_speak"));
    assert.equal((await server.hear()).id, 20, "below the level that the client has set");
    server.say(call(3, "probe_late", { _meta: { progressToken: "late" } }));
    assert.equal((await server.hear()).id, 3);
    server.say(call(4, "probe_talk"));
    assert.equal((await server.hear()).id, 4);
  }));

test("a client of an older revision is answered in its own", () =>
  served(async (server) => {
    assert.equal((await server.begin("2024-11-05")).result?.protocolVersion, "2024-11-05");
  }));

test("a client of the revision with batches gets the responses of a batch together, in one line", () =>
  served(async (server) => {
    assert.equal((await server.begin("2025-03-26")).result?.protocolVersion, "2025-03-26");
    const progress = {
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: 9, progress: 1 },
    };
    const lone = { jsonrpc: "2.0", id: "ping", method: "ping" };
    server.say(
      [call(1, "probe_talk"), progress, { jsonrpc: "2.0", id: 2, method: 5 }, lone],
      [progress],
      lone,
    );
    const lines = [await server.hearAll(), await server.hearAll()];
    const ids = lines.map((line) =>
      Array.isArray(line) ? line.map(({ id }) => String(id)).sort() : line.id,
    );
    assert.deepEqual(ids.map(String).sort(), ["1,2,ping", "ping"]);
    server.say([{ ...call(3, "probe_wait") }, lone], {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 3 },
    });
    assert.deepEqual(await server.hearAll(), [{ jsonrpc: "2.0", id: "ping", result: {} }]);
  }));

describe("the server ends", { concurrency: 2 }, () => {
  const ends: readonly (readonly [string, (server: Server) => void])[] = [
    ["when its input ends", ({ child }) => child.stdin.end()],
    [
      "when its output is closed",
      (server) => (server.child.stdout.destroy(), server.say(call(9, "probe_talk"))),
    ],
    ["at SIGTERM", ({ child }) => child.kill("SIGTERM")],
    ["at SIGINT", ({ child }) => child.kill("SIGINT")],
  ];
  for (const [when, end] of ends) {
    // Windows cannot ask a process to end.
    const skip = when.includes("SIG") && process.platform === "win32";
    test(`${when}, with status 0, and aborts the running calls`, { skip }, () =>
      served(async (server) => {
        await server.begin();
        server.say(call(1, "probe_wait", { _meta: { progressToken: 1 } }));
        assert.equal((await server.hear()).params?.message, "Waiting.");
        end(server);
        assert.deepEqual(await server.over, { status: 0, err: "Given up.\n" });
      }),
    );
  }

  test("after it has answered the requests that it has read", () =>
    served(async (server) => {
      await server.begin();
      server.say(call(1, "probe_talk"), call(2, "probe_size", { arguments: { text: "abc" } }));
      server.child.stdin.end();
      const ids = [(await server.hear()).id, (await server.hear()).id];
      assert.deepEqual(new Set(ids), new Set([1, 2]));
      assert.equal((await server.over).status, 0);
    }));

  test("at once if it has no input at all", () =>
    served(async (server) => {
      server.child.stdin.end();
      assert.deepEqual(await server.over, { status: 0, err: "" });
    }));

  test("with status 64 and without a message if it is given an unknown argument", () =>
    served(
      async ({ over }) => {
        const { status, err } = await over;
        assert.equal(status, 64);
        assert.match(err, /error: There is one word too many/);
      },
      ["extra"],
    ));
});
