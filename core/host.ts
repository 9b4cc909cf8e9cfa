/** The entry point for embedders: hosts skills in another program. */
import { join } from "node:path";
import { auditFile } from "./adapters/audit-file.ts";
import { systemClock } from "./adapters/clock.ts";
import { processEnvironment } from "./adapters/environment.ts";
import { nodeFiles } from "./adapters/files.ts";
import { foreignSkills } from "./adapters/foreign-skills.ts";
import { nodeJournals } from "./adapters/journals.ts";
import { stderrLog } from "./adapters/log.ts";
import { packageFolder } from "./adapters/package-folder.ts";
import { builtValidators } from "./adapters/precompiled.ts";
import { nodePrograms } from "./adapters/programs.ts";
import { spans } from "./adapters/spans.ts";
import { storesOf } from "./adapters/stores.ts";
import { Host, type HostOptions, type HostPorts, type HostRequest } from "./composition.ts";
import type { OwnRules } from "./guard/rules.ts";
import type { OpenServer, ServerOptions } from "./ports/server.ts";
import { Schemas } from "./schema/schemas.ts";
import { SkillError } from "./errors/skill-error.ts";
import type { HostedSkill, SkillFault } from "./skill.ts";
import type { HttpServerOptions } from "./surfaces/http/options.ts";
import type { McpHandler, McpHandlerOptions } from "./surfaces/http/mcp-options.ts";
import { VERSION } from "./version.ts";
import { quotedName } from "./quoted-name.ts";

export type { Catalog, ServedSkills } from "./catalog.ts";
export type { Host, HostPorts, HostRequest } from "./composition.ts";
export { SkillError } from "./errors/skill-error.ts";
export type { CallEvent, DecisionEvent, HostEventMap, HostEvents } from "./events.ts";
export type { OwnRules } from "./guard/rules.ts";
export type { HttpServerOptions } from "./surfaces/http/options.ts";
export type {
  McpHandler,
  McpHandlerOptions,
  NodeRequest,
  NodeResponse,
} from "./surfaces/http/mcp-options.ts";
export type { Approval } from "./runner.ts";
export type { HostedSkill, SkillFault } from "./skill.ts";
export { VERSION } from "./version.ts";

/** Options for `createHost`. */
export interface CreateHostOptions {
  /** Skills whose manifest and loader are available, such as those of `skillctl/skills`. Default: none. */
  readonly skills?: readonly HostedSkill[];
  /** Folders of other skills, absolute or relative to the working folder of the process. Default: none. */
  readonly plugins?: readonly string[];
  /** Reports a missing folder of `plugins` in `host.catalog.faults`. Default: `createHost` throws. */
  readonly toleratesMissing?: boolean;
  /** Called with the folder of a skill of `plugins` before its code is loaded. If it throws, the code is not loaded. */
  readonly beforeLoad?: (folder: string) => void;
  /** Settings by skill, as under `config` in `skillctl.json`. Each skill receives its own, checked against its schema. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Settings by skill that only the user decides on. They take precedence over `config`. */
  readonly ownConfig?: Readonly<Record<string, unknown>>;
  /**
   * Reads a secret setting (`"secret": true`) that has no environment variable. Default: the key ring of the person, where
   * `skillctl secret` stores it.
   */
  readonly readSecret?: (skill: string, setting: string) => Promise<string | undefined>;
  /** Replacements for ports. Default: those of {@link nodePorts}. */
  readonly ports?: Partial<HostPorts>;
  /** Plain SKILL.md folders, and the faults of those left out. @internal */
  readonly documents?: { readonly skills: readonly HostedSkill[]; readonly faults: readonly SkillFault[] };
  /** Rules that belong to no skill. */
  readonly rules?: OwnRules;
  /** Opens a server with contributed routes for the port `SERVER` of a skill. Default: a server of fastify, loaded on first use. */
  readonly openServer?: (host: Host, skill: string, options: ServerOptions) => Promise<OpenServer>;
}

/**
 * Returns the ports of this machine and process, with documents in files of the state folder, or in the database whose address is in
 * `SKILLCTL_STATE`. Ports that are given replace them, and the others use those: the documents of a given `environment` lie in its
 * state folder.
 */
export function nodePorts(given: Partial<HostPorts> = {}): HostPorts {
  const { clock = systemClock, environment = processEnvironment(), files = nodeFiles } = given;
  const { log = stderrLog(false) } = given;
  return {
    ...storesOf({ clock, environment, files, log }),
    http: { send: async (request) => (await import("./adapters/http.ts")).kyHttp.send(request) },
    journals: nodeJournals,
    programs: nodePrograms(environment),
    ...given,
    clock,
    environment,
    files,
    log,
  };
}

/**
 * The output types of commands by skill and command, for {@link TypedHost}; `""` is the default command. A package with skills adds
 * its own by `declare module "skillctl/host"`, as `skillctl/skills` does.
 */
export interface SkillOutputs {}

type OutputOf<Skill extends string, Command extends string> = Skill extends keyof SkillOutputs
  ? Command extends keyof SkillOutputs[Skill]
    ? SkillOutputs[Skill][Command]
    : unknown
  : unknown;

/** A host whose `run` has the output type of a command in {@link SkillOutputs}, `unknown` for others. */
export interface TypedHost extends Host {
  run<Skill extends string, Command extends string = "">(
    request: HostRequest & { readonly skill: Skill; readonly command?: Command | undefined },
  ): Promise<OutputOf<Skill, Command>>;
}

/**
 * Creates a host in this process. A skill that cannot be read, or conflicts with another, is left out and reported in
 * `host.catalog.faults`. Close the host at the end.
 * @throws SkillError `FILE_UNREADABLE` for a folder of `plugins` that does not exist.
 */
