import type { ServerRecord } from "./server-record.ts";

type Told = Pick<ServerRecord, "eventUrl" | "keyFile">;

/**
 * What people are told when programs that know the address of the last time no longer reach a session; `undefined` when
 * they do. No key is told.
 */
export function movedAddress(earlier: Told | undefined, now: Told): string | undefined {
  if (!earlier || earlier.eventUrl === now.eventUrl) return undefined;
  const [before, after] = [withoutKey(earlier), withoutKey(now)];
  if (before !== after) {
    const key = now.keyFile !== undefined ? ", with its key in the environment file" : "";
    return `The address has changed to ${after}${key}: what names ${before} in instrumented code no longer arrives.`;
  }
  // Who asks for no key takes an address with one.
  if (now.keyFile === undefined) return undefined;
  return `The server asks for a key now: what names ${after} without it in instrumented code no longer arrives. The address with it is in the environment file.`;
}

function withoutKey({ eventUrl }: Told): string {
  return eventUrl.replace(/\?.*$/, "");
}
