import type { Command, Route, SkillManifest } from "./contract.ts";
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

const EVERYWHERE: readonly SurfaceName[] = ["cli", "http", "mcp", "host"];

/** What all manifests contribute. Nothing here loads code. */
export class Catalog {
  /** In the order in which they were handed over. */
  readonly skills: readonly HostedSkill[];
  /** Everything that was left out, with the reason. */
  readonly faults: readonly SkillFault[];
  readonly #byName: ReadonlyMap<string, HostedSkill>;
  readonly #providers = new Map<string, HostedSkill>();
  readonly #leftOut: readonly HostedSkill[];

  constructor(handed: readonly HostedSkill[], found: readonly SkillFault[] = []) {
    const { kept, faults } = conflictsOf(handed);
    this.skills = kept;
    this.faults = [...found, ...faults];
    this.#leftOut = handed.filter((skill) => !kept.includes(skill));
    this.#byName = new Map(kept.map((skill) => [skill.manifest.name, skill]));
    for (const skill of kept) {
      for (const port of skill.manifest.provides ?? []) this.#providers.set(port, skill);
    }
  }

  /** @throws SkillError `UNKNOWN_SKILL`, with the nearest name as hint, or the fault that left it out. */
  skill(name: string): HostedSkill {
    const skill = this.#byName.get(name);
    if (skill) return skill;
    const fault = this.faults.find((one) => one.skill === name);
    if (fault) {
      throw new SkillError(fault.code, `The skill ${name} was left out: ${fault.sentence}`, {
        file: fault.file,
        pointer: fault.pointer,
        hint: "Run `skillctl validate` to see every fault.",
      });
    }
    const guess = nearest(name, this.#byName.keys());
    throw new SkillError("UNKNOWN_SKILL", `There is no skill "${name}".`, {
      hint: guess ? `Did you mean ${guess}?` : "Run `skillctl list` to see what is hosted.",
    });
  }

  /** The named command, or the default one. @throws SkillError `UNKNOWN_SKILL`, `UNKNOWN_COMMAND`. */
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

  /** Every command that a surface offers, in the order of the manifests. */
  commands(surface: SurfaceName): readonly CommandEntry[] {
    return this.skills.flatMap(({ manifest }) =>
      Object.entries(manifest.commands ?? {})
        .filter(([, command]) => offers(command, surface))
        .map(([name, command]) => ({ skill: manifest.name, name, command })),
    );
  }

  routes(): readonly RouteEntry[] {
    return this.skills.flatMap(({ manifest }) =>
      Object.entries(manifest.routes ?? {}).map(([name, route]) => ({ skill: manifest.name, name, route })),
    );
  }

  provider(port: string): HostedSkill | undefined {
    return this.#providers.get(port);
  }

  /** Why the skill that would provide a port is not hosted; undefined when no such skill was handed over. */
  leftOutProvider(port: string): SkillFault | undefined {
    const skill = this.#leftOut.find(({ manifest }) => manifest.provides?.includes(port as never));
    return skill && this.faults.find((fault) => fault.skill === skill.manifest.name);
  }

  /** The row of a code: the core's, else the skill's own, else that of another skill, else that of `INTERNAL`. */
  codeEntry(code: string, skill?: string): CodeEntry {
    if (Object.hasOwn(CODES, code)) return coreEntry(code);
    const owners: (SkillManifest | undefined)[] = this.skills.map(({ manifest }) => manifest);
    const asked = [skill === undefined ? undefined : this.#byName.get(skill)?.manifest, ...owners];
    const owner = asked.find((manifest) => Object.hasOwn(manifest?.errors ?? {}, code));
    return owner?.errors?.[code] ?? coreEntry("INTERNAL");
  }
}

/** Whether a surface may offer a command. */
export function offers(command: Command, surface: SurfaceName): boolean {
  return (command.surfaces ?? EVERYWHERE).includes(surface);
}
