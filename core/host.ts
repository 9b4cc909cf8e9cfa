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
import { stateFiles } from "./adapters/state-files.ts";
import { Host, type HostOptions, type HostPorts, type HostRequest } from "./composition.ts";
import type { OwnRules } from "./guard.ts";
import type { OpenServer } from "./ports/server.ts";
import { Schemas } from "./schema/schemas.ts";
import { SkillError } from "./errors/skill-error.ts";
import type { HostedSkill, SkillFault } from "./skill.ts";
import type { HttpServerOptions } from "./surfaces/http/server.ts";
import { VERSION } from "./version.ts";
import { quotedName } from "./quoted-name.ts";

export { Host, type HostOptions, type HostPorts, type HostRequest } from "./composition.ts";
export { SkillError } from "./errors/skill-error.ts";
export type { Finding, Judgement, OwnRules } from "./guard.ts";
export type { HttpServerOptions } from "./surfaces/http/server.ts";
export type { Approval } from "./runner.ts";
export type { HostedSkill, SkillFault } from "./skill.ts";
export { VERSION } from "./version.ts";

export interface CreateHostOptions {
  /** Skills whose manifest and code are at hand, for example the box's from `skillctl/skills`. */
  readonly skills?: readonly HostedSkill[];
  /** Folders of foreign skills. */
  readonly plugins?: readonly string[];
  /** A folder of `plugins` that does not exist is one of `host.catalog.faults`. Default: `createHost` throws. */
  readonly toleratesMissing?: boolean;
  /** Asked before the code of a foreign skill is loaded, with its folder; what it throws is why it is not. */
  readonly beforeLoad?: (folder: string) => void;
  /** Settings by skill. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Settings by skill of the user's own file, which win over those. */
  readonly ownConfig?: Readonly<Record<string, unknown>>;
  /** Ports that differ from those of Node. */
  readonly ports?: Partial<HostPorts>;
  /** Rules that neither a skill nor the core brings. */
  readonly rules?: OwnRules;
  /** Opens the servers that skills ask for. Default: over fastify, loaded when one asks. */
  readonly openServer?: NonNullable<HostOptions["openServer"]>;
}

/**
 * The ports on Node: the machine's clock, files, journals, claims, network, environment, programs and standard error,
 * and documents in files of the state folder. The others are built on those that are given.
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

/** What commands answer, by skill and command; `""` is the default one. A package with skills adds its own, as `skillctl/skills` does. */
export interface SkillOutputs {}

type OutputOf<Skill extends string, Command extends string> = Skill extends keyof SkillOutputs
  ? Command extends keyof SkillOutputs[Skill]
    ? SkillOutputs[Skill][Command]
    : unknown
  : unknown;

/** A host that types what skills answer that are known. */
export interface TypedHost extends Host {
  run<Skill extends string, Command extends string = "">(
    request: HostRequest & { readonly skill: Skill; readonly command?: Command | undefined },
  ): Promise<OutputOf<Skill, Command>>;
}

/**
 * A host on Node. A foreign skill that cannot be read is left out; `host.catalog.faults` says why.
 * @throws SkillError `FILE_UNREADABLE` for a folder of `plugins` that does not exist.
 */
export async function createHost(options: CreateHostOptions = {}): Promise<TypedHost> {
  const ports = nodePorts(options.ports);
  for (const folder of options.toleratesMissing ? [] : (options.plugins ?? []))
    if ((await ports.files.facts(folder)) === undefined)
      throw new SkillError("FILE_UNREADABLE", `There is no folder ${quotedName(folder)} of foreign skills.`, {
        file: folder,
        hint: "A relative path is meant from the working folder of the process.",
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
