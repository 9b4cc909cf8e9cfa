import { markerIn } from "../regions/marker.ts";

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
/** How helpers are called that are written for probes. */
const HELPERS =
  /\b(?:report|send|post|emit)_?debug(?:_?(?:event|log|point))?\b|\bdebug_?(?:report(?:er)?|point|probe)\b|\bagent_?log\b/i;

/**
 * What in a line shows that it reports to a debug server, in words; `undefined` when nothing does.
 * @param known words of the code before: a name among them is no helper of probes
 */
export function traceIn(
  text: string,
  { session, hosts }: SessionTraces,
  known: ReadonlySet<string> = new Set(),
): string | undefined {
  if (markerIn(text)?.kind === "begin") return "a marker of a region";
  const host = hosts.find((one) => text.includes(one));
  if (host !== undefined) return `the address ${host} of the debug server`;
  const found = (ADDRESS.exec(text) ?? PARTS.exec(text) ?? NAMES.exec(text))?.[0];
  if (found !== undefined) return `"${found}"`;
  if (new RegExp(`\\.dbg[/\\\\]|\\bdebug-${session}\\b|\\b${session}\\.env\\b`).test(text))
    return "a file of the session";
  if (/session_?id/i.test(text) && text.includes(session)) return "the id of the session";
  const helper = HELPERS.exec(text)?.[0];
  return helper === undefined || known.has(helper) ? undefined : `the name "${helper}"`;
}

/** Whether a text can hold anything of a session at all. */
export function mayHoldTraces(text: string, traces: SessionTraces): boolean {
  return (
    /region\b[:\s]*(?:debug-point|agent log)/i.test(text) ||
    ADDRESS.test(text) ||
    PARTS.test(text) ||
    NAMES.test(text) ||
    HELPERS.test(text) ||
    text.includes(traces.session) ||
    text.includes(".dbg") ||
    traces.hosts.some((host) => text.includes(host))
  );
}
