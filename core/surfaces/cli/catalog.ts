import { Catalog } from "../../catalog.ts";
import type { VerbContext } from "./verb.ts";

/** Every skill in the box and every foreign one, read without a host: no code is loaded. */
export async function catalogOf({ builtin, options, precompiled }: VerbContext): Promise<Catalog> {
  if (options.plugins.length === 0) return new Catalog(builtin);
  const [{ coreSchemas }, { satisfies }, { foreignSkills }] = await Promise.all([
    import("./schema-files.ts"),
    import("../../adapters/engine-range.ts"),
    import("../../adapters/foreign-skills.ts"),
  ]);
  const check = await coreSchemas(precompiled).check("core/skill-manifest");
  const { skills, faults } = foreignSkills(options.plugins, check, satisfies);
  return new Catalog([...builtin, ...skills], faults);
}
