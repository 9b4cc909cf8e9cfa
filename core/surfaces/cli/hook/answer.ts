import { noting } from "../../../adapters/call-log.ts";
import { hookInput, isTyped, type ByteStream } from "../../../adapters/hook-input.ts";
import type { GuardDecision } from "../../../contract.ts";
import type { Subject } from "../../../plugin.ts";
import type { Environment } from "../../../ports/environment.ts";
import type { LinkFiles } from "../../../ports/files.ts";
import type { Dialect, HookResponse } from "../../hook/dialect.ts";
import { MAX_EVENT_BYTES, UNJUDGED, UNREADABLE, respond, sentenceOf } from "../../hook/hook.ts";

/**
 * The exit status of an answered event if the hook's command has `--hook`. No other program ends with it, so the command
 * turns every other status into a denial, including that of another program at the same path.
 */
export const ANSWERED = 93;

/** The event on standard input, and the way to judge it. */
export interface HookCall {
  readonly dialect: Dialect;
  /** Default: the standard input of the process. */
  readonly input?: ByteStream | undefined;
  /** Seconds until the answer is a denial. */
  readonly seconds: number;
  /** Writes to standard error. */
  readonly err: (text: string) => void;
  /** Judges an event as the agent wrote it; undefined if that took longer than `leftMs` milliseconds. */
  readonly judge: (written: string, leftMs: number) => Promise<HookResponse | undefined>;
}

const DEFAULT_SECONDS = 4;
const MOST_SECONDS = 60;

/** The time limit for an answer in seconds: 4, or the value of `SKILLCTL_GUARD_TIMEOUT`, at most 60. */
export function patience(variables: Readonly<Record<string, string | undefined>>): number {
  const named = Number(variables["SKILLCTL_GUARD_TIMEOUT"]);
  return named > 0 && named <= MOST_SECONDS ? named : DEFAULT_SECONDS;
}

/** Reads an event and answers it. A late answer is a denial, since some agents let the call through otherwise. */
export async function answered({ dialect, input, seconds, err, judge }: HookCall): Promise<HookResponse> {
  const late = (): HookResponse =>
    dialect.refuse(`${UNJUDGED} no answer came within ${seconds} s.`, "GUARD_FAILED");
  const event = hookInput(MAX_EVENT_BYTES, input);
  if (isTyped(input)) {
    err(`Waiting for one event as JSON on standard input (end: Ctrl-D). See: skillctl guard --help\n`);
    await Promise.allSettled([event]);
  }
  const end = Date.now() + seconds * 1_000;
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<HookResponse>((resolve) => {
    timer = setTimeout(() => resolve(late()), seconds * 1_000);
  });
  const answer = event.then(
    async (written) => (await judge(written, end - Date.now())) ?? late(),
    (caught: unknown) => dialect.refuse(sentenceOf(UNREADABLE, caught), "REQUEST_UNREADABLE"),
  );
  try {
    return await Promise.race([answer, waited]);
  } finally {
    clearTimeout(timer);
  }
}

/** The parts that judge an event of a hook process. */
export interface EventJudge {
  readonly dialect: Dialect;
  readonly environment: Environment;
  readonly files: LinkFiles;
  readonly decide: (subject: Subject) => Promise<GuardDecision>;
  /** Writes a sentence for the person. It changes no decision. */
  readonly notice: (sentence: string) => void;
}

/** Answers one event as the agent wrote it, and records the decision. Never throws: a failure is a denial. */
export function respondTo(
  event: string,
  { dialect, environment, files, decide, notice }: EventJudge,
): Promise<HookResponse> {
  const { workingFolder: cwd, home, stateFolder } = environment;
  return respond(event, {
    dialect,
    base: { cwd, home, files },
    decide: noting(decide, stateFolder, { notice }),
    changed: async (id, decision) => {
      const { noteOutcome } = await import("../../../adapters/audit-file.ts");
      noteOutcome(stateFolder, { id, decision, by: dialect.name }, { notice });
    },
  });
}
