import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { ServerOptions } from "../../ports/server.ts";
import { SkillError } from "../../errors/skill-error.ts";
import { isLocalhostName, isLoopbackLiteral, isLoopbackOrigin } from "../../loopback.ts";
import { PageLock } from "../../page/page-lock.ts";
import type { Address } from "./addresses.ts";

const HOST = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/;
const BEARER = /^Bearer +(\S+)$/i;

export interface AccessOptions extends Pick<
  ServerOptions,
  "allowHosts" | "allowOrigins" | "key" | "collectKey" | "loopbackPages"
> {
  /**
   * Set for the server of one skill, which programs call directly: a loopback Host may omit the port, the query may hold
   * a key, and allowed origins may call collecting routes only.
   */
  readonly ofSkill?: boolean;
}

const UNSHARED = { vary: "Origin" };

/** The parts of a request that decide about access. */
export interface AccessRequest {
  readonly raw: Pick<IncomingMessage, "headers" | "rawHeaders" | "method">;
  readonly query: unknown;
  /** `undefined` if no route matches. */
  readonly address: Address | undefined;
}

/**
 * Decides about access from the head of a request, before its body is read. `Host` reveals DNS rebinding, `Origin` a page
 * of another site; neither is trusted because it equals the other, since rebinding makes them equal. The start page has a
 * cookie as well.
 */
export class Access {
  readonly #ofSkill: boolean;
  readonly #allowHosts: ReadonlySet<string>;
  readonly #allowOrigins: ReadonlySet<string>;
  readonly #loopbackPages: boolean;
  readonly #key: Buffer | undefined;
  readonly #collectKey: Buffer | undefined;
  /** The path of the start page. */
  readonly #lock: PageLock | undefined;
  /** Undefined if it is not known; a loopback `Host` may then name any port. */
  #port: number | undefined;
  /** Cached, since most requests name the same host as the one before. */
  #lastHost: string | undefined;

  constructor({
    allowHosts = [],
    allowOrigins,
    ofSkill = false,
    loopbackPages = false,
    key,
    collectKey,
  }: AccessOptions) {
    this.#ofSkill = ofSkill;
    this.#allowHosts = new Set(allowHosts.map(hostName));
    this.#allowOrigins = new Set(allowOrigins);
    this.#loopbackPages = loopbackPages;
    this.#key = key ? digest(key) : undefined;
    this.#collectKey = collectKey ? digest(collectKey) : undefined;
    // Named by the key, so that servers with different keys keep a cookie each.
    if (key && !ofSkill) this.#lock = new PageLock(`skillctl-${digest(key).toString("hex", 0, 4)}`, key);
  }

  /** Sets the port, which a loopback `Host` must name. */
  listensOn(port: number): void {
    this.#port = port;
  }

