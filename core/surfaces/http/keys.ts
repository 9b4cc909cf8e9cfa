import { createHash, timingSafeEqual } from "node:crypto";
import { SkillError } from "../../errors/skill-error.ts";
import type { Address } from "./address-book.ts";
import type { Head } from "./head.ts";

const BEARER = /^Bearer +(\S+)$/i;
const NAMED = /[?&]k=([^&#]*)/;
/** Without a name, for readers of ini files, to whom a second equals sign on a line is an error. */
const BARE = /\?([^=&#]+)=?(?=[&#]|$)/;

/** The keys of a server: one opens everything, another only what collects. */
export class Keys {
  readonly #key: Buffer;
  readonly #collectKey: Buffer | undefined;
  readonly #forPrograms: boolean;

  /**
   * Whoever reads may send the key as `k` in the query, as a browser does that opens the address. `forPrograms`: so may
   * whoever sends, also without that name.
   */
  constructor(key: string, collectKey: string | undefined, forPrograms: boolean) {
    this.#key = digest(key);
    this.#collectKey = collectKey ? digest(collectKey) : undefined;
    this.#forPrograms = forPrograms;
  }

  /** `KEY_REFUSED`, unless the address needs no key or the request has one that opens it. */
  refusal({ method, authorization = "", url }: Head, address: Address | undefined): SkillError | undefined {
    if (address?.keyless) return undefined;
    const named = this.#forPrograms || method === "GET" ? NAMED.exec(url) : null;
    const query = named ?? (this.#forPrograms ? BARE.exec(url) : null);
    const given = [BEARER.exec(authorization)?.[1], decoded(query?.[1])].filter((key) => key !== undefined);
    if (given.some((key) => this.#opens(digest(key), address?.collects === true))) return undefined;
    return new SkillError(
      "KEY_REFUSED",
      given.length === 0 ? "The request has no key." : "The key is not the right one.",
      {
        hint: "Send the header `Authorization: Bearer KEY`, or for GET `?k=KEY` behind the path, with the key of the server.",
      },
    );
  }

  /** The target of a request without the key in its query, which is no parameter of anybody. */
  without(url: string): string {
    const [found, key] = NAMED.exec(url) ?? [];
    if (found === undefined || !this.#opens(digest(decoded(key) ?? ""), false)) return url;
    return url
      .replace(found, found.slice(0, 1))
      .replace(/([?&])&/, "$1")
      .replace(/[?&](?=#|$)/, "");
  }

  #opens(given: Buffer, collects: boolean): boolean {
    if (timingSafeEqual(given, this.#key)) return true;
    return collects && this.#collectKey !== undefined && timingSafeEqual(given, this.#collectKey);
  }
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    // A broken escape is no key.
    return text;
  }
}

/** Digests have one length, so that the comparison takes one time. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
