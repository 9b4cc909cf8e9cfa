import { builtinSkills } from "./index.ts";

/** Names and summaries of the built-in skills. The build makes a table of them, because manifests take time to parse. */
export function summaries(): readonly { readonly name: string; readonly summary: string }[] {
  return builtinSkills().map(({ manifest: { name, summary } }) => ({ name, summary }));
}
