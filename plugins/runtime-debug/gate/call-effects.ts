import type { NetworkAddress, Subject } from "skillctl";
import type { KnownServer } from "../session/entry.ts";

/**
 * The effects that a call of a tool surely has, by its words alone. An effect that only running the call shows passes: the
 * comparison of the work tree after the call finds it (docs/guards.md, Gates of the debug session).
 */

/** Programs, and tools by their names, that take away what they name. */
const REMOVERS = /^(?:rm|rmdir|unlink|shred|mv|trash|trash-put|rimraf|del|erase|rd|gio|find|fd)$/;
/** Programs whose last word may be a folder that the others come to stand in. */
const COPIERS = /^(?:cp|mv|ln|link|install)$/;
const REMOVING_TOOL = /delete|remove|move|rename|trash/i;
/** Tools of MCP servers and of agents that write the file that they name, by their names. */
const EDITORS =
  /(?:^|__|:)(?:(?:write|edit|create|append|replace|delete|move)(?:_?(?:text_?)?file)?|str_?replace\w*)$/i;

/** The files and folders that a call surely writes or takes away, absolute. */
export function writtenBy({ tool, name = "", input, paths = [], shell }: Subject): readonly string[] {
  if (tool === "shell") return shell?.writes ?? [];
  if (tool !== "write" && tool !== "edit" && !EDITORS.test(name.slice(-100))) return [];
  // An editor of several commands that is asked to show.
  return (input as { readonly command?: unknown } | undefined)?.command === "view" ? [] : paths;
}

/** Whether a call takes something away. */
export function isRemoval({ tool, name = "", shell }: Subject): boolean {
  return tool === "shell"
    ? (shell?.programs ?? []).some(({ name, args }) => REMOVERS.test(name) || cleansIgnored(name, args))
    : REMOVING_TOOL.test(name);
}

/** Whether a command takes away a file by its name: one that is absent then comes to no harm. */
export function removesFile({ shell }: Subject, path: string): boolean {
  const name = path.split("/").at(-1) ?? "";
  return (shell?.programs ?? []).some(
    (one) => REMOVERS.test(one.name) && one.args.some((word) => word.endsWith(name)),
  );
}

/** Whether a command only makes a folder or copies files into it: the files are among its writes as well. */
export function onlyEnters({ shell }: Subject, path: string): boolean {
  const name = path.split("/").at(-1) ?? "";
  const isNamed = (word = ""): boolean => word.replace(/\/$/, "").endsWith(name);
  const named = (shell?.programs ?? []).filter(({ args }) => args.some(isNamed));
  return (
    named.length > 0 &&
    named.every((one) => one.name === "mkdir" || (COPIERS.test(one.name) && isNamed(one.args.at(-1))))
  );
}

/** `git clean -x` takes away what git ignores, and with it what the session keeps in the project. */
function cleansIgnored(name: string, args: readonly string[]): boolean {
  return name === "git" && args.includes("clean") && args.some((word) => /^-[a-zA-Z]*[xX]/.test(word));
}

const ENDERS = /^(?:kill|pkill|killall|taskkill|fuser|kill-port|fkill)$/;

/** The programs of a command that surely end a server: by its process, its port, or a name that it has too. */
export function endersOf({ shell }: Subject, { pid, url }: KnownServer): readonly string[] {
  const { port } = new URL(url);
  const numbers = [pid, -pid, port, `:${port}`, `${port}/tcp`].map(String);
  const isServer = (word: string, index: number): boolean => {
    const plain = word.replace(/\.exe$/i, "");
    const isName = /^[\w-]{3,}$/.test(plain) && /^[a-z]/i.test(plain);
    return (
      numbers.includes(word) ||
      (word === "-1" && index > 0) ||
      (isName && "node skillctl run runtime-debug serve".includes(plain.toLowerCase()))
    );
  };
  return (shell?.programs ?? [])
    .filter(({ name, args }) => ENDERS.test(name.replace(/\.exe$/i, "")) && args.some(isServer))
    .map(({ name }) => name);
}

