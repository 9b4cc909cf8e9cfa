import { linesOf, markerIn } from "../regions/regions.ts";
import { statusIn } from "../session/record-text.ts";
import type { PlacedLine } from "./differences.ts";

/** Addresses of this machine and of private networks, as servers for other devices have them. */
export const OWN_HOST = String.raw`(?<![\w.-])(?:localhost|0\.0\.0\.0|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|\[[\da-f:]+\]|host\.docker\.internal)`;
const ADDRESS = new RegExp(String.raw`${OWN_HOST}(?::\d+)?/(?:event|ingest|log)\b`, "i");
const NAMES =
  /\bDEBUG_(?:SERVER_URL|SESSION_ID|RUN_ID|LOG_FILE|BASE_URL)\b|\bsvc-debug-(?:log|rejected)\b|X-Debug-Session-Id/i;
/** An address that is put together of its parts. */
const PARTS = /(?:127\.0\.0\.1|localhost).*["'`]\/(?:event|ingest)\b/;

/** What in a line shows that it reports to a debug server, in words; `undefined` when nothing does. */
export function traceIn(text: string): string | undefined {
  const found = reportIn(text);
  return found ?? (/session_?id|hypothesis_?id/i.test(text) ? "an event" : undefined);
}

/** The same for lines outside of regions, where only what is of this session counts. */
export function traceOf(session: string): (text: string) => string | undefined {
  const files = new RegExp(`\\.dbg[/\\\\]|\\bdebug-${session}\\b|\\b${session}\\.env\\b`);
  return (text) => {
    const found = reportIn(text);
    if (found !== undefined) return found;
    if (files.test(text)) return "a file of the session";
    return /session_?id/i.test(text) && text.includes(session) ? "the id of the session" : undefined;
  };
}

function reportIn(text: string): string | undefined {
  if (markerIn(text)?.kind === "begin") return "a marker of a region";
  const found = (ADDRESS.exec(text) ?? PARTS.exec(text) ?? NAMES.exec(text))?.[0];
  return found === undefined ? undefined : `"${found}"`;
}

/** Of lines those that were not there before and report to a debug server, with what shows it. */
export function newTraces(
  now: readonly PlacedLine[],
  before: string | undefined,
  session: string,
): readonly { readonly line: number; readonly trace: string }[] {
  const known = new Set(linesOf(before ?? "").map(({ text }) => text));
  const traceIn = traceOf(session);
  return now.flatMap(({ line, text }) => {
    const trace = known.has(text) ? undefined : traceIn(text);
    return trace === undefined ? [] : [{ line: line + 1, trace }];
  });
}

const RECORD = /(?:^|\/)debug-[a-z][a-z0-9]*(?:-[a-z0-9]+){0,3}\.md$/;

/** Whether a page is the record of a session, of any: by its name, and a heading or status. */
export function isRecord(path: string, text: string): boolean {
  return (
    RECORD.test(path) && (/^#+\s*(?:\[\w+\]\s*)?Debug Session\b/im.test(text) || statusIn(text) !== undefined)
  );
}
