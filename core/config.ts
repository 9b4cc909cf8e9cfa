import { portToken, type Token } from "./container/token.ts";

const CONFIG = portToken<unknown>("config");

/**
 * The token of a skill's own settings: what `skillctl.json` says under `config.<skill>`, checked against the
 * schema that the manifest names, with the schema's defaults filled in. An empty object when it names none.
 */
export function config<Settings>(): Token<Settings> {
  return CONFIG as Token<Settings>;
}