/** Programs that ask by HTTP, and the words by which they send something. */
const CALLERS =
  /^(?:curl|wget|http|https|xh|xhs|curlie|httpie|ab|hey|wrk|wrk2|oha|bombardier|siege|autocannon)$/;
const SENDING =
  /^(?:-X)?(?:POST|PUT|PATCH)$|^-[a-zA-Z]*d|^-[FTp]$|^--(?:data|json|form|upload-file|post-|body|(?:request|method)=(?:POST|PUT|PATCH))|^[\w.-]+:?=/;
/** How wrk sends anything: by a script. */
const SCRIPT = /^(?:-s|--script)/;
/** Programs that pass bytes on to a port; what they send is known by the words of the command at most. */
const CONNECTORS = /^(?:nc|ncat|netcat|socat|telnet)$/;
/** What asks and sends no event. */
const ASKS = /\b(?:GET|HEAD|OPTIONS) \//;
const POSTS = /\b(?:POST|PUT|PATCH)\b/;

/** The addresses of this machine, asked for only where they decide. */
type OwnAddresses = () => readonly NetworkAddress[];

/** Whether a command sends something to a server, by its address or by the variable that holds it. */
export function sendsTo(subject: Subject, server: KnownServer | undefined, own: OwnAddresses): boolean {
  const { shell, command = "" } = subject;
  if (!shell) return false;
  const isServer = (urls: readonly string[]): boolean => calledOf(urls, server, own).length > 0;
  const isSent = shell.programs.some(
    ({ name, args }) =>
      CALLERS.test(name) && args.some((word) => (/^wrk2?$/.test(name) ? SCRIPT : SENDING).test(word)),
  );
  const isNamed = shell.unknown.includes("address") && namesServer(command);
  if (isSent && (isNamed || isServer(addressesIn(subject)))) return true;
  const ends = shell.programs.filter(({ name }) => CONNECTORS.test(name)).flatMap(({ args }) => endsIn(args));
  const isAsked = ASKS.test(command) && !POSTS.test(command);
  return !isAsked && isServer([...ends, ...deviceEnds(command)]);
}

/** By the variable with its address, or by the file that sets it. */
function namesServer(command: string): boolean {
  const isFile = (word: string): boolean => {
    const at = word.indexOf(".dbg/");
    return at >= 0 && word.includes(".env", at);
  };
  return command.includes("DEBUG_SERVER_URL") || command.split(/\s+/).some(isFile);
}

/** Whether a command has a server forget the events of earlier runs too. */
export function purges(subject: Subject, server: KnownServer, own: OwnAddresses): boolean {
  const isDeletion = (subject.shell?.programs ?? []).some(({ args }) => /\bDELETE\b/i.test(args.join(" ")));
  const called = calledOf(addressesIn(subject), server, own);
  return isDeletion && called.some(({ searchParams }) => searchParams.has("purge"));
}

