import { setTimeout } from "node:timers/promises";
import { LOG, SkillError, inject, injectable, nearest, token, type Log, type RouteReply } from "skillctl";
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
  // What breaks before its first piece would be answered with an error: an empty one begins the answer.
  yield "";
  yield* parts;
  if (isBroken)
    throw new SkillError("NETWORK_BROKEN", "The fault that is rehearsed breaks the connection off.");
}

/** This server under its other name: another origin, so that a client that follows sends its header there. */
function elsewhere(host: string): string {
  const port = host.replace(/^.*:/, "");
  return `http://${host.startsWith("localhost") ? "127.0.0.1" : "localhost"}:${port}/moved`;
}

/** A fault and how many requests it is for; `Infinity` is for ever. */
interface Turn {
  readonly fault: FaultName;
  readonly count: number;
}

/** What is rehearsed: the turns one after the other, then the real answers; each of them after the delay. */
interface FaultPlan {
  readonly turns: readonly Turn[];
  readonly delayMs: number;
}

/** The most requests of one turn. */
export const MOST_REQUESTS = 1000;
/** The longest delay, seconds. */
export const LONGEST_DELAY = 600;

/**
 * Reads the words of `serve --fault`: `NAME`, `NAME:COUNT` or `slow:SECONDS` (docs/music-analysis.md, Rehearsing).
 * @throws SkillError `INPUT_INVALID` with the word's place, and the names there are.
 */
export function readFaultPlan(words: readonly string[]): FaultPlan {
  const turns: Turn[] = [];
  let delayMs: number | undefined;
  for (const [index, word] of words.entries()) {
    const fail = (sentence: string, hint = namesHint()): never => {
      throw new SkillError("INPUT_INVALID", sentence, { pointer: `/fault/${index}`, hint });
    };
    const [, name = "", argument] = /^([^:]*)(?::(.*))?$/s.exec(word) ?? [];
    if (name === "slow") {
      if (delayMs !== undefined) fail("slow is given twice.", "Give one delay.");
      delayMs = delayOf(argument) ?? fail(`"${word}" is no delay.`, SLOW_HINT);
      continue;
    }
    if (!isFault(name)) return fail(`"${word}" is no fault.`, namesHint(nearest(name, NAMES)));
    const count = countOf(argument) ?? fail(`"${word}" has no count.`, COUNT_HINT);
    const before = turns.at(-1);
    if (before?.count === Infinity)
      fail(`${name} never has its turn, since ${before.fault} has no count.`, COUNT_HINT);
    turns.push({ fault: name, count });
  }
  return { turns, delayMs: delayMs ?? 0 };
}

const NAMES: readonly string[] = [...Object.keys(FAULTS), "slow"];
const SLOW_HINT = `Give seconds, more than 0 and at most ${LONGEST_DELAY}, such as slow:5 or slow:0.25.`;
const COUNT_HINT = `A count is a number from 1 to ${MOST_REQUESTS}, such as timeout:1; without one a fault goes on.`;

function namesHint(guess?: string): string {
  const all = `The faults: ${Object.keys(FAULTS).join(", ")}, slow:SECONDS.`;
  return guess === undefined ? all : `Did you mean ${guess}? ${all}`;
}

function isFault(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name);
}

function countOf(argument: string | undefined): number | undefined {
  if (argument === undefined) return Infinity;
  const count = /^[1-9]\d{0,3}$/.test(argument) ? Number(argument) : 0;
  return count >= 1 && count <= MOST_REQUESTS ? count : undefined;
}

function delayOf(argument = ""): number | undefined {
  const seconds = /^\d{1,3}(\.\d{1,3})?$/.test(argument) ? Number(argument) : 0;
  return seconds > 0 && seconds <= LONGEST_DELAY ? Math.round(seconds * 1000) : undefined;
}

/** The faults that are still to come; none unless `serve` was given some. */
@injectable()
export class Rehearsal {
  #turns: { readonly fault: FaultName; count: number }[] = [];
  #delayMs = 0;
  #stop = new AbortController().signal;
  #requests = 0;
  #isOn = false;

  constructor(@inject(LOG) private readonly log: Log) {}

  /** From now on requests get these faults; a delay ends early when `stop` is aborted. */
  begin({ turns, delayMs }: FaultPlan, stop: AbortSignal): void {
    this.#turns = turns.map((turn) => ({ ...turn }));
    this.#delayMs = delayMs;
    this.#stop = stop;
    this.#isOn = turns.length > 0 || delayMs > 0;
    this.#requests = 0;
  }

  end(): void {
    this.begin({ turns: [], delayMs: 0 }, this.#stop);
  }

  /** The fault of the next request, which is told on standard error; undefined when it is to be answered as ever. */
  take(hasToken: boolean): FaultName | undefined {
    const [turn] = this.#turns;
    const fault = turn && (hasToken || FAULTS[turn.fault].tokenless) ? turn.fault : undefined;
    if (turn && fault) {
      turn.count -= 1;
      if (turn.count === 0) this.#turns.shift();
    }
    if (this.#isOn)
      this.#tell(fault ?? (hasToken ? "the real answer" : "refused, since its token is not the right one"));
    return fault;
  }

  /** Waits for the delay, or until who asked has gone. */
  async delay(gone: AbortSignal): Promise<void> {
    if (this.#delayMs === 0) return;
    // An abort ends the delay and is no fault.
    await setTimeout(this.#delayMs, undefined, { signal: AbortSignal.any([gone, this.#stop]) }).catch(
      () => undefined,
    );
  }

  #tell(what: string): void {
    this.#requests += 1;
    this.log.notice(`Request ${this.#requests}: ${what}.`);
  }
}

export const REHEARSAL = token<Rehearsal>("music-gateway/rehearsal");
