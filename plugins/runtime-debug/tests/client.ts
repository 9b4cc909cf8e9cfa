import { Agent, request, type OutgoingHttpHeaders } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { HealthReply } from "../contract.ts";
import type { History } from "./history.ts";

export interface RequestOptions {
  readonly method?: string;
  /** Default `/event`. */
  readonly path?: string;
  readonly body?: string | Uint8Array;
  readonly headers?: OutgoingHttpHeaders;
  readonly agent?: Agent;
  /** Given up after this long. Default 30 s. */
  readonly patienceMs?: number;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** One request. @throws the error of the socket, or if no complete answer comes in time */
export function ask(url: string, asked: RequestOptions = {}): Promise<Reply> {
  const { body, agent = new Agent({ maxSockets: 1 }), patienceMs = 30_000 } = asked;
  const method = asked.method ?? (body === undefined ? "GET" : "POST");
  const path = asked.path ?? (body === undefined ? "/health" : "/event");
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, agent, headers: asked.headers ?? {} }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.once("error", reject);
      response.once("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    const late = new Error(`no answer in ${patienceMs} ms`);
    // A request that still waits for a socket of its agent has no socket that could time out.
    const timer = setTimeout(() => (sent.destroy(late), reject(late)), patienceMs);
    sent.once("error", reject);
    sent.once("close", () => clearTimeout(timer));
    sent.end(body);
  });
}

export async function health(url: string): Promise<HealthReply> {
  return JSON.parse((await ask(url)).text) as HealthReply;
}

/** Posts the next event of a history, and notes the answer. */
export async function post(url: string, history: History, connection = 0, agent?: Agent): Promise<Reply> {
  const event = history.next(connection);
  const told = await ask(url, { body: event.body, ...(agent === undefined ? {} : { agent }) });
  history.note(event, told.status);
  return told;
}

/** Names the run of events that name none. */
export function nameRun(url: string, runId: string): Promise<Reply> {
  const headers = { "content-type": "application/json" };
  return ask(url, { path: "/run", body: JSON.stringify({ runId }), headers });
}

export interface Load {
  /** Lets each connection finish its current request. */
  readonly stop: () => Promise<void>;
  /** Settles when all connections have ended, because they were stopped, or the server has ended. */
  readonly over: Promise<void>;
}

/** Posts one event after the other over some connections, each until it breaks or `stop` is called. */
export function load(url: string, history: History, connections = 8): Load {
  const halt = new AbortController();
  const line = async (_: unknown, connection: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!halt.signal.aborted) {
      const told = await post(url, history, connection, agent).catch(() => undefined);
      if (told === undefined) break;
      if (told.status !== 200) await pause(20);
    }
    agent.destroy();
  };
  const over = Promise.all(Array.from({ length: connections }, line)).then(() => undefined);
  return {
    over,
    stop: () => {
      halt.abort();
      return over;
    },
  };
}

/** Asks again until the answer fits. @throws Error with the last answer after 30 s */
export async function until<T>(look: () => Promise<T>, fits: (seen: T) => boolean, ms = 30_000): Promise<T> {
  const end = performance.now() + ms;
  for (;;) {
    const seen = await look();
    if (fits(seen)) return seen;
    if (performance.now() > end) throw new Error(`not within ${ms} ms; last ${JSON.stringify(seen)}`);
    await pause(20);
  }
}

/** Waits until a condition holds. @throws Error with the condition after 30 s */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  await until(
    async () => holds(),
    (is) => is,
  ).catch((cause: unknown) => {
    throw new Error(`This did not become true: ${String(holds)}`, { cause });
  });
}