/** The addresses that a command names for programs that ask by HTTP; they add the scheme where it is missing. */
function addressesIn({ shell }: Subject): readonly string[] {
  const words = (shell?.programs ?? []).filter(({ name }) => CALLERS.test(name)).flatMap(({ args }) => args);
  // Brackets are a pattern for the shell, so that such an address is not among those that are sure.
  const whole = words.filter((word) => /^https?:\/\//i.test(word));
  const bare = words.filter((word) => /^(?:\[[0-9a-f:.%]+\]|[\w.-]*):\d+(?:[/?#]|$)/i.test(word));
  return [
    ...(shell?.urls ?? []),
    ...whole,
    ...bare.map((word) => `http://${word.replace(/^:/, "localhost:")}`),
  ];
}

/** What the words of a connecting program may mean as its other end: `HOST PORT`, `HOST:PORT`, `TCP4:HOST:PORT,…`. */
function endsIn(args: readonly string[]): readonly string[] {
  return args.flatMap((word, index) => {
    const [, host, port] = /^(?:[a-z0-9-]+:)??(\[[^\]]+\]|[^:,]+):(\d+)(?:,|$)/i.exec(word) ?? [];
    if (host !== undefined) return `http://${host}:${port}`;
    const before = args[index - 1];
    if (!/^\d+$/.test(word) || before === undefined) return [];
    return `http://${before.includes(":") ? `[${before.replace(/^\[|\]$/g, "")}]` : before}:${word}`;
  });
}

/** The other ends that bash and ksh connect to by the names of files. */
function deviceEnds(command: string): readonly string[] {
  const text = command.replaceAll(/["'\\]/g, "");
  return [...text.matchAll(/\/dev\/(?:tcp|udp)\/([^/\s]+)\/(\d+)/g)].map(([, host = "", port]) =>
    host.includes(":") ? `http://[${host}]:${port}` : `http://${host}:${port}`,
  );
}

/** Those addresses that reach a server. */
function calledOf(
  urls: readonly string[],
  server: KnownServer | undefined,
  addresses: OwnAddresses,
): readonly URL[] {
  if (!server) return [];
  const own = new URL(server.url);
  const isOwn = (host: string): boolean =>
    addresses().some(({ address }) => address === host.replace(/^\[|\]$/g, ""));
  return urls
    .filter((one) => URL.canParse(one))
    .map((one) => new URL(one))
    .filter(
      ({ port, hostname }) =>
        port === own.port && (hostname === own.hostname || isHere(hostname) || isOwn(hostname)),
    );
}

/**
 * Whether a host, as URLs spell it, is this machine by its name or by an address that every machine has: URLs write
 * `127.1`, `0` and `2130706433` as four numbers, and an IPv4 address within IPv6 in hexadecimal.
 */
function isHere(host: string): boolean {
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  if (/(?:^|\.)localhost$|^(?:localhost\.localdomain|localhost[46]|ip6-(?:localhost|loopback))$/.test(name))
    return true;
  return /^(?:127\.[\d.]+|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f[\da-f]{2}:[\da-f]+|0:0)\])$/.test(name);
}

/** What a path is for the sessions of its project. */
export type PathKind =
  /** The record of a session. */
  | "record"
  /** What its server writes: log, segments, environment file, and what it says of itself. */
  | "evidence"
  /** In `.dbg`, or git's own: neither is code. */
  | "other"
  /** Everything else: the code of the project. */
  | "code";

/** `path` is from the project folder, with `/`. */
export function kindOf(path: string): PathKind {
  if (/^debug-[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*){1,3}\.md$/i.test(path)) return "record";
  if (/(?:^|\/)svc-debug-log-[^/]*\.ndjson/i.test(path)) return "evidence";
  if (/(?:^|\/)\.dbg(?:$|\/[^/]*\.(?:env|server\.json|serve\.log)$)/i.test(path)) return "evidence";
  return /(?:^|\/)\.(?:dbg|git)(?:\/|$)/i.test(path) ? "other" : "code";
}

/**
 * A path as seen from a folder, with `/`; "" is the folder itself, `undefined` what lies outside. Where file systems
 * differ in what they take for the same name, it is inside: letter case and the form of accents (UAX 15) do not count.
 */
export function inside(folder: string, path: string): string | undefined {
  return below(folder, path) ?? below(folded(folder), folded(path));
}

function below(folder: string, path: string): string | undefined {
  const [base, full] = [withoutEnd(folder), withoutEnd(path)];
  if (full === base) return "";
  return full.startsWith(`${base}/`) ? full.slice(base.length + 1) : undefined;
}

function withoutEnd(path: string): string {
  let end = path.length;
  while (end > 0 && (path[end - 1] === "/" || path[end - 1] === "\\")) end -= 1;
  return path.slice(0, end);
}

function folded(path: string): string {
  return path.replaceAll("\\", "/").normalize("NFC").toLowerCase();
}
