import { SkillError, nearest } from "skillctl";
import { FAULTS, type FaultName } from "./faults.ts";

/** A fault and how many requests it is for; `Infinity` is for ever. */
export interface Turn {
  readonly fault: FaultName;
  readonly count: number;
}

/** What is rehearsed: the turns one after the other, then the real answers; each of them after the delay. */
export interface FaultPlan {
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
