import { portToken, type Token } from "./container/token.ts";

const CONFIG = portToken<unknown>("config");
const OWN_CONFIG = portToken<unknown>("own-config");

/**
 * The token of a skill's own settings: what `skillctl.json` says under `config.<skill>`, checked against the
 * schema that the manifest names, with the schema's defaults filled in. An empty object when it names none.
 */
export function config<Settings>(): Token<Settings> {
  return CONFIG as Token<Settings>;
}

/**
 * The part of a skill's settings that the user's own `skillctl.json` says, in the folder for settings of the platform: what
 * no project can say. An empty object when it says nothing.
 */
export function ownConfig<Settings>(): Token<Settings> {
  return OWN_CONFIG as Token<Settings>;
}
