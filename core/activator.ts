import type { Catalog } from "./catalog.ts";
import { OWN_PORTS } from "./conflicts.ts";
import { Scope, isClass } from "./container/scope.ts";
import type { Constructor } from "./container/inject.ts";
import {
  config,
  optional,
  ownConfig,
  port as lent,
  type OptionalPort,
  type Token,
} from "./container/token.ts";
import { SkillError, described, describedIn, placeIn } from "./errors/skill-error.ts";
import type { Call, CommandHandler, Plugin, RouteHandler, RuleHandler } from "./plugin.ts";
import { PHASES, type Phases } from "./ports/phases.ts";
import { SERVER, type Server } from "./ports/server.ts";
import { quotedName } from "./quoted-name.ts";
import type { HostedSkill } from "./skill.ts";

/** The dependencies of the activator besides the catalog. */
export interface ActivatorOptions {
  /** Holds the ports of the host. */
  readonly root: Scope;
  /** The checked settings of a skill, with defaults and secrets. `own`: those that no project can set. */
  readonly settings: (skill: HostedSkill) => Promise<{ readonly all: unknown; readonly own: unknown }>;
  /** A value without the secrets that skills have received so far. */
  readonly mask: (value: unknown) => unknown;
  /** The server port of a skill. */
  readonly serverFor: (skill: string) => Server;
  /** The port through which a skill changes its phases. */
  readonly phasesFor: (skill: string) => Phases;
  /** Called when the first third-party skill is opened. Default: unhandled failures are not attributed. */
  readonly attribution?: (() => Promise<Attribution>) | undefined;
}

/** Attributes unhandled failures to the third-party skill that they come from. */
export interface Attribution {
  /** Runs code of a skill; `label` names the code while a promise that it returned is pending. */
  readonly run: <T>(skill: HostedSkill, label: string, action: () => T) => T;
  /** Reports a fault in a skill to its author. */
  readonly tell: (sentence: string) => void;
  readonly close: () => void;
}

/** Runs code of a skill under a label. */
type Within = <T>(label: string, action: () => T) => T;

interface OpenSkill {
  readonly scope: Scope;
  readonly within: Within;
  readonly plugin: Plugin;
  readonly handlers: Map<string, unknown>;
  readonly attribution: Attribution | undefined;
}

/** Opens a skill on first use: opens its required ports, loads its code, wires its services, and creates its handlers. */
export class Activator {
  readonly #catalog: Catalog;
  readonly #options: ActivatorOptions;
  readonly #open = new Map<string, Promise<OpenSkill>>();
  readonly #order: { readonly skill: HostedSkill; readonly scope: Scope; readonly within: Within }[] = [];
  /** Handlers with the error codes that their manifests lack; each is reported once. */
  readonly #undeclared = new Set<string>();
  #attribution: Promise<Attribution> | undefined;
  #closed = false;

  constructor(catalog: Catalog, options: ActivatorOptions) {
    this.#catalog = catalog;
    this.#options = options;
  }

