import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SkillError } from "skillctl";
import { createTestHost, type TestHost } from "skillctl/testing";
import { AskingService, type Answer, type Body } from "./asking-service.ts";
import { testEnvironment } from "../../../core/testing/test-environment.ts";
import { SKILLS } from "../../../contract-tests/harness.ts";

/** The part of the output of `ask` that these tests read. */
interface AskResult {
  readonly text: string;
  readonly kind: string;
  readonly requests: number;
  readonly conversation?: string;
  readonly candidates?: readonly string[];
}

/** How a host of the harness differs from the one before. */
interface HostChange {
  /** The variable that holds a token; null for none, so that the cache file is read. */
  readonly token?: string | null;
  readonly now?: number | string;
}

/** A person at a host: what they ask in which conversation. */
interface Visitor {
  readonly test: TestHost;
  readonly ask: (question: string, conversation?: string) => Promise<AskResult>;
  readonly songs: (input?: object) => Promise<Readonly<Record<string, unknown>>>;
}

/** A service and a folder that hosts share, one after the other or at once. */
export interface Harness {
  readonly service: AskingService;
  /** Holds `home`, `work` and `state`. Absolute. */
  readonly folder: string;
  /** A host on the folder, as after a restart. Closed with the harness. */
  readonly host: (change?: HostChange) => Promise<Visitor>;
}

/** A service with these answers, and a folder for hosts; everything is closed and removed afterwards. */
export async function withHarness<T>(answer: Answer, action: (harness: Harness) => Promise<T>): Promise<T> {
  const service = await AskingService.start(answer);
  const folder = join(tmpdir(), `skillctl-conversation-${randomUUID()}`);
  const hosts: TestHost[] = [];
  const host = async ({ token = "canary-token-5f2b9c", now }: HostChange = {}): Promise<Visitor> => {
    const variables = {
      SVC_BASE_URL: service.url,
      ...(token !== null && { SVC_HEADER_TOKEN: token }),
    };
    const environment = testEnvironment(folder, variables);
    const test = await createTestHost({
      skills: SKILLS,
      ports: { environment },
      ...(now !== undefined && { now }),
    });
    hosts.push(test);
    return visitor(test);
  };
  try {
    for (const name of ["home", "work", "state"]) await mkdir(join(folder, name), { recursive: true });
    return await action({ service, folder, host });
  } finally {
    for (const one of hosts) await one.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A person at any host. */
export function visitor(test: TestHost): Visitor {
  const skill = "music-analysis";
  return {
    test,
    ask: async (question, conversation) =>
      (await test.run({
        skill,
        input: { question, ...(conversation !== undefined && { conversation }) },
      })) as AskResult,
    songs: async (input = {}) =>
      (await test.run({ skill, command: "songs", input })) as Readonly<Record<string, unknown>>,
  };
}

/** One message of a talk and its expected outcome. */
export interface Step {
  readonly say: string;
  /** The kind of the outcome, or the code of the error. */
  readonly gets: string;
  /** All requests that the service gets for it, in order. */
  readonly sent: readonly Body[];
  /** The text for the person, or the message of the error. */
  readonly shown?: string | RegExp;
  readonly candidates?: readonly string[];
  /** Answers of the service from here on. */
  readonly answers?: Answer;
  /** Time that passes before the message. */
  readonly afterMs?: number;
  /** The token of a new host that is started before the message. */
  readonly login?: string;
  /** Which conversation; "" for none. Default: the one of the talk. */
  readonly in?: string;
}

/** Conducts a talk in one conversation of one harness, step by step, starting at a new host. */
export async function talk(harness: Harness, steps: readonly Step[]): Promise<void> {
  let person = await harness.host();
  for (const [place, step] of steps.entries()) {
    const { say, gets, sent, afterMs = 0, answers, login } = step;
    const now = person.test.clock.now() + afterMs;
    if (login === undefined) person.test.clock.set(now);
    else person = await harness.host({ token: login, now });
    if (answers) harness.service.answer = answers;
    const before = harness.service.bodies.length;
    const named = step.in === "" ? undefined : (step.in ?? "talk");
    const outcome = await person.ask(say, named).catch((caught: unknown) => caught);
    const where = `step ${place + 1}, ${say}`;
    if (outcome instanceof SkillError) {
      assert.equal(outcome.code, gets, `${where}: ${outcome.message}`);
      if (step.shown !== undefined) assert.match(outcome.message, new RegExp(step.shown));
    } else if (outcome instanceof Error) throw outcome;
    else looksLike(outcome as AskResult, step, where);
    assert.deepEqual(harness.service.bodies.slice(before), sent, where);
  }
}

function looksLike({ text, kind, requests, candidates }: AskResult, step: Step, where: string): void {
  assert.equal(kind, step.gets, where);
  assert.equal(requests, step.sent.length, where);
  if (typeof step.shown === "string") assert.equal(text, step.shown, where);
  else if (step.shown) assert.match(text, step.shown, where);
  if (step.candidates) assert.deepEqual(candidates, step.candidates, where);
}

/** A question about the account as it is sent. */
export function plain(userMessage: string): Body {
  return { userMessage };
}

/** A question about a song as it is sent. */
export function about(userMessage: string, songId: number): Body {
  return { userMessage, songId };
}

/** The line of tier C. */
export function unsupported(name: string): string {
  return `很抱歉，暂时不支持对《${name}》这首歌进行数据分析，您可以尝试分析其他歌曲~`;
}
