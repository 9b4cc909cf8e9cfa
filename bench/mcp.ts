/** Calls of one tool over MCP, compared with a bare server of the SDK: processor time, start-up time, and memory over many calls. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { writeSkill } from "../core/surfaces/cli/fixture-command-line.ts";
import { NODE, PROGRAM, figure, inPlace, ratio, timed } from "./measure.ts";
import type { Place, Row } from "./measure.ts";

const BARE = fileURLToPath(new URL("bare-mcp.mjs", import.meta.url));
const CALLS = 500;
const ROUNDS = 7;
const STARTS = 11;
const [FEW, MANY] = [10_000, 100_000];
/** The number of concurrent calls where only the total number of calls matters. */
const AT_ONCE = 50;
const INITIALIZE = {
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  },
};

/** A running server and a connection to it. */
interface Server {
  readonly ask: (message: object) => Promise<string>;
  /** Processor time so far in microseconds. */
  readonly cpuUs: () => number;
  readonly close: () => Promise<void>;
}

export function mcp(): Promise<readonly Row[]> {
  return inPlace(async (place) => {
    const skill = await benchSkill(place);
    const own = (verb: string): readonly string[] => ["--expose-gc", PROGRAM, verb, "--plugin", skill];
    const ways = [
      { way: "stdio", open: piped, ours: own("mcp"), bare: [BARE] },
      { way: "HTTP", open: posted, ours: [...own("serve"), "--port", "0", "--no-key"], bare: [BARE, "http"] },
    ];
    const rows: Row[] = [];
    for (const { way, open, ours, bare } of ways) {
      const [base, candidate] = [await open(bare, place), await open(ours, place)];
      const [bases, candidates]: [number[], number[]] = [[], []];
      for (let round = -1; round < ROUNDS; round += 1) {
        const both = [await cost(base), await cost(candidate)] as const;
        if (round >= 0) [bases, candidates].forEach((all, index) => all.push(both[index] as number));
      }
      const what = `one MCP call over ${way}, processor`;
      rows.push(ratio({ what, against: "the SDK alone", limit: 1.3, unit: "µs" }, bases, candidates));
      if (way === "stdio") rows.push(await growth(candidate));
      await Promise.all([base.close(), candidate.close()]);
    }
    return [...(await starts(place)), ...rows];
  });
}

/** Microseconds of processor time that one call costs the server. */
async function cost({ ask, cpuUs }: Server): Promise<number> {
  const before = cpuUs();
  for (let index = 0; index < CALLS; index += 1) await say(ask, `w${index}`);
  return (cpuUs() - before) / CALLS;
}

async function say(ask: Server["ask"], word: string): Promise<void> {
  const answer = await ask({ method: "tools/call", params: { name: "bench_say", arguments: { word } } });
  if (!answer.includes(`"structuredContent":{"text":"${word}"}`)) throw new Error(answer);
}

async function growth({ ask }: Server): Promise<Row> {
  const heap = async (): Promise<number> => {
    const answer = await ask({ method: "tools/call", params: { name: "bench_heap", arguments: {} } });
    return Number(/"text":"(\d+)"/.exec(answer)?.[1]) / 2 ** 20;
  };
  const after = async (from: number, to: number): Promise<number> => {
    for (let index = from; index < to; index += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => say(ask, `w${index + at}`)));
    return heap();
  };
  const first = await after(0, FEW);
  const grown = (await after(FEW, MANY)) - first;
  return figure({ what: "growth of the heap from 10,000 to 100,000 calls", against: "MiB", limit: 5 }, [
    grown,
  ]);
}

