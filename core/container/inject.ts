import "reflect-metadata";
import { inject as tsyringeInject, injectable as tsyringeInjectable } from "tsyringe";
import type { Token } from "./token.ts";

/** A class that the container can make. Its parameters are decorated, or listed in a static `inject` array. */
export type Constructor<T> = (new (...parameters: never[]) => T) & { readonly inject?: readonly Token<unknown>[] };

type ConcreteClass = new (...parameters: never[]) => unknown;
type AnyClass = abstract new (...parameters: never[]) => unknown;
type Parameter<Class extends AnyClass, Index extends number> = ConstructorParameters<Class>[Index];
type Fitting<T, Class extends AnyClass, Index extends number> = [T] extends [Parameter<Class, Index>]
  ? Index
  : { readonly "the token is of type": T; readonly "but the parameter is of type": Parameter<Class, Index> };

const tokensByClass = new WeakMap<object, Map<number, Token<unknown>>>();
const checked = new WeakSet<object>();

/** Names the token for a constructor parameter. A token whose type does not fit it is a compile error. */
export function inject<T>(token: Token<T>) {
  return function <Class extends AnyClass, Index extends number>(
    target: Class,
    key: undefined,
    index: Index & Fitting<T, Class, Index>,
  ): void {
    record(target, token, index);
    tsyringeInject(token.symbol)(target, key, index);
  };
}

/**
 * Marks a class whose parameters are all decorated with `inject`.
 * @throws TypeError at import when a parameter has no token: it would silently be `undefined`.
 */
export function injectable() {
  return (target: ConcreteClass): void => mark(target);
}

/**
 * Makes a class known to the container: decorated ones are already, plain JavaScript ones list their tokens in
 * a static `inject`.
 * @throws TypeError when a parameter has no token.
 */
export function prepare(target: Constructor<unknown>): void {
  if (checked.has(target)) return;
  const listed = Object.hasOwn(target, "inject") ? (target.inject ?? []) : [];
  listed.forEach((token, index) => {
    record(target, token, index);
    tsyringeInject(token.symbol)(target, undefined, index);
  });
  mark(target);
}

function record<T>(target: object, token: Token<T>, index: number): void {
  const tokens = tokensByClass.get(target) ?? new Map<number, Token<unknown>>();
  tokensByClass.set(target, tokens.set(index, token));
}

function mark(target: ConcreteClass): void {
  const tokens = tokensByClass.get(target);
  for (let index = 0; index < target.length; index += 1) {
    if (!tokens?.has(index)) throw new TypeError(`${target.name}: parameter ${index + 1} names no token.`);
  }
  checked.add(target);
  tsyringeInjectable()(target);
}
