import type { Catalog } from "../../catalog.ts";
import type { SkillManifest } from "../../contract.ts";
import type { JsonSchema, Schemas } from "../../schema/schemas.ts";
import type { HostedSkill } from "../../skill.ts";
import { inputForm } from "./form.ts";
import { usageLine } from "./help.ts";

/** What `skillctl info` tells: the manifest, and what else is known without the code. */
export interface InfoDocument extends SkillManifest {
  /** Absolute. */
  readonly folder: string;
  readonly builtin: boolean;
  /** By command: how it is typed. */
  readonly usage: Readonly<Record<string, string>>;
  /** The schema of the skill's settings, where it has any. */
  readonly settings?: JsonSchema;
}

/** @throws SkillError `SCHEMA_INVALID` when a schema that the manifest names is missing. */
export async function infoDocument(
  skill: HostedSkill,
  catalog: Catalog,
  schemas: Schemas,
): Promise<InfoDocument> {
  const { $schema: _, ...manifest } = skill.manifest;
  const usage: Record<string, string> = {};
  for (const [name, command] of Object.entries(manifest.commands ?? {})) {
    const form = inputForm(await schemas.document(command.input), command.positional);
    usage[name] = usageLine(catalog.command(manifest.name, name), form);
  }
  const settings = manifest.config === undefined ? undefined : await schemas.document(manifest.config);
  const { folder, builtin } = skill;
  return { ...manifest, folder, builtin, usage, ...(settings && { settings }) };
}
