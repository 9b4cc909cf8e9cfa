import { SkillError, type Http, type HttpRequest } from "skillctl";
import type { ServerKeys } from "./server-keys.ts";
import type { ServerRecord } from "./server-record.ts";

/** A log that is being moved aside can take a moment, in milliseconds. */
const PATIENCE_MS = 10_000;
const MOST_BYTES = 64 * 1024;

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
    timeoutMs: PATIENCE_MS,
    maxBytes: MOST_BYTES,
  };
  const { status } = await http.send(request).catch((caught: unknown) => {
    if (caught instanceof SkillError && caught.code === "CANCELLED") throw caught;
    throw failed("does not answer", caught);
  });
  if (status >= 300) throw failed(`refuses (status ${status})`);
}
