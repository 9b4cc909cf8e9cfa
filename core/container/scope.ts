import { refuseHoles, tokensOf, type Constructor } from "./inject.ts";
import type { Token } from "./token.ts";
import { container, inject, injectable, type DependencyContainer } from "./tsyringe.ts";

interface Closable {
  close?: () => unknown;
  [Symbol.asyncDispose]?: () => unknown;
}

/**
 * One container: the root's or a plugin's.
 *
 * Closing has four rules:
 * - a scope closes the objects that it created, the last one first;
 * - it closes neither objects that it was given nor its parent;
 * - it continues after a failure and reports all failures;
 * - a closed scope creates no objects.
 */
export class Scope {
  readonly name: string;
  readonly #container: DependencyContainer;
  readonly #bound = new Set<symbol>();
  readonly #made: { readonly label: string; readonly object: Closable }[] = [];
  #closed = false;

  constructor(name: string, parent?: Scope) {
    this.name = name;
    this.#container = (parent ? parent.#container : container).createChildContainer();
  }

  /** Binds a finished object; the scope does not own it. */
  value<T>(token: Token<T>, value: T): void {
    this.#claim(token);
    this.#container.register(token.symbol, { useFactory: () => value });
  }

  /** Binds a class: this scope creates one instance for all callers, and closes it. */
  single<T>(token: Token<T>, service: Constructor<T>): void {
    if (!isClass(service))
      throw new TypeError(
        `single binds "${token.name}" to a class, but got ${kindOf(service)}; value binds a finished object`,
      );
    this.#claim(token);
    let made: { readonly object: T } | undefined;
    let making = false;
    const once = (): T => {
      if (made) return made.object;
      if (making) throw new Error(`"${token.name}" of ${this.name} needs itself.`);
      making = true;
      try {
        made = { object: this.make(service) };
      } finally {
        making = false;
      }
      return made.object;
    };
    this.#container.register(token.symbol, { useFactory: once });
  }

  /** Creates an instance of a class that has no token, such as a handler. */
  make<T>(service: Constructor<T>): T {
    if (this.#closed) throw new Error(`The scope ${this.name} is closed.`);
    prepare(service);
    for (const { name, symbol } of tokensOf(service).values()) {
      if (!this.#container.isRegistered(symbol, true))
        throw new Error(
          `${service.name} asks for "${name}", to which nothing is bound. A borrowed port must be listed under requires in skill.json, and is injected as optional(…) where it is optional there; a service of the skill is bound in wire.`,
        );
    }
    const object = this.#container.resolve(service as unknown as new (...parameters: unknown[]) => T);
    this.#made.push({ label: service.name, object: object as Closable });
    return object;
  }

  get<T>(token: Token<T>): T {
    if (!this.#container.isRegistered(token.symbol, true)) {
      throw new Error(`Nothing is bound to "${token.name}" in ${this.name} or above it.`);
    }
    return this.#container.resolve<T>(token.symbol);
  }

  has(token: Token<unknown>): boolean {
    return this.#container.isRegistered(token.symbol, true);
  }

  /** Closes the objects that this scope created, each through `run`. Returns the failures as Errors that name the objects. */
  async close(
    run: (close: () => unknown, label: string) => unknown = (close) => close(),
  ): Promise<readonly Error[]> {
    this.#closed = true;
    const failures: Error[] = [];
    for (const { label, object } of this.#made.splice(0).reverse()) {
      try {
        await run(() => (object.close ?? object[Symbol.asyncDispose])?.call(object), label);
      } catch (cause) {
        failures.push(new Error(`${label} of ${this.name} failed to close.`, { cause }));
      }
    }
    return failures;
  }

  #claim(token: Token<unknown>): void {
    if (typeof (token as Partial<Token<unknown>> | undefined)?.symbol !== "symbol")
      throw new TypeError(`value and single bind a token, but got ${kindOf(token)}`);
    if (this.#bound.has(token.symbol)) throw new Error(`"${token.name}" is bound twice in ${this.name}.`);
    this.#bound.add(token.symbol);
  }
}

/** Whether a value can be created with `new`: arrow functions and methods have no prototype. */
export function isClass(value: unknown): boolean {
  return typeof value === "function" && Object.hasOwn(value, "prototype");
}

function kindOf(value: unknown): string {
  return value === null || typeof value !== "object" ? `a value of the type ${typeof value}` : "an object";
}

const prepared = new WeakSet<object>();

/**
 * Registers a class with tsyringe: its decorated parameters, or the tokens that a plain JavaScript class lists in a
 * static `inject`. Separate from the decorators, so that a plugin never loads the container.
 * @throws TypeError when a parameter has no token.
 */
function prepare(target: Constructor<unknown>): void {
  if (prepared.has(target)) return;
  const listed = Object.hasOwn(target, "inject") ? (target.inject ?? []) : [];
  if (!Array.isArray(listed)) throw new TypeError(`inject of ${target.name} must be a list of tokens.`);
  for (const [index, token] of listed.entries()) {
    if (typeof token?.symbol !== "symbol")
      throw new TypeError(
        `inject[${index}] of ${target.name} is not a token: use one that skillctl exports, config() or port("NAME").`,
      );
    tokensOf(target).set(index, token);
  }
  refuseHoles(target);
  for (const [index, { symbol }] of tokensOf(target)) inject(symbol)(target, undefined, index);
  injectable()(target);
  prepared.add(target);
}
