const LOOPBACK = /^https?:\/\/((?:[a-z0-9_-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/;

/** Whether a page of this machine sent it, letter for letter; `null` is none. */
export function isLoopbackOrigin(origin: string): boolean {
  return LOOPBACK.test(origin);
}
