import { createHash, timingSafeEqual } from "node:crypto";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The lock of a page: its key is exchanged for a cookie, with which the page alone may ask. */
export class PageLock {
  readonly #cookie: string;

  /** @param name of the cookie; browsers send the cookies of one port of a machine to all others */
  constructor(
    private readonly name: string,
    private readonly key: string,
  ) {
    // Stays over restarts, as the key does, and does not tell it.
    this.#cookie = `${name}=${createHash("sha256").update(`cookie ${key}`).digest("base64url")}`;
  }

  isKey(given: string): boolean {
    return isSame(given, this.key);
  }

  /** The header that lets a browser in from then on, at this path and below. */
  cookieFor(path: string): string {
    return `${this.#cookie}; Path=${path}; HttpOnly; SameSite=Strict`;
  }

  /** Whether the page sends a request, and has been opened with the key. */
  opens(headers: Headers): boolean {
    const cookies = String(headers["cookie"] ?? "").split(/;\s*/);
    const own = cookies.find((one) => one.startsWith(`${this.name}=`));
    return own !== undefined && isSame(own, this.#cookie) && isOwnPage(headers);
  }
}

/**
 * Whether no page of another origin sends a request. Pages at another port of a machine are of the same site, so that their
 * requests have the cookie. A program, and a person who types an address, name no origin and are let in by the cookie alone.
 */
export function isOwnPage({ host, origin, "sec-fetch-site": site = "same-origin" }: Headers): boolean {
  const isOwn = origin === undefined || /^https?:\/\/(.*)$/.exec(String(origin))?.[1] === host;
  return isOwn && (site === "same-origin" || site === "none");
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(first as Buffer, second as Buffer);
}
