import type { Command } from "../../contract.ts";
import type { JsonSchema } from "../../schema/schemas.ts";
import { jsonText } from "./text.ts";

/**
 * An output as a person is shown it: the property named by `display`, byte for byte and with one line feed at the
 * end where it has none; else the whole as JSON.
 */
export function outputText(command: Pick<Command, "display">, output: unknown): string {
  const { display } = command;
  const isObject = typeof output === "object" && output !== null;
  const shown =
    display !== undefined && isObject ? (output as Readonly<Record<string, unknown>>)[display] : undefined;
  if (typeof shown !== "string") return jsonText(output, 2);
  return shown.endsWith("\n") ? shown : `${shown}\n`;
}

/** Whether what a person is shown is Markdown: the schema says so of the property that `display` names. */
export function showsMarkdown(display: string | undefined, output: JsonSchema): boolean {
  const properties = (output["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  return display !== undefined && properties[display]?.["contentMediaType"] === "text/markdown";
}
