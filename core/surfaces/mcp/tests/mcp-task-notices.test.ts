/** Subscriptions to tasks (`subscriptions/listen` with `taskIds`), over standard input and output and at `/mcp`. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { program } from "../../../../contract-tests/command-line.ts";
import { temporaryFolder } from "../../cli/fixture-command-line.ts";
import { writeConformanceSkill } from "./conformance-skill.ts";
import { WAYS } from "./mcp-harness.ts";

const REVISION = "2026-07-28";
const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

/** A message of the server. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly _meta?: Readonly<Record<string, unknown>>;
    readonly notifications?: { readonly taskIds?: readonly string[] };
    readonly taskId?: string;
    readonly status?: string;
    readonly statusMessage?: string;
    readonly inputRequests?: object;
    readonly result?: { readonly content: readonly { readonly text: string }[] };
  };
  readonly result?: {
    readonly taskId?: string;
    readonly resultType?: string;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  readonly error?: { readonly code: number };
}

/** A connection to a separate server. */
interface Wire {
  /** Sends a request; yields the messages that belong to it, with the response last. */
  readonly ask: (
    id: number,
    method: string,
    params: object,
    capabilities?: object,
  ) => AsyncGenerator<Message>;
  /** The client gives a request up. */
  readonly cancel: (id: number) => void;
  readonly end: () => Promise<number | null>;
}

let folder = "";
let skill = "";
let close = async (): Promise<void> => undefined;
before(async () => {
  ({ path: folder, close } = await temporaryFolder());
  skill = await writeConformanceSkill(join(folder, "skills"));
});
after(() => close());

const request = (id: number, method: string, params: object, capabilities: object = TASKS) => {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  return JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } });
};

/** Messages until the response to a request. */
async function* until(id: number, messages: AsyncIterable<Message>): AsyncGenerator<Message> {
  for await (const message of messages) {
    yield message;
    if (message.id === id) return;
  }
}

