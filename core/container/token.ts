/** Identifies a service of type `T` in constructors and in {@link Wiring}. */
export interface Token<T> {
  /** For messages. */
  readonly name: string;
  readonly symbol: symbol;
  /** For the compiler; never set. */
  readonly bound?: T;
}

/** Creates the token of a plugin's own service. Two tokens with the same name are different. */
export function token<T>(name: string): Token<T> {
  return Object.freeze({ name, symbol: Symbol(name) });
}

/**
 * The token of a port that one skill lends another, by its name in `provides` and `requires` of their manifests. It is the
 * same wherever it is created, so that the borrower needs only the name and the type.
 */
export function port<T>(name: string): Token<T> {
  return Object.freeze({ name, symbol: Symbol.for(`skillctl.lent.${name}`) });
}

/** Opens the provider of an optional port on the first call. A failure to open is an error of that call. */
export type OptionalPort<T> = () => Promise<T>;

/**
 * The token of a port that `requires` of the manifest marks as optional. It is bound to `undefined` if no hosted skill
 * provides the port.
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
 * The token of a skill's settings: `config.<skill>` of `skillctl.json` (the user's file overrides the project's), checked
 * against the schema that the manifest names as `config`, with the defaults of its top-level properties filled in. An empty object if the
 * manifest names no schema.
 */
export function config<Settings>(): Token<Settings> {
  return CONFIG as Token<Settings>;
}

/**
 * The token of the settings that no project can set: those in the user's own `skillctl.json`, which lies in the folder for
 * settings of the platform, and the secrets, with the same defaults. Other required settings may be missing here.
 */
export function ownConfig<Settings>(): Token<Settings> {
  return OWN_CONFIG as Token<Settings>;
}
