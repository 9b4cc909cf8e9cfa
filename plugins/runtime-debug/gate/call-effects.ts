import type { NetworkAddress, Subject } from "skillctl";
import type { KnownServer } from "../session/entry.ts";
import {
  addressesNamed,
  addressesOf,
  changesFiles,
  isEnding,
  isForeign,
  isSending,
  numbersIn,
  removesFiles,
} from "./foreign-tools.ts";

/**
 * The effects that a tool call definitely has, judged by its words alone. Effects that show only at run time pass: the
 * comparison of the work tree after the call finds it (docs/guards.md, Gates of the debug session).
 */

/** Programs that remove their arguments. */
const REMOVERS = /^(?:rm|rmdir|unlink|shred|mv|trash|trash-put|rimraf|del|erase|rd|gio|find|fd)$/;
/** Programs whose last word may be a target folder. */
const COPIERS = /^(?:cp|mv|ln|link|install)$/;

/** The files and folders that a call definitely writes or removes, as absolute paths. */
export function writtenBy(subject: Subject): readonly string[] {
  const { tool, paths = [], shell } = subject;
  if (tool === "shell") return shell?.writes ?? [];
  return tool === "write" || tool === "edit" || (isForeign(subject) && changesFiles(subject)) ? paths : [];
}

/** Whether a call removes files. */
export function isRemoval(subject: Subject): boolean {
  if (subject.tool !== "shell") return removesFiles(subject);
  return (subject.shell?.programs ?? []).some(
    ({ name, args }) => REMOVERS.test(name) || cleansIgnored(name, args),
  );
}

/** Whether a command removes a file by name: then it does no harm if the file is missing. */
export function removesFile({ shell }: Subject, path: string): boolean {
  const name = path.split("/").at(-1) ?? "";
  return (shell?.programs ?? []).some(
    (one) => REMOVERS.test(one.name) && one.args.some((word) => word.endsWith(name)),
  );
}

/** Whether a command only makes a folder or copies files into it: the files are also among its writes. */
export function onlyEnters({ shell }: Subject, path: string): boolean {
  const name = path.split("/").at(-1) ?? "";
  const isNamed = (word = ""): boolean => word.replace(/\/$/, "").endsWith(name);
  const named = (shell?.programs ?? []).filter(({ args }) => args.some(isNamed));
  return (
    named.length > 0 &&
    named.every(
      ({ name: program, args }) =>
        program === "mkdir" ||
        (COPIERS.test(program) &&
          isNamed(args.at(-1)) &&
          !args.some((word) => /^-[a-zA-Z]*T|^--no-target/.test(word))),
    )
  );
}

/** Programs that create missing folders, or fill them. */
const FOLDER_MAKERS = /^(?:mkdir|install|tar|bsdtar|unzip|7z|git|rsync|cmake)$/;

/** Whether a command creates a folder, and not a file, at a path. */
export function makesFolder({ shell }: Subject, path: string): boolean {
  const name = path.split("/").at(-1) ?? "";
  return (shell?.programs ?? []).some(
    (one) => FOLDER_MAKERS.test(one.name) && one.args.some((word) => word.split("/").includes(name)),
  );
}

/** `git clean -x` removes ignored files, including those of the session in the project. */
function cleansIgnored(name: string, args: readonly string[]): boolean {
  return name === "git" && args.includes("clean") && args.some((word) => /^-[a-zA-Z]*[xX]/.test(word));
}

/** Programs that end processes, and programs that do so with certain arguments. */
const ENDERS = /^(?:[fs]?kill|pkill|killall|taskkill|fuser|kill-port)$/;
const ENDING_WORDS: ReadonlyMap<string, RegExp> = new Map([
  ["prlimit", /^(?:-[a-oq-z]|--(?!pid\b)[a-z])/],
  ["ss", /^(?:-[a-zA-Z]*K|--kill$)/],
  ["gdb", /\bkill\b/],
]);
/** Programs that list processes; a kill program in the same command refers to these. */
const TELLERS = /^(?:lsof|fuser|pgrep|pidof|ss|netstat|[ef]?grep|rg|[gmn]?awk|sed)$/;
/** A signal that only checks whether a process exists, and a list of signals. */
const TESTS = /^(?:-0|-l|-L|--list|--table|--signal=0)$/;
/**
 * Programs that select processes by a pattern; their options with a value, and the options that select without a
 * pattern.
 */
