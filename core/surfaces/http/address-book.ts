import type { Catalog } from "../../catalog.ts";
import { SkillError } from "../../errors/skill-error.ts";
import { nearest } from "../../nearest.ts";
import { isServed } from "./command-endpoint.ts";
import type { RawEndpoint } from "./raw-endpoint.ts";
import { routedPath } from "./target.ts";

const COMMAND = /^\/v1\/skills\/([^/]+)\/commands\/([^/]+)$/;

/** A method of a path, as far as the gate must know it. */
export interface Address {
  /** Holders of the collecting key and pages of allowed origins may call it. */
  readonly collects?: boolean | undefined;
  /** It answers without a key. */
  readonly keyless?: boolean | undefined;
  /** Answers without the router. */
  readonly endpoint?: RawEndpoint | undefined;
}

type Methods = Map<string, Address>;

/** The addresses of a server and their methods: to find one as the router does, and to say what is wrong with another. */
export class AddressBook {
  readonly #exact = new Map<string, Methods>();
  /** By the part before the star, the longest first, as the router prefers. */
  #below: readonly (readonly [start: string, methods: Methods])[] = [];
  readonly #catalog: Catalog | undefined;

  /** With a catalogue, addresses of commands are explained by it. */
  constructor(catalog?: Catalog) {
    this.#catalog = catalog;
  }

  /** Enters an address, or all below a path that ends in `/*`; false when it is taken. */
  enter(method: string, path: string, address: Address = {}): boolean {
    const methods = this.#methodsOf(path);
    if (methods.has(method)) return false;
    methods.set(method, address);
    // Fastify answers HEAD wherever it answers GET.
    if (method === "GET") methods.set("HEAD", address);
    return true;
  }

  /** What answers at the target of a request. */
  find(method: string, url: string): Address | undefined {
    const path = this.#exact.has(url) ? url : routedPath(url);
    const exact = this.#exact.get(path)?.get(method);
    if (exact || this.#below.length === 0) return exact;
    return this.#below
      .find(([start, methods]) => path.startsWith(start) && methods.has(method))?.[1]
      .get(method);
  }

  /** `METHOD_REFUSED`, `UNKNOWN_SKILL`, `UNKNOWN_COMMAND`, `SURFACE_REFUSED` or `NOT_FOUND`, with the nearest name. */
  missing(method: string, path: string): { readonly error: SkillError; readonly allow?: string } {
    const methods = this.#answering(path);
    if (methods.length > 0) {
      const allow = methods.join(", ");
      const error = new SkillError("METHOD_REFUSED", `${path} does not answer ${method}.`, {
        hint: `It answers: ${allow}.`,
      });
      return { error, allow };
    }
    const guess = nearest(path, this.#exact.keys());
    const unknown = new SkillError("NOT_FOUND", `Nothing answers at ${path}.`, {
      hint: guess
        ? `Did you mean ${guess}?`
        : this.#catalog
          ? "The addresses are in /openapi.json."
          : "Check the address.",
    });
    return { error: this.#commandFault(path) ?? unknown };
  }

  /** The methods that answer at the target of a request. */
  methods(url: string): readonly string[] {
    return this.#answering(routedPath(url));
  }

  #answering(path: string): readonly string[] {
    const below = this.#below.filter(([start]) => path.startsWith(start)).map(([, methods]) => methods);
    return [...new Set([this.#exact.get(path), ...below].flatMap((one) => [...(one?.keys() ?? [])]))];
  }

  #methodsOf(path: string): Methods {
    if (!path.endsWith("/*")) {
      const methods = this.#exact.get(path) ?? new Map<string, Address>();
      this.#exact.set(path, methods);
      return methods;
    }
    const start = path.slice(0, -1);
    const known = this.#below.find(([one]) => one === start);
    if (known) return known[1];
    const methods: Methods = new Map();
    this.#below = [...this.#below, [start, methods] as const].toSorted(([a], [b]) => b.length - a.length);
    return methods;
  }

  #commandFault(path: string): SkillError | undefined {
    const [, skill, name] = COMMAND.exec(path) ?? [];
    if (!this.#catalog || skill === undefined || name === undefined) return undefined;
    try {
      const entry = this.#catalog.command(skill, name);
      if (isServed(entry)) return undefined;
      return new SkillError("SURFACE_REFUSED", `${skill} ${name} is not offered over HTTP.`, {
        hint: `It is offered on: ${(entry.command.surfaces ?? ["cli", "mcp", "host"]).join(", ")}.`,
      });
    } catch (caught) {
      if (caught instanceof SkillError) return caught;
      throw caught;
    }
  }
}
