import { SkillError } from "./errors/skill-error.ts";
import { secretHint, secretNames } from "./secrets.ts";
import { isObject } from "./schema/json.ts";
import { unusable, type JsonSchema, type Schemas } from "./schema/schemas.ts";
import type { HostedSkill } from "./skill.ts";

/** The phrase for the user's own settings file in error messages. */
export const OWN_FILE = "your own skillctl.json";

/** The defaults of the top-level properties of a schema. */
export function defaultsIn({ properties }: JsonSchema): Readonly<Record<string, unknown>> {
  const all = isObject(properties) ? Object.entries(properties) : [];
  const given = all.filter(([, schema]) => isObject(schema) && Object.hasOwn(schema, "default"));
  return Object.fromEntries(given.map(([name, schema]) => [name, (schema as JsonSchema)["default"]]));
}

/**
 * The validated settings of a skill with the defaults of its schema, without its secrets. `file` is the phrase for their file
 * in errors; a part may lack required settings, which another file has.
 * @throws SkillError `CONFIG_INVALID` with a pointer.
 */
export async function settingsOf(
  skill: HostedSkill,
  given: unknown,
  schemas: Schemas,
  { file = "skillctl.json", isPart = false }: { readonly file?: string; readonly isPart?: boolean } = {},
): Promise<unknown> {
  const { name, config } = skill.manifest;
  if (config === undefined) {
    if (given === undefined) return {};
    throw new SkillError("CONFIG_INVALID", `There are settings for ${name} in ${file}, but it takes none.`, {
      pointer: `/config/${name}`,
    });
  }
  if (given !== undefined && (typeof given !== "object" || given === null || Array.isArray(given))) {
    throw new SkillError("CONFIG_INVALID", `Settings of ${name} in ${file} must be an object.`, {
      pointer: `/config/${name}`,
    });
  }
  const document = await schemas.document(config);
  const secrets = secretNames(document);
  const shown = secrets.find((secret) => Object.hasOwn(Object(given), secret));
  if (shown !== undefined)
    throw new SkillError("CONFIG_INVALID", `${shown} of ${name} is a secret, which ${file} must not hold.`, {
      pointer: `/config/${name}/${shown}`,
      hint: `Remove it there. ${secretHint(name, shown)}`,
    });
  const defaults = Object.fromEntries(
    Object.entries(defaultsIn(document)).filter(([key]) => !secrets.includes(key)),
  );
  const settings = { ...defaults, ...given };
  const { required = [] } = document as { readonly required?: readonly string[] };
  const needed = isPart ? [] : required.filter((name) => !secrets.includes(name));
  // A required setting with a default is never missing, and the build has compiled the whole schema.
  const isWhole =
    secrets.length === 0 && required.every((name) => needed.includes(name) || Object.hasOwn(defaults, name));
  const check = await (isWhole ? schemas.check(config) : schemas.checkPart(config, secrets, needed));
  const fault = check(settings);
  if (!fault) return settings;
  const [, top = ""] = fault.pointer.split("/");
  const alone = (await schemas.checkPart(config, secrets, []))(defaults);
  if (alone?.pointer === fault.pointer && !Object.hasOwn(Object(given), top))
    throw unusable(config, `the default of ${top} does not fit: ${fault.sentence.replace(/\.$/, "")}`);
  throw new SkillError("CONFIG_INVALID", `Settings of ${name} in ${file}: ${fault.sentence}`, {
    pointer: `/config/${name}${fault.pointer}`,
    hint: `Run \`skillctl info ${name}\` to see its settings.`,
  });
}
