import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync, mkdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { NODE, PROGRAM, figure, inPlace, inTurn, ratio } from "./measure.ts";
import type { Place, Row, Timed } from "./measure.ts";

/** A folder that contains one folder for each server in peers.json, with the same name. They are not in this repository. */
const PEER_FOLDER = process.env["SKILLCTL_BENCH_PEERS"];
const SESSION = "bench-load";
const [CONNECTIONS, ROUNDS, ROUND_MS, WARM_UP_MS] = [50, 9, 500, 2_000];
/** The first port of the public servers, which cannot choose a free one themselves. */
const FIRST_PORT = 47_310;
const [LIMITED, TOLD] = [100_000, 1_000_000];
const ASKED = { hypothesis: "H3", run: "run-7", last: 100 };
const BARE = fileURLToPath(new URL("bare-server.mjs", import.meta.url));
const INFO = /@@DEBUG_SERVER_INFO\n([^]*)@@END_DEBUG_SERVER_INFO\n/;

/** The start of a public server; `{port}`, `{folder}` and `{session}` are replaced by those of the run. */
type Peer = Readonly<Record<"name" | "file" | "program" | "path", string>> & {
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
};

/** A server that accepts events, in its own process. */
interface Server {
  readonly label: string;
  readonly url: URL;
  /** The file of its events, if it responds only once they are on the disk. */
  readonly log?: string;
  /** The numbers of the events that it has acknowledged. */
  readonly acknowledged: number[];
  readonly kill: () => Promise<unknown>;
}

/** The cost of accepting events so that none is lost, and of querying a long log. */
export function events(): Promise<readonly Row[]> {
  return inPlace(async (place) => [...(await taken(place)), ...(await lastOf(place))]);
}

/** One durable event per request, compared with an equally durable bare server and non-durable public ones. */
async function taken(place: Place): Promise<readonly Row[]> {
  const all = JSON.parse(readFileSync(new URL("peers.json", import.meta.url), "utf8")) as readonly Peer[];
  const isHere = ({ name, file }: Peer): boolean =>
    PEER_FOLDER !== undefined && existsSync(join(PEER_FOLDER, name, file));
  const servers: Server[] = [];
  try {
    servers.push(await bare(place), await hosted(place, "hosted"));
    for (const [index, peer] of all.filter(isHere).entries())
      servers.push(await started(place, peer, FIRST_PORT + index));
    for (const server of servers) await load(server, WARM_UP_MS);
    const times = servers.map((): number[] => []);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [index, server] of servers.entries()) times[index]?.push(await load(server, ROUND_MS));
    const [bases = [], candidates = [], ...others] = times;
    const what = `one event a request, ${CONNECTIONS} connections, durable`;
    const row = { what, unit: "µs an event" };
    const rows = [
      ratio({ ...row, against: "bare node:http, as durable", limit: 1.6 }, bases, candidates),
      ...others.map((theirs, index) =>
        ratio({ ...row, against: `${servers[index + 2]?.label}, not durable`, limit: 1 }, theirs, candidates),
      ),
    ];
    // The server is killed during a load: events that are acknowledged by then must be stored.
    const [, own] = servers as [Server, Server];
    const last = load(own, WARM_UP_MS).catch(() => undefined);
    await sleep(WARM_UP_MS / 4);
    await own.kill();
    await last;
    const against = `of ${own.acknowledged.length.toLocaleString("en")}, killed in the midst of them`;
    return [...rows, figure({ what: "acknowledged events lost", against, limit: 0 }, [await lost(own)])];
  } finally {
    for (const server of servers) await server.kill();
  }
}

/** Measures a query for the last events of a hypothesis in a run, in a new process. */
async function lastOf(place: Place): Promise<readonly Row[]> {
  const subjects: Timed[] = [];
  for (const size of [LIMITED, TOLD]) {
    const server = await hosted(place, `log-${size}`);
    try {
      await load(server, Number.POSITIVE_INFINITY, 8, 1_000, size);
    } finally {
      await server.kill();
    }
    const expected: string[] = [];
    for await (const line of linesOf(server.log ?? "")) {
      const { hypothesisId, runId } = JSON.parse(line) as Readonly<Record<string, string>>;
      if (hypothesisId === ASKED.hypothesis && runId === ASKED.run) expected.push(line);
    }
    const wanted = expected.slice(-ASKED.last).join("\n");
    const filter = ["--hypothesis-id", ASKED.hypothesis, "--run-id", ASKED.run, "--last", String(ASKED.last)];
    const outdir = ["--outdir", join(place.folder, `log-${size}`)];
    subjects.push({
      words: [PROGRAM, "run", "runtime-debug", "logs", SESSION, ...outdir, ...filter, "--format", "ndjson"],
      holds: (out) =>
        out
          .split("\n")
          .filter((line) => line.startsWith("{"))
          .join("\n") === wanted,
    });
  }
  const [bases = [], ...all] = inTurn([NODE, ...subjects], place, 15);
  return all.map((candidates, index) => {
    const size = [LIMITED, TOLD][index] as number;
    const what = `last ${ASKED.last} of ${size.toLocaleString("en")} events, cold`;
    return ratio({ what, against: "node -e 0", ...(size === LIMITED && { limit: 3 }) }, bases, candidates);
  });
}

function bare(place: Place): Promise<Server> {
  const log = join(place.folder, "bare.ndjson");
  return serverOf("bare", [process.execPath, BARE, log], place, (out) =>
    /^\d+\n/.test(out) ? { url: `http://127.0.0.1:${out.trim()}/`, log } : undefined,
  );
}

