import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeFiles } from "../adapters/files.ts";
import {
  createHost,
  nodePorts,
  serveHttp,
  type Host,
  type HostPorts,
  type HostRequest,
  type HttpServerOptions,
} from "../host.ts";
import type { Environment } from "../ports/environment.ts";
import type { OpenServer } from "../ports/server.ts";
import type { HostedSkill } from "../skill.ts";
import { fixedClock, type FixedClock } from "./fixed-clock.ts";
import { Leaks } from "./leaks.ts";
import { memoryLog, type MemoryLog } from "./memory-log.ts";
import { testEnvironment } from "./test-environment.ts";

export interface TestHostOptions {
  readonly skills?: readonly HostedSkill[];
  /** Folders of foreign skills. */
  readonly plugins?: readonly string[];
  /** Settings by skill, as in skillctl.json. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Settings by skill, as in the user's own skillctl.json. */
  readonly ownConfig?: Readonly<Record<string, unknown>>;
  /** Ports that differ from: real files and network, a fixed clock, a log in memory, an environment of its own. */
  readonly ports?: Partial<HostPorts>;
  /** The environment variables, all of them. Default: none. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** Where the clock stands. Default 2026-07-01T12:00:00Z. */
  readonly now?: number | string;
}

/** A host on a folder of its own that nothing outside the test can see. */
export interface TestHost {
  readonly host: Host;
  /** Holds `home`, `work` and `state`; removed by `close`. Absolute. */
  readonly folder: string;
  readonly environment: Environment;
  /** Moves only when told to. Not used when `ports` names another clock. */
  readonly clock: FixedClock;
  readonly log: MemoryLog;
  readonly run: (request: HostRequest) => Promise<unknown>;
  /** Serves it on a free loopback port until it is closed. */
  readonly serve: (options?: HttpServerOptions) => Promise<OpenServer>;
  /**
   * Closes the server and the host and removes the folder, whatever fails.
   * @throws AggregateError that names everything that was left open or failed to close.
   */
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** Makes a host for a test: the real parts on temporary folders, a clock to be set, an environment as an object. */
export async function createTestHost(options: TestHostOptions = {}): Promise<TestHost> {
  const folder = join(tmpdir(), `skillctl-test-${randomUUID()}`);
  const environment = options.ports?.environment ?? testEnvironment(folder, options.variables);
  for (const name of ["home", "work", "state"]) await nodeFiles.makeFolder(join(folder, name));
  const clock = fixedClock(options.now);
  const log = memoryLog();
  const leaks = new Leaks();
  const node = nodePorts({ clock, log, environment, ...options.ports });
  const host = await createHost({
    skills: options.skills ?? [],
    plugins: options.plugins ?? [],
    config: options.config ?? {},
    ownConfig: options.ownConfig ?? {},
    ports: { ...node, http: leaks.http(node.http) },
    openServer: async (owner, skill, wanted) => {
      const { openSkillServer } = await import("../surfaces/http/server.ts");
      return leaks.server(skill, await openSkillServer(owner, skill, wanted));
    },
  });
  const own: OpenServer[] = [];
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeAll(host, own, leaks, folder));
  return {
    host,
    folder,
    environment,
    clock,
    log,
    run: (request) => host.run(request),
    serve: async (served) => {
      const server = await serveHttp(host, served);
      own.push(server);
      return server;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function closeAll(host: Host, own: readonly OpenServer[], leaks: Leaks, folder: string): Promise<void> {
  const failures: unknown[] = [];
  const attempt = async (action: () => Promise<unknown>): Promise<void> => {
    try {
      await action();
    } catch (caught) {
      failures.push(...(caught instanceof AggregateError ? (caught.errors as unknown[]) : [caught]));
    }
  };
  for (const server of own) await attempt(() => server.close());
  await attempt(() => host.close());
  await attempt(async () => {
    for (const sentence of await leaks.found()) failures.push(new Error(`Not closed: ${sentence}.`));
  });
  await attempt(() => nodeFiles.remove(folder));
  if (failures.length > 0) {
    const sentences = failures.map((failure) =>
      failure instanceof Error ? failure.message : String(failure),
    );
    throw new AggregateError(failures, sentences.join(" "));
  }
}