async function piped(): Promise<Wire> {
  const child = program(["mcp", "--plugin", skill], folder);
  const ended = once(child, "close").then(([status]) => status as number | null);
  const heard: Message[] = [];
  let wake = (): void => undefined;
  createInterface({ input: child.stdout }).on("line", (line) => {
    heard.push(JSON.parse(line) as Message);
    wake();
  });
  async function* messagesOf(id: number): AsyncGenerator<Message> {
    for (let at = 0; ; at += 1) {
      while (at >= heard.length) await new Promise<void>((resolve) => (wake = resolve));
      const message = heard[at] as Message;
      if (message.id === id || message.params?._meta?.[SUBSCRIPTION] === id) yield message;
    }
  }
  return {
    ask: (id, ...rest) => {
      child.stdin.write(`${request(id, ...rest)}\n`);
      return until(id, messagesOf(id));
    },
    cancel: (requestId) => {
      const method = "notifications/cancelled";
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method, params: { requestId } })}\n`);
    },
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
}

async function posted(): Promise<Wire> {
  const child = program(["serve", "--port", "0", "--no-key", "--plugin", skill], folder);
  const ended = once(child, "close").then(([status]) => status as number | null);
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  while (!out.includes("\n")) await once(child.stdout, "data");
  const url = new URL("/mcp", out.trim());
  const gone = new Map<number, AbortController>();
  async function* messagesOf(id: number, method: string, params: object, capabilities?: object) {
    const stop = new AbortController();
    gone.set(id, stop);
    const { name, taskId } = params as { readonly name?: string; readonly taskId?: string };
    const reply = await fetch(url, {
      method: "POST",
      signal: stop.signal,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": REVISION,
        "mcp-method": method,
        "mcp-name": name ?? taskId ?? "",
      },
      body: request(id, method, params, capabilities),
    });
    if (!String(reply.headers.get("content-type")).startsWith("text/event-stream")) {
      yield (await reply.json()) as Message;
      return;
    }
    let text = "";
    for await (const part of reply.body ?? []) {
      text += Buffer.from(part as Uint8Array).toString();
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (data !== undefined) yield JSON.parse(data) as Message;
      }
    }
  }
  return {
    ask: (id, ...rest) => until(id, messagesOf(id, ...rest)),
    cancel: (id) => gone.get(id)?.abort(),
    end: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

for (const way of WAYS)
  describe(`a subscription to tasks over ${way}`, { timeout: 60_000 }, () => {
    let wire: Wire;
    before(async () => (wire = await (way === "http" ? posted() : piped())));
    after(() => wire.end());
    let count = 0;
    const answer = async (method: string, params: object): Promise<Message> => {
      for await (const message of wire.ask((count += 1), method, params))
        if (message.id === count) return message;
      return assert.fail(`no answer to ${method}`);
    };
    const begun = async (name: string, given: object): Promise<string> =>
      (await answer("tools/call", { name, arguments: given })).result?.taskId ?? "";
    const listen = (taskIds: readonly string[], capabilities?: object) =>
      wire.ask((count += 1), "subscriptions/listen", { notifications: { taskIds } }, capabilities);

    test("names the existing tasks, reports each of their states, and ends with the last of them", async () => {
      const [asking, working] = [
        await begun("confirm_delete", { filename: "a.txt" }),
        await begun("slow_compute", { seconds: 1, label: "soon" }),
      ];
      const told: Message[] = [];
      for await (const message of listen([asking, working, "no-such-task"])) {
        told.push(message);
        if (message.params?.status !== "input_required") continue;
        assert.deepEqual(Object.keys(message.params.inputRequests ?? {}), ["confirm"]);
        const inputResponses = { confirm: { action: "accept", content: { confirm: true } } };
        await answer("tasks/update", { taskId: asking, inputResponses });
      }
      const [first, ...rest] = told;
      assert.equal(first?.method, "notifications/subscriptions/acknowledged");
      assert.deepEqual(first?.params?.notifications, { taskIds: [asking, working] });
      const last = rest.pop();
      assert.equal(last?.result?.resultType, "complete");
      assert.ok(rest.every(({ method }) => method === "notifications/tasks"));
      const statesOf = (id: string) =>
        rest.flatMap(({ params }) => (params?.taskId === id ? [params.status] : []));
      assert.equal(statesOf(asking).at(-1), "completed");
      assert.ok(statesOf(asking).includes("input_required"));
      assert.deepEqual(statesOf(working), ["working", "completed"]);
      const ids = new Set(told.map(({ params, result }) => (params ?? result)?._meta?.[SUBSCRIPTION]));
      assert.equal(ids.size, 1);
      const texts = rest.flatMap(({ params }) => params?.result?.content.map(({ text }) => text) ?? []);
      assert.deepEqual(texts.toSorted(), ["Computed soon in 1 s", "Deleted a.txt"]);
    });

    test("receives the states of a task that another server of the store runs", async () => {
      const other = await posted();
      let id = "";
      const given = { name: "slow_compute", arguments: { seconds: 1 } };
      for await (const { result } of other.ask(1, "tools/call", given)) id = result?.taskId ?? id;
      const states: (string | undefined)[] = [];
      for await (const { params } of listen([id])) states.push(params?.status);
      await other.end();
      assert.deepEqual(states, [undefined, "working", "completed", undefined]);
    });

    test("of a client that declares no tasks is refused", async () => {
      const task = await begun("slow_compute", { seconds: 0 });
      const told: Message[] = [];
      for await (const message of listen([task], {})) told.push(message);
      assert.deepEqual(
        told.map(({ error }) => error?.code),
        [-32_021],
      );
    });

    test("reports nothing after its client has abandoned it, and an open one does not keep the server", async () => {
      const task = await begun("slow_change", { seconds: 60 });
      const stream = listen([task]);
      const given = count;
      assert.equal((await stream.next()).value?.method, "notifications/subscriptions/acknowledged");
      wire.cancel(given);
      const open = listen([task]);
      await open.next();
      assert.equal((await open.next()).value?.params?.status, "working");
      const start = performance.now();
      assert.equal(await wire.end(), 0);
      assert.ok(performance.now() - start < 4_000, "it ends although a subscription is open");
    });
  });