const BY_PATTERN = /^(?:pkill|killall|skill|pgrep|pidof|taskkill|fkill)$/;
const WITH_VALUE =
  /^(?:-[uUGgPstFOoynZ]|--(?:signal|e?uid|user|group|pgroup|parent|session|terminal|pidfile|older))$/;
const BY_OWNER = /^(?:-[uUGtvno]\S*|--(?:e?uid|user|group|terminal|inverse|newest|oldest)(?:=.*)?)$/;

/**
 * The tool or the programs with which a call definitely ends a server: they name its process or port, or match it by
 * pattern.
 */
export function endersOf(subject: Subject, { pid, url }: KnownServer, session: string): readonly string[] {
  const { shell, name: tool = "" } = subject;
  const { port } = new URL(url);
  if (isForeign(subject)) return isEnding(subject) && numbersIn(subject).includes(String(pid)) ? [tool] : [];
  const line = `node bin/skillctl.cjs run runtime-debug serve --json --no-progress --input {"session":"${session}"}
node skillctl run runtime-debug serve ${session}`;
  const names = (args: readonly string[]): boolean =>
    args.some((word, index) => {
      const parts = word.split(/[=:,/]/).map((part) => part.replace(/^(?:-p)?0*(?=[1-9])/, ""));
      return (
        parts.includes(String(pid)) ||
        word === `-${pid}` ||
        parts.includes(port) ||
        (word === "-1" && index > 0)
      );
    });
  const matches = (args: readonly string[]): boolean => {
    const patterns = args.filter((word, at) => !/^[-/]/.test(word) && !WITH_VALUE.test(args[at - 1] ?? ""));
    if (patterns.length === 0) return args.some((word) => BY_OWNER.test(word));
    return patterns.some((pattern) => isLike(pattern, line));
  };
  const all = (shell?.programs ?? []).map(({ name, args }) => ({ name: name.replace(/\.exe$/i, ""), args }));
  const isMeant = ({ name, args }: (typeof all)[number]): boolean =>
    names(args) || (BY_PATTERN.test(name) && matches(args));
  const isTold = all.some((one) => TELLERS.test(one.name) && isMeant(one));
  return all
    .filter(({ name, args }) => {
      const isAble = ENDERS.test(name) || args.some((word) => ENDING_WORDS.get(name)?.test(word));
      const isTest = args.some((word, at) => TESTS.test(word) || (word === "0" && args[at - 1] === "-s"));
      if (!isAble || isTest) return false;
      return isMeant({ name, args }) || (isTold && !/^(?:fuser|pkill|killall)$/.test(name));
    })
    .map(({ name }) => name);
}