/** The times from the start of each process to its response to `initialize`, measured in turn. */
async function starts(place: Place): Promise<readonly Row[]> {
  // As after the first command of a person: compiled code is kept only if the state folder exists.
  mkdirSync(join(place.folder, "state"), { recursive: true });
  const times: [number[], number[], number[]] = [[], [], []];
  const started = async (words: readonly string[]): Promise<number> => {
    const before = performance.now();
    const server = await piped(words, place);
    const ms = performance.now() - before;
    await server.close();
    return ms;
  };
  for (let round = -1; round < STARTS; round += 1) {
    const all = [timed(NODE, place), await started([BARE]), await started([PROGRAM, "mcp"])];
    if (round >= 0) times.forEach((list, index) => list.push(all[index] as number));
  }
  const what = "skillctl mcp, from its start to the answer of initialize";
  return [
    ratio({ what, against: "node -e 0", limit: 4 }, times[0], times[2]),
    ratio({ what, against: "the SDK alone" }, times[1], times[2]),
  ];
}

function child(words: readonly string[], { folder, variables }: Place): ChildProcess {
  return spawn(process.execPath, words, { cwd: folder, env: variables, stdio: ["pipe", "pipe", "inherit"] });
}

/** The processor time of all threads, so that garbage collection counts. */
function processorOf({ pid }: ChildProcess): () => number {
  const threads = `/proc/${pid}/task`;
  const usedNs = (thread: string): number =>
    Number(readFileSync(`${threads}/${thread}/schedstat`, "utf8").split(" ", 1)[0]);
  return () => readdirSync(threads).reduce((sum, thread) => sum + usedNs(thread), 0) / 1_000;
}

async function ended(process: ChildProcess): Promise<void> {
  const end = once(process, "close");
  process.stdin?.end();
  process.kill();
  await end;
}

/** A server over standard input, after `initialize`. */
async function piped(words: readonly string[], place: Place): Promise<Server> {
  const server = child(words, place);
  const waiting = new Map<number, (line: string) => void>();
  createInterface({ input: server.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    const answered = Number(/"id":(\d+)/.exec(line)?.[1]);
    waiting.get(answered)?.(line);
    waiting.delete(answered);
  });
  let id = 0;
  const ask = (message: object): Promise<string> =>
    new Promise((resolve) => {
      waiting.set((id += 1), resolve);
      server.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...message })}\n`);
    });
  await ask(INITIALIZE);
  server.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return { ask, cpuUs: processorOf(server), close: () => ended(server) };
}

/** A server over HTTP, in a session. It prints its address. */
async function posted(words: readonly string[], place: Place): Promise<Server> {
  const server = child(words, place);
  const [line] = (await once(server.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const address = new URL("/mcp", String(line).trim());
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let session: string | undefined;
  let id = 0;
  const ask = async (message: object): Promise<string> => {
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      ...(session !== undefined && { "mcp-session-id": session }),
    };
    const asked = request(address, { method: "POST", agent, headers });
    asked.end(JSON.stringify({ jsonrpc: "2.0", id: (id += 1), ...message }));
    const [reply] = (await once(asked, "response")) as [
      NodeJS.ReadableStream & { headers: Record<string, string> },
    ];
    session ??= reply.headers["mcp-session-id"];
    let text = "";
    for await (const part of reply) text += String(part);
    return text;
  };
  await ask(INITIALIZE);
  const close = async (): Promise<void> => {
    agent.destroy();
    await ended(server);
  };
  return { ask, cpuUs: processorOf(server), close };
}

/** A skill with the same command as the bare server, and one that returns the size of the heap. */
function benchSkill({ folder }: Place): Promise<string> {
  const command = { input: "bench/word", output: "bench/text-output", display: "text", effects: {} };
  return writeSkill(folder, "bench", {
    manifest: {
      commands: {
        say: { ...command, summary: "Says a word." },
        heap: { ...command, summary: "Returns the size of the heap." },
      },
    },
    schemas: {
      word: { type: "object", additionalProperties: false, properties: { word: { type: "string" } } },
    },
    code: `export default { commands: {
      say: class { run = async ({ word }) => ({ text: word }); },
      heap: class { run = async () => { gc(); return { text: String(process.memoryUsage().heapUsed) }; }; },
    } };`,
  });
}
