import type { ServerRecord } from "./server-record.ts";

/** What people are told when a session has another address than the last time; `undefined` when it has the same. */
export function movedAddress(
  earlier: ServerRecord | undefined,
  now: Pick<ServerRecord, "eventUrl">,
): string | undefined {
  if (!earlier || earlier.eventUrl === now.eventUrl) return undefined;
  return `The address has changed to ${now.eventUrl}: what names ${earlier.eventUrl} in instrumented code no longer arrives.`;
}
