import type { NetworkAddress } from "skillctl";
import type { ServeOutput } from "../contract.ts";
import type { SessionFiles } from "../session-files.ts";
import { GUEST_NAMES, isEverywhere, listenedAddresses, originOf } from "./network.ts";
import { eventUrl, keyIn } from "./plan.ts";
import type { ServerRecord } from "./server-record.ts";

/** What is told of a server that runs, without the text. */
export type ServerInfo = Omit<ServeOutput, "text" | "ended">;

/** What a server is and where it answers: docs/runtime-debug.md, section Start. */
export function serverInfo(
  record: ServerRecord,
  files: SessionFiles,
  addresses: readonly NetworkAddress[],
): ServerInfo {
  const base = new URL(record.eventUrl).origin;
  return {
    api_url: record.eventUrl,
    session_id: record.session,
    log_dir: files.folder,
    log_file: files.log,
    env_file: files.environment,
    base_url: base,
    endpoints: {
      event: record.eventUrl,
      logs: `${base}/logs`,
      health: `${base}/health`,
      run: `${base}/run`,
    },
    pid: record.pid,
    addresses: [...furtherAddresses(record, addresses)],
    ...(record.keyFile !== undefined && { key_file: record.keyFile }),
  };
}

function furtherAddresses(
  { host, port, eventUrl: told }: ServerRecord,
  addresses: readonly NetworkAddress[],
): readonly string[] {
  if (!isEverywhere(host)) return [];
  const names = [
    ...listenedAddresses(host, addresses).map(({ address }) => address),
    "127.0.0.1",
    ...GUEST_NAMES,
  ];
  return names.map((name) => eventUrl(originOf(name, port), keyIn(told))).filter((url) => url !== told);
}

/** The block between two lines that existing agents look for on standard output. */
export function serverBlock(info: ServerInfo): string {
  return `@@DEBUG_SERVER_INFO\n${JSON.stringify(info, undefined, 2)}\n@@END_DEBUG_SERVER_INFO`;
}

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
