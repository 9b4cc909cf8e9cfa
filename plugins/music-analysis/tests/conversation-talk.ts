import assert from "node:assert/strict";
import { SkillError } from "skillctl";
import type { Answer, Body } from "./asking-service.ts";
import type { Harness } from "./conversation-harness.ts";

/** One message of a talk, and what must come of it. */
export interface Step {
  readonly say: string;
  /** The kind of the outcome, or the code of the error. */
  readonly gets: string;
  /** What the service was sent for it, all of it in order. */
  readonly sent: readonly Body[];
  /** What the person is shown. */
  readonly shown?: string | RegExp;
  readonly candidates?: readonly string[];
  /** Answers of the service from here on. */
  readonly answers?: Answer;
  /** Time that passes before. */
  readonly afterMs?: number;
  /** A new host before, with this token. */
  readonly login?: string;
  /** Which conversation; "" for none. Default: the one of the talk. */
  readonly in?: string;
}

/** Holds a talk in one conversation of one harness, step by step, at first at a new host. */
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
    if (outcome instanceof SkillError) assert.equal(outcome.code, gets, `${where}: ${outcome.message}`);
    else if (outcome instanceof Error) throw outcome;
    else looksLike(outcome as Shown, step, where);
    assert.deepEqual(harness.service.bodies.slice(before), sent, where);
  }
}

interface Shown {
  readonly text: string;
  readonly kind: string;
  readonly requests: number;
  readonly candidates?: readonly string[];
}

function looksLike({ text, kind, requests, candidates }: Shown, step: Step, where: string): void {
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
