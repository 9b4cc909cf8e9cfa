import type { Command, Configuration, Route, SkillManifest } from "./contract.ts";
import { CODES, type CodeEntry } from "./errors/codes.ts";
import { SkillError, coreEntry } from "./errors/skill-error.ts";
import { nearest } from "./nearest.ts";
import type { SurfaceName } from "./plugin.ts";
import { conflictsOf } from "./conflicts.ts";
import type { HostedSkill, SkillFault } from "./skill.ts";

/** A command with the skill it belongs to. */
export interface CommandEntry {
  readonly skill: string;
  readonly name: string;
  readonly command: Command;
}

/** A contributed route with the skill it belongs to. */
export interface RouteEntry {
  readonly skill: string;
  readonly name: string;
  readonly route: Route;
}

/** The names of the hosted skills that are served: `only` these, or all `without` these; if both are given, both apply. */
export type ServedSkills = {
  readonly [Key in keyof NonNullable<Configuration["skills"]>]?: readonly string[] | undefined;
};

const EVERYWHERE: readonly SurfaceName[] = ["cli", "http", "mcp", "host"];
/** A long-running command blocks a request, so HTTP and MCP offer it only if its manifest names them. */
const WITHOUT_REQUESTS: readonly SurfaceName[] = ["cli", "host"];

/** The hosted skills and their manifests. It loads no code. */
export class Catalog {
  /** In the order in which they were given. */
  readonly skills: readonly HostedSkill[];
  /** The skills that were left out, with the reason. */
  readonly faults: readonly SkillFault[];
  readonly #byName: ReadonlyMap<string, HostedSkill>;
  readonly #providers = new Map<string, HostedSkill>();
  readonly #leftOut: readonly HostedSkill[];
  readonly #hosted: readonly HostedSkill[];

  /** `hosted`: all skills of the host, if `handed` contains only the served ones. @internal */
  constructor(
    handed: readonly HostedSkill[],
    found: readonly SkillFault[] = [],
    hosted?: readonly HostedSkill[],
  ) {
    const { kept, faults } = conflictsOf(handed);
    this.skills = kept;
    this.#hosted = hosted ?? kept;
    this.faults = [...found, ...faults];
    this.#leftOut = handed.filter((skill) => !kept.includes(skill));
    this.#byName = new Map(kept.map((skill) => [skill.manifest.name, skill]));
    for (const skill of this.#hosted) {
      for (const port of skill.manifest.provides ?? []) this.#providers.set(port, skill);
    }
  }

