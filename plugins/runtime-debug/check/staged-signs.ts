import { basename } from "node:path";
import { markerIn } from "../regions/marker.ts";
import { statusIn } from "../server/debug-record.ts";
import { DOCUMENT_NAMES } from "./documents.ts";

/** What a line of code shows. */
interface Sign {
  readonly code: "staged-marker" | "staged-address" | "staged-name";
  readonly sentence: string;
}

const NOTES = /\.(?:md|mdx|markdown|txt|text|rst|adoc|asciidoc|org)$/i;
const RECORD = /(?:^|\/)debug-[a-z][a-z0-9]*(?:-[a-z0-9]+){0,3}\.md$/;
const FILES: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)\.dbg\//, "This is a file of a debug session."],
  [/(?:^|\/)(?:svc|trae)-debug-(?:log|aside|rejected)-[^/]*\.ndjson$/, "This is the log of a debug session."],
  [/(?:^|\/)\.cursor\/debug[^/]*\.log$/, "This is the log of a debug session."],
  [/(?:^|\/)debug-[0-9a-f]{6}\.log$/, "This is the log of a debug session."],
];
/** Of this machine or of its network, as servers for other devices have it. */
const ADDRESS =
  /(?<![\w.-])(?:localhost|0\.0\.0\.0|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|\[[\da-f:]+\]|host\.docker\.internal):\d+\/(?:event|ingest)\b/i;
const NAME =
  /\bDEBUG_(?:SERVER_URL|SESSION_ID)\b|\bX-Debug-Session-Id\b|\b(?:svc|trae)-debug-log-|\.cursor[/\\]+debug[\w-]*\.log\b/i;

/** Notes may mention everything: guides and change logs do. */
export function isMention(path: string): boolean {
  return NOTES.test(path) || DOCUMENT_NAMES.test(basename(path));
}

/** What a name shows, whatever the file holds. */
export function signOfName(path: string): string | undefined {
  return FILES.find(([pattern]) => pattern.test(path))?.[1];
}

/** Whether a page is the record of a session: its name and a status. */
export function recordIn(path: string, lines: readonly { readonly text: string }[]): string | undefined {
  if (!RECORD.test(path)) return undefined;
  const text = lines.map((line) => line.text).join("\n");
  const isRecord = /^#+\s*(?:\[\w+\]\s*)?Debug Session\b/im.test(text) || statusIn(text) !== undefined;
  return isRecord ? "This is the record of a debug session." : undefined;
}

/** What a line of code shows of a session, of both public formats. */
export function signIn(text: string): Sign | undefined {
  const marker = markerIn(text);
  if (marker?.kind === "begin" || (marker?.kind === "end" && marker.own))
    return { code: "staged-marker", sentence: "This is a marker of instrumentation." };
  const address = ADDRESS.exec(text)?.[0];
  if (address !== undefined)
    return { code: "staged-address", sentence: `This names the address ${address} of a debug server.` };
  const name = NAME.exec(text)?.[0];
  return name === undefined ? undefined : { code: "staged-name", sentence: `This names ${name}.` };
}
