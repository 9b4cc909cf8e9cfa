import { Activator, type Attribution } from "./activator.ts";
import { Catalog } from "./catalog.ts";
import { Scope } from "./container/scope.ts";
import { KnownSecrets } from "./errors/known-secrets.ts";
import { SkillError } from "./errors/skill-error.ts";
import { HostEvents, type Tracing } from "./events.ts";
import type { Audit, Guard, OwnRules } from "./guard.ts";
import { guardOf } from "./guard-assembly.ts";
import { phasesOf } from "./guard/phase-changes.ts";
import { phaseSources, phasesAt } from "./guard/phases.ts";
import { CLAIMS, type Claims } from "./ports/claim.ts";
import { CLOCK, type Clock } from "./ports/clock.ts";
import { ENVIRONMENT, type Environment } from "./ports/environment.ts";
import { FILES, type Files } from "./ports/files.ts";
import { HTTP, type Http } from "./ports/http.ts";
import { JOURNALS, type Journals } from "./ports/journal.ts";
import { LOG, type Log } from "./ports/log.ts";
import { PROGRAMS, type Programs } from "./ports/programs.ts";
import type { OpenServer, ServerOptions } from "./ports/server.ts";
import { STATE, type State } from "./ports/state.ts";
import { Runner, type HostRequest } from "./runner.ts";
import { Schemas, type JsonSchema, type Precompiled } from "./schema/schemas.ts";
import { masked, secretVariable, withSecrets } from "./secrets.ts";
import { OWN_FILE, settingsOf } from "./settings.ts";
import type { HostedSkill, SkillFault } from "./skill.ts";
import { quotedName } from "./quoted-name.ts";
import { parsedJson } from "./schema/json.ts";

export type { HostRequest } from "./runner.ts";

/** The ports that a host lends to every skill. */
export interface HostPorts {
  readonly claims: Claims;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly files: Files;
  readonly http: Http;
  readonly journals: Journals;
  readonly log: Log;
  readonly programs: Programs;
  readonly state: State;
}

/** @internal */
export interface HostOptions {
  readonly skills: readonly HostedSkill[];
  /** The skills that were left out before the host was built. */
  readonly faults?: readonly SkillFault[];
  readonly ports: HostPorts;
  /** The version that `engines` ranges are compared with, and that documents name. */
  readonly version: string;
  /** Folder of the core's own schemas, absolute. */
  readonly coreSchemas: string;
  /** Validators made at build time. Used for the core and built-in skills only: a third-party skill may have the same name. */
  readonly precompiled?: Precompiled;
  /** Settings by skill, from skillctl.json. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Settings by skill from the user's own file. They take precedence; a skill can tell them from those of a project. */
  readonly ownConfig?: Readonly<Record<string, unknown>>;
  /** Rules that belong neither to a skill nor to the core. */
  readonly rules?: OwnRules;
  /** Records decisions of rules. Default: they are not recorded. */
  readonly audit?: Audit;
  /** Creates spans for calls. Default: no spans. */
  readonly tracing?: Tracing;
  /** Opens an HTTP server with contributed routes of one skill. Default: skills that ask for one get an error. */
  readonly openServer?: (host: Host, skill: string, options: ServerOptions) => Promise<OpenServer>;
  /** Attributes unhandled failures of third-party skills. Default: Node handles them. */
  readonly attribution?: (log: Log) => Promise<Attribution>;
  /** Reads a secret setting that no environment variable holds. Default: no reader. */
  readonly readSecret?: (skill: string, setting: string) => Promise<string | undefined>;
}

/** Hosts skills. The code of a skill is loaded on first use. */
export class Host {
  /** The version of skillctl. */
  readonly version: string;
  readonly ports: HostPorts;
  readonly catalog: Catalog;
  /** @internal */
  readonly schemas: Schemas;
  /** @internal */
  readonly activator: Activator;
  /** @internal */
  readonly guard: Guard;
  /** @internal */
  readonly runner: Runner;
  readonly events: HostEvents;
  readonly #root: Scope;
  #closing: Promise<void> | undefined;

