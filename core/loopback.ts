const IPV4 = /^127\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;
const LOCALHOST_NAME = /^([a-z0-9_-]+\.)*localhost$/;
const ORIGIN = /^https?:\/\/(\[::1\]|[a-z0-9._-]+)(?::\d{1,5})?$/;

/** Whether an address literal is loopback: 127.0.0.0/8 or ::1, with or without brackets. */
export function isLoopbackLiteral(name: string): boolean {
  if (name === "::1" || name === "[::1]") return true;
  const parts = IPV4.exec(name);
  return parts !== null && parts.slice(1).every((part) => Number(part) <= 255);
}

/** Whether a lower-case name is `localhost` or below it: reserved names that public name servers cannot own. */
export function isLocalhostName(name: string): boolean {
  return LOCALHOST_NAME.test(name);
}

/** Whether a server that listens at this address (`localhost`, 127.0.0.0/8 or ::1) is reachable from this machine only. */
export function isLoopbackAddress(host: string): boolean {
  return host === "localhost" || isLoopbackLiteral(host);
}

/** Whether an `Origin` header, spelled as browsers write it, names a page of this machine. False for `null`. */
export function isLoopbackOrigin(origin: string): boolean {
  const name = ORIGIN.exec(origin)?.[1];
  return name !== undefined && (isLocalhostName(name) || isLoopbackLiteral(name));
}
