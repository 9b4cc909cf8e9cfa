import { linesOf, markerIn, type PlacedLine } from "../regions/regions.ts";
import { statusIn } from "../record-status.ts";

/**
 * Addresses of this machine and of private networks, such as those of servers for other devices, with a path for
 * events.
 */
const ADDRESS =
  /(?<![\w.-])(?:localhost|0\.0\.0\.0|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|\[[\da-f:]+\]|host\.docker\.internal)(?::\d+)?\/(?:event|ingest)\b/i;
/** An address that is assembled from parts. */
const PARTS = [/127\.0\.0\.1|localhost/, /["'`]\/(?:event|ingest)\b/] as const;
const NAME =
  /\bDEBUG_(?:SERVER_URL|SESSION_ID|RUN_ID|LOG_FILE|BASE_URL)\b|X-Debug-Session-Id|\b(?:svc|trae)-debug-(?:log|rejected)\b|\.cursor[/\\]+debug[\w-]*\.log\b/i;

/** Text in a line that belongs to some debug session. */
interface Sign {
  readonly kind: "marker" | "address" | "name";
  /** Completes "This line holds". */
  readonly words: string;
}

/** The sign of either public format in a line. */
export function signIn(text: string): Sign | undefined {
  const marker = markerIn(text);
  if (marker?.kind === "begin" || (marker?.kind === "end" && marker.own))
    return { kind: "marker", words: "a marker of a region" };
  const address = ADDRESS.exec(text)?.[0] ?? partsIn(text);
  const found = address ?? NAME.exec(text)?.[0];
  return found === undefined
    ? undefined
    : { kind: address === undefined ? "name" : "address", words: `"${found}"` };
}

function partsIn(text: string): string | undefined {
  const [host, path] = PARTS;
  const rest = text.slice(host.exec(text)?.index ?? text.length);
  const end = path.exec(rest);
  return end === null ? undefined : rest.slice(0, end.index + end[0].length);
}

/** Whether a line in a region reports to a debug server. */
export function reports(text: string): boolean {
  return signIn(text) !== undefined || /session_?id|hypothesis_?id/i.test(text);
}

/** The new lines that report to a debug server or name parts of this session, with the reason. */
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

/** Whether a page is the record of any session, judged by its name and by a heading or status. */
export function isRecord(path: string, text: string): boolean {
  return (
    RECORD.test(path) && (/^#+\s*(?:\[\w+\]\s*)?Debug Session\b/im.test(text) || statusIn(text) !== undefined)
  );
}

/**
 * Functions that write to a console or a log of the language, by their full names. Specification, rules on
 * instrumentation, 1: they are forbidden.
 */
const FUNCTIONS = [
  String.raw`(?:(?:window|globalThis|self)\.)?console\.\w+|alert|process\.std(?:out|err)\.write`,
  String.raw`(?:builtins\.)?p?print|puts|putchar|printf|perror|warn|print_r|var_dump|var_export|error_log|syslog`,
  String.raw`sys\.std(?:out|err)\.write|logging\.\w+|(?:\w+\.)*_?(?:logger|LOGGER|Logger)(?:\(\))?\.\w+|log\.\w+`,
  String.raw`fmt\.Print(?:f|ln)?|slog\.\w+|(?:e?print(?:ln)?|dbg|trace|debug|info|warn|error|(?:log|tracing)::\w+)!`,
  String.raw`System\.(?:out|err)\.\w+|Console\.\w+(?:\.\w+)*|Debug\.Write\w*|Trace\.\w+|Debug\.Log\w*`,
  String.raw`println|NSLog|os_log|debugPrint|dump|Log\.[vdiwe]|Timber\.\w+|STD(?:OUT|ERR)\.\w+|\$std(?:out|err)\.\w+`,
].join("|");
const CALL = new RegExp(String.raw`(?<![\w.$:>-])(?:${FUNCTIONS})\s*\(`);
/** Words that log their arguments; in a shell they may also feed a pipe or a file. */
const WORD =
  /^\s*(?:(?:puts|pp|echo|say|print|printf|warn|Write-(?:Host|Output|Debug|Verbose))\s+[^=\s|>]|(?:std::)?(?:cout|cerr|clog)\s*<<)/;
/** Strings, and comments up to the end of a line. */
const NO_CODE = /"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'|(?:^|\s)(?:\/\/|#).*$/g;

/** Other spellings of one function: `a?.b`, `a->b`, `a::b`, `a["b"]`. */
const MEMBER = /(?:\?\.)?\[["'](\w+)["']\]|\?\.|->|::/g;
const WHOLE = new RegExp(`^\\$?(?:${FUNCTIONS}|pp)$`);

/** Whether a function, as a program calls it, writes to a console or log. */
export function isNativeLog(called: string): boolean {
  const name = called.replaceAll(MEMBER, (_, key?: string) => `.${key ?? ""}`).replaceAll(/[\s\\]/g, "");
  return WHOLE.test(name) || WHOLE.test(called);
}

/** The number of characters searched in a line. */
const MOST_READ = 1000;

/** The function in a line that definitely logs when the line runs, judged by the text alone. */
export function nativeLogIn(line: string): string | undefined {
  const code = line
    .slice(0, MOST_READ)
    .replaceAll(NO_CODE, (part) => (/^["']/.test(part) ? part.charAt(0).repeat(2) : ""));
  const found = CALL.exec(code)?.[0] ?? (/[|>]/.test(code) ? undefined : WORD.exec(code)?.[0]);
  return found && /[$\w.:!-]+(?:\(\)\.\w+)?/.exec(found)?.[0];
}
