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

/** Makes the token of a port of the core: the same in every copy of this package. */
export function portToken<T>(name: string): Token<T> {
  return Object.freeze({ name, symbol: Symbol.for(`skillctl.port.${name}`) });
}
