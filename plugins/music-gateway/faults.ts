import { SkillError, type RouteReply } from "skillctl";
import { gzipSync } from "node:zlib";
import type { ChatReply } from "./contract.ts";
import rows from "./faults.json" with { type: "json" };
import { text } from "./texts.ts";

/** `data` of a complete answer. */
export type AnswerData = NonNullable<ChatReply["data"]>;

/** One way in which the service can fail, or what stands before it; a row of faults.json. */
interface Fault {
  /** Spoils the real answer, so that the question counts. Otherwise the data hold a text that must not be shown. */
  readonly spoils?: true;
  /** Is about the token, so that a request without the right one gets it too. */
  readonly tokenless?: true;
  readonly status?: number;
  /** Other fields of the answer's data. */
  readonly data?: object;
  /** Another code, which says nothing by itself: the message tells what it is. Null for none. */
  readonly code?: string | number | null;
  /** The message of a refusal. */
  readonly text?: Parameters<typeof text>[0];
  /** Another reply altogether, as JSON or as a page. */
  readonly body?: unknown;
  readonly page?: string;
  /** What becomes of the bytes of the answer. */
  readonly sends?: "without-end" | "elsewhere" | "half" | "nothing" | "overlong" | "overlong-gzip";
}

/** More than the 8 MiB that a client may take (docs/music-analysis.md, Replies). */
const TOO_MANY_BYTES = 9 * 1024 * 1024;

/** The faults that `serve --fault` rehearses (docs/music-analysis.md, Rehearsing). */
export const FAULTS: Readonly<Record<FaultName, Fault>> = rows as Record<FaultName, Fault>;

export type FaultName = keyof typeof rows;

/** What a fault answers, a stream since it need not fit the schema of the contract. `host` is the Host header. */
export function faultReply(fault: Fault, data: AnswerData, host: string): RouteReply {
  const { status = 200, page, sends } = fault;
  const whole = Buffer.from(JSON.stringify(bodyOf(fault, data)));
  const reply = (parts: readonly (string | Uint8Array)[], headers = {}, isBroken = false): RouteReply => ({
    status,
    body: streamOf(parts, isBroken),
    headers: { "content-type": "application/json", ...headers },
  });
  if (page !== undefined)
    return reply([`<!doctype html><title>${page}</title><h1>${page}</h1>`], {
      "content-type": "text/html; charset=utf-8",
    });
  const content = `${data.content}\n${"-".repeat(TOO_MANY_BYTES)}`;
  const overlong = (): string => JSON.stringify(bodyOf(fault, { ...data, content }));
  switch (sends) {
    case "without-end":
      return reply([whole.subarray(0, -1)]);
    case "elsewhere":
      return reply([], { location: elsewhere(host) });
    case "half":
      return reply([whole.subarray(0, whole.length / 2)], {}, true);
    case "nothing":
      return reply([], {}, true);
    case "overlong":
      return reply([overlong()]);
    case "overlong-gzip":
      return reply([gzipSync(overlong())], { "content-encoding": "gzip" });
    default:
      return reply([whole]);
  }
}

function bodyOf({ body, code = 0, text: message, data: other }: Fault, data: AnswerData): unknown {
  if (body !== undefined) return body;
  if (message !== undefined) return { code, message: text(message), data: null };
  return { code: code ?? undefined, message: null, data: { ...data, ...other } };
}

async function* streamOf(
  parts: readonly (string | Uint8Array)[],
  isBroken: boolean,
): AsyncGenerator<string | Uint8Array> {
  yield* parts;
  if (isBroken)
    throw new SkillError("NETWORK_BROKEN", "The fault that is rehearsed breaks the connection off.");
}

/** This server under its other name: another origin, so that a client that follows sends its header there. */
function elsewhere(host: string): string {
  const port = host.replace(/^.*:/, "");
  return `http://${host.startsWith("localhost") ? "127.0.0.1" : "localhost"}:${port}/moved`;
}
