import {
  inject,
  injectable,
  type RuleHandler,
  type Subject,
  type Verdict,
  isLoopbackAddress,
} from "skillctl";
import { fieldsOf, textAt } from "./edited-text.ts";
import { SITES, openIn, type Site, type Sites } from "./sites.ts";
import { verdictOf, type Objection } from "./verdict.ts";
import type { KnownServer, SessionEntry } from "../session/entry.ts";
import { RECORD_FILE, type RecordFile } from "../session/record-file.ts";
import { inside, kindOf, writtenBy } from "./paths.ts";

type Ending = Pick<Objection, "decision" | "sentence">;
type Programs = NonNullable<Subject["shell"]>["programs"];

/** States in which a cleared log is filled again by the reproduction that follows. */
const BEFORE_EVIDENCE: readonly SessionEntry["state"][] = ["observing", "instrumenting", "reproducing"];

/** The server stays until the user has confirmed (specification, States and transitions; Limits). */
@injectable()
export class ServerGate implements RuleHandler {
  constructor(
    @inject(SITES) private readonly sites: Sites,
    @inject(RECORD_FILE) private readonly record: RecordFile,
  ) {}

  /** @throws SkillError as `Sites.of` does, and what reading the server's record throws: then the rule has denied. */
  async judge(subject: Subject): Promise<Verdict> {
    const objections: Objection[] = [];
    for (const site of await this.sites.of(subject))
      for (const session of openIn(site)) {
        const server = await serverOf(site, session, this.record);
        // No server has been begun for it yet.
        if (!server && session.baseline.images !== "") continue;
        for (const one of [...endings(subject, server, session.id), ...calls(subject, server, session)])
          objections.push({ ...one, session });
      }
    return verdictOf(
      objections,
      "The debug server stays until the user has confirmed.",
      "The debug server stays until the cleanup: leave it running. To start the program anew, end that one process by its id.",
    );
  }
}

/** The server as it says of itself in the project, else as it was known at the last step. */
async function serverOf(
  { root }: Site,
  { id, server, baseline }: SessionEntry,
  record: RecordFile,
): Promise<KnownServer | undefined> {
  return baseline.images === "" ? server : ((await record.server(root, id)) ?? server);
}

function calls(
  subject: Subject,
  server: KnownServer | undefined,
  { state }: SessionEntry,
): readonly Ending[] {
  if (!server) return [];
  return callsTo(server, subject).flatMap(({ path, method }): readonly Ending[] => {
    if (/\/(?:shutdown|stop|quit|exit|kill|close)$/.test(path) && method !== "GET")
      return [{ decision: "deny", sentence: "This asks the debug server to end." }];
    if (method === "DELETE" && !BEFORE_EVIDENCE.includes(state))
      return [{ decision: "ask", sentence: "This clears the log that the hypotheses are judged by." }];
    return [];
  });
}

/** Programs that surely end the server of a session: by its process, by its port, or by a name that it has too. */
function endings({ shell }: Subject, server: KnownServer | undefined, session: string): readonly Ending[] {
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
    .map(({ name }) => ({ decision: "deny", sentence: `${name} would end the debug server.` }));
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

type Program = NonNullable<Subject["shell"]>["programs"][number];

/** What a request calls of a server. Addresses of this machine are one. */
function callsTo({ url }: KnownServer, { shell, urls = [], tool, input }: Subject): readonly ServerCall[] {
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
function sendsByVariable({ shell, command = "" }: Subject, session: string): boolean {
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

const READING = /^(?:\/event)?\/(?:logs|health)$|^$/;

/** Evidence comes from the running program alone (specification, Gates 1; States and transitions). */
@injectable()
export class ForgedEvidenceGate implements RuleHandler {
  constructor(
    @inject(SITES) private readonly sites: Sites,
    @inject(RECORD_FILE) private readonly record: RecordFile,
  ) {}

  /** @throws SkillError as `Sites.of` does, and what reading the server's record throws: then the rule has denied. */
  async judge(subject: Subject): Promise<Verdict> {
    const objections: Objection[] = [];
    for (const site of await this.sites.of(subject)) {
      const [session] = openIn(site);
      if (!session) continue;
      for (const path of written(subject, site))
        objections.push({
          decision: "deny",
          sentence: `${path} is written by the debug server alone.`,
          session,
        });
      for (const one of openIn(site)) {
        const server = await serverOf(site, one, this.record);
        if ((server && posts(subject, server)) || sendsByVariable(subject, one.id))
          objections.push({
            decision: "deny",
            sentence: "This sends events to the debug server.",
            session: one,
          });
      }
    }
    return verdictOf(
      objections,
      "Evidence comes from the running program alone.",
      "Evidence comes from the running program alone: run it with its probes. Reading /logs and /health is free.",
    );
  }
}

function written(subject: Subject, site: Site): readonly string[] {
  const own = writtenBy(subject).flatMap((path) => inside(site.root, path) ?? []);
  return [...new Set(own.filter((path) => kindOf(path, site.sessions) === "evidence"))];
}

function posts(subject: Subject, server: Parameters<typeof callsTo>[0]): boolean {
  return callsTo(server, subject).some(({ path, method }) => {
    if (method === "GET" || method === "HEAD" || method === "DELETE" || method === "OPTIONS") return false;
    return method !== undefined || !READING.test(path);
  });
}
