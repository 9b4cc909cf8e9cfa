import { packageFolder } from "../../adapters/package-folder.ts";
import { builtValidators } from "../../adapters/precompiled.ts";
import { Schemas, type JsonSchema, type Precompiled } from "../../schema/schemas.ts";
import { parsedJson } from "../../schema/json.ts";

/** Schemas without a host. `folderOf` answers the folder of the schemas of a skill, absolute. */
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

/** The core's own schemas, for what is read before there is a host. */
export const coreSchemas = schemasIn(() => `${packageFolder()}/schemas/core`, builtValidators);
