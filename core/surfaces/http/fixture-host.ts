import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageFolder } from "../../adapters/package-folder.ts";
import { Host } from "../../composition.ts";
import { nodePorts } from "../../host.ts";
import type { SkillManifest } from "../../contract.ts";
import { SkillError } from "../../errors/skill-error.ts";
import type { Call, RouteRequest, Subject } from "../../plugin.ts";
import { MANIFEST, SCHEMAS, type Shape } from "./fixture-skill.ts";
import { openSkillServer } from "./server.ts";

/** Events that the handlers of a fixture record. */
export interface Witness {
  readonly calls: Call[];
  readonly requests: RouteRequest<unknown, unknown>[];
  readonly details: string[];
  readonly notices: string[];
  readonly events: EventTarget;
}

/** A host on real files with the skill `demo`, and its recorded events. */
export interface Fixture {
  readonly host: Host;
  readonly witness: Witness;
  readonly close: () => Promise<void>;
}

type Replies = Readonly<Record<string, (request: RouteRequest<unknown, unknown>) => unknown>>;

/** Creates the host; `change` may alter the manifest, `more` has the handlers of additional routes. */
export async function fixtureHost(
  change: (manifest: SkillManifest) => SkillManifest = (same) => same,
  more: Replies = {},
): Promise<Fixture> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-http-"));
  const schemas = join(folder, "schemas");
  await mkdir(schemas);
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    const whole = { $schema: "https://json-schema.org/draft/2020-12/schema", $id: `demo/${name}`, ...schema };
    await writeFile(join(schemas, `${name}.json`), JSON.stringify(whole));
  }
  const witness: Witness = { calls: [], requests: [], details: [], notices: [], events: new EventTarget() };
  const manifest = change(MANIFEST);
  const environment = {
    variable: () => undefined,
    home: folder,
    workingFolder: folder,
    stateFolder: folder,
    addresses: () => [{ adapter: "en0", address: "192.168.1.20", family: 4, loopback: false } as const],
  };
  const host = new Host({
    skills: [
      {
        manifest,
        folder,
        schemas,
        builtin: false,
        load: async () => ({ default: plugin(manifest, witness, more) }),
      },
    ],
    ports: nodePorts({
      environment,
      http: { send: () => Promise.reject(new Error("no network here")) },
      log: {
        notice: (line) => void witness.notices.push(line),
        detail: (line) => void witness.details.push(line),
      },
    }),
    version: "0.1.0",
    coreSchemas: join(packageFolder(), "schemas", "core"),
    openServer: openSkillServer,
  });
  const close = async (): Promise<void> => {
    await host.close();
    await rm(folder, { recursive: true });
  };
  return { host, witness, close };
}

function plugin(manifest: SkillManifest, witness: Witness, more: Replies): unknown {
  const runs: Readonly<Record<string, (input: Shape, call: Call) => unknown>> = {
    greet: ({ name }) => ({ text: `Hello, ${String(name)}.` }),
    idle: () => ({ text: "done" }),
    odd: () => {
      throw "hunter2 and no Error";
    },
    partial: () => {
      throw new SkillError("NETWORK_BROKEN", "Half of it came.", { result: { text: "half" } });
    },
    talk: (_input, call) => {
      call.progress("Looking.");
      call.announce("One\ntwo");
      return { text: "said" };
    },
    wait: (_input, { signal }) => ended(signal, witness),
    watch: (_input, call) => {
      call.announce("watching");
      return ended(call.signal, witness);
    },
    graph: () => ({ text: "graph" }),
  };
  const commands = Object.keys(manifest.commands ?? {}).map((name) => {
    const run = async (input: Shape, call: Call): Promise<unknown> => {
      witness.calls.push(call);
      return runs[name]?.(input, call) ?? { text: name };
    };
    return [
      name,
      class {
        readonly run = run;
      },
    ] as const;
  });
  const replies: Replies = {
    greet: ({ body }) => ({
      status: 201,
      body: { text: `Hello, ${(body as { name: string }).name}.` },
      headers: { "x-demo": "yes" },
    }),
    search: ({ query }) => ({ status: 200, body: query }),
    stray: () => ({ status: 202, body: {} }),
    crooked: () => ({ status: 200, body: { text: 5 } }),
    line: () => ({ status: 200, body: "<b>just text</b>" }),
    gone: () => ({ status: 204, body: undefined }),
    ...more,
  };
  const routes = Object.keys(manifest.routes ?? {}).map((name) => {
    const handle = async (request: RouteRequest<unknown, unknown>): Promise<unknown> => {
      witness.requests.push(request);
      return replies[name]?.(request) ?? { status: 200, body: name };
    };
    return [
      name,
      class {
        readonly handle = handle;
      },
    ] as const;
  });
  const judge = ({ input }: Subject) =>
    (input as { name?: string }).name === "Mallory"
      ? { decision: "deny", message: "Not Mallory." }
      : { decision: "allow" };
  const rules = Object.fromEntries(
    Object.keys(manifest.rules ?? {}).map((name) => [
      name,
      class {
        readonly judge = judge;
      },
    ]),
  );
  return { commands: Object.fromEntries(commands), routes: Object.fromEntries(routes), rules };
}

function ended(signal: AbortSignal, { events }: Witness): Promise<unknown> {
  events.dispatchEvent(new Event("waiting"));
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => {
      events.dispatchEvent(new Event("aborted"));
      resolve({ text: "ended" });
    });
  });
}

/** Resolves with the next event of that name. */
export function next({ events }: Witness, name: "waiting" | "aborted"): Promise<void> {
  return new Promise((resolve) => events.addEventListener(name, () => resolve(), { once: true }));
}

/** Sends bytes over a socket and returns all received bytes when the server ends. */
export function raw(port: number, bytes: string, host = "127.0.0.1"): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, host, () => socket.write(bytes));
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => void (answer += chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

/** A raw request with `Connection: close`. */
export function get(path: string, headers: readonly string[], method = "GET"): string {
  return [`${method} ${path} HTTP/1.1`, ...headers, "Connection: close", "", ""].join("\r\n");
}

/** Status, head and JSON body of a raw response. */
export function read(answer: string): {
  readonly status: number;
  readonly head: string;
  readonly body: Shape;
} {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  return {
    status: Number(head.split(" ")[1]),
    head: head.toLowerCase(),
    body: body.startsWith("{") ? (JSON.parse(body) as Shape) : {},
  };
}
