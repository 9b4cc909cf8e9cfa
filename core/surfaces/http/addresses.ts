import { SkillError } from "../../errors/skill-error.ts";
import { nearest } from "../../nearest.ts";

/** What the gate must know of a method of a path; fastify carries it as the config of a route. */
export interface Address {
  /** The skill that answers, for the rows of its own error codes. */
  readonly skill?: string;
  /** Holders of the collecting key and pages of allowed origins may call it. */
  readonly collects?: boolean | undefined;
  /** It answers without a key. */
  readonly keyless?: boolean | undefined;
}

type Methods = ReadonlyMap<string, Address>;

const NOTHING: Methods = new Map();

/** The methods of every address of a server, which fastify's router does not tell: for 405, `Allow` and preflights. */
export class Addresses {
  readonly #methods = new Map<string, Map<string, Address>>();
  readonly #patterns: { readonly pattern: RegExp; readonly url: string }[] = [];

  /** `url` as the router has it: `:name` stands for one part, `*` at the end for all that follow. */
  enter(method: string, url: string, address: Address): void {
    let methods = this.#methods.get(url);
    if (!methods) {
      this.#methods.set(url, (methods = new Map()));
      if (/[:*]/.test(url)) this.#patterns.push({ pattern: patternOf(url), url });
    }
    methods.set(method, address);
  }

  /** What answers at the path of a request. */
  at(path: string): Methods {
    const text = unescaped(path);
    const found = this.#methods.get(text);
    if (found) return found;
    const url = this.#patterns.find(({ pattern }) => pattern.test(text))?.url;
    return (url !== undefined && this.#methods.get(url)) || NOTHING;
  }

  /** Why nothing answers a method of a path: `METHOD_REFUSED`, or `NOT_FOUND` with the nearest address. */
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

/** With its escapes read, as the router reads them. */
function unescaped(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURI(path);
  } catch {
    // The router refuses it.
    return path;
  }
}
