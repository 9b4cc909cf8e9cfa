import { SkillError } from "./errors/skill-error.ts";
import type { Plugin } from "./plugin.ts";
import type { HostedSkill } from "./skill.ts";

/**
 * Holds what a module exported against its manifest, for authors whom no compiler told.
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
    return fail("it has no default export that is a plugin.");
  const handled = Object.keys(rules).filter((rule) => rules[rule]?.handler);
  const promised = { commands: Object.keys(commands), routes: Object.keys(routes), rules: handled };
  const complaints: string[] = [];
  for (const kind of ["commands", "routes", "rules"] as const) {
    const given = ((exported as Partial<Plugin>)[kind] ?? {}) as Readonly<Record<string, unknown>>;
    for (const key of promised[kind]) {
      if (!Object.hasOwn(given, key) || typeof given[key] !== "function")
        complaints.push(`${kind} lacks a class for "${key}"`);
    }
    for (const key of Object.keys(given)) {
      if (!promised[kind].includes(key))
        complaints.push(`${kind} has "${key}", which the manifest does not name`);
    }
  }
  if (complaints.length > 0) fail(`${complaints.join("; ")}.`);
  return { commands: {}, routes: {}, rules: {}, ...(exported as Partial<Plugin>) };
}
