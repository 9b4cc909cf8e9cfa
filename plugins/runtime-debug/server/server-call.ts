import { SkillError, type Http, type HttpRequest } from "skillctl";
import { pause } from "./pause.ts";
import type { ServerKeys } from "./server-keys.ts";
import type { ServerRecord } from "./server-record.ts";

/** A server of ours answers within this, in milliseconds, unless the machine is very busy. */
const HEALTH_MS = 2_000;
const MAX_BYTES = 64 * 1024;

/** What `GET /health` of some server says. `undefined` for no answer, or one that is not ours. */
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
    const value: unknown = JSON.parse(answer.body);
    return typeof value === "object" && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    // Nobody there, or somebody who does not speak so: for the question that is asked both are one.
    return undefined;
  }
}

/** Whether the server that a record names is alive: only it knows the instance. No key is sent. */
export async function isServing(
  { url, instance, ended }: Pick<ServerRecord, "url" | "instance" | "ended">,
  http: Http,
  signal?: AbortSignal,
): Promise<boolean> {
  if (ended !== undefined) return false;
  return (await healthAt(url, http, signal))?.["instance"] === instance;
}

/** A log that is being moved aside can take a moment, in milliseconds. */
const CALL_MS = 10_000;

/**
 * Asks a server of ours for something, with the key that opens everything where it has one.
 * @throws SkillError `PROGRAM_FAILED` when it refuses or does not answer, `CANCELLED`
 */
export async function askServer(
  { url, session }: ServerRecord,
  method: HttpRequest["method"],
  path: string,
  http: Http,
  keys: ServerKeys | undefined,
  body?: object,
): Promise<void> {
  const failed = (what: string, cause?: unknown): SkillError =>
    new SkillError("PROGRAM_FAILED", `The debug server of ${session} ${what} ${method} ${path}.`, {
      cause,
      hint: `What is wrong with it says \`skillctl run runtime-debug doctor ${session}\`.`,
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
  const { status } = await http.send(request).catch((caught: unknown) => {
    if (caught instanceof SkillError && caught.code === "CANCELLED") throw caught;
    throw failed("does not answer", caught);
  });
  if (status >= 300) throw failed(`refuses (status ${status})`);
}

const LOOK_MS = 50;
/** A server ends within 5 s; this is how long it is waited for, in milliseconds. */
const END_MS = 15_000;

/**
 * Asks the process of a server to end and waits until it is gone. Only the process that says itself that it is this
 * server is asked: a number in a file may be somebody else's by now.
 * @param isGone whether its hold on the session has ended, which it gives back last
 * @throws SkillError `PROGRAM_FAILED`
 */
export async function endServer(
  { url, pid, instance, session }: Pick<ServerRecord, "url" | "pid" | "instance" | "session">,
  http: Http,
  isGone: () => Promise<boolean>,
): Promise<void> {
  const health = await healthAt(url, http);
  // Somebody else has ended it meanwhile.
  if (health?.["instance"] !== instance) return;
  if (pid === process.pid || health["pid"] !== pid)
    throw unended(session, url, "is not a process of its own");
  signalEnd(pid);
  const late = AbortSignal.timeout(END_MS);
  while (!(await isGone())) {
    if (late.aborted) throw unended(session, url, `(process ${pid}) does not end`);
    await pause(LOOK_MS, late);
  }
}

function signalEnd(pid: number): void {
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
