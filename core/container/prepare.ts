import { refuseHoles, tokensOf, type Constructor } from "./inject.ts";
import { inject, injectable } from "./tsyringe.ts";

const prepared = new WeakSet<object>();

/**
 * Makes a class known to tsyringe: its decorated parameters, or the tokens that a plain JavaScript class lists in a
 * static `inject`. Apart from the decorators, so that a plugin never loads the container.
 * @throws TypeError when a parameter has no token.
 */
export function prepare(target: Constructor<unknown>): void {
  if (prepared.has(target)) return;
  const listed = Object.hasOwn(target, "inject") ? (target.inject ?? []) : [];
  for (const [index, token] of listed.entries()) tokensOf(target).set(index, token);
  refuseHoles(target);
  for (const [index, { symbol }] of tokensOf(target)) inject(symbol)(target, undefined, index);
  injectable()(target);
  prepared.add(target);
}
