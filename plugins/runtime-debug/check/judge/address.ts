/** How probes find the address of the debug server. */
export const OWN_NAME = /\bDEBUG_(?:SERVER|BASE)_URL\b/;
/** This machine as it is called from itself, a container or an emulator. */
const HOST =
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0|host\.(?:docker|containers)\.internal|10\.0\.[23]\.2|172\.17\.0\.1)$/i;
/** Where the debug server takes events (docs/runtime-debug.md), and others like it. */
const PATH = /^\/(?:(?:event|ingest|log|debug)(?:[/?#].*)?)?$/i;
/** A private network, where the debug server of a session with `--remote` may be: any other service may be there too. */
const PRIVATE_HOST =
  /^(?:10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|198\.1[89](?:\.\d{1,3}){2})$/;
/** As that server takes them: with its secret or nothing behind it. */
const REMOTE_PATH = /^\/event(?:\?[\w-]{43})?$/;
const ADDRESS = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'`<>\\)}|]*/gi;

/** Whether a text is the address of a debug server and nothing else. */
export function isOwnAddressText(text: string): boolean {
  return /^[\w:/.[\]?&=%~-]+$/.test(text) && isOwn(text);
}

/** Whether a text that goes on begins with the host of a debug server, its port and a path. */
export function beginsOwnAddress(text: string): boolean {
  return isOwnAddressText(text) && /:\/\/[^/]+\//.test(text);
}

/** What a text is as an address. */
export type AddressKind = "own" | "foreign" | "none";

/**
 * Whether a text is the address of a debug server: of this machine or its private network, without a user in front of
 * the host, and with a path that takes events.
 */
export function addressKind(text: string): AddressKind {
  const addresses = [...text.matchAll(ADDRESS)].map(([address]) => address);
  if (addresses.length === 0) return "none";
  return addresses.every(isOwn) ? "own" : "foreign";
}

function isOwn(address: string): boolean {
  const [, host = "", path = ""] =
    /^https?:\/\/([^/?#@:]+|\[[^\]]*\])(?::\d{1,5})?(\/[^@]*)?$/i.exec(address) ?? [];
  if (PRIVATE_HOST.test(host) && !HOST.test(host)) return REMOTE_PATH.test(path);
  return HOST.test(host) && PATH.test(path === "" ? "/" : path);
}
