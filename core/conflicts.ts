import { join } from "node:path";
import type { HostedSkill, SkillFault } from "./skill.ts";
import { quotedName } from "./quoted-name.ts";

/** The ports of `core/ports`, whose tokens have the same names in capitals; a skill injects them without an entry in its manifest. */
export const OWN_PORTS =
  /^(?:claims|clock|environment|files|http|journals|log|phases|programs|server|state)$/;

/** Separates skills that can be hosted together from those that conflict. Of two conflicting skills the first stays. */
export function conflictsOf(handed: readonly HostedSkill[]): {
  readonly kept: readonly HostedSkill[];
  readonly faults: readonly SkillFault[];
} {
  const faults: SkillFault[] = [];
  const refuse = (
    skill: HostedSkill,
    code: SkillFault["code"],
    pointer: string,
    sentence: string,
    circle?: readonly string[],
  ): void => {
    const at = skill.document
      ? { file: join(skill.folder, "SKILL.md"), pointer: "" }
      : { file: join(skill.folder, "skill.json"), pointer };
    faults.push({ code, skill: skill.manifest.name, ...at, sentence, ...(circle && { circle }) });
  };
  const byName = new Map<string, HostedSkill>();
  const byPort = new Map<string, HostedSkill>();
  for (const skill of handed) {
    const { name, provides = [] } = skill.manifest;
    const twin = byName.get(name);
    if (twin) {
      refuse(
        skill,
        "SKILL_CONFLICT",
        "/name",
        `${name} is already the name of the skill in ${quotedName(twin.folder)}.`,
      );
      continue;
    }
    const taken = provides.findIndex((port) => byPort.has(port));
    if (taken >= 0) {
      const port = provides[taken] as string;
      const owner = byPort.get(port)?.manifest.name;
      refuse(skill, "PORT_CONFLICT", `/provides/${taken}`, `${name} provides ${port}, and so does ${owner}.`);
      continue;
    }
    byName.set(name, skill);
    for (const port of provides) byPort.set(port, skill);
  }
  const kept = [...byName.values()].filter((skill) => {
    const circle = circleFrom(skill, byPort);
    if (circle) {
      const ports = Object.keys(skill.manifest.requires ?? {});
      const port = ports.find((name) => byPort.get(name)?.manifest.name === circle[1]);
      const { name } = skill.manifest;
      const sentence =
        circle[1] === name
          ? `${name} provides ${port} itself: remove it from requires.`
          : `${name} needs itself: ${circle.join(" -> ")}.`;
      refuse(skill, "PORT_CYCLE", `/requires/${port}`, sentence, [...new Set(circle)].sort());
    }
    return !circle;
  });
  return { kept, faults };
}

/** The cycle of required ports from a skill back to itself, as names; undefined if there is no cycle. */
function circleFrom(
  start: HostedSkill,
  byPort: ReadonlyMap<string, HostedSkill>,
): readonly string[] | undefined {
  const seen = new Set<HostedSkill>();
  const walk = (skill: HostedSkill, way: readonly string[]): readonly string[] | undefined => {
    for (const port of Object.keys(skill.manifest.requires ?? {})) {
      const provider = byPort.get(port);
      if (provider === start) return [...way, start.manifest.name];
      if (!provider || seen.has(provider)) continue;
      seen.add(provider);
      const found = walk(provider, [...way, provider.manifest.name]);
      if (found) return found;
    }
    return undefined;
  };
  return walk(start, [start.manifest.name]);
}
