import { SkillError } from "../../errors/skill-error.ts";
import { nearest } from "../../nearest.ts";

/** Access properties of a route; fastify carries them as its config. */
export interface Address {
  /** The skill that handles it, for its own error codes. */
  readonly skill?: string;
  /** Holders of the collecting key and pages of allowed origins may call it. */
  readonly collects?: boolean | undefined;
  /** It needs no key. */
  readonly keyless?: boolean | undefined;
}

type Methods = ReadonlyMap<string, Address>;

const NOTHING: Methods = new Map();

/** The methods of every path of a server, for 405, `Allow` and preflights; fastify's router does not report them. */
export class Addresses {
  readonly #methods = new Map<string, Map<string, Address>>();
  readonly #patterns: { readonly pattern: RegExp; readonly url: string }[] = [];

  /** `url` in the router's syntax: `:name` matches one segment, a final `*` all further ones. */
  enter(method: string, url: string, address: Address): void {
    let methods = this.#methods.get(url);
    if (!methods) {
      this.#methods.set(url, (methods = new Map()));
      if (/[:*]/.test(url)) this.#patterns.push({ pattern: patternOf(url), url });
    }
    methods.set(method, address);
  }

  /** The methods of a path. */
  at(path: string): Methods {
    const text = unescaped(path);
    const found = this.#methods.get(text);
    if (found) return found;
    const url = this.#patterns.find(({ pattern }) => pattern.test(text))?.url;
    return (url !== undefined && this.#methods.get(url)) || NOTHING;
  }

  /** The error for a method and path without a route: `METHOD_REFUSED`, or `NOT_FOUND` with the nearest path. */
  missing(method: string, path: string): SkillError {
    const allow = [...this.at(path).keys()];
    if (allow.length > 0)
      return new SkillError("METHOD_REFUSED", `${path} does not answer ${method}.`, {
        hint: `It answers: ${allow.join(", ")}.`,
      });
    const guess = nearest(path, this.#methods.keys());
    const listed = this.#methods.has("/openapi.json")
      ? "The addresses are in /openapi.json."
      : "Check the address.";
    return new SkillError("NOT_FOUND", `Nothing answers at ${path}.`, {
      hint: guess ? `Did you mean ${guess}?` : listed,
    });
  }
}

/** The path of a request's target. */
export function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}

function patternOf(url: string): RegExp {
  const parts = url.split("/").map((part) => {
    if (part.startsWith(":")) return "[^/]+";
    return part === "*" ? ".*" : part.replaceAll(".", "\\.");
  });
  return new RegExp(`^${parts.join("/")}$`);
}

/** Decodes a path as the router does. */
function unescaped(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURI(path);
  } catch {
    // The router refuses it.
    return path;
  }
}
