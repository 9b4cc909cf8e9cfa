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
  readonly #inQuery: boolean;

  /** `inQuery`: a key may also be sent as `k` in the query. */
  constructor(key: string, collectKey: string | undefined, inQuery: boolean) {
    this.#key = digest(key);
    this.#collectKey = collectKey ? digest(collectKey) : undefined;
    this.#inQuery = inQuery;
  }

  /** `KEY_REFUSED`, unless the address needs no key or the request has one that opens it. */
  refusal({ authorization = "", url }: Head, address: Address | undefined): SkillError | undefined {
    if (address?.keyless) return undefined;
    const given = [BEARER.exec(authorization)?.[1], this.#inQuery ? fromQuery(url) : undefined].filter(
      (key) => key !== undefined,
    );
    if (given.some((key) => this.#opens(digest(key), address?.collects === true))) return undefined;
    const way = this.#inQuery ? " or `?KEY` behind the path" : "";
    return new SkillError(
      "KEY_REFUSED",
      given.length === 0 ? "The request has no key." : "The key is not the right one.",
      {
        hint: `Send the header \`Authorization: Bearer KEY\`${way} with the key that the server was started with.`,
      },
    );
  }

  #opens(given: Buffer, collects: boolean): boolean {
    if (timingSafeEqual(given, this.#key)) return true;
    return collects && this.#collectKey !== undefined && timingSafeEqual(given, this.#collectKey);
  }
}

function fromQuery(url: string): string | undefined {
  const text = (NAMED.exec(url) ?? BARE.exec(url))?.[1];
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    // A broken escape is no key.
    return text;
  }
}

/** Digests have one length, so that the comparison takes one time. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