  /**
   * The view that surfaces get: the served skills. The others stay hosted: they lend ports, and their rules hold.
   * @throws SkillError as `skill` does, for a name that no hosted skill has; `without` may name one that was left out.
   * @internal
   */
  served({ only, without = [] }: ServedSkills = {}): Catalog {
    for (const name of only ?? []) this.skill(name);
    for (const name of without) if (!this.faults.some(({ skill }) => skill === name)) this.skill(name);
    const isServed = ({ manifest: { name } }: HostedSkill): boolean =>
      (only?.includes(name) ?? true) && !without.includes(name);
    return new Catalog(this.skills.filter(isServed), this.faults, this.#hosted);
  }

  /** The names of hosted skills that are not served. @internal */
  withheld(): readonly string[] {
    return this.#hosted.filter((skill) => !this.skills.includes(skill)).map(({ manifest }) => manifest.name);
  }

  /** The error for a hosted skill that is not served; undefined for any other name. @internal */
  refusal(name: string): SkillError | undefined {
    if (!this.withheld().includes(name)) return undefined;
    return new SkillError("UNKNOWN_SKILL", `The skill ${name} is hosted, but not served.`, {
      hint: `Served: ${[...this.#byName.keys()].join(", ") || "none"}.`,
    });
  }

  /** @throws SkillError `UNKNOWN_SKILL`, with the nearest name as hint, or the fault that left it out. @internal */
  skill(name: string): HostedSkill {
    const skill = this.#byName.get(name);
    if (skill) return skill;
    const refusal = this.refusal(name);
    if (refusal) throw refusal;
    const fault = this.faults.find((one) => one.skill === name);
    if (fault) {
      throw new SkillError(fault.code, `The skill ${name} was left out: ${fault.sentence}`, {
        file: fault.file,
        pointer: fault.pointer,
      });
    }
    const guess = nearest(name, this.#byName.keys());
    // The names in an untrusted folder of documents are not known.
    const folder = this.faults.find(
      ({ code, skill: place }) => code === "UNKNOWN_SKILL" && place.includes("/"),
    );
    throw new SkillError("UNKNOWN_SKILL", `There is no skill "${name}".`, {
      hint: guess
        ? `Did you mean ${guess}?`
        : folder
          ? `${folder.skill} is left out. ${folder.sentence}`
          : `The skills here: ${[...this.#byName.keys()].join(", ") || "none"}.`,
    });
  }

  /** The name of the default command of a skill; empty if it has none. @internal */
  standard(skillName: string): string {
    const { commands = {} } = this.skills.find(({ manifest }) => manifest.name === skillName)?.manifest ?? {};
    return Object.keys(commands).find((key) => commands[key]?.default) ?? "";
  }

  /** The named command, or the default one. @throws SkillError `UNKNOWN_SKILL`, `UNKNOWN_COMMAND`. @internal */
  command(skillName: string, name?: string): CommandEntry {
    const { commands = {} } = this.skill(skillName).manifest;
    const chosen = name ?? Object.keys(commands).find((key) => commands[key]?.default);
    const command = chosen === undefined || !Object.hasOwn(commands, chosen) ? undefined : commands[chosen];
    if (chosen !== undefined && command) return { skill: skillName, name: chosen, command };
    const guess = name === undefined ? undefined : nearest(name, Object.keys(commands));
    const known = Object.keys(commands).join(", ") || "none";
    throw new SkillError(
      "UNKNOWN_COMMAND",
      name === undefined ? `${skillName} has no default command.` : `${skillName} has no command "${name}".`,
      { hint: guess ? `Did you mean ${guess}?` : `Its commands: ${known}.` },
    );
  }

  /** Every command that a surface offers, in the order of the manifests. @internal */
  commands(surface: SurfaceName): readonly CommandEntry[] {
    return this.skills.flatMap(({ manifest }) =>
      Object.entries(manifest.commands ?? {})
        .filter(([, command]) => surfacesOf(command).includes(surface))
        .map(([name, command]) => ({ skill: manifest.name, name, command })),
    );
  }

  /** @internal */
  routes(): readonly RouteEntry[] {
    return this.skills.flatMap(({ manifest }) =>
      Object.entries(manifest.routes ?? {}).map(([name, route]) => ({ skill: manifest.name, name, route })),
    );
  }

  /** @internal */
  provider(port: string): HostedSkill | undefined {
    return this.#providers.get(port);
  }

  /** The reason why the skill that provides a port was left out; undefined if no given skill provides it. @internal */
  leftOutProvider(port: string): SkillFault | undefined {
    const skill = this.#leftOut.find(({ manifest }) => manifest.provides?.includes(port as never));
    return skill && this.faults.find((fault) => fault.skill === skill.manifest.name);
  }

  /** Whether a table of codes, of the core or of a hosted skill, has the code. @internal */
  isCode(code: string): boolean {
    return code === "INTERNAL" || this.codeEntry(code) !== coreEntry("INTERNAL");
  }

  /** The row of a code: the core's, else the skill's own, else that of another skill, else that of `INTERNAL`. @internal */
  codeEntry(code: string, skill?: string): CodeEntry {
    if (Object.hasOwn(CODES, code)) return coreEntry(code);
    const owners = this.#hosted.map(({ manifest }) => manifest);
    const own: SkillManifest | undefined = owners.find(({ name }) => name === skill);
    const owner = [own, ...owners].find((manifest) => Object.hasOwn(manifest?.errors ?? {}, code));
    return owner?.errors?.[code] ?? coreEntry("INTERNAL");
  }
}

/** The surfaces that offer a command. */
export function surfacesOf({ surfaces, keepsRunning }: Command): readonly SurfaceName[] {
  return surfaces ?? (keepsRunning ? WITHOUT_REQUESTS : EVERYWHERE);
}
