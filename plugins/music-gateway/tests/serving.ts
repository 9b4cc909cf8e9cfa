import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { sayInProcess, type InProcess, type ProgramResult } from "../../../contract-tests/command-line.ts";

export const QUESTION = "我最近30天播放量怎么样";
export const PATH = "/openapi/v1/musician/data/agent/chat-sync";

/** The command line in this process, with a separate home. */
export function say(
  words: readonly string[],
  { home, variables = {}, ...others }: InProcess & { readonly home: string },
): Promise<ProgramResult> {
  const own = { HOME: home, SKILLCTL_STATE: join(home, "state") };
  return sayInProcess(words, home, { ...others, variables: { ...own, ...variables } });
}

/** A gateway that serves, and its announced data. */
export interface Gateway {
  readonly url: string;
  readonly token: string;
  /** Its announcement. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Ends it. */
  readonly stop: () => Promise<ProgramResult>;
}

/** Starts one in a new folder inside this one. */
export async function serving(folder: string): Promise<Gateway> {
  const home = await mkdtemp(join(folder, "gateway-"));
  const ending = new AbortController();
  let announced = (_block: string): void => undefined;
  const block = new Promise<string>((settle) => (announced = settle));
  const running = say(["run", "music-gateway", "serve"], {
    home,
    signal: ending.signal,
    onOut: (out) => out.includes("\n}") && announced(out),
  });
  const first = await Promise.race([block, running]);
  if (typeof first !== "string") assert.fail(first.err);
  const facts = JSON.parse(first) as { readonly baseUrl: string; readonly token: string };
  const stop = (): Promise<ProgramResult> => {
    ending.abort();
    return running;
  };
  return { url: facts.baseUrl, token: facts.token, facts, stop };
}

/** The answer to a body, which is a question unless stated otherwise. */
export function post(
  { url, token }: Gateway,
  { body = { userMessage: QUESTION }, token: given = token }: Posted = {},
): Promise<Response> {
  const headers = { "content-type": "application/json", "svc-header-token": given };
  return fetch(url + PATH, { method: "POST", body: JSON.stringify(body), headers });
}

interface Posted {
  readonly body?: unknown;
  readonly token?: string;
}