  /** @internal */
  constructor(options: HostOptions) {
    const { precompiled, audit, config = {}, ownConfig = {}, attribution } = options;
    const secrets = new KnownSecrets("[secret]");
    const known: string[] = [];
    const log: Log = {
      notice: (line) => options.ports.log.notice(secrets.without(line)),
      detail: (line) => options.ports.log.detail(secrets.without(line)),
    };
    const ports = { ...options.ports, log };
    const events = new HostEvents(ports.log, options.tracing);
    this.events = events;
    this.version = options.version;
    this.ports = ports;
    this.catalog = new Catalog(options.skills, options.faults);
    this.schemas = new Schemas({
      read: (name) => readSchema(name, this.catalog, options),
      ...(precompiled && {
        precompiled: async (skill) => (this.#inBox(skill) ? precompiled(skill) : undefined),
      }),
    });
    this.#root = new Scope("host");
    this.#root.value(CLAIMS, ports.claims);
    this.#root.value(CLOCK, ports.clock);
    this.#root.value(ENVIRONMENT, ports.environment);
    this.#root.value(FILES, ports.files);
    this.#root.value(HTTP, ports.http);
    this.#root.value(JOURNALS, ports.journals);
    this.#root.value(LOG, ports.log);
    this.#root.value(PROGRAMS, ports.programs);
    this.#root.value(STATE, ports.state);
    this.activator = new Activator(this.catalog, {
      root: this.#root,
      settings: async (skill) => {
        const [given, own] = [config, ownConfig].map((one) => settingsIn(one, skill));
        const owned = await settingsOf(skill, own, this.schemas, { file: OWN_FILE, isPart: true });
        const files = own === undefined ? given : { ...Object(given), ...Object(own) };
        const { name } = skill.manifest;
        const { settings, found } = await withSecrets(
          skill,
          await settingsOf(skill, files, this.schemas),
          this.schemas,
          async (setting) =>
            ports.environment.variable(secretVariable(name, setting)) ??
            (await options.readSecret?.(name, setting)),
        );
        known.push(...Object.values(found));
        secrets.know(known);
        return { all: settings, own: { ...Object(owned), ...found } };
      },
      mask: (value) => (known.length === 0 ? value : masked(value, secrets)),
      serverFor: (skill) => ({
        open: async (wanted) => {
          if (options.openServer) return options.openServer(this, skill, wanted);
          throw new SkillError("PORT_MISSING", `${skill} asks for a server, and this host opens none.`, {
            hint: "Pass `openServer` to the host.",
          });
        },
      }),
      phasesFor: (skill) => phasesOf(skill, this.guard, ports.log),
      attribution: attribution && (() => attribution(log)),
    });
    this.guard = guardOf({
      ...ports,
      catalog: this.catalog,
      handlers: this.activator,
      rules: options.rules,
      audit: {
        record: (evaluation) => {
          events.decided(evaluation);
          audit?.record(evaluation);
        },
        approve: (id, surface) => audit?.approve?.(id, surface),
      },
      state: () => ports.state,
      now: ports.clock.now,
    });
    this.runner = new Runner(this.catalog, this.schemas, this.guard, this.activator, events);
  }

  /**
   * Runs a command in process and returns its output, which fits the output schema.
   * @throws SkillError `USAGE` for a request of another shape, `UNKNOWN_SKILL`, `UNKNOWN_COMMAND`, `SURFACE_REFUSED`,
   * `INPUT_INVALID`, `GUARD_DENIED`, `GUARD_ASKS`, `GUARD_FAILED`, `OUTPUT_INVALID`, `CANCELLED`, also after `close`; the errors of
   * the command.
   */
  async run(request: HostRequest): Promise<unknown> {
    const { skill, command } = Object(request) as Partial<Record<keyof HostRequest, unknown>>;
    if (typeof skill !== "string" || (command !== undefined && typeof command !== "string"))
      throw new SkillError("USAGE", "A call takes one object with skill, command and input.", {
        hint: 'For example: run({ skill: "greeting", command: "greet", input: { name: "Ada" } })',
      });
    if (this.#closing)
      throw new SkillError("CANCELLED", `The host is closed: ${request.skill} can no longer be used.`);
    return this.runner.run({
      ...request,
      surface: request.surface ?? "host",
      signal: request.signal ?? new AbortController().signal,
      progress: request.progress ?? ignore,
      announce: request.announce ?? ignore,
    });
  }

  /** The phases that skills are in at a folder, each as `<skill>:<phase>`. Default: the working folder. */
  phases(folder = this.ports.environment.workingFolder): Promise<readonly string[]> {
    return phasesAt([folder], phaseSources(this.catalog), this.ports);
  }

  /**
   * Closes all opened skills, the last opened first. A failure does not stop it. A second call waits for the first.
   * @throws AggregateError with one Error for each part that failed to close.
   */
  close(): Promise<void> {
    return (this.#closing ??= this.#closeAll());
  }

  async #closeAll(): Promise<void> {
    const failures = [...(await this.activator.close()), ...(await this.#root.close())];
    if (failures.length === 0) return;
    throw new AggregateError(
      failures,
      `${failures.length} part${failures.length > 1 ? "s" : ""} failed to close.`,
    );
  }

  #inBox(name: string): boolean {
    return (
      name === "core" ||
      this.catalog.skills.some(({ manifest, builtin }) => builtin && manifest.name === name)
    );
  }
}

function ignore(): void {
  // It has no listeners.
}

async function readSchema(name: string, catalog: Catalog, options: HostOptions) {
  const [skill, file] = name.split("/") as [string, string];
  const owner = catalog.skills.find(({ manifest }) => manifest.name === skill);
  const folder = skill === "core" ? options.coreSchemas : owner?.schemas;
  if (folder === undefined) return undefined;
  const path = `${folder}/${file}.json`;
  const text = await options.ports.files.readText(path);
  if (text === undefined) return undefined;
  let document: unknown;
  try {
    document = parsedJson(text);
  } catch (cause) {
    throw new SkillError("SCHEMA_INVALID", `${quotedName(path)} is not JSON.`, { cause, file: path });
  }
  if (typeof document === "object" && document !== null && !Array.isArray(document))
    return document as JsonSchema;
  throw new SkillError("SCHEMA_INVALID", `${quotedName(path)} is not a JSON object.`, { file: path });
}

function settingsIn(config: Readonly<Record<string, unknown>>, { manifest }: HostedSkill): unknown {
  return Object.hasOwn(config, manifest.name) ? config[manifest.name] : undefined;
}
