import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { SkillError } from "../errors/skill-error.ts";

/**
 * The folder of the skillctl package, whether it runs from source or from dist.
 * @throws SkillError `SCHEMA_INVALID` if the code was separated from its schemas, as bundlers do.
 */
export function packageFolder(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "schemas", "core"))) return folder;
    if (dirname(folder) !== folder) continue;
    throw new SkillError("SCHEMA_INVALID", `skillctl cannot find its schemas above ${import.meta.dirname}.`, {
      hint: "Leave skillctl out of the bundle, so that it is loaded from its own package.",
    });
  }
}
