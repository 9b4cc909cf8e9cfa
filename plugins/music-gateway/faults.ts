import { SkillError, type RouteReply } from "skillctl";
import { gzipSync } from "node:zlib";
import type { ChatReply, FaultBody } from "./contract.ts";
import { text } from "./texts.ts";

/** `data` of a complete answer. */
export type AnswerData = NonNullable<ChatReply["data"]>;

/** One way in which the service can fail, or what stands before it. */
interface Fault {
  /** Spoils the real answer, so that the question counts. Otherwise the data hold a text that must not be shown. */
  readonly spoils?: true;
  /** Is about the token, so that a request without the right one gets it too. */
  readonly tokenless?: true;
  /** `host` is the Host header of the request. */
  readonly reply: (data: AnswerData, host: string) => RouteReply;
}

/** A code that is no success and says nothing by itself: the message tells what it is. */
const SOME_CODE = 40_001;
/** More than the 8 MiB that a client may take (docs/music-analysis.md, Replies). */
const TOO_MANY_BYTES = 9 * 1024 * 1024;

/** The faults that `serve --fault` rehearses (docs/music-analysis.md, Rehearsing). */
export const FAULTS = {
  timeout: finished({ finishReason: "TIMEOUT", content: "" }),
  safety: finished({ finishReason: "SAFETY_REVOKED", safetyRevoked: true }),
  "safety-complete": { spoils: true, ...finished({ safetyRevoked: true }) },
  "upstream-error": finished({ finishReason: "UPSTREAM_ERROR", content: "" }),
  "unknown-finish": finished({ finishReason: "PARTIAL" }),

  quota: refused(SOME_CODE, "quota-exceeded"),
  song: refused(SOME_CODE, "song-not-supported"),
  unauthorized: { tokenless: true, ...refused("UNAUTHORIZED", "unauthorized") },
  "unauthorized-401": { tokenless: true, ...refused("UNAUTHORIZED", "unauthorized", 401) },
  "unknown-user": { tokenless: true, ...refused(SOME_CODE, "unknown-user") },
  parameter: refused(SOME_CODE, "blank-message"),
  "wrong-field": refused("100010", "wrong-field"),
  "unknown-code": refused(SOME_CODE, "unknown-refusal"),

  "string-zero": { spoils: true, reply: (data) => json({ ...whole(data), code: "0" }) },
  "missing-code": { spoils: true, reply: (data) => json({ message: null, data }) },
  "no-data": { reply: () => json({ code: 0, message: null, data: null }) },
  "empty-content": { spoils: true, ...finished({ content: "" }) },
  "wrong-type": finished({ messageId: 1, content: [], finishReason: 4, safetyRevoked: null }),
  "not-object": { reply: () => json(["code", 0]) },

  "bad-json": { reply: (data) => sent([JSON.stringify(whole(data)).slice(0, -1)]) },
  html: { reply: () => page("Welcome") },
  redirect: { reply: (_, host) => sent([], { status: 302, headers: { location: elsewhere(host) } }) },
  "status-404": { reply: () => failed({ status: 404, error: "Not Found" }) },
  "status-500": { reply: () => failed({ status: 500, error: "Internal Server Error" }) },
  "status-502": { reply: () => page("Bad Gateway", 502) },

  truncate: {
    spoils: true,
    reply: (data) => {
      const bytes = Buffer.from(JSON.stringify(whole(data)));
      return brokenOff([bytes.subarray(0, bytes.length / 2)]);
    },
  },
  drop: { spoils: true, reply: () => brokenOff([]) },
  huge: { spoils: true, reply: (data) => sent([overlong(data)]) },
  "gzip-bomb": {
    spoils: true,
    reply: (data) => sent([gzipSync(overlong(data))], { headers: { "content-encoding": "gzip" } }),
  },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof FAULTS;

/** The row of a fault. */
export function faultOf(name: FaultName): Fault {
  return FAULTS[name];
}

function whole(data: AnswerData): ChatReply {
  return { code: 0, message: null, data };
}

function finished(other: Readonly<Partial<Record<keyof AnswerData, unknown>>>): Fault {
  return { reply: (data) => json({ code: 0, message: null, data: { ...data, ...other } }) };
}

function refused(code: string | number, name: Parameters<typeof text>[0], status = 200): Fault {
  return { reply: () => json({ code, message: text(name), data: null }, status) };
}

function failed(body: FaultBody & { readonly status: number }): RouteReply {
  return json(body, body.status);
}

function json(value: unknown, status = 200): RouteReply {
  return sent([JSON.stringify(value)], { status });
}

function page(title: string, status = 200): RouteReply {
  const html = `<!doctype html><title>${title}</title><h1>${title}</h1>`;
  return sent([html], { status, type: "text/html; charset=utf-8" });
}

/** A reply as a stream, since it need not fit the schema of the contract. */
function sent(
  parts: readonly (string | Uint8Array)[],
  { status = 200, type = "application/json", headers = {} }: Sent = {},
): RouteReply {
  const stream = async function* (): AsyncGenerator<string | Uint8Array> {
    yield* parts;
  };
  return { status, body: stream(), headers: { "content-type": type, ...headers } };
}

interface Sent {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function brokenOff(parts: readonly Uint8Array[]): RouteReply {
  const stream = async function* (): AsyncGenerator<Uint8Array> {
    yield* parts;
    throw new SkillError("NETWORK_BROKEN", "The fault that is rehearsed breaks the connection off.");
  };
  return { status: 200, body: stream(), headers: { "content-type": "application/json" } };
}

function overlong(data: AnswerData): string {
  return JSON.stringify(whole({ ...data, content: `${data.content}\n${"-".repeat(TOO_MANY_BYTES)}` }));
}

/** This server under its other name: another origin, so that a client that follows sends its header there. */
function elsewhere(host: string): string {
  const port = host.replace(/^.*:/, "");
  return `http://${host.startsWith("localhost") ? "127.0.0.1" : "localhost"}:${port}/moved`;
}
