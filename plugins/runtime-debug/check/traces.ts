import { linesOf, markerIn } from "../regions/regions.ts";
import type { PlacedLine } from "../regions/strip.ts";
import { statusIn } from "../session/record-text.ts";

/** Addresses of this machine and of private networks, as servers for other devices have them, with a path for events. */
const ADDRESS =
  /(?<![\w.-])(?:localhost|0\.0\.0\.0|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|\[[\da-f:]+\]|host\.docker\.internal)(?::\d+)?\/(?:event|ingest)\b/i;
/** An address that is put together of its parts. */
const PARTS = /(?:127\.0\.0\.1|localhost).*["'`]\/(?:event|ingest)\b/;
const NAME =
  /\bDEBUG_(?:SERVER_URL|SESSION_ID|RUN_ID|LOG_FILE|BASE_URL)\b|X-Debug-Session-Id|\b(?:svc|trae)-debug-(?:log|rejected)\b|\.cursor[/\\]+debug[\w-]*\.log\b/i;

/** What in a line belongs to a debug session, whichever. */
interface Sign {
  readonly kind: "marker" | "address" | "name";
  /** Completes "This line holds". */
  readonly words: string;
}

/** The sign of either public format that a line holds. */
export function signIn(text: string): Sign | undefined {
  const marker = markerIn(text);
  if (marker?.kind === "begin" || (marker?.kind === "end" && marker.own))
    return { kind: "marker", words: "a marker of a region" };
  const address = (ADDRESS.exec(text) ?? PARTS.exec(text))?.[0];
  const found = address ?? NAME.exec(text)?.[0];
  return found === undefined
    ? undefined
    : { kind: address === undefined ? "name" : "address", words: `"${found}"` };
}

/** Whether a line in a region reports to a debug server. */
export function reports(text: string): boolean {
  return signIn(text) !== undefined || /session_?id|hypothesis_?id/i.test(text);
}

/** Of lines those that were not there before and report to a debug server, or name what is of this session, with what shows it. */
export function newTraces(
  now: readonly PlacedLine[],
  before: string | undefined,
  session: string,
): readonly { readonly line: number; readonly trace: string }[] {
  const known = new Set(linesOf(before ?? "").map(({ text }) => text));
  const files = new RegExp(`\\.dbg[/\\\\]|\\bdebug-${session}\\b|\\b${session}\\.env\\b`);
  return now.flatMap(({ line, text }) => {
    if (known.has(text)) return [];
    const isId = /session_?id/i.test(text) && text.includes(session);
    const own = files.test(text) ? "a file of the session" : isId ? "the id of the session" : undefined;
    const trace = signIn(text)?.words ?? own;
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
