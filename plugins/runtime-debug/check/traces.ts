import { linesOf } from "../regions/lines.ts";
import { markerIn } from "../regions/marker.ts";
import { statusIn } from "../server/debug-record.ts";
import type { PlacedLine } from "./differences.ts";

/** What of a session can be seen in code. */
export interface SessionTraces {
  readonly session: string;
  /** Addresses of its server, such as `127.0.0.1:7777`; also earlier ones. */
  readonly hosts: readonly string[];
}

const ADDRESS =
  /\b(?:127\.0\.0\.1|localhost|0\.0\.0\.0|\[::1\]|host\.docker\.internal|10\.0\.2\.2)(?::\d+)?\/(?:event|ingest|log)\b/;
const NAMES =
  /\bDEBUG_(?:SERVER_URL|SESSION_ID|RUN_ID|LOG_FILE|BASE_URL)\b|\bsvc-debug-(?:log|rejected)\b|X-Debug-Session-Id/i;
/** An address that is put together of its parts. */
const PARTS = /(?:127\.0\.0\.1|localhost).*["'`]\/(?:event|ingest)\b/;

/** What in a line shows that it reports to a debug server, in words; `undefined` when nothing does. */
export function traceIn(text: string, traces?: SessionTraces): string | undefined {
  if (markerIn(text)?.kind === "begin") return "a marker of a region";
  const host = traces?.hosts.find((one) => text.includes(one));
  if (host !== undefined) return `the address ${host} of the debug server`;
  const found = (ADDRESS.exec(text) ?? PARTS.exec(text) ?? NAMES.exec(text))?.[0];
  if (found !== undefined) return `"${found}"`;
  if (traces === undefined) return /session_?id|hypothesis_?id/i.test(text) ? "an event" : undefined;
  const { session } = traces;
  if (new RegExp(`\\.dbg[/\\\\]|\\bdebug-${session}\\b|\\b${session}\\.env\\b`).test(text))
    return "a file of the session";
  return /session_?id/i.test(text) && text.includes(session) ? "the id of the session" : undefined;
}

/** Of lines those that were not there before and report to a debug server, with what shows it. */
export function newTraces(
  now: readonly PlacedLine[],
  before: string | undefined,
  traces: SessionTraces,
): readonly { readonly line: number; readonly trace: string }[] {
  if (!mayHoldTraces(now.map(({ text }) => text).join("\n"), traces)) return [];
  const known = new Set(linesOf(before ?? "").map(({ text }) => text));
  return now.flatMap(({ line, text }) => {
    const trace = known.has(text) ? undefined : traceIn(text, traces);
    return trace === undefined ? [] : [{ line: line + 1, trace }];
  });
}

/** Whether a text can hold anything of a session at all. */
export function mayHoldTraces(text: string, { session, hosts }: SessionTraces): boolean {
  return (
    /region\b[:\s]*(?:debug-point|agent log)/i.test(text) ||
    ADDRESS.test(text) ||
    PARTS.test(text) ||
    NAMES.test(text) ||
    text.includes(session) ||
    text.includes(".dbg") ||
    hosts.some((host) => text.includes(host))
  );
}

const RECORD = /(?:^|\/)debug-[a-z][a-z0-9]*(?:-[a-z0-9]+){0,3}\.md$/;

/** Whether a page is the record of a session, of any: by its name, and a heading or status. */
export function isRecord(path: string, text: string): boolean {
  return (
    RECORD.test(path) && (/^#+\s*(?:\[\w+\]\s*)?Debug Session\b/im.test(text) || statusIn(text) !== undefined)
  );
}
