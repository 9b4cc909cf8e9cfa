import { isLoopbackAddress, type Subject } from "skillctl";
import type { KnownServer } from "../session/entry.ts";
import { fieldsOf, textAt } from "./edited-text.ts";

/** A call of an address of a debug server. */
interface ServerCall {
  /** Without a slash at the end. */
  readonly path: string;
  /** In upper case; undefined when nobody can see it. */
  readonly method: string | undefined;
}

type Program = NonNullable<Subject["shell"]>["programs"][number];

/** What a request calls of a server. Addresses of this machine are one. */
export function callsTo(
  { url }: KnownServer,
  { shell, urls = [], tool, input }: Subject,
): readonly ServerCall[] {
  const server = new URL(url);
  const named = [...urls, ...(shell?.urls ?? [])]
    .filter((one) => URL.canParse(one))
    .map((one) => new URL(one));
  const own = named.filter(
    (one) => one.port === server.port && (one.hostname === server.hostname || isThisMachine(one.hostname)),
  );
  const method = tool === "shell" ? shellMethod(shell?.programs ?? []) : toolMethod(tool, input);
  return own.map(({ pathname }) => ({ path: pathname.replace(/\/+$/, ""), method }));
}

/** Whether a command sends something to an address that nobody knows and that is that of the session by its words. */
export function sendsByVariable({ shell, command = "" }: Subject, session: string): boolean {
  if (!shell?.unknown.includes("address") || !shell.programs.some(isCaller)) return false;
  const isNamed =
    shell.uses.includes("DEBUG_SERVER_URL") ||
    ["DEBUG_SERVER_URL", `${session}.env`, `${session}.server.json`].some((one) => command.includes(one));
  return isNamed && !["GET", "HEAD"].includes(shellMethod(shell.programs) ?? "");
}

function isThisMachine(host: string): boolean {
  return (
    isLoopbackAddress(host) ||
    host.endsWith(".localhost") ||
    ["0.0.0.0", "[::]", "[::ffff:7f00:1]"].includes(host)
  );
}

function toolMethod(tool: Subject["tool"], input: unknown): string | undefined {
  if (tool === "fetch") return "GET";
  return textAt(fieldsOf(input), "method", "httpmethod", "verb")?.toUpperCase();
}

const CALLERS = /^(?:curl|wget|http|https|xh|xhs|curlie|httpie|ab|hey|wrk|oha|nc|ncat|socat|telnet)$/;
const BODY =
  /^(?:-d|--data(?:-\w+)*|--json|-F|--form(?:-string)?|-T|--upload-file|--post-data|--post-file|--body-data|--body-file)(?:=|$)|^-[a-zA-Z]*d.*/;

function isCaller({ name }: Program): boolean {
  return CALLERS.test(name);
}

/** Of all programs that call addresses the one that does most. */
function shellMethod(programs: readonly Program[]): string | undefined {
  const callers = programs.filter(isCaller);
  const methods = callers.map(({ name, args }) => methodOf(name, args));
  if (callers.length === 0 || methods.includes(undefined)) return undefined;
  return methods.find((method) => method !== "GET" && method !== "HEAD") ?? methods[0];
}

function methodOf(name: string, args: readonly string[]): string | undefined {
  if (/^(?:nc|ncat|socat|telnet)$/.test(name)) return undefined;
  for (const [index, word] of args.entries()) {
    const [, said] = /^(?:-X|--request=|--method=)([A-Za-z]+)$/.exec(word) ?? [];
    if (said !== undefined) return said.toUpperCase();
    if (/^(?:-X|--request|--method|-\w*X)$/.test(word)) return args[index + 1]?.toUpperCase();
    if (/^https?$|^xhs?$|^httpie$/.test(name) && /^(?:POST|PUT|DELETE|PATCH|HEAD|GET)$/i.test(word))
      return word.toUpperCase();
  }
  if (/^(?:curl|curlie)$/.test(name) && args.some((word) => /^(?:-I|--head)$/.test(word))) return "HEAD";
  const isForm = /^https?$|^xhs?$|^httpie$/.test(name) && args.some((word) => /^[\w.-]+:?=/.test(word));
  return isForm || args.some((word) => BODY.test(word)) ? "POST" : "GET";
}
