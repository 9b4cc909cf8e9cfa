import { readFileSync, readdirSync } from "node:fs";
import type { Ajv2020 } from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import { createAjv } from "../core/schema/ajv.ts";
import { DIALECT as META_SCHEMA, SCHEMA_OF_SCHEMAS } from "../core/schema/schemas.ts";

// What the types call the module is, for Node, its default export.
const generate = (standaloneCode as unknown as { default: (ajv: Ajv2020, names: object) => string }).default;

/** A module a folder of schemas/, `<skill>.schemas`: its schemas compiled. Source text by name. */
export function validatorModules(): ReadonlyMap<string, string> {
  return new Map(readdirSync("schemas").map((skill) => [`${skill}.schemas`, moduleOf(skill)]));
}

function moduleOf(skill: string): string {
  const ajv = createAjv({ code: { source: true, esm: true } });
  const ids = readdirSync(`schemas/${skill}`).map((file) => `${skill}/${file.replace(".json", "")}`);
  for (const id of ids) {
    const schema = JSON.parse(readFileSync(`schemas/${id}.json`, "utf8")) as object;
    ajv.addSchema({ ...schema, $id: id }, id);
  }
  // The schema of schemas: compiling it anew for every foreign skill would cost as much as Node's own start.
  if (skill === "core") ajv.getSchema(META_SCHEMA);
  const names = Object.entries({ ...ids, ...(skill === "core" && { meta: META_SCHEMA }) }).map(
    ([key, id]) => [`v${key}`, id] as const,
  );
  const entries = names.map(
    ([name, id]) => `${JSON.stringify(id === META_SCHEMA ? SCHEMA_OF_SCHEMAS : id)}: ${name}`,
  );
  return `${generate(ajv, Object.fromEntries(names))}\nexport default { ${entries.join(", ")} };\n`;
}
