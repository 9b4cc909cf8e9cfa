/** Door 2, for embedders: hosts skills in another program. */
import { join } from "node:path";
import { auditFile } from "./adapters/audit-file.ts";
import { nodeClaims } from "./adapters/claims.ts";
import { systemClock } from "./adapters/clock.ts";
import { processEnvironment } from "./adapters/environment.ts";
import { nodeFiles } from "./adapters/files.ts";
import { foreignSkills } from "./adapters/foreign-skills.ts";
import { kyHttp } from "./adapters/http.ts";
import { nodeJournals } from "./adapters/journals.ts";
import { stderrLog } from "./adapters/log.ts";
import { packageFolder } from "./adapters/package-folder.ts";
import { builtValidators } from "./adapters/precompiled.ts";
import { nodePrograms } from "./adapters/programs.ts";
import { spans } from "./adapters/spans.ts";
import { stateFiles } from "./adapters/state-files.ts";
import { Host, type HostOptions, type HostPorts, type HostRequest } from "./composition.ts";
import type { OwnRules } from "./guard.ts";
import type { OpenServer } from "./ports/server.ts";
import { Schemas } from "./schema/schemas.ts";
import { SkillError } from "./errors/skill-error.ts";
import type { HostedSkill, SkillFault } from "./skill.ts";
import type { HttpServerOptions } from "./surfaces/http/server.ts";
import type { McpHandler, McpHandlerOptions } from "./surfaces/http/mcp-options.ts";
import { VERSION } from "./version.ts";
import { quotedName } from "./quoted-name.ts";

export { Host, type HostOptions, type HostPorts, type HostRequest } from "./composition.ts";
export { SkillError } from "./errors/skill-error.ts";
export type { CallEvent, DecisionEvent, HostEventMap, HostEvents } from "./events.ts";
export type { Finding, Judgement, OwnRules } from "./guard.ts";
export type { HttpServerOptions } from "./surfaces/http/server.ts";
export type {
  McpHandler,
  McpHandlerOptions,
  NodeRequest,
  NodeResponse,
} from "./surfaces/http/mcp-options.ts";
export type { Approval } from "./runner.ts";
export type { HostedSkill, SkillFault } from "./skill.ts";
export { VERSION } from "./version.ts";

export interface CreateHostOptions {
  /** Skills whose manifest and loader are available, for example those of `skillctl/skills`. */
  readonly skills?: readonly HostedSkill[];
  /** Folders of foreign skills. */
  readonly plugins?: readonly string[];
  /** Reports a missing folder of `plugins` in `host.catalog.faults`. Default: `createHost` throws. */
  readonly toleratesMissing?: boolean;
  /** Called with the folder before the code of a foreign skill is loaded; if it throws, the code is not loaded. */
  readonly beforeLoad?: (folder: string) => void;
  /** Settings by skill. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Settings by skill from the user's own file; they take precedence over `config`. */
  readonly ownConfig?: Readonly<Record<string, unknown>>;
  /** Replacements for the ports on Node. */
  readonly ports?: Partial<HostPorts>;
  /** Rules of the workspace, the user and the machine. */
  readonly rules?: OwnRules;
  /** Opens a server for a skill. Default: fastify, loaded on first use. */
  readonly openServer?: NonNullable<HostOptions["openServer"]>;
}

/**
 * The ports on Node: clock, files, journals, claims, network, environment, programs, standard error, and documents in
 * files of the state folder. Ports that are not given are built on those that are.
 */
export function nodePorts(given: Partial<HostPorts> = {}): HostPorts {
  const { clock = systemClock, environment = processEnvironment(), files = nodeFiles } = given;
  return {
    claims: nodeClaims(environment.stateFolder),
    http: kyHttp,
    journals: nodeJournals,
    log: stderrLog(false),
    programs: nodePrograms(environment),
    state: stateFiles(environment.stateFolder, files, clock),
    ...given,
    clock,
    environment,
    files,
  };
}

/** Output types by skill and command; `""` is the default command. A package with skills adds its own, as `skillctl/skills` does. */
export interface SkillOutputs {}

type OutputOf<Skill extends string, Command extends string> = Skill extends keyof SkillOutputs
  ? Command extends keyof SkillOutputs[Skill]
    ? SkillOutputs[Skill][Command]
    : unknown
  : unknown;

/** A host that types the outputs of known skills. */
export interface TypedHost extends Host {
  run<Skill extends string, Command extends string = "">(
    request: HostRequest & { readonly skill: Skill; readonly command?: Command | undefined },
  ): Promise<OutputOf<Skill, Command>>;
}

/**
 * A host on Node. A foreign skill that cannot be read is left out and reported in `host.catalog.faults`.
 * @throws SkillError `FILE_UNREADABLE` for a folder of `plugins` that does not exist.
 */
export async function createHost(options: CreateHostOptions = {}): Promise<TypedHost> {
  const ports = nodePorts(options.ports);
  for (const folder of options.toleratesMissing ? [] : (options.plugins ?? []))
    if ((await ports.files.facts(folder)) === undefined)
      throw new SkillError("FILE_UNREADABLE", `There is no folder ${quotedName(folder)} of foreign skills.`, {
        file: folder,
        hint: "A relative path is resolved against the working folder of the process.",
      });
  const coreSchemas = join(packageFolder(), "schemas", "core");
  const foreign = await readForeign(options, ports, coreSchemas);
  const hostOptions: HostOptions = {
    skills: [...(options.skills ?? []), ...foreign.skills],
    faults: foreign.faults,
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
    attribution: async () => new (await import("./adapters/attribution.ts")).Attribution(ports.log),
  };
  return new Host(hostOptions) as TypedHost;
}

const openServerForSkill: NonNullable<HostOptions["openServer"]> = async (host, skill, wanted) => {
  const { openSkillServer } = await import("./surfaces/http/server.ts");
  return openSkillServer(host, skill, wanted);
};

/** Serves a host over HTTP: commands, contributed routes, /openapi.json, /health. See docs/architecture.md. */
export async function serveHttp(host: Host, options: HttpServerOptions = {}): Promise<OpenServer> {
  const { openHttpServer } = await import("./surfaces/http/server.ts");
  return openHttpServer(host, options);
}

/**
 * MCP over Streamable HTTP, to mount in a server of the program. Key and CORS are that server's; `Host` and `Origin` are checked
 * here.
 * @throws SkillError `UNKNOWN_SKILL` for a name in `skills` that no hosted skill has.
 */
export async function mcpHandler(host: Host, options: McpHandlerOptions = {}): Promise<McpHandler> {
  const { mountMcp } = await import("./surfaces/http/mcp-mount.ts");
  return mountMcp(host, options);
}

/** Options for `serveMcp`. */
export interface McpServeOptions extends Pick<McpHandlerOptions, "skills" | "tools"> {
  /** A stream of lines, such as a socket. Default: standard input. */
  readonly input?: McpInput;
  /** Default: standard output. What skills print goes to standard error meanwhile. */
  readonly output?: McpOutput;
  /** Ends the connection. */
  readonly signal?: AbortSignal;
}

/** A readable stream of node, as far as types need it. */
export interface McpInput {
  pause(): unknown;
  on(event: string, listener: (...given: never[]) => void): unknown;
}

/** A writable stream of node. */
export interface McpOutput {
  write(text: string, done: (error?: Error | null) => void): unknown;
}

/**
 * Serves a host over standard input and output, or over two streams, until the input ends. The host is not closed.
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
