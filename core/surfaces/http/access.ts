import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { SkillError } from "../../errors/skill-error.ts";
import { isLocalhostName, isLoopbackLiteral } from "./loopback.ts";
import type { HttpServerOptions } from "./options.ts";

const HOST = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/;
const ORIGIN = /^https?:\/\/(\[::1\]|[a-z0-9.-]+)(?::\d{1,5})?$/;

/**
 * Who may ask at all, decided on the head of a request before anything is routed. `Host` gives a rebound name away,
 * `Origin` a foreign page; neither feeds the decision about the other, since rebinding makes them equal.
 */
export class Access {
  readonly #allowHosts: ReadonlySet<string>;
  readonly #allowOrigins: ReadonlySet<string>;
  readonly #key: Buffer | undefined;
  readonly #usual = new Set<string>();
  #port = 0;

  constructor(options: Pick<HttpServerOptions, "allowHosts" | "allowOrigins" | "key">) {
    this.#allowHosts = new Set((options.allowHosts ?? []).map((name) => name.toLowerCase()));
    this.#allowOrigins = new Set(options.allowOrigins);
    this.#key = options.key ? digest(options.key) : undefined;
  }

  /** Tells the port once it is known: a loopback `Host` must name it. */
  listensOn(port: number): void {
    this.#port = port;
    for (const name of ["localhost", "127.0.0.1", "[::1]"]) this.#usual.add(`${name}:${port}`);
  }

  /** Whether answers depend on the `Origin` of the request, for caches between. */
  get sharesWithOrigins(): boolean {
    return this.#allowOrigins.size > 0;
  }

  /** The origin whose pages may read the answer: only one that was allowed by name. */
  sharedOrigin({ headers }: IncomingMessage): string | undefined {
    return headers.origin !== undefined && this.#allowOrigins.has(headers.origin)
      ? headers.origin
      : undefined;
  }

  /** Why a request is refused; undefined when it is let in: `HOST_REFUSED`, `ORIGIN_REFUSED`. */
  refusal(request: IncomingMessage): SkillError | undefined {
    const { host, origin } = request.headers;
    if (host === undefined || !this.#answersFor(host) || namesTwoHosts(request)) {
      return new SkillError("HOST_REFUSED", "The Host header names no host that this server answers for.", {
        hint: "Use a loopback address with the server's port, or allow the name with --allow-host.",
      });
    }
    if (origin === undefined || isLoopbackOrigin(origin) || this.#allowOrigins.has(origin)) return undefined;
    return new SkillError("ORIGIN_REFUSED", "Pages of this origin may not call this server.", {
      hint: "Allow the origin with --allow-origin.",
    });
  }

  /** Why the key of a request does not do: `KEY_REFUSED`. `/health` needs none. */
  keyRefusal({ headers, url = "" }: IncomingMessage): SkillError | undefined {
    if (!this.#key || url === "/health" || url.startsWith("/health?")) return undefined;
    const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
    if (given !== undefined && timingSafeEqual(digest(given), this.#key)) return undefined;
    return new SkillError(
      "KEY_REFUSED",
      given === undefined ? "The request has no key." : "The key is not the right one.",
      {
        hint: "Send the header `Authorization: Bearer KEY` with the key that the server was started with.",
      },
    );
  }

  #answersFor(header: string): boolean {
    if (this.#usual.has(header)) return true;
    const host = header.toLowerCase();
    const [, name, port] = HOST.exec(host) ?? [];
    if (name === undefined) return false;
    if (this.#allowHosts.has(host) || this.#allowHosts.has(name)) return true;
    return Number(port ?? 80) === this.#port && (isLocalhostName(name) || isLoopbackLiteral(name));
  }
}

/** `null`, and anything that is not letter for letter a loopback origin, is foreign. */
function isLoopbackOrigin(origin: string): boolean {
  const name = ORIGIN.exec(origin)?.[1];
  return name !== undefined && (name === "localhost" || isLoopbackLiteral(name));
}

/** Node keeps the first of several; what stands between may have judged by another. */
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === "host") seen += 1;
  }
  return seen > 1;
}

/** Digests have one length, so that the comparison takes one time. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
