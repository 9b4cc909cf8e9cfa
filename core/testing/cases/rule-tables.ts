import { join } from "node:path";
import { nodeFiles } from "../../adapters/files.ts";
import type { Decision, Subject } from "../../plugin.ts";

/** The two tables of a rule: `rules/<rule>.json` beside the manifest. */
interface RuleTables {
  readonly passes: readonly Subject[];
  readonly stops: readonly { readonly subject: Subject; readonly decision: Decision }[];
}

/** @throws Error when a rule has no tables, or an empty one. */
export async function readTables(folder: string, rule: string): Promise<RuleTables> {
  const path = join(folder, "rules", `${rule}.json`);
  const text = await nodeFiles.readText(path);
  if (text === undefined) throw new Error(`The rule has no tables: ${path} is missing.`);
  const { passes, stops } = JSON.parse(text) as Partial<RuleTables>;
  if (!passes?.length) throw new Error(`${path} has no case that passes.`);
  if (!stops?.length) throw new Error(`${path} has no case that is stopped.`);
  return { passes, stops };
}

/** Every request in the tables of rules. Tables that are missing or empty are passed over: they fail a case of their own. */
export async function subjectsIn(folder: string, rules: readonly string[]): Promise<readonly Subject[]> {
  const tables = rules.map(async (rule) => {
    const { passes, stops } = await readTables(folder, rule).catch(() => ({ passes: [], stops: [] }));
    return [...passes, ...stops.map(({ subject }) => subject)];
  });
  return (await Promise.all(tables)).flat();
}
