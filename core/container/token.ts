/** A symbol that remembers the type of what is bound to it. Made by {@link token}, used with `inject`. */
export interface Token<T> {
  readonly name: string;
  readonly symbol: symbol;
  /** Only a type: never set. */
  readonly bound?: T;
}

/** Makes a token. Two tokens of one name are two tokens. */
export function token<T>(name: string): Token<T> {
  return Object.freeze({ name, symbol: Symbol(name) });
}

/**
 * The token of a port that one skill lends another, by the name that stands in `provides` and `requires` of their
 * manifests: the same wherever it is made, so that who borrows needs nothing but the name and its type.
 */
export function port<T>(name: string): Token<T> {
  return Object.freeze({ name, symbol: Symbol.for(`skillctl.lent.${name}`) });
}

/** Opens the provider of an optional port on the first call. A failure to open is an error of that call. */
export type OptionalPort<T> = () => Promise<T>;

/**
 * The token of a port that stands in `requires` as optional. It is bound to `undefined` when no hosted skill provides the
 * port.
 */
export function optional<T>({ name, symbol }: Token<T>): Token<OptionalPort<T> | undefined> {
  return Object.freeze({ name, symbol: Symbol.for(`${symbol.description}.optional`) });
}

/** Makes the token of a port of the core: the same in every copy of this package. */
export function portToken<T>(name: string): Token<T> {
  return Object.freeze({ name, symbol: Symbol.for(`skillctl.port.${name}`) });
}

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
