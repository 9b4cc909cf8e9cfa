import type { Command } from "./contract.ts";
import { SkillError } from "./errors/skill-error.ts";
import type { SurfaceName } from "./plugin.ts";
import { isObject } from "./schema/json.ts";
import type { JsonSchema, Schemas } from "./schema/schemas.ts";

/**
 * The input schema of a command as a surface offers it: without the properties that the manifest withholds from that surface, and
 * without examples that give one. @throws SkillError `SCHEMA_INVALID`
 */
export async function offeredInput(
  schemas: Schemas,
  command: Command,
  surface: SurfaceName,
): Promise<JsonSchema> {
  const document = await schemas.document(command.input);
  const withheld = withheldFrom(command, surface);
  if (withheld.length === 0) return document;
  const { properties = {}, examples, ...rest } = document;
  const isOffered = ([property]: readonly [string, unknown]): boolean => !withheld.includes(property);
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties as object).filter(isOffered)),
    ...(Array.isArray(examples) && {
      examples: examples.filter((one) => Object.entries(one as object).every(isOffered)),
    }),
  };
}

/** @throws SkillError `INPUT_INVALID` for an input with a property that is withheld from the surface */
export function refuseWithheld(input: unknown, command: Command, surface: SurfaceName): void {
  const given = withheldFrom(command, surface).find((property) => isObject(input) && property in input);
  if (given === undefined) return;
  const takers = ["cli", "host", "http", "mcp"] as const;
  const others = takers.filter((one) => !withheldFrom(command, one).includes(given));
  throw new SkillError("INPUT_INVALID", `/${given} is not offered on ${surface}.`, {
    pointer: `/${given}`,
    hint: `Leave it out; it is offered on: ${others.join(", ")}.`,
  });
}

function withheldFrom({ withheld = {} }: Command, surface: SurfaceName): readonly string[] {
  return surface === "http" || surface === "mcp" ? (withheld[surface] ?? []) : [];
}
