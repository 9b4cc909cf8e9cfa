import type { Token } from "./token.ts";

/** A class that a host can create. Its parameters are decorated with {@link inject}, or their tokens are listed in a static `inject`. */
export type Constructor<T> = (new (...parameters: never[]) => T) & {
  readonly inject?: readonly Token<unknown>[];
};

type ConcreteClass = new (...parameters: never[]) => unknown;
type AnyClass = abstract new (...parameters: never[]) => unknown;
type Parameter<Class extends AnyClass, Index extends number> = ConstructorParameters<Class>[Index];
type Fitting<T, Class extends AnyClass, Index extends number> = [T] extends [Parameter<Class, Index>]
  ? Index
  : { readonly "the token is of type": T; readonly "but the parameter is of type": Parameter<Class, Index> };

/** The property of a class with its tokens: the same in every copy of this package, since a plugin may have its own copy. */
const TOKENS = Symbol.for("skillctl.inject");

interface Recorded {
  [TOKENS]?: Map<number, Token<unknown>>;
}

/** Decorates a constructor parameter with its token. A token whose type does not fit the parameter is a compile error. */
export function inject<T>(token: Token<T>) {
  return function <Class extends AnyClass, Index extends number>(
    target: Class,
    _key: undefined,
    index: Index & Fitting<T, Class, Index>,
  ): void {
    tokensOf(target).set(index, token);
  };
}

/**
 * Decorates a class whose parameters are all decorated with {@link inject}.
 * @throws TypeError at import if a parameter has no token.
 */
export function injectable() {
  return (target: ConcreteClass): void => refuseHoles(target);
}

/** The tokens of a class by parameter, as decorated or listed so far. */
export function tokensOf(target: object): Map<number, Token<unknown>> {
  const recorded = target as Recorded;
  if (!Object.hasOwn(recorded, TOKENS)) Object.defineProperty(recorded, TOKENS, { value: new Map() });
  return recorded[TOKENS] as Map<number, Token<unknown>>;
}

/** @throws TypeError when a parameter has no token. */
export function refuseHoles(target: ConcreteClass): void {
  for (let index = 0; index < target.length; index += 1) {
    if (!tokensOf(target).has(index)) {
      throw new TypeError(
        `${target.name}: parameter ${index + 1} has no token: write static inject = [TOKEN] with one for each parameter, or @inject(TOKEN) before each`,
      );
    }
  }
}
