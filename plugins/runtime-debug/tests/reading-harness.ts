import type { TestContext } from "node:test";
import type { TestHost } from "skillctl/testing";
import type { LogsInput, LogsOutput, ServeInput } from "../contract.ts";
import { ask, nameRun, type Reply } from "./client.ts";
import { debugHost, serving, type DebugHost, type Serving } from "./serving.ts";

/** A question to a log, in the form that an address has. */
export type LogQuery = Readonly<Record<string, string | number>>;

/** A session that is served, and a reader of its files next to the server. */
export interface ReadingHarness {
  readonly host: DebugHost;
  readonly server: Serving;
  readonly url: string;
  /** Stores events; each call is one body. */
  readonly send: (...events: readonly unknown[]) => Promise<void>;
  readonly clear: (how?: LogQuery) => Promise<void>;
  readonly runNamed: (name: string) => Promise<void>;
  /** `GET /logs`. */
  readonly get: (asked?: LogQuery) => Promise<Reply>;
  /** The command `logs`. */
  readonly cold: (asked?: Partial<LogsInput>) => Promise<LogsOutput>;
}

/** Serves a session until the test is over, or `stop`. */
export async function readingHarness(
  t: TestContext,
  flags: Partial<ServeInput> = {},
  given?: DebugHost,
): Promise<ReadingHarness> {
  const host = given ?? (await debugHost(t));
  const server = await serving(host, flags);
  const url = server.info.base_url;
  const well = async (work: Promise<Reply>): Promise<void> => {
    const { status, text } = await work;
    if (status !== 200) throw new Error(`${status} ${text}`);
  };
  return {
    host,
    server,
    url,
    send: (...events) => well(ask(url, { body: JSON.stringify(events) })),
    clear: (how = {}) => well(ask(url, { method: "DELETE", path: `/logs?${addressOf(how)}` })),
    runNamed: (runId) => well(nameRun(url, runId)),
    get: (asked = {}) => ask(url, { path: `/logs?${addressOf(asked)}` }),
    cold: (asked = {}) => coldLogs(host, { outdir: server.info.log_dir, ...asked }),
  };
}

/** The answer of the command, from the files alone. */
export function coldLogs(host: TestHost, input: Partial<LogsInput>): Promise<LogsOutput> {
  return host.run({
    skill: "runtime-debug",
    command: "logs",
    input: { session: "login-timeout", ...input },
  }) as Promise<LogsOutput>;
}

/** The same question for the command: lists are lists there. */
export function coldInput(asked: LogQuery): Partial<LogsInput> {
  const lists = ["hypothesisId", "runId", "where"];
  const entries = Object.entries(asked).map(([name, value]) => [
    name,
    lists.includes(name) ? [String(value)] : value,
  ]);
  return Object.fromEntries(entries) as Partial<LogsInput>;
}

function addressOf(asked: LogQuery): string {
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) values.append(name, String(value));
  return values.toString();
}
