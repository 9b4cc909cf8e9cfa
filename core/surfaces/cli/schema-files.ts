import { packageFolder } from "../../adapters/package-folder.ts";
import { builtValidators } from "../../adapters/precompiled.ts";
import { Schemas, type JsonSchema, type Precompiled } from "../../schema/schemas.ts";
import { parsedJson } from "../../schema/json.ts";

/** Schemas without a host. `folderOf` returns the absolute folder of the schemas of a skill. */
export function schemasIn(folderOf: (skill: string) => string, precompiled?: Precompiled): Schemas {
  return new Schemas({
    read: async (name) => {
      const { nodeFiles } = await import("../../adapters/files.ts");
      const [skill, file] = name.split("/") as [string, string];
      const text = await nodeFiles.readText(`${folderOf(skill)}/${file}.json`);
      return text === undefined ? undefined : (parsedJson(text) as JsonSchema);
    },
    ...(precompiled && { precompiled }),
  });
}

/** The schemas of the core, for files that are read before a host exists. */
export const coreSchemas = schemasIn(() => `${packageFolder()}/schemas/core`, builtValidators);
