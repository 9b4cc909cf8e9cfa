import type { Http } from "skillctl";
import type { ServerRecord } from "./server-record.ts";

/** A server of ours answers within this, in milliseconds, unless the machine is very busy. */
const PATIENCE_MS = 2_000;
const MAX_HEALTH_BYTES = 64 * 1024;

/** What `GET /health` of some server says. `undefined` for no answer, or one that is not ours. */
export async function healthAt(
  url: string,
  http: Http,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const answer = await http.send({
      method: "GET",
      url: `${url}/health`,
      timeoutMs: PATIENCE_MS,
      maxBytes: MAX_HEALTH_BYTES,
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
