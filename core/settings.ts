import { SkillError } from "./errors/skill-error.ts";
import type { JsonSchema, Schemas } from "./schema/schemas.ts";
import type { HostedSkill } from "./skill.ts";

/** The phrase for the user's own settings file in error messages. */
export const OWN_FILE = "your own skillctl.json";

/**
 * The validated settings of a skill with the defaults of its schema. `file` is the phrase for their file in errors.
 * @throws SkillError `CONFIG_INVALID` with a pointer.
 */
export async function settingsOf(
  skill: HostedSkill,
  given: unknown,
  schemas: Schemas,
  file = "skillctl.json",
): Promise<unknown> {
  const { name, config } = skill.manifest;
  if (config === undefined) {
    if (given === undefined) return {};
    throw new SkillError("CONFIG_INVALID", `There are settings for ${name} in ${file}, and it takes none.`, {
      pointer: `/config/${name}`,
    });
  }
  if (given !== undefined && (typeof given !== "object" || given === null || Array.isArray(given))) {
    throw new SkillError("CONFIG_INVALID", `Settings of ${name} in ${file} must be an object.`, {
      pointer: `/config/${name}`,
    });
  }
  const { properties = {} } = (await schemas.document(config)) as { properties?: Record<string, JsonSchema> };
  const defaults: Record<string, unknown> = {};
  for (const [key, property] of Object.entries(properties)) {
    if (Object.hasOwn(property, "default")) defaults[key] = property["default"];
  }
  const settings = { ...defaults, ...given };
  const fault = (await schemas.check(config))(settings);
  if (!fault) return settings;
  throw new SkillError("CONFIG_INVALID", `Settings of ${name} in ${file}: ${fault.sentence}`, {
    pointer: `/config/${name}${fault.pointer}`,
    hint: `Run \`skillctl info ${name}\` to see its settings.`,
  });
}
