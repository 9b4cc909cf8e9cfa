const IPV4 = /^127\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;
const LOCALHOST_NAME = /^([a-z0-9_-]+\.)*localhost$/;
const ORIGIN = /^https?:\/\/(\[::1\]|[a-z0-9._-]+)(?::\d{1,5})?$/;

/** An address literal that no packet leaves the machine for: 127.0.0.0/8, ::1, also in brackets. */
export function isLoopbackLiteral(name: string): boolean {
  if (name === "::1" || name === "[::1]") return true;
  const parts = IPV4.exec(name);
  return parts !== null && parts.slice(1).every((part) => Number(part) <= 255);
}

/** `localhost` and names under it, in lower case: reserved, so that no public name server can own one. */
export function isLocalhostName(name: string): boolean {
  return LOCALHOST_NAME.test(name);
}

/** Whether a server that is bound to it is reached from this machine only. */
export function isLoopbackAddress(host: string): boolean {
  return host === "localhost" || isLoopbackLiteral(host);
}

/** Whether a page of this machine sent it, letter for letter as browsers write an origin; `null` is none. */
export function isLoopbackOrigin(origin: string): boolean {
  const name = ORIGIN.exec(origin)?.[1];
  return name !== undefined && (isLocalhostName(name) || isLoopbackLiteral(name));
}
