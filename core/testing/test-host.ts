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
import { SkillError } from "../errors/skill-error.ts";
import { nearest } from "../nearest.ts";
import { quotedName } from "../quoted-name.ts";
import { isObject } from "../schema/json.ts";
import type { Environment } from "../ports/environment.ts";
import type { OpenServer } from "../ports/server.ts";
import type { HostedSkill } from "../skill.ts";
import { fixedClock, type FixedClock } from "./fixed-clock.ts";
import { Leaks } from "./leaks.ts";
import { memoryLog, type MemoryLog } from "./memory-log.ts";
import { testEnvironment } from "./test-environment.ts";

/** Options for `createTestHost`. */
export interface TestHostOptions {
  /** Built-in skills: `builtinSkills()` of `skillctl/skills`. Default: none. */
  readonly skills?: readonly HostedSkill[];
  /** Folders of other skills: the tested one, and those whose ports it borrows. Default: none. */
  readonly plugins?: readonly string[];
  /** Settings by skill, as in the `skillctl.json` of a project. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Settings by skill, as in the user's own `skillctl.json`. */
  readonly ownConfig?: Readonly<Record<string, unknown>>;
  /** Replacements for ports. Default: the real files and network, a fixed clock, a log in memory, an isolated environment. */
  readonly ports?: Partial<HostPorts>;
  /** All environment variables, including those of secret settings. Default: none. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** Time of the clock: milliseconds since the epoch, or an ISO date. Default: 2026-07-01T12:00:00Z. */
  readonly now?: number | string;
}

/** A host in its own folder, isolated from other tests. */
export interface TestHost {
  readonly host: Host;
  /** Contains `home`, `work` and `state`; removed by `close`. Absolute. */
  readonly folder: string;
  readonly environment: Environment;
  /** Not used if `ports` has another clock. */
  readonly clock: FixedClock;
  readonly log: MemoryLog;
  /** Runs a command as `host.run`. @throws SkillError also `USAGE` for a property that a request does not have. */
  readonly run: (request: HostRequest) => Promise<unknown>;
  /** Serves the host on a free loopback port until it is closed. */
  readonly serve: (options?: HttpServerOptions) => Promise<OpenServer>;
  /**
   * Closes its servers and the host and removes the folder, even after errors.
   * @throws AggregateError that names each server or request that a skill has left open, and each failure to close.
   */
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

const isListOf =
  (fits: (one: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(fits);
const isTime = (value: unknown): boolean => !Number.isNaN(new Date(value as number | string).getTime());

/** The options with the form of their values. */
const OPTIONS: Readonly<
  Record<keyof TestHostOptions, readonly [fits: (value: unknown) => boolean, form: string]>
> = {
  skills: [isListOf(isObject), "a list of skills, such as those of skillctl/skills"],
  plugins: [isListOf((one) => typeof one === "string"), "a list of folders, such as [import.meta.dirname]"],
  config: [isObject, "an object by skill, such as { greeting: { loud: true } }"],
  ownConfig: [isObject, "an object by skill, such as { greeting: { loud: true } }"],
  ports: [isObject, "an object of ports, such as { http: scriptedHttp(() => undefined) }"],
  variables: [isObject, 'an object of strings, such as { NAME: "Ada" }'],
  now: [isTime, 'a time, such as "2026-07-01T12:00:00Z"'],
};
const REQUEST: Readonly<Record<keyof HostRequest, true>> = {
  skill: true,
  command: true,
  input: true,
  surface: true,
  signal: true,
  progress: true,
  announce: true,
  session: true,
  person: true,
  client: true,
  approve: true,
};

/** Tests in JavaScript have no compiler: an unknown key would be ignored silently. @throws SkillError `USAGE` */
function checkKeys(what: string, given: object, known: readonly string[]): void {
  const odd = Object.keys(given).find((key) => !known.includes(key));
  if (odd === undefined) return;
  const guess = nearest(odd, known);
  throw new SkillError("USAGE", `${what} has no ${quotedName(odd)}.`, {
    hint: guess === undefined ? `It has: ${known.join(", ")}.` : `Did you mean ${guess}?`,
  });
}

/** @throws SkillError `USAGE` */
function checkOptions(options: TestHostOptions): void {
  if (!isObject(options))
    throw new SkillError("USAGE", "createTestHost takes one object.", {
      hint: "For example: createTestHost({ plugins: [import.meta.dirname] })",
    });
  checkKeys("createTestHost", options, Object.keys(OPTIONS));
  for (const [key, [fits, form]] of Object.entries(OPTIONS)) {
    const value = options[key as keyof TestHostOptions];
    if (value !== undefined && !fits(value))
      throw new SkillError("USAGE", `${key} of createTestHost cannot be used as it is given.`, {
        hint: `It is ${form}.`,
      });
  }
}

/**
 * Creates a host for a test.
 * @throws SkillError `USAGE` for options that do not exist or do not fit; the errors of `createHost`.
 */
export async function createTestHost(options: TestHostOptions = {}): Promise<TestHost> {
  checkOptions(options);
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
    readSecret: () => Promise.resolve(undefined),
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
    run: async (request) => {
      if (isObject(request)) checkKeys("The request", request, Object.keys(REQUEST));
      return host.run(request);
    },
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
