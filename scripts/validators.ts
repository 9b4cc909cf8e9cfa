import { readFileSync, readdirSync } from "node:fs";
import standaloneCode from "ajv/dist/standalone/index.js";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { createAjv } from "../core/schema/ajv.ts";
import { DIALECT as META_SCHEMA, SCHEMA_OF_SCHEMAS } from "../core/schema/schemas.ts";

/**
 * A module a folder of schemas/, `<skill>.schemas`: its schemas compiled. Source text by name.
 */
export function validatorModules(): ReadonlyMap<string, string> {
  const skills = readdirSync("schemas", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return new Map(skills.map(({ name }) => [`${name}.schemas`, moduleOf(name, schemasOf(name))]));
}

type Compiled = readonly (readonly [id: string, schema: object])[];

function schemasOf(skill: string): Compiled {
  const files = readdirSync(`schemas/${skill}`).filter((name) => name.endsWith(".json"));
  return files.map((file) => [`${skill}/${file.replace(".json", "")}`, json(`schemas/${skill}/${file}`)]);
}

function moduleOf(skill: string, schemas: Compiled): string {
  const ajv = createAjv({ code: { source: true, esm: true } });
  const names: Record<string, string> = {};
  if (skill === "core") ajv.getSchema(META_SCHEMA);
  for (const [id, schema] of schemas) {
    ajv.addSchema({ ...schema, $id: id }, id);
    names[`v${Object.keys(names).length}`] = id;
  }
  // The schema of schemas: compiling it anew for every foreign skill would cost as much as Node's own start.
  if (skill === "core") names["meta"] = META_SCHEMA;
  const generate = (standaloneCode as unknown as { default: (ajv: Ajv2020, names: object) => string })
    .default;
  const entries = Object.entries(names).map(
    ([local, id]) => `${JSON.stringify(id === META_SCHEMA ? SCHEMA_OF_SCHEMAS : id)}: ${local}`,
  );
  return `${generate(ajv, names)}\nexport default { ${entries.join(", ")} };\n`;
}

function json(path: string): object {
  return JSON.parse(readFileSync(path, "utf8")) as object;
}