export async function createHost(options: CreateHostOptions = {}): Promise<TypedHost> {
  const ports = nodePorts(options.ports);
  for (const folder of options.toleratesMissing ? [] : (options.plugins ?? []))
    if ((await ports.files.facts(folder)) === undefined)
      throw new SkillError(
        "FILE_UNREADABLE",
        `There is no folder ${quotedName(folder)} of third-party skills.`,
        {
          file: folder,
          hint: "A relative path is resolved against the working folder of the process.",
        },
      );
  const coreSchemas = join(packageFolder(), "schemas", "core");
  const foreign = await readForeign(options, ports, coreSchemas);
  const { documents } = options;
  const hostOptions: HostOptions = {
    skills: [...(options.skills ?? []), ...foreign.skills, ...(documents?.skills ?? [])],
    faults: [...foreign.faults, ...(documents?.faults ?? [])],
    ports,
    version: VERSION,
    coreSchemas,
    precompiled: builtValidators,
    ...(options.config && { config: options.config }),
    ...(options.ownConfig && { ownConfig: options.ownConfig }),
    ...(options.rules && { rules: options.rules }),
    audit: auditFile(ports.environment.stateFolder, ports.log),
    tracing: spans(VERSION),
    openServer: options.openServer ?? openServerForSkill,
    attribution: async (log) => new (await import("./adapters/attribution.ts")).Attribution(log),
    readSecret: options.readSecret ?? readFromKeyRing,
  };
  return new Host(hostOptions) as TypedHost;
}

const readFromKeyRing: NonNullable<CreateHostOptions["readSecret"]> = async (skill, setting) => {
  const { secretReader } = await import("./key-ring.ts");
  return secretReader()(skill, setting);
};

const openServerForSkill: NonNullable<CreateHostOptions["openServer"]> = async (host, skill, wanted) => {
  const { openSkillServer } = await import("./surfaces/http/server.ts");
  return openSkillServer(host, skill, wanted);
};

/**
 * Serves a host over HTTP: commands under `/v1/skills`, contributed routes under `/<skill>`, `/mcp`, `/v1/guard`,
 * `/v1/hook/claude-code`, `/health` and `/openapi.json`. Close the server before the host.
 * @throws SkillError `USAGE` for options that would expose the server by accident, `UNKNOWN_SKILL` for a name in `skills` that no
 * hosted skill has, `ADDRESS_IN_USE`.
 */
export async function serveHttp(host: Host, options: HttpServerOptions = {}): Promise<OpenServer> {
  const { openHttpServer } = await import("./surfaces/http/server.ts");
  return openHttpServer(host, options);
}

/**
 * Creates a handler of MCP over Streamable HTTP, to mount in a server of the program. It checks `Host` and `Origin`; keys and CORS
 * are up to that server.
 * @throws SkillError `UNKNOWN_SKILL` for a name in `skills` that no hosted skill has.
 */
export async function mcpHandler(host: Host, options: McpHandlerOptions = {}): Promise<McpHandler> {
  const { mountMcp } = await import("./surfaces/http/mcp-mount.ts");
  return mountMcp(host, options);
}

/** Options for `serveMcp`. */
export interface McpServeOptions extends Pick<McpHandlerOptions, "skills" | "tools"> {
  /** A stream of messages, one per line, such as a socket. Default: standard input. */
  readonly input?: McpInput;
  /** Default: standard output; text that skills print goes to standard error meanwhile. */
  readonly output?: McpOutput;
  /** Ends the connection when it is aborted. */
  readonly signal?: AbortSignal;
}

/** A readable stream of Node, as far as the types need it. */
export interface McpInput {
  pause(): unknown;
  on(event: string, listener: (...given: never[]) => void): unknown;
}

/** A writable stream of Node, as far as the types need it. */
export interface McpOutput {
  write(text: string, done: (error?: Error | null) => void): unknown;
}

/**
 * Serves a host by MCP over standard input and output, or over two streams. Settles when the input ends or `signal` is aborted. The
 * host is not closed.
 * @throws SkillError `UNKNOWN_SKILL` for a name in `skills` that no hosted skill has.
 */
export async function serveMcp(host: Host, options: McpServeOptions = {}): Promise<void> {
  const { input = process.stdin, output, signal = new AbortController().signal, skills, tools } = options;
  const [{ serveMcp: serve }, { ownOutput }] = await Promise.all([
    import("./surfaces/mcp/mcp-doors.ts"),
    import("./surfaces/mcp/own-output.ts"),
  ]);
  const own = output === undefined ? ownOutput() : undefined;
  const write: McpOutput["write"] = own?.write ?? ((text, done) => output?.write(text, done));
  const pipe = { input: input as NodeJS.ReadableStream, write };
  try {
    await serve(host, pipe, signal, { ...(skills && { skills }), isCompact: tools === "compact" });
  } finally {
    own?.end();
  }
}

async function readForeign(
  options: CreateHostOptions,
  ports: HostPorts,
  coreSchemas: string,
): Promise<{ readonly skills: readonly HostedSkill[]; readonly faults: readonly SkillFault[] }> {
  if (!options.plugins || options.plugins.length === 0) return { skills: [], faults: [] };
  const { satisfies } = await import("./adapters/engine-range.ts");
  const schemas = new Schemas({
    read: async (name) => {
      const text = await ports.files.readText(`${coreSchemas}/${name.slice("core/".length)}.json`);
      return text === undefined ? undefined : (JSON.parse(text) as Readonly<Record<string, unknown>>);
    },
    precompiled: builtValidators,
  });
  return foreignSkills(
    options.plugins,
    await schemas.check("core/skill-manifest"),
    satisfies,
    options.beforeLoad,
  );
}
