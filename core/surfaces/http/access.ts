import type { ServerOptions } from "../../ports/server.ts";
import { SkillError } from "../../errors/skill-error.ts";
import { isLocalhostName, isLoopbackAddress, isLoopbackLiteral, isLoopbackOrigin } from "../../loopback.ts";
import type { Address } from "./address-book.ts";
import type { Head } from "./head.ts";
import { Keys } from "./keys.ts";

const HOST = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/;
const NOTHING: readonly string[] = [];
const VARY: readonly string[] = ["Vary", "Origin"];

export interface AccessOptions extends Pick<
  ServerOptions,
  "host" | "allowHosts" | "allowOrigins" | "key" | "collectKey" | "loopbackPages"
> {
  /**
   * A server of one skill, for programs written by hand: a loopback Host may leave the port out, a key may stand in
   * the query, every OPTIONS is a preflight, and allowed origins only reach the addresses that collect.
   */
  readonly ofSkill?: boolean;
}

/**
 * Who may ask at all, decided on the head of a request before anything is routed. `Host` gives a rebound name away,
 * `Origin` a foreign page; neither feeds the decision about the other, since rebinding makes them equal.
 */
export class Access {
  readonly ofSkill: boolean;
  readonly #allowHosts: ReadonlySet<string>;
  readonly #allowOrigins: ReadonlySet<string>;
  readonly #loopbackPages: boolean;
  readonly #isLoopback: boolean;
  readonly #keys: Keys | undefined;
  readonly #usual = new Set<string>();
  #port = 0;

  constructor(options: AccessOptions) {
    const {
      host = "127.0.0.1",
      allowHosts = [],
      allowOrigins,
      ofSkill = false,
      loopbackPages = false,
    } = options;
    this.ofSkill = ofSkill;
    this.#allowHosts = new Set(allowHosts.map(hostName));
    this.#allowOrigins = new Set(allowOrigins);
    this.#loopbackPages = loopbackPages;
    this.#isLoopback = isLoopbackAddress(host);
    this.#keys = options.key ? new Keys(options.key, options.collectKey, ofSkill) : undefined;
  }

  /** Tells the port once it is known: a loopback `Host` must name it. */
  listensOn(port: number): void {
    this.#port = port;
    for (const name of ["localhost", "127.0.0.1", "[::1]"]) {
      this.#usual.add(`${name}:${port}`);
      if (this.ofSkill) this.#usual.add(name);
    }
  }

  /** Header lines, name and value in turn, that let pages of the asking origin read the answer, if they may. */
  sharing({ origin }: Head, address: Address | undefined): readonly string[] {
    if (!this.#loopbackPages && this.#allowOrigins.size === 0) return NOTHING;
    if (origin === undefined) return VARY;
    const may = isLoopbackOrigin(origin) ? this.#loopbackPages : false;
    if (!may && !this.#allows(origin, address)) return VARY;
    const shared = [...VARY, "Access-Control-Allow-Origin", origin];
    // Beacons of JSON, and pages that send cookies with everything, ask for this leave. No cookie is looked at here.
    return this.ofSkill && address?.collects
      ? [...shared, "Access-Control-Allow-Credentials", "true"]
      : shared;
  }

  /** Why a request is refused; undefined when it is let in: `HOST_REFUSED`, `ORIGIN_REFUSED`. */
  refusal(head: Head, address: Address | undefined, httpVersion: string): SkillError | undefined {
    const { host, hosts, origin } = head;
    // Programs speak HTTP/1.0 without one; no browser does.
    const isBare = host === undefined && httpVersion === "1.0" && this.#isLoopback;
    if (!isBare && (host === undefined || hosts > 1 || !this.#answersFor(host))) {
      return new SkillError("HOST_REFUSED", "The Host header names no host that this server answers for.", {
        hint: "Use a loopback address with the server's port, or allow the name with --allow-host.",
      });
    }
    const isForeign = origin === undefined ? isEmbedded(head) : !isLoopbackOrigin(origin);
    if (!isForeign || (origin !== undefined && this.#allows(origin, address))) return undefined;
    return new SkillError("ORIGIN_REFUSED", "Pages of this origin may not call this server.", {
      hint: originHint(origin, origin !== undefined && this.#allowOrigins.has(origin)),
    });
  }

  /** Why the key of a request does not do: `KEY_REFUSED`. */
  keyRefusal(head: Head, address: Address | undefined): SkillError | undefined {
    return this.#keys?.refusal(head, address);
  }

  /** The target of a request that was let in, as the router is to see it. */
  target(url: string): string {
    return this.#keys && !this.ofSkill ? this.#keys.without(url) : url;
  }

  #allows(origin: string, address: Address | undefined): boolean {
    return this.#allowOrigins.has(origin) && (!this.ofSkill || address?.collects === true);
  }

  #answersFor(header: string): boolean {
    if (this.#usual.has(header)) return true;
    const host = header.toLowerCase();
    const [, name, port] = HOST.exec(host) ?? [];
    if (name === undefined) return false;
    if (this.#allowHosts.has(host) || this.#allowHosts.has(name)) return true;
    if (!isLocalhostName(name) && !isLoopbackLiteral(name)) return false;
    return port === undefined ? this.ofSkill || this.#port === 80 : Number(port) === this.#port;
  }
}

/**
 * Whether a page of another site wants it for itself: for a picture, a script or a frame browsers send no Origin. What
 * somebody opens by a link is none of that.
 */
function isEmbedded({ fetchSite, fetchDest }: Head): boolean {
  return fetchSite === "cross-site" && fetchDest !== "document";
}

function originHint(origin: string | undefined, isAllowed: boolean): string {
  if (origin === undefined)
    return "Pages of other sites cannot embed what it answers: let them ask with fetch, and allow their origin with --allow-origin.";
  if (isAllowed)
    return "Pages of an allowed origin may only send: read with a program, or with a page of this machine.";
  if (URL.canParse(origin) && new URL(origin).origin === origin)
    return "Allow the origin with --allow-origin.";
  return "Files, sandboxed frames and extensions have no origin that can be allowed: serve the page from this machine, such as at http://localhost:3000.";
}

/** An IPv6 literal stands in brackets in a Host header. */
function hostName(given: string): string {
  const name = given.toLowerCase();
  return name.startsWith("[") || name.split(":").length <= 2 ? name : `[${name}]`;
}