/** Whether a pattern may match the command line of a server: only the dot is interpreted, other special characters count as a match. */
function isLike(pattern: string, line: string): boolean {
  const plain = pattern.replace(/\.exe$/i, "").replaceAll("\\.", "\u0000");
  if (/^\$[\w{(]/.test(pattern)) return false;
  if (/[^\w\s./@:=,\u0000{}"-]/.test(plain)) return true;
  const source = plain.replaceAll(/[{}]/g, "\\$&").replaceAll("\u0000", "\\.");
  return new RegExp(source, "i").test(line);
}

/** HTTP clients, and the words with which they send data. */
const CALLERS =
  /^(?:curl|wget|http|https|xh|xhs|curlie|httpie|ab|hey|wrk|wrk2|oha|bombardier|siege|autocannon|lwp-request)$/;
const SENDING =
  /^(?:-X)?(?:POST|PUT|PATCH)$|^-[a-zA-Z]*d|^-[FTp]$|^--(?:data|json|form|upload-file|post-|body|(?:request|method)=(?:POST|PUT|PATCH))|^[\w.-]+:?=/;
/** wrk sends data only with a script. */
const SCRIPT = /^(?:-s|--script)/;
/** Programs that pass bytes on to a port; their data can be seen only in the words of the command. */
const CONNECTORS = /^(?:nc|ncat|netcat|socat|telnet|ztcp)$/;
/** Requests that send no event. */
const ASKS = /\b(?:GET|HEAD|OPTIONS) \//;
const POSTS = /\b(?:POST|PUT|PATCH)\b/;
/** Settings of curl that send data. */
const SETTINGS = /^[ \t-]*(?:data|form|json|upload-file|request)\b/m;
/** Paths that read. */
const READS = /^\/(?:logs|health)\b/;
/** Code that sends data, and code that does so if its address has no path. */
const SENDS =
  /(?<![A-Za-z])(?:POST|PUT|PATCH)(?![A-Za-z])|\.(?:post|put|patch|send\w{0,20})\s{0,9}\(|[mM]ethod\W{1,4}(?:post|put|patch)\b/;
const CARRIES = /\b(?:data|body|json|content)\s{0,9}(?:=(?!>)|:)|\bwrite\s{0,9}\(/i;

/** The addresses of this machine, requested only if they matter. */
type OwnAddresses = () => readonly NetworkAddress[];

/** Whether a call sends data to a server, by its address or by the variable that holds it. */
export function sendsTo(subject: Subject, server: KnownServer | undefined, own: OwnAddresses): boolean {
  const { shell, command = "" } = subject;
  if (isForeign(subject) || subject.tool === "fetch") {
    const named = server ? addressesNamed(subject, new URL(server.url).port) : [];
    const called = calledOf(named, server, own);
    return called.some(({ pathname, hash }) => isSending(subject) || takesEvents(pathname) || hash !== "");
  }
  if (!shell) return false;
  const callers = shell.programs.filter(({ name }) => CALLERS.test(name));
  const senders = callers.filter(
    ({ name, args }) =>
      args.some((word) => (/^wrk2?$/.test(name) ? SCRIPT : SENDING).test(word)) ||
      (args.some((word) => /^(?:-\w*K|--config)/.test(word)) &&
        shell.unread.some((text) => SETTINGS.test(text))),
  );
  const isServer = (urls: readonly string[]): boolean => calledOf(urls, server, own).length > 0;
  if (senders.length > 0) {
    const readers = callers.filter((one) => !senders.includes(one));
    const read = calledOf(readers.flatMap(addressesIn), server, own).filter(({ pathname }) =>
      READS.test(pathname),
    );
    const urls = shell.urls.filter((url) => !read.some(({ href }) => href === url));
    const proxies = shell.sets.flatMap((text) => /^(?:https?|all)_proxy=(.*)/is.exec(text)?.[1] ?? []);
    if (isServer([...senders.flatMap(addressesIn), ...urls, ...proxies])) return true;
    if (shell.unknown.includes("address") && namesServer(command)) return true;
  }
  const connectors = shell.programs.filter(({ name }) => CONNECTORS.test(name));
  const ends = [...connectors.flatMap(endsIn), ...callers.flatMap(rawEnds), ...deviceEnds(command)];
  const isAsked = ASKS.test(command) && !POSTS.test(command);
  return (
    (!isAsked && isServer(ends)) ||
    unreadSends(shell, senders, (text) =>
      server ? calledOf(addressesOf(text, new URL(server.url).port), server, own) : [],
    )
  );
}

type Shell = NonNullable<Subject["shell"]>;
type Program = Shell["programs"][number];

/** Whether a text whose effect is unknown, such as code or an assigned value, names the server of a sender or of code that sends. */
function unreadSends(
  { unknown, unread }: Shell,
  senders: readonly Program[],
  serversIn: (text: string) => readonly URL[],
): boolean {
  const named = unread.map((text) => ({ text, called: serversIn(text) }));
  const called = named.flatMap((one) => one.called);
  if (called.length === 0) return false;
  const isUnclear = (one: Program): boolean =>
    addressesIn(one).length === 0 || one.args.some((word) => /[$`]/.test(word));
  if (unknown.includes("address") && senders.some(isUnclear)) return true;
  if (!unknown.some((one) => one === "code" || one === "program" || one === "syntax")) return false;
  // Programs also receive the address of the server in a variable.
  const inCode = named.filter(({ text }) => !/^\w+=/.test(text)).flatMap((one) => one.called);
  const isRoot = called.some(({ pathname }) => pathname === "/");
  return (
    inCode.some(({ pathname }) => takesEvents(pathname)) ||
    unread.some((text) => SENDS.test(text) || (isRoot && CARRIES.test(text)))
  );
}

/**
 * Whether a path of a server takes events or answers, or names a run, in any letter case and with any characters
 * escaped.
 */
function takesEvents(path: string): boolean {
  let plain = path;
  try {
    plain = decodeURIComponent(path);
  } catch {
    // The server has no such path.
  }
  return (
    /^\/(?:event\/?)?(?:event|log|debug|v1\/(?:logs|traces)|(?:ingest|page)(?:\/.*)?|run)?\/?$/i.test(
      plain,
    ) && plain !== "/"
  );
}

/** Whether a command names the server by the variable with its address, or by the file that sets the variable. */
function namesServer(command: string): boolean {
  const isFile = (word: string): boolean => {
    const at = word.indexOf(".dbg/");
    return at >= 0 && word.includes(".env", at);
  };
  return command.includes("DEBUG_SERVER_URL") || command.split(/\s+/).some(isFile);
}

/** Whether a command makes a server delete the events of earlier runs too. */
export function purges(subject: Subject, server: KnownServer, own: OwnAddresses): boolean {
  const isDeletion = (subject.shell?.programs ?? []).some(({ args }) => /\bDELETE\b/i.test(args.join(" ")));
  const { shell } = subject;
  const named = [...(shell?.urls ?? []), ...(shell?.programs ?? []).flatMap(addressesIn)];
  const called = calledOf(named, server, own);
  return isDeletion && called.some(({ searchParams }) => searchParams.has("purge"));
}

/** The addresses in the words of an HTTP client; the client adds a missing scheme. */
function addressesIn({ args }: Program): readonly string[] {
  // Brackets are a pattern for the shell, so an address with brackets is not among the definite ones.
  const whole = args.filter((word) => /^https?:/i.test(word));
  const bare = args.filter((word) => /^(?:\[[0-9a-f:.%]+\]|[\w.-]*):\d+(?:[/?#]|$)/i.test(word));
  // curl --connect-to HOST1:PORT1:HOST2:PORT2, and --resolve HOST:PORT:ADDRESS
  const routed = args.flatMap((word) => {
    const [, from, host = "", port = from] =
      /^(?:--[a-z-]+=)?\+?[^:/]*:(\d*):([^:/,]+|\[?[\da-f:.]+?\]?)(?::(\d+)|,.*)?$/i.exec(word) ?? [];
    return host === "" ? [] : `http://${host}:${port}`;
  });
  return [...whole, ...routed, ...bare.map((word) => `http://${word.replace(/^:/, "localhost:")}`)];
}

/** The hosts of curl's protocols that send their input or path unchanged. */
function rawEnds({ args }: Program): readonly string[] {
  const scheme = /^(?:telnet|gophers?|dict|mqtt|smtp|ftp|tftp|ldap|rtsp|wss?):\/\//i;
  return args.filter((word) => scheme.test(word)).map((word) => word.replace(scheme, "http://"));
}

/** The endpoints that the words of a connecting program may mean: `HOST PORT`, `HOST:PORT`, `TCP4:HOST:PORT,…`. */
function endsIn({ args }: Program): readonly string[] {
  return args.flatMap((word, index) => {
    const [, host, port] = /^(?:[a-z0-9-]+:)??(\[[^\]]+\]|[^:,]+):(\d+)(?:,|$)/i.exec(word) ?? [];
    if (host !== undefined) return `http://${host}:${port}`;
    const before = args[index - 1];
    if (!/^\d+$/.test(word) || before === undefined) return [];
    return `http://${before.includes(":") ? `[${before.replace(/^\[|\]$/g, "")}]` : before}:${word}`;
  });
}

/** The endpoints that bash, ksh and gawk connect to by file names. */
function deviceEnds(command: string): readonly string[] {
  const text = command.replaceAll(/["'\\]/g, "");
  return [...text.matchAll(/\/(?:dev\/(?:tcp|udp)|inet[46]?\/(?:tcp|udp)\/\d+)\/([^/\s]+)\/(\d+)/g)].map(
    ([, host = "", port]) => (host.includes(":") ? `http://[${host}]:${port}` : `http://${host}:${port}`),
  );
}

/** The addresses among these that reach a server. */
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

/** The meaning of a path for the sessions of its project. */
export type PathKind =
  /** The record of a session. */
  | "record"
  /** Files of its server: log, segments, environment file, and server record. */
  | "evidence"
  /** Files in `.dbg`, and files of git: neither are code. */
  | "other"
  /** Everything else: the code of the project. */
  | "code";

/** `path` is relative to the project folder, with `/`. */
export function kindOf(path: string): PathKind {
  if (/^debug-[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*){1,3}\.md$/i.test(path)) return "record";
  if (/(?:^|\/)svc-debug-log-[^/]*\.ndjson/i.test(path)) return "evidence";
  if (/(?:^|\/)\.dbg(?:$|\/[^/]*\.(?:env|server\.json|serve\.log)$)/i.test(path)) return "evidence";
  return /(?:^|\/)\.(?:dbg|git)(?:\/|$)/i.test(path) ? "other" : "code";
}

/**
 * A path relative to a folder, with `/`; "" is the folder itself, `undefined` a path outside. Letter case and the
 * normalisation form of accents (UAX 15) are ignored, since file systems differ.
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
