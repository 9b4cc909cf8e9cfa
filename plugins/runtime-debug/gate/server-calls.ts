import { isLoopbackAddress, type Subject } from "skillctl";
import type { KnownServer } from "../session/entry.ts";
import { fieldsOf, textAt } from "./edited-text.ts";

type Programs = NonNullable<Subject["shell"]>["programs"];

/** Programs that surely end the server of a session: by its process, by its port, or by a name that it has too. */
export function endersOf(
  { shell }: Subject,
  server: KnownServer | undefined,
  session: string,
): readonly string[] {
  const programs = shell?.programs ?? [];
  return programs
    .filter(({ name, args }) => {
      switch (name.replace(/\.exe$/i, "").toLowerCase()) {
        case "kill":
          return kills(args, server, programs);
        case "pkill":
        case "killall":
          return named(args).some((word) => fitsServer(word, session));
        case "taskkill":
          return args.some((word) => word === String(server?.pid) || /^node(?:\.exe)?$/i.test(word));
        case "fuser":
          return args.some((word) => /^-\w*k/.test(word)) && namesPort(args, server);
        case "kill-port":
        case "fkill":
          return namesPort(args, server);
        default:
          return false;
      }
    })
    .map(({ name }) => name);
}

/** The words without the signal: the first one with a hyphen is that, further ones are groups of processes. */
function named([first = "", ...rest]: readonly string[]): readonly string[] {
  if (/^(?:-s|-n|--signal)$/.test(first)) return named(rest.slice(1));
  if (/^-(?:[A-Z0-9]+|-signal=.*|-)$/.test(first)) return rest;
  if (/^-[a-z]/.test(first)) return named(rest);
  return first === "" ? rest : [first, ...rest.filter((word) => !/^-[a-z-]/.test(word))];
}

function kills(args: readonly string[], server: KnownServer | undefined, programs: Programs): boolean {
  if (args.some((word) => /^-[lL0]$/.test(word))) return false;
  const words = named(args);
  const isServer = (word: string): boolean => server !== undefined && Math.abs(Number(word)) === server.pid;
  if (words.some((word) => word === "-1" || isServer(word))) return true;
  if (words.length > 0 && words.every((word) => /^(?:-?\d+|%.*)$/.test(word))) return false;
  // Where the number comes from: `lsof -ti:3000`.
  const looks = programs.filter(({ name }) => /^(?:lsof|fuser|ss|netstat)$/.test(name));
  return looks.some((one) => namesPort(one.args, server));
}

/** Whether a plain pattern of pkill or a name of killall fits the server; what holds more than that is not run. */
function fitsServer(pattern: string, session: string): boolean {
  const isPlain =
    pattern.length <= 100 && /^(?:[\w |^$/-]|\.\*?)*$/.test(pattern) && pattern.split("*").length <= 4;
  return (
    isPlain && new RegExp(pattern, "i").test(`node skillctl run runtime-debug serve ${session} --detach`)
  );
}

function namesPort(args: readonly string[], server: KnownServer | undefined): boolean {
  if (!server) return false;
  const { port } = new URL(server.url);
  return args.some((word) => word.replace(/\/(?:tcp|udp)$/, "").replace(/^.*:/, "") === port);
}

/** A call of an address of a debug server. */
interface ServerCall {
  /** Without a slash at the end. */
  readonly path: string;
  /** In upper case; undefined when nobody can see it. */
  readonly method: string | undefined;
}

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

function isCaller({ name }: Programs[number]): boolean {
  return CALLERS.test(name);
}

/** Of all programs that call addresses the one that does most. */
function shellMethod(programs: Programs): string | undefined {
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
