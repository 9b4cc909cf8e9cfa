import {
  ENVIRONMENT,
  FILES,
  HTTP,
  inject,
  injectable,
  LOG,
  PROGRAMS,
  SkillError,
  token,
  type BackgroundProgram,
  type Call,
  type Environment,
  type Files,
  type Http,
  type HttpRequest,
  type Log,
  type Programs,
} from "skillctl";
import type { ServeInput } from "../contract.ts";
import type { SessionFiles } from "../session-files.ts";
import { objectOf } from "../store/log/log-lines.ts";
import { pause } from "./pause.ts";
import { movedAddress, serverInfo, type ServerInfo } from "./plan.ts";
import { readRecord, recordFile, type ServerKeys, type ServerRecord } from "./server-files.ts";

/** The response time of a debug server, in milliseconds, unless the machine is very busy. */
const HEALTH_MS = 2_000;
const MAX_BYTES = 64 * 1024;

/** The response of `GET /health`; `undefined` without a response, or from another kind of server. */
async function healthAt(
  url: string,
  http: Http,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const answer = await http.send({
      method: "GET",
      url: `${url}/health`,
      timeoutMs: HEALTH_MS,
      maxBytes: MAX_BYTES,
      ...(signal && { signal }),
    });
    return objectOf(answer.body);
  } catch {
    // Callers treat a server of another kind like a missing server.
    return undefined;
  }
}

/** Whether the recorded server is alive: only it knows the instance. No key is sent. */
export async function isServing(
  { url, instance }: Pick<ServerRecord, "url" | "instance">,
  http: Http,
  signal?: AbortSignal,
): Promise<boolean> {
  return (await healthAt(url, http, signal))?.["instance"] === instance;
}

/** Timeout of a call, in milliseconds; starting a new segment takes a moment. */
const CALL_MS = 10_000;

interface ServerRequest {
  readonly method: HttpRequest["method"];
  /** The path, with a leading slash. */
  readonly path: string;
  readonly body?: object;
}

/**
 * Sends a request to a debug server, with its control key if it has one.
 * @throws SkillError `PROGRAM_FAILED` if it refuses or does not answer, `CANCELLED`
 */
