import { toldRule, withRules } from "../../../skill-document.ts";
import { inputSchema, manifest, outputSchema, packageFile, ruleCases } from "./data-files.ts";
import { plugin, pluginTest, skillDocument } from "./text-files.ts";

export interface SkeletonOptions {
  readonly name: string;
  /** The version of skillctl that the skill is made for. */
  readonly version: string;
  /** Where the editor finds the schema of manifests, relative to the skill's folder. */
  readonly schema: string;
}

/** The files of a new skill by path in its folder, `/` between the parts. */
export function skeletonFiles({ name, version, schema }: SkeletonOptions): Readonly<Record<string, string>> {
  const data = manifest(name, version, schema);
  const told = Object.values(data.rules).map(toldRule);
  const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;
  return {
    ".gitignore": "node_modules\n",
    "SKILL.md": withRules(skillDocument(name), told),
    "package.json": json(packageFile(name, version)),
    "plugin.js": plugin(),
    "plugin.test.js": pluginTest(),
    "rules/no-shouting.json": json(ruleCases(name)),
    "schemas/greet-input.json": json(inputSchema(name)),
    "schemas/greet-output.json": json(outputSchema(name)),
    "skill.json": json(data),
  };
}
