import { createHash, timingSafeEqual } from "node:crypto";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The lock of a page: the key is exchanged for a cookie, which pages of other origins cannot use. */
export class PageLock {
  readonly #cookie: string;

  /** @param name the name of the cookie; browsers send a cookie to all ports of a machine */
  constructor(
    private readonly name: string,
    private readonly key: string,
  ) {
    // Stays valid across restarts, like the key, and does not reveal it.
    this.#cookie = `${name}=${createHash("sha256").update(`cookie ${key}`).digest("base64url")}`;
  }

  isKey(given: string): boolean {
    return isSame(given, this.key);
  }

  /** The `Set-Cookie` header that gives a browser access to this path and below. */
  cookieFor(path: string): string {
    return `${this.#cookie}; Path=${path}; HttpOnly; SameSite=Strict`;
  }

  /** Whether a request comes from the page, and the page was opened with the key. */
  opens(headers: Headers): boolean {
    const cookies = String(headers["cookie"] ?? "").split(/;\s*/);
    const own = cookies.find((one) => one.startsWith(`${this.name}=`));
    return own !== undefined && isSame(own, this.#cookie) && isOwnPage(headers);
  }
}

/**
 * Whether a request does not come from a page of another origin. Pages on other ports of a machine are same-site, so their
 * requests carry the cookie. Programs and typed addresses send no origin; they need only the cookie.
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
