import { parsedJson } from "../../schema/json.ts";

/** The text of a skillctl.json with changed `plugins` and everything else kept; undefined if nothing is left. */
export function withPlugins(
  text: string | undefined,
  change: (plugins: readonly string[]) => readonly string[],
): string | undefined {
  const whole = parsedJson(text?.replace(/^\uFEFF/, "") ?? "{}") as { readonly plugins?: readonly string[] };
  const { plugins: old = [], ...rest } = whole;
  const plugins = change(old);
  if (text !== undefined && JSON.stringify(plugins) === JSON.stringify(old)) return text;
  const content = plugins.length > 0 ? { ...whole, plugins } : rest;
  if (Object.keys(content).length === 0) return undefined;
  const indent = /^[ \t]+(?=")/m.exec(text ?? "")?.[0] ?? "  ";
  return `${JSON.stringify(content, undefined, indent)}\n`;
}