/** The debug server of the built program. */
function hosted(place: Place, name: string): Promise<Server> {
  const words = ["run", "runtime-debug", "serve", "--session", SESSION, "--port", "0", "--max-mib", "4095"];
  const outdir = ["--outdir", join(place.folder, name)];
  return serverOf("skillctl", [process.execPath, PROGRAM, ...words, ...outdir], place, (out) => {
    const block = INFO.exec(out)?.[1];
    if (block === undefined) return undefined;
    const { api_url: url = "", log_file: log = "" } = JSON.parse(block) as Readonly<Record<string, string>>;
    return { url, log };
  });
}

async function started(place: Place, peer: Peer, port: number): Promise<Server> {
  const folder = join(place.folder, peer.name);
  mkdirSync(folder);
  const filled = (text: string): string =>
    text.replaceAll("{port}", String(port)).replaceAll("{folder}", folder).replaceAll("{session}", SESSION);
  const environment = Object.entries(peer.environment).map(([name, text]) => [name, filled(text)]);
  const variables = { ...place.variables, ...(Object.fromEntries(environment) as NodeJS.ProcessEnv) };
  const words = [peer.program, join(PEER_FOLDER ?? "", peer.name, peer.file), ...peer.words.map(filled)];
  const server = await serverOf(peer.name, words, { folder, variables }, () => ({
    url: `http://127.0.0.1:${port}${filled(peer.path)}`,
  }));
  while (
    !(await opened(server.url).then(
      (socket) => socket.destroy(),
      () => undefined,
    ))
  )
    await sleep(50);
  return server;
}

/** Starts a process and waits until its output contains its address; `ready` returns undefined until then. */
async function serverOf(
  label: string,
  [program = "", ...words]: readonly string[],
  { folder, variables }: Place,
  ready: (out: string) => { readonly url: string; readonly log?: string } | undefined,
): Promise<Server> {
  const child = spawn(program, words, { cwd: folder, env: variables, stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(child, "exit");
  let out = "";
  let found = ready(out);
  while (found === undefined) {
    const [chunk] = (await Promise.race([once(child.stdout, "data"), ended])) as [unknown];
    if (!(chunk instanceof Buffer)) throw new Error(`${label} ended before it answered: ${out}`);
    found = ready((out += chunk.toString()));
  }
  child.stdout.resume();
  const kill = (): Promise<unknown> => {
    child.kill("SIGKILL");
    return ended;
  };
  return { label, ...found, url: new URL(found.url), acknowledged: [], kill };
}

/** An event of about 300 bytes, as programs send them; the events have a hundred pairs of hypothesis and run. */
function eventOf(number: number): string {
  const pair = (Math.imul(number, 2_654_435_761) >>> 8) % 100;
  const data = {
    n: `#${number}`,
    attempt: number % 7,
    user: `account-${number % 1_009}`,
    path: "/v1/orders",
  };
  const names = {
    sessionId: SESSION,
    runId: `run-${Math.floor(pair / 5)}`,
    hypothesisId: `H${(pair % 5) + 1}`,
  };
  const where = { location: "auth/token.ts:42", msg: "[DEBUG] state before the answer is used" };
  return JSON.stringify({ ...names, ...where, data, ts: 1_766_000_000_000 + number });
}

/** Keeps one request open on each connection. Returns microseconds per event, from the first request to the last response. */
async function load(
  server: Server,
  milliseconds: number,
  connections = CONNECTIONS,
  batch = 1,
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  const before = server.acknowledged.length;
  const start = performance.now();
  let next = before * 2;
  const isOver = (): boolean => performance.now() - start >= milliseconds || next - before * 2 >= most;
  const lane = async (): Promise<void> => {
    let socket = await opened(server.url);
    while (!isOver()) {
      const numbers = Array.from({ length: batch }, () => next++);
      const isLast = await posted(socket, server.url, numbers.map(eventOf).join("\n"));
      if (isLast) socket = await opened(server.url);
      server.acknowledged.push(...numbers);
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, lane));
  return ((performance.now() - start) * 1_000) / (server.acknowledged.length - before);
}

async function opened({ hostname, port }: URL): Promise<Socket> {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  return socket;
}

/**
 * Sends a request; cheaper than a node:http client. Returns whether the server closes the connection after its response.
 * @throws Error for a status other than 2xx.
 */
function posted(socket: Socket, { host, pathname }: URL, body: string): Promise<boolean> {
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
  socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  return new Promise((resolve, reject) => {
    let answer = "";
    const broken = (): void => reject(new Error(`The server closed a connection: ${answer}`));
    socket.removeAllListeners().once("close", broken).once("error", broken);
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString("latin1");
      const [head = "", ...parts] = answer.split("\r\n\r\n");
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]);
      const isEmpty = answer.startsWith("204", 9);
      const isChunked = !(length >= 0);
      const isWhole = isEmpty || (isChunked ? answer.endsWith("0\r\n\r\n") : parts.join("").length >= length);
      if (parts.length === 0 || !isWhole) return;
      if (answer.startsWith("2", 9)) resolve(/^HTTP\/1\.0|\r\nconnection: *close/i.test(head));
      else reject(new Error(`The status is not 2xx: ${answer}`));
    });
  });
}

/** The number of acknowledged events that are not in the log. */
async function lost({ log = "", acknowledged }: Server): Promise<number> {
  const missing = new Set(acknowledged);
  for await (const line of linesOf(log)) missing.delete(Number(/"#(\d+)"/.exec(line)?.[1]));
  return missing.size;
}

function linesOf(path: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(path, "utf8"), crlfDelay: Number.POSITIVE_INFINITY });
}