  /** Names of the skills that are open or being opened; one that failed to open is not among them. */
  get loaded(): readonly string[] {
    return [...this.#open.keys()];
  }

  command(skill: string, name: string): Promise<CommandHandler<unknown, unknown>> {
    return this.#handler(skill, "commands", name) as Promise<CommandHandler<unknown, unknown>>;
  }

  route(skill: string, name: string): Promise<RouteHandler<unknown, unknown>> {
    return this.#handler(skill, "routes", name) as Promise<RouteHandler<unknown, unknown>>;
  }

  rule(skill: string, name: string): Promise<RuleHandler> {
    return this.#handler(skill, "rules", name) as Promise<RuleHandler>;
  }

  /** The file and line of a skill that an error of its code names first. */
  placeIn(skill: string, cause: unknown): string | undefined {
    return placeIn(this.#catalog.skill(skill).folder, cause);
  }

  /** Closes all skills, the last opened first, once none is being opened; opens no others. Returns all failures. */
  async close(): Promise<readonly Error[]> {
    this.#closed = true;
    await Promise.allSettled(this.#open.values());
    const failures: Error[] = [];
    for (const { skill, scope, within } of this.#order.splice(0).reverse()) {
      const { name } = skill.manifest;
      const found = await scope.close((close, label) =>
        within(`the method close of ${label} of ${name}`, close),
      );
      for (const { message, cause: caught } of found) {
        const cause = this.#options.mask(caught);
        const reason = describedIn(skill.folder, cause).replace(/\.$/, "");
        failures.push(new Error(`${message.replace(/\.$/, "")}: ${reason}.`, { cause }));
      }
    }
    (await this.#attribution)?.close();
    return failures;
  }

  async #handler(skill: string, kind: "commands" | "routes" | "rules", name: string): Promise<unknown> {
    const { scope, within, plugin, handlers, attribution } = await this.#opened(skill);
    const key = `${kind}/${name}`;
    if (!handlers.has(key)) {
      const classes = plugin[kind] as Readonly<Record<string, Constructor<unknown>>>;
      const hosted = this.#catalog.skill(skill);
      const make = (): unknown => scope.make(classes[name] as Constructor<unknown>);
      const handler = guarded(hosted, () => within(key, make));
      const varies = kind === "commands" && hosted.manifest.commands?.[name]?.inputVaries;
      const lacking = [METHODS[kind], ...(varies ? ["absent"] : [])].find(
        (method) => typeof (handler as Readonly<Record<string, unknown>>)[method] !== "function",
      );
      if (lacking !== undefined) {
        const reason = lacking === "absent" ? ", which its manifest requires by inputVaries" : "";
        throw new SkillError(
          "PLUGIN_BROKEN",
          `The class of ${key} of ${skill} has no method "${lacking}"${reason}.`,
        );
      }
      const failed = (caught: unknown): never => {
        if (attribution && kind !== "rules") this.#tellUndeclared(attribution, skill, key, caught);
        throw this.#options.mask(caught);
      };
      const ends = { ended: this.#options.mask, failed };
      handlers.set(
        key,
        attribution ? attributed(within, `${skill} ${name}`, handler, METHODS[kind], ends) : handler,
      );
    }
    return handlers.get(key);
  }

  /** Reports an error code that no table of codes contains; the caller gets the row of `INTERNAL`. */
  #tellUndeclared(attribution: Attribution, skill: string, handler: string, caught: unknown): void {
    if (!(caught instanceof SkillError) || this.#catalog.isCode(caught.code)) return;
    const code = quotedName(caught.code);
    const key = `${skill}/${handler} ${code}`;
    if (this.#undeclared.has(key)) return;
    this.#undeclared.add(key);
    attribution.tell(
      `warning: ${skill} ended with the error code ${code}, which its skill.json does not declare. Add it to /errors and to /${handler}/errors there.`,
    );
  }

  /** Concurrent callers share one opening. A failed one is forgotten: its cause may pass, such as a full file table. */
  async #opened(name: string): Promise<OpenSkill> {
    this.#refuseWhenClosed(name);
    let opened = this.#open.get(name);
    if (!opened) this.#open.set(name, (opened = this.#openSkill(this.#catalog.skill(name))));
    try {
      await opened;
    } catch (caught) {
      if (this.#open.get(name) === opened) this.#open.delete(name);
      throw caught;
    }
    this.#refuseWhenClosed(name);
    return opened;
  }

  #refuseWhenClosed(name: string): void {
    if (this.#closed) throw new SkillError("CANCELLED", `The host is closed: ${name} can no longer be used.`);
  }

  async #openSkill(skill: HostedSkill): Promise<OpenSkill> {
    const { name, requires = {}, provides = [] } = skill.manifest;
    const borrowed: [Token<unknown>, unknown][] = [];
    for (const [port, need] of Object.entries(requires))
      borrowed.push(
        need === "required"
          ? [lent(port), await this.#required(name, port)]
          : [optional(lent(port)), this.#optional(port)],
      );
    if (!skill.builtin) this.#attribution ??= this.#options.attribution?.();
    const attribution = skill.builtin ? undefined : await this.#attribution;
    const stale = await skill.staleBuild?.();
    if (stale !== undefined) attribution?.tell(`warning: ${stale}`);
    const within: Within = (label, action) =>
      attribution ? attribution.run(skill, label, action) : action();
    const plugin = checkedPlugin(
      skill,
      await within(`the top level of the code of ${name}`, () => load(skill)),
    );
    const scope = new Scope(name, this.#options.root);
    const settings = await this.#options.settings(skill);
    scope.value(config<unknown>(), settings.all);
    scope.value(ownConfig<unknown>(), settings.own);
    scope.value(SERVER, this.#options.serverFor(name));
    scope.value(PHASES, this.#options.phasesFor(name));
    for (const [token, service] of borrowed) scope.value(token, service);
    await within(`wire of ${name}`, () => wired(skill, plugin, scope));
    for (const port of provides) {
      if (scope.has(lent(port))) continue;
      throw new SkillError(
        "PLUGIN_BROKEN",
        `${name} lists ${port} in provides, but its code binds nothing to it.`,
        { hint: `Bind it in wire, such as single(port("${port}"), CLASS), or remove it from provides.` },
      );
    }
    // A scope creates no service before its skill is open, so a scope that failed before this line has nothing to close.
    this.#order.push({ skill, scope, within });
    return { scope, within, plugin, handlers: new Map(), attribution };
  }

  #optional(port: string): OptionalPort<unknown> | undefined {
    const provider = this.#catalog.provider(port);
    return provider && (() => this.#provided(provider, port));
  }

  async #provided(provider: HostedSkill, port: string): Promise<unknown> {
    const { scope } = await this.#opened(provider.manifest.name);
    return guarded(provider, () => scope.get(lent(port)));
  }

  async #required(skill: string, port: string): Promise<unknown> {
    const provider = this.#catalog.provider(port);
    if (provider) return this.#provided(provider, port);
    const leftOut = this.#catalog.leftOutProvider(port);
    const hint = OWN_PORTS.test(port)
      ? `It is a port of skillctl itself: remove it from requires, and inject ${port.toUpperCase()} from "skillctl".`
      : leftOut
        ? `${leftOut.skill} provides it and was left out: ${leftOut.sentence}`
        : `Install a skill that provides ${port} and name it with --plugin or in skillctl.json.`;
    const sentence = `${skill} needs the port ${port}, and no hosted skill provides it.`;
    throw new SkillError("PORT_MISSING", sentence, { hint });
  }
}

/** The function that each kind of handler must have. */
const METHODS = { commands: "run", routes: "handle", rules: "judge" } as const;

/** Handles the result of a handler, and its error, which is rethrown. */
interface HandlerEnds {
  readonly ended: (result: unknown) => unknown;
  readonly failed: (caught: unknown) => never;
}

/** A handler whose method runs as code of the skill. Its progress sentences are processed like its result. */
function attributed(
  within: Within,
  label: string,
  handler: unknown,
  method: (typeof METHODS)[keyof typeof METHODS],
  { ended, failed }: HandlerEnds,
): unknown {
  const own = handler as Readonly<Record<string, (...words: readonly unknown[]) => unknown>>;
  const run = (given: unknown, call?: Partial<Call>): unknown => {
    const { progress } = call ?? {};
    const heard = progress && { ...call, progress: (line: string) => progress(String(ended(line))) };
    try {
      const answer = within(label, () => own[method]?.(given, heard ?? call));
      return answer instanceof Promise ? answer.then(ended, failed) : ended(answer);
    } catch (caught) {
      return failed(caught);
    }
  };
  return Object.create(own, { [method]: { value: run } });
}

/** The default export of the code of a skill. @throws SkillError `PLUGIN_MISSING`, `PLUGIN_BROKEN` */
export async function load(skill: HostedSkill): Promise<unknown> {
  try {
    return (await skill.load()).default;
  } catch (cause) {
    throw unloaded(skill, cause);
  }
}

/** The remedies for CommonJS names in an ES module. */
const COMMON_WORDS: Readonly<Record<string, string>> = {
  require: "An ES module has no require: use import.",
  exports: "An ES module has no exports: use `export default`.",
  module: "An ES module has no module.exports: use `export default`.",
  __dirname: "An ES module has no __dirname: use import.meta.dirname.",
  __filename: "An ES module has no __filename: use import.meta.filename.",
};

function unloaded(skill: HostedSkill, cause: unknown): SkillError {
  if (cause instanceof SkillError) return cause;
  const { name } = skill.manifest;
  const { code }: { readonly code?: unknown } = Object(cause);
  const missing = code === "ERR_MODULE_NOT_FOUND";
  const what = missing ? ", or something that it imports, cannot be found" : " fails while it is loaded";
  // The second code is that of versions before Node 22.
  const isBare = code === "ERR_IMPORT_ATTRIBUTE_MISSING" || code === "ERR_IMPORT_ASSERTION_TYPE_MISSING";
  const mend = isBare ? ', as in `import … with { type: "json" }`' : "";
  const sentence = `The code of ${name}${what}: ${describedIn(skill.folder, cause)}${mend}`;
  const own = "Correct the path of the import; it must include the file extension, such as .js.";
  const packages = `Install its dependencies in ${quotedName(skill.folder)}, for example with npm.`;
  const [, word = ""] = /^(\w+) is not defined in ES module scope/.exec(described(cause)) ?? [];
  const ofMissing = described(cause).startsWith("Cannot find module") ? own : packages;
  const hint = missing ? ofMissing : COMMON_WORDS[word];
  return new SkillError(missing ? "PLUGIN_MISSING" : "PLUGIN_BROKEN", sentence, {
    cause,
    file: skill.folder,
    hint,
  });
}

/** The parts of a plugin as plain values. A getter is code of the skill and can throw. */
function partsOf(skill: HostedSkill, exported: object): Partial<Plugin> {
  try {
    return { ...exported };
  } catch (cause) {
    throw unloaded(skill, cause);
  }
}

/**
 * Checks the exports of a module against its manifest, for authors without a compiler.
 * @throws SkillError `PLUGIN_BROKEN` that names every missing and superfluous handler.
 */
export function checkedPlugin(skill: HostedSkill, exported: unknown): Plugin {
  const { name, commands = {}, routes = {}, rules = {} } = skill.manifest;
  const fail = (sentence: string): never => {
    throw new SkillError("PLUGIN_BROKEN", `The code of ${name} does not fit its manifest: ${sentence}`, {
      file: skill.folder,
    });
  };
  if (typeof exported !== "object" || exported === null)
    return fail(
      `its default export is ${exported === undefined ? "missing" : exported === null ? "null" : `a ${typeof exported}`}: write \`export default definePlugin({ … })\`.`,
    );
  const parts = partsOf(skill, exported);
  const handled = Object.keys(rules).filter((rule) => rules[rule]?.handler);
  const promised = { commands: Object.keys(commands), routes: Object.keys(routes), rules: handled };
  const complaints: string[] = [];
  for (const kind of ["commands", "routes", "rules"] as const) {
    const given = (parts[kind] ?? {}) as Readonly<Record<string, unknown>>;
    for (const key of promised[kind]) {
      const handler = Object.hasOwn(given, key) ? given[key] : undefined;
      const remedy =
        typeof handler === "object" && handler !== null
          ? "name the class itself, without new"
          : `write a class with the method ${METHODS[kind]}`;
      if (handler === undefined) complaints.push(`${kind} lacks a class for "${key}"`);
      else if (!isClass(handler))
        complaints.push(`${kind} has a value of the type ${typeof handler} for "${key}": ${remedy}`);
    }
    for (const key of Object.keys(given)) {
      if (promised[kind].includes(key)) continue;
      const isFixed = kind === "rules" && Object.hasOwn(rules, key);
      complaints.push(
        isFixed
          ? `rules has "${key}", whose entry in the manifest does not ask for code: remove it, or write "handler": true there in place of decision`
          : `${kind} has "${key}", which the manifest does not name`,
      );
    }
  }
  if (complaints.length > 0) fail(`${complaints.join("; ")}.`);
  return { commands: {}, routes: {}, rules: {}, ...parts };
}

/** Failures of a plugin's own wiring and constructors get the plugin's name. */
function guarded<T>(skill: HostedSkill, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw unwired(skill, cause);
  }
}

/** Calls `wire` and awaits its result: in plain JavaScript it can return a promise, whose failure must be reported. */
async function wired(skill: HostedSkill, plugin: Plugin, scope: Scope): Promise<void> {
  try {
    const answer: unknown = plugin.wire?.({
      value: scope.value.bind(scope),
      single: scope.single.bind(scope),
    });
    await answer;
  } catch (cause) {
    throw unwired(skill, cause);
  }
}

function unwired(skill: HostedSkill, cause: unknown): SkillError {
  if (cause instanceof SkillError) return cause;
  const sentence = `${skill.manifest.name} cannot be wired: ${describedIn(skill.folder, cause)}`;
  return new SkillError("PLUGIN_BROKEN", sentence, { cause });
}
