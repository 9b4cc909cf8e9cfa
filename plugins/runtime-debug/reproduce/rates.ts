import { createHash } from "node:crypto";
import type { Reproduction, SessionEntry, Try } from "../session/entry.ts";

/** A fix counts as effective if the probability of its figures without an effect is at most this. */
const MOST_CHANCE = 0.05;
/** The maximum number of further runs. */
const MOST_FURTHER = 1_000;

/** How often a command has failed. */
export interface Rate {
  readonly failed: number;
  readonly of: number;
}

export function rateOf(tries: readonly Try[], run: string): Rate {
  const own = tries.filter((one) => one.run === run);
  return { failed: own.filter(({ failed }) => failed).length, of: own.length };
}

/** `failed 7 of 20 times` */
export function rateText({ failed, of }: Rate): string {
  return `failed ${failed} of ${of} ${of === 1 ? "time" : "times"}`;
}

/**
 * The probability of at most the observed failures after a change if the change had no effect: Fisher's exact test,
 * one-sided. It is 1 if a side has no tries.
 */
export function chance(before: Rate, after: Rate): number {
  const all = before.of + after.of;
  const failed = before.failed + after.failed;
  const whole = logChoose(all, after.of);
  let sum = 0;
  for (let count = Math.max(0, failed - before.of); count <= after.failed; count += 1)
    sum += Math.exp(logChoose(failed, count) + logChoose(all - failed, after.of - count) - whole);
  return Math.min(1, sum);
}

/** The required number of runs after the change without a failure; `undefined` beyond 1,000 or without an earlier failure. */
export function neededTries(before: Rate): number | undefined {
  if (before.failed === 0) return undefined;
  for (let of = 1; of <= MOST_FURTHER; of += 1)
    if (chance(before, { failed: 0, of }) <= MOST_CHANCE) return of;
  return undefined;
}

type Tries = Pick<SessionEntry, "tries" | "reproduction">;

/** The hash of the settings of a reproduction, regardless of the number of runs. */
export function settingsOf(reproduction: Reproduction): string {
  // The address of a browser changes when it is started again.
  const page = reproduction.page && { ...reproduction.page, inspect: undefined };
  const settings = JSON.stringify({ ...reproduction, page, times: undefined });
  return createHash("sha256").update(settings).digest("hex").slice(0, 16);
}

/**
 * The runs of one command with the same settings: the last command before a fix, otherwise the command that shows
 * the bug now.
 */
export function triesOf({ tries = [], reproduction }: Tries, before?: string): readonly Try[] {
  const last = tries.findLast(({ run }) => run === before)?.settings;
  const wanted = last ?? (reproduction && settingsOf(reproduction));
  return tries.filter(({ settings }) => settings === wanted);
}

/** Whether the command was run both before a fix and with it. */
export function isTried(tries: readonly Try[], before: string, after: string): boolean {
  return [before, after].every((run) => rateOf(tries, run).of > 0);
}

/** Both rates with a conclusion, or a note that the second one is missing; empty if the command has never failed. */
export function ratesLines(entry: Tries, before: string, after: string): readonly string[] {
  const tries = triesOf(entry, before);
  const [was, is] = [rateOf(tries, before), rateOf(tries, after)];
  if (was.failed > 0 && is.of === 0) {
    const others = rateOf(entry.tries ?? [], after).of > 0 ? " in the same way" : "";
    return [
      `\`${tries[0]?.command}\` ${rateText(was)} before the fix, and has not been run with it${others}.`,
    ];
  }
  if (!isTried(tries, before, after) || was.failed + is.failed === 0) return [];
  // One run of each is not a measurement.
  if (was.of + is.of === 2)
    return [
      `Without the fix it ${was.failed ? "failed" : "did not fail"}; with the fix it ${is.failed ? "fails" : "does not"}.`,
    ];
  const figures = `The command ${rateText(was)} before the fix, and ${rateText(is)} with it.`;
  const likely = chance(was, is);
  const percent = likely < 0.001 ? "under 0.1 %" : `${(likely * 100).toFixed(1)} %`;
  const needed = is.failed === 0 && likely > MOST_CHANCE ? neededTries(was) : undefined;
  return [
    `${figures} If the fix had no effect, the probability of this result would be ${percent} (Fisher's exact test).`,
    ...(needed === undefined
      ? []
      : [
          `${needed - is.of} further runs without a failure would bring it to 5 %: reproduce --times ${needed - is.of}.`,
        ]),
  ];
}

function logChoose(all: number, some: number): number {
  if (some < 0 || some > all) return -Infinity;
  let sum = 0;
  for (let index = 1; index <= some; index += 1) sum += Math.log((all - some + index) / index);
  return sum;
}