export async function askServer(
  { url, session }: ServerRecord,
  { method, path, body }: ServerRequest,
  http: Http,
  keys: ServerKeys | undefined,
): Promise<void> {
  const doctor = `Run \`skillctl run runtime-debug doctor ${session}\` to find out why.`;
  const failed = (what: string, cause?: unknown, told = "", hint = doctor): SkillError =>
    new SkillError("PROGRAM_FAILED", `The debug server of ${session} ${what} ${method} ${path}.${told}`, {
      cause,
      hint,
    });
  const request: HttpRequest = {
    method,
    url: `${url}${path}`,
    headers: {
      ...(body && { "content-type": "application/json" }),
      ...(keys && { authorization: `Bearer ${keys.control}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
    timeoutMs: CALL_MS,
    maxBytes: MAX_BYTES,
  };
  const { status, body: answer } = await http.send(request).catch((caught: unknown) => {
    if (caught instanceof SkillError && caught.code === "CANCELLED") throw caught;
    throw failed("does not answer", caught);
  });
  if (status < 300) return;
  const { message, hint } = objectOf(answer) ?? {};
  const told = typeof message === "string" ? ` It says: ${message}` : "";
  throw failed(`refuses (status ${status})`, undefined, told, typeof hint === "string" ? hint : doctor);
}

const LOOK_MS = 50;
/** A server ends within 5 s; this is the longest wait, in milliseconds. */
const END_MS = 15_000;

/**
 * Asks the process of a server to end and waits for its end. Only a process that identifies itself as this server is
 * asked: another process may have taken over the number in the file.
 * @param isGone whether its claim on the session, which it releases last, has ended
 * @throws SkillError `PROGRAM_FAILED`
 */
export async function endServer(
  { url, pid, instance, session }: Pick<ServerRecord, "url" | "pid" | "instance" | "session">,
  http: Http,
  isGone: () => Promise<boolean>,
): Promise<void> {
  const health = await healthAt(url, http);
  // Another program has ended it in the meantime.
  if (health?.["instance"] !== instance) return;
  if (pid === process.pid || health["pid"] !== pid)
    throw unended(session, url, "does not run in a separate process");
  signalEnd(pid);
  const late = AbortSignal.timeout(END_MS);
  while (!(await isGone())) {
    if (late.aborted) throw unended(session, url, `(process ${pid}) does not end`);
    await pause(LOOK_MS, late);
  }
}

/** Asks a process to end. */
export function signalEnd(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch (caught) {
    if ((caught as NodeJS.ErrnoException).code !== "ESRCH") throw caught;
    // It has ended by itself.
  }
}

function unended(session: string, url: string, why: string): SkillError {
  return new SkillError("PROGRAM_FAILED", `The debug server of ${session} at ${url} ${why}.`, {
    hint: "End it where it was started, and try again.",
  });
}

/** The longest wait for a start, in milliseconds; a slower start may still succeed. */
const PATIENCE_MS = 60_000;

/** Secrets that the server redacts in the log, and the key of a collector. */
const SECRETS = ["SVC_HEADER_TOKEN", "OTEL_EXPORTER_OTLP_HEADERS"];

/**
 * Programs that open an address in a browser, except xdg-open, with their arguments; and their time limit, in
 * milliseconds.
 */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
const OPEN_MS = 10_000;

/** Starts the server of a session in the background and waits until it answers. */
@injectable()
export class BackgroundStart {
  constructor(
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(FILES) private readonly files: Files,
    @inject(HTTP) private readonly http: Http,
    @inject(LOG) private readonly log: Log,
    @inject(PROGRAMS) private readonly programs: Programs,
  ) {}

  /** @throws SkillError the error of the start in the background, `PROGRAM_FAILED`, `CANCELLED`. */
  async start(input: ServeInput, place: SessionFiles, call: Call): Promise<ServerInfo> {
    const { detach: _, ...foreground } = input;
    const path = recordFile(this.environment, place, input.session);
    const earlier = await readRecord(path, this.files);
    const before = (await this.files.facts(place.serveLog))?.bytes ?? 0;
    const words = ["run", "runtime-debug", "serve", "--json", "--no-progress"];
    const program = await this.programs.background({
      args: [...words, "--input", JSON.stringify(foreground)],
      log: place.serveLog,
      variables: SECRETS,
    });
    const end = performance.now() + PATIENCE_MS;
    const ended = new AbortController();
    void program.ended.then(() => ended.abort());
    while (!call.signal.aborted && performance.now() < end) {
      const record = await readRecord(path, this.files);
      if (record?.pid === program.pid && (await isServing(record, this.http))) {
        // The server reports a change of address only in its log.
        const moved = movedAddress(earlier, record);
        if (moved !== undefined) this.log.notice(moved);
        return serverInfo(record, place, this.environment.addresses());
      }
      if (ended.signal.aborted) throw await this.#failure(program, place, before);
      await pause(LOOK_MS, AbortSignal.any([call.signal, ended.signal]));
    }
    if (call.signal.aborted)
      throw new SkillError("CANCELLED", "The call was cancelled; the background server may still start.");
    throw failed(`The background server (process ${program.pid}) does not answer yet.`, place.serveLog);
  }

  /** Opens an address in the user's browser; false if no program can open it. */
  async show(address: string): Promise<boolean> {
    const [name, ...words] = OPENERS[process.platform] ?? ["xdg-open"];
    const program = await this.programs.find(name);
    if (program === undefined) return false;
    const { status } = await this.programs.run({ program, args: [...words, address], timeoutMs: OPEN_MS });
    return status === 0;
  }

  async #failure({ ended }: BackgroundProgram, place: SessionFiles, before: number): Promise<SkillError> {
    const told = await toldError(place.serveLog, before, this.files);
    const status = await ended;
    const how = status === undefined ? "by a signal" : `with status ${status}`;
    return told ?? failed(`The background server ended ${how} before it answered.`, place.serveLog);
  }
}

export const BACKGROUND_START = token<BackgroundStart>("background-start");

/**
 * The last error that one of our programs has written to a log with --json, starting at a byte position; `undefined` if
 * there is none.
 */
export async function toldError(log: string, from: number, files: Files): Promise<SkillError | undefined> {
  const bytes = (await files.readBytes(log)) ?? new Uint8Array();
  const said = new TextDecoder().decode(bytes.subarray(from)).trim();
  const error = objectOf(said.slice(said.lastIndexOf("\n") + 1))?.["error"];
  if (typeof error !== "object" || error === null) return undefined;
  const { code, message, hint } = error as Readonly<Record<string, unknown>>;
  if (typeof code !== "string" || typeof message !== "string") return undefined;
  return new SkillError(code, message, typeof hint === "string" ? { hint } : {});
}

/** A failure of a program in the background, with its log. */
export function failed(sentence: string, log: string): SkillError {
  return new SkillError("PROGRAM_FAILED", sentence, { file: log, hint: `Its output is in ${log}.` });
}
