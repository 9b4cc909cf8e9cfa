import { nodeFiles } from "../adapters/files.ts";
import { systemClock } from "../adapters/clock.ts";
import { Host, type HostOptions } from "../composition.ts";
import type { Command, SkillManifest } from "../contract.ts";
import { nodePorts } from "../host.ts";
import type { CommandHandler, RuleHandler } from "../plugin.ts";
import type { JsonSchema } from "../schema/schemas.ts";
import type { HostedSkill } from "../skill.ts";
import type { Log } from "../ports/log.ts";
import { memoryLog } from "./memory-log.ts";
import { scriptedHttp } from "./scripted-http.ts";
import { testEnvironment } from "./test-environment.ts";

/** The parts of a fixture skill besides its name; the others have minimal defaults. */
export interface FixtureManifest extends Partial<Omit<SkillManifest, "name">> {
  /** The default export of its code. Default: a plugin without handlers. */
  readonly code?: unknown;
  /** Replaces `code`. */
  readonly load?: HostedSkill["load"];
  readonly folder?: string;
  readonly builtin?: boolean;
}

/** A skill that exists in memory only. */
export function fixtureSkill(name: string, parts: FixtureManifest = {}): HostedSkill {
  const { code = {}, load, folder = `/skills/${name}`, builtin = false, ...manifest } = parts;
  return {
    manifest: {
      manifestVersion: 1,
      name,
      version: "1.0.0",
      summary: `The skill ${name}.`,
      engines: { skillctl: "*" },
      ...manifest,
    },
    folder,
    schemas: `/schemas/${name}`,
    builtin,
    load: load ?? (async () => ({ default: code })),
  };
}

/** A command of a fixture skill; its schemas are `<skill>/input` and `<skill>/output`. */
export function fixtureCommand(skill: string, more: Partial<Command> = {}): Command {
  return { summary: `A command of ${skill}.`, input: `${skill}/input`, output: `${skill}/output`, ...more };
}

/** A command class with this function as its handler. */
export function commandClass(run: CommandHandler<unknown, unknown>["run"]) {
  return class Answering {
    readonly run = run;
  };
}

/** A rule class with this function as its handler, whatever it returns. */
export function ruleClass(judge: (...parameters: Parameters<RuleHandler["judge"]>) => unknown) {
  return class Judging {
    readonly judge = judge;
  };
}

export interface FixtureHostOptions extends Partial<Omit<HostOptions, "skills">> {
  /** Schemas by name, as a document or as the text of its file. Default: any object. */
  readonly documents?: Readonly<Record<string, JsonSchema | string>>;
  readonly log?: Log;
}

/** A host of fixture skills, with schemas in memory and no network. */
export function fixtureHost(skills: readonly HostedSkill[], options: FixtureHostOptions = {}): Host {
  const { documents = {}, log = memoryLog(), ...more } = options;
  const ports = nodePorts({
    clock: systemClock,
    environment: testEnvironment("/nowhere"),
    files: { ...nodeFiles, readText: async (path) => textOf(path, documents) },
    http: scriptedHttp(() => undefined),
    log,
  });
  return new Host({ skills, ports, version: "0.1.0", coreSchemas: "/schemas/core", ...more });
}

function textOf(path: string, documents: Readonly<Record<string, JsonSchema | string>>): string | undefined {
  const name = path.replace("/schemas/", "").replace(".json", "");
  const document = documents[name];
  if (typeof document === "string") return document;
  if (document) return JSON.stringify(document);
  return /\/(input|output)$/.test(name)
    ? JSON.stringify({ type: "object", additionalProperties: true })
    : undefined;
}
