import type { Catalog } from "../../catalog.ts";
import { SkillError } from "../../errors/skill-error.ts";
import { nearest } from "../../nearest.ts";
import type { Missing } from "./app.ts";
import { isServed } from "./command-endpoint.ts";

const COMMAND = /^\/v1\/skills\/([^/]+)\/commands\/([^/]+)$/;

/** The addresses of a server and their methods, to say what is wrong with another one. */
export class AddressBook {
  readonly #methods = new Map<string, Set<string>>();
  readonly #catalog: Catalog | undefined;

  /** With a catalogue, addresses of commands are explained by it. */
  constructor(catalog?: Catalog) {
    this.#catalog = catalog;
  }

  /** Enters an address; false when it is taken. */
  enter(method: string, path: string): boolean {
    const methods = this.#methods.get(path) ?? new Set();
    if (methods.has(method)) return false;
    this.#methods.set(path, methods.add(method));
    // Fastify answers HEAD wherever it answers GET.
    if (method === "GET") methods.add("HEAD");
    return true;
  }

  /** `METHOD_REFUSED`, `UNKNOWN_SKILL`, `UNKNOWN_COMMAND`, `SURFACE_REFUSED` or `NOT_FOUND`, with the nearest name. */
  readonly missing: Missing = (method, path) => {
    const methods = this.#methods.get(path);
    if (methods) {
      const allow = [...methods].join(", ");
      const error = new SkillError("METHOD_REFUSED", `${path} does not answer ${method}.`, {
        hint: `It answers: ${allow}.`,
      });
      return { error, allow };
    }
    const guess = nearest(path, this.#methods.keys());
    const unknown = new SkillError("NOT_FOUND", `Nothing answers at ${path}.`, {
      hint: guess
        ? `Did you mean ${guess}?`
        : this.#catalog
          ? "The addresses are in /openapi.json."
          : "Check the address.",
    });
    return { error: this.#commandFault(path) ?? unknown };
  };

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
