import type { KnownSecrets } from "./errors/known-secrets.ts";
import { SkillError } from "./errors/skill-error.ts";
import { isObject, kebab } from "./schema/json.ts";
import type { JsonSchema, Schemas } from "./schema/schemas.ts";
import type { HostedSkill } from "./skill.ts";

/** The shortest secret that `KnownSecrets` finds in a text. */
export const SHORTEST_SECRET = 8;

/** The names of the secret settings in a schema of settings. */
export function secretNames({ properties }: JsonSchema): readonly string[] {
  const all = isObject(properties) ? Object.entries(properties) : [];
  return all.filter(([, schema]) => isObject(schema) && schema["secret"] === true).map(([name]) => name);
}

/** The environment variable of a secret setting, such as SKILLCTL_WEATHER_API_KEY for `apiKey` of `weather`. */
export function secretVariable(skill: string, name: string): string {
  return `SKILLCTL_${skill}_${kebab(name)}`.replaceAll(/\W|-/g, "_").toUpperCase();
}

/** The remedy for a missing or wrong secret. */
export function secretHint(skill: string, name: string): string {
  return `Set ${secretVariable(skill, name)}, or store it in the key ring: \`skillctl secret ${skill} ${name}\`.`;
}

/**
 * The settings of a skill with its secrets, checked as a whole, and the secrets alone.
 * @throws SkillError `CONFIG_INVALID` without any value of a secret
 */
export async function withSecrets(
  { manifest: { name: skill, config = "" } }: HostedSkill,
  settings: unknown,
  schemas: Schemas,
  read: (name: string) => Promise<string | undefined>,
): Promise<{ readonly settings: unknown; readonly found: Readonly<Record<string, string>> }> {
  const names = config === "" ? [] : secretNames(await schemas.document(config));
  if (names.length === 0) return { settings, found: {} };
  const found: Record<string, string> = {};
  let cause: unknown;
  for (const name of names) {
    const value = await read(name).catch((caught: unknown) => void (cause = caught));
    if (value !== undefined) found[name] = value;
  }
  const whole = { ...Object(settings), ...found };
  const fault = (await schemas.check(config))(whole);
  if (!fault) return { settings: whole, found };
  const [, name = ""] = fault.pointer.split("/");
  const sentence = !names.includes(name)
    ? `Settings of ${skill}: ${fault.sentence}`
    : Object.hasOwn(found, name)
      ? `The secret ${name} of ${skill} does not fit ${config} (${fault.keyword}).`
      : `${skill} needs the secret ${name}, which is not set.`;
  throw new SkillError("CONFIG_INVALID", sentence, {
    cause,
    pointer: `/config/${skill}${fault.pointer}`,
    hint: secretHint(skill, name),
  });
}

/**
 * A value without known secrets: texts in lists and objects, and the texts of errors and their causes, which stay the same
 * objects.
 */
export function masked(value: unknown, secrets: KnownSecrets, seen: Set<unknown> = new Set()): unknown {
  if (typeof value === "string") return secrets.without(value);
  if (typeof value !== "object" || value === null || seen.has(value)) return value;
  seen.add(value);
  if (value instanceof Error) {
    for (const key of Object.getOwnPropertyNames(value)) {
      let given: unknown;
      try {
        given = Reflect.get(value, key);
      } catch {
        // A getter that throws shows nothing.
        continue;
      }
      const shown = masked(given, secrets, seen);
      if (shown !== given && !Reflect.defineProperty(value, key, { value: shown }))
        return new SkillError("INTERNAL", "An error of a skill contained a secret.");
    }
    return value;
  }
  if (Array.isArray(value)) return value.map((one) => masked(one, secrets, seen));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, masked(one, secrets, seen)]));
}
