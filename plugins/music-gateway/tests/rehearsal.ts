import { subscribe, unsubscribe } from "node:diagnostics_channel";
import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { sayInProcess, type InProcess, type ProgramResult } from "../../../contract-tests/command-line.ts";

export const QUESTION = "我最近30天播放量怎么样";
export const PATH = "/openapi/v1/musician/data/agent/chat-sync";

/** The command line in this process, with a home of its own. */
export function say(
  words: readonly string[],
  { home, variables = {}, ...others }: InProcess & { readonly home: string },
): Promise<ProgramResult> {
  const own = { HOME: home, SKILLCTL_STATE: join(home, "state") };
  return sayInProcess(words, home, { ...others, variables: { ...own, ...variables } });
}

/** A gateway that serves, and what it tells. */
export interface Gateway {
  readonly url: string;
  readonly token: string;
  /** What it announces. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Today's questions that it has counted, as it tells them. */
  readonly counted: () => number;
  /** Requests that it has read and has a fault for, as it tells them. */
  readonly taken: () => number;
  /** Requests that its server has seen. */
  readonly seen: () => readonly string[];
  /** Ends it. */
  readonly stop: () => Promise<ProgramResult>;
}

/** Starts one with these faults, in a folder of its own inside this one. */
export async function serving(
  folder: string,
  faults: readonly string[],
  others: readonly string[] = [],
): Promise<Gateway> {
  const home = await mkdtemp(join(folder, "gateway-"));
  const ending = new AbortController();
  let told = "";
  let announced = (_block: string): void => undefined;
  const block = new Promise<string>((settle) => (announced = settle));
  const words = [
    "run",
    "music-gateway",
    "serve",
    ...faults.flatMap((fault) => ["--fault", fault]),
    ...others,
  ];
  const running = say(words, {
    home,
    signal: ending.signal,
    onOut: (out) => out.includes("\n}") && announced(out),
    onErr: (err) => (told = err),
  });
  const first = await Promise.race([block, running]);
  if (typeof first !== "string") assert.fail(first.err);
  const facts = JSON.parse(first) as { readonly baseUrl: string; readonly token: string };
  const { baseUrl, token } = facts;
  const port = Number(new URL(baseUrl).port);
  const seen: string[] = [];
  const note = (message: unknown): void => {
    const { request } = message as { readonly request: IncomingMessage };
    if (request.socket.localPort === port) seen.push(`${request.method} ${request.url}`);
  };
  subscribe("http.server.request.start", note);
  const stop = (): Promise<ProgramResult> => {
    unsubscribe("http.server.request.start", note);
    ending.abort();
    return running;
  };
  return {
    url: baseUrl,
    token,
    facts,
    seen: () => seen,
    taken: () => told.match(/^Request /gm)?.length ?? 0,
    counted: () => told.match(/^Question /gm)?.length ?? 0,
    stop,
  };
}

/** What a person who asks the gateway gets, with a state of their own. */
export async function asked(
  folder: string,
  { url, token }: Gateway,
): Promise<ProgramResult & { readonly code?: string }> {
  const home = await mkdtemp(join(folder, "asker-"));
  const variables = { SVC_BASE_URL: url, SVC_HEADER_TOKEN: token };
  const said = await say(["run", "music-analysis", "--json", QUESTION], { home, variables });
  const { error } = JSON.parse(said.out) as { readonly error?: { readonly code: string } };
  return error ? { ...said, code: error.code } : said;
}

/** What a body is answered with, a question unless said otherwise. */
export function post(
  { url, token }: Gateway,
  { body = { userMessage: QUESTION }, token: given = token, signal = null }: Posted = {},
): Promise<Response> {
  const headers = { "content-type": "application/json", "svc-header-token": given };
  return fetch(url + PATH, { method: "POST", body: JSON.stringify(body), headers, signal });
}

interface Posted {
  readonly body?: unknown;
  readonly token?: string;
  readonly signal?: AbortSignal | null;
}