  /** CORS headers that let an allowed origin read the response. */
  sharing({ raw: { headers }, address }: AccessRequest): Readonly<Record<string, string>> | undefined {
    if (!this.#loopbackPages && this.#allowOrigins.size === 0) return undefined;
    const { origin } = headers;
    const may = origin !== undefined && isLoopbackOrigin(origin) && this.#loopbackPages;
    if (origin === undefined || (!may && !this.#allows(origin, address))) return UNSHARED;
    return {
      vary: "Origin",
      "access-control-allow-origin": origin,
      // Required by JSON beacons and by pages that send cookies with every request. Cookies are ignored here.
      ...(this.#ofSkill && address?.collects && { "access-control-allow-credentials": "true" }),
    };
  }

  /** The refusal of a request for its host or origin: `HOST_REFUSED`, `ORIGIN_REFUSED`. */
  refusal({ raw, address }: AccessRequest): SkillError | undefined {
    const { host, origin } = raw.headers;
    if (host === undefined)
      return new SkillError("REQUEST_UNREADABLE", "The request names no host.", {
        hint: "Send a Host header, even with HTTP/1.0.",
      });
    if (!this.#answersFor(host) || hasTwoHosts(raw.rawHeaders))
      return new SkillError("HOST_REFUSED", "The Host header names no host that this server answers for.", {
        hint: "Use a loopback address with the server's port, or allow the name with --allow-host.",
      });
    const isForeign = origin === undefined ? isEmbedded(raw.headers) : !isLoopbackOrigin(origin);
    if (
      !isForeign ||
      (origin !== undefined && (this.#lock?.opens(raw.headers) || this.#allows(origin, address)))
    )
      return undefined;
    return new SkillError("ORIGIN_REFUSED", "Pages of this origin may not call this server.", {
      hint: originHint(origin, origin !== undefined && this.#allowOrigins.has(origin)),
    });
  }

  /** The refusal of a request without a key that opens the address: `KEY_REFUSED`. */
  keyRefusal({ raw: { headers, method }, query, address }: AccessRequest): SkillError | undefined {
    // For routes of skills `keyless` counts only on the server of that skill; here only /health needs no key.
    const isKeyless = address?.keyless && (this.#ofSkill || address.skill === undefined);
    if (!this.#key || isKeyless || this.#lock?.opens(headers)) return undefined;
    // GET requests may send the key in the query, as a browser does; on the server of a skill all requests may.
    const inQuery = this.#ofSkill || method === "GET" ? keysIn(query, this.#ofSkill) : [];
    const given = [BEARER.exec(headers.authorization ?? "")?.[1], ...inQuery].filter(
      (key) => key !== undefined,
    );
    if (given.some((key) => this.#opens(digest(key), address?.collects === true))) return undefined;
    return new SkillError(
      "KEY_REFUSED",
      given.length === 0 ? "The request has no key." : "The key is wrong.",
      {
        hint: "Send the header `Authorization: Bearer KEY`, or for GET `?k=KEY` after the path, with the key of the server.",
      },
    );
  }

  /** Headers that let the start page in from then on, one for each path. */
  cookiesFor(paths: readonly string[]): readonly string[] {
    return paths.flatMap((path) => this.#lock?.cookieFor(path) ?? []);
  }

  /** Whether a query parameter is the key (never passed to handlers). */
  isKey(value: unknown): boolean {
    return !this.#ofSkill && typeof value === "string" && this.#opens(digest(value), false);
  }

  #opens(given: Buffer, collects: boolean): boolean {
    if (this.#key && timingSafeEqual(given, this.#key)) return true;
    return collects && this.#collectKey !== undefined && timingSafeEqual(given, this.#collectKey);
  }

  #allows(origin: string, address: Address | undefined): boolean {
    return this.#allowOrigins.has(origin) && (!this.#ofSkill || address?.collects === true);
  }

  #answersFor(header: string): boolean {
    if (header === this.#lastHost) return true;
    const answers = this.#isOwn(header);
    if (answers) this.#lastHost = header;
    return answers;
  }

  #isOwn(header: string): boolean {
    const host = header.toLowerCase();
    const [, name, port] = HOST.exec(host) ?? [];
    if (name === undefined) return false;
    if (this.#allowHosts.has(host) || this.#allowHosts.has(name)) return true;
    if (!isLocalhostName(name) && !isLoopbackLiteral(name)) return false;
    if (this.#port === undefined) return true;
    return port === undefined ? this.#ofSkill || this.#port === 80 : Number(port) === this.#port;
  }
}

/** Keys in a query: `k` and, for programs, the first name without a value, since readers of ini files fail at a second equals sign. */
function keysIn(query: unknown, bare: boolean): readonly string[] {
  const pairs = Object.entries((query ?? {}) as Readonly<Record<string, unknown>>);
  return pairs.flatMap(([name, value]) => {
    if (name === "k") return typeof value === "string" ? [value] : [];
    return bare && value === "" ? [name] : [];
  });
}

/** Whether a request has two Host headers. Node reports the first one, while a proxy may have used the other. */
function hasTwoHosts(lines: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < lines.length; index += 2) {
    const name = lines[index] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}

/**
 * Whether a page of another site embeds the response as a picture, script or frame, for which browsers send no Origin.
 * False if a person follows a link.
 */
function isEmbedded(headers: IncomingMessage["headers"]): boolean {
  return headers["sec-fetch-site"] === "cross-site" && headers["sec-fetch-dest"] !== "document";
}

function originHint(origin: string | undefined, isAllowed: boolean): string {
  if (origin === undefined)
    return "Pages of other sites cannot embed responses: use fetch, and allow the origin with --allow-origin.";
  if (isAllowed)
    return "Pages of an allowed origin may only send data: read data with a program or a page on this machine.";
  if (URL.canParse(origin) && new URL(origin).origin === origin)
    return "Allow the origin with --allow-origin.";
  return "Files, sandboxed frames and extensions have no origin that can be allowed: serve the page from this machine, such as at http://localhost:3000.";
}

/** Removes the brackets of an IPv6 literal. */
function hostName(given: string): string {
  const name = given.toLowerCase();
  return name.startsWith("[") || name.split(":").length <= 2 ? name : `[${name}]`;
}

/** Digests have equal length, so that their comparison takes constant time. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

const PREFLIGHT_SECONDS = 600;
const NAMES = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/;
const MOST_NAMES = 1_000;

/** Headers of a preflight response for an allowed page: methods, headers, and access to a private network. */
export function permissions(
  headers: IncomingMessage["headers"],
  methods: readonly string[],
): Readonly<Record<string, string>> {
  const names = headers["access-control-request-headers"];
  const isEchoed = names !== undefined && names.length <= MOST_NAMES && NAMES.test(names);
  return {
    ...(methods.length > 0 && { "access-control-allow-methods": methods.join(", ") }),
    ...(isEchoed && { "access-control-allow-headers": names }),
    ...(headers["access-control-request-private-network"] === "true" && {
      "access-control-allow-private-network": "true",
    }),
    "access-control-max-age": String(PREFLIGHT_SECONDS),
  };
}
