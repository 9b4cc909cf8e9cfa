import {
  ENVIRONMENT,
  inject,
  injectable,
  PROGRAMS,
  quotedName,
  SkillError,
  type Call,
  type CommandHandler,
  type Environment,
  type Programs,
} from "skillctl";
import type {
  AnswerInput,
  AnswerOutput,
  ReproduceInput,
  ReproduceOutput,
  VerifyInput,
  VerifyOutput,
} from "../contract.ts";
import { answers, endText, runCommand, type CommandEnd } from "../reproduce/command-run.ts";
import { differenceLines } from "../reproduce/difference.ts";
import { rateOf, rateText } from "../reproduce/rates.ts";
import { pause } from "../server/pause.ts";
import { DEBUG_SERVERS, type DebugServers } from "../session/debug-servers.ts";
import type { Reproduction, Try } from "../session/entry.ts";
import { EVIDENCE, type Evidence } from "../session/evidence.ts";
import { nextStep } from "../session/next-step.ts";
import { runOf } from "../session/rounds.ts";
import { isObserved } from "../session/set-probes.ts";
import { SESSIONS, answered, type OpenedSession, type Sessions } from "../session/sessions.ts";
import { impossible, isCollecting } from "../session/steps.ts";
import { framed, shortened } from "../store/event/inert-text.ts";
import { ANSWER, VERIFY } from "./handlers.ts";

/** Seconds that a try may take. */
export const TRY_S = 60;
/** A server that runs meanwhile is given so long to listen, in milliseconds. */
const SERVER_MS = 30_000;
/** The last events of a try are given so long to arrive, in milliseconds, and looked for so often. */
const SETTLE_MS = 1_000;
const LOOK_MS = 40;
const MOST_TRIES = 1_000;
/** Of the output of a try the end is kept, in characters; of that so many lines are shown. */
const MOST_OUTPUT = 65_536;
const MOST_LINES = 12;
const MOST_LAST = 120;

/** A try with its output. */
interface Tried {
  readonly one: Try;
  readonly end: CommandEnd;
  readonly output: string;
}

/** Runs the command that shows the bug, and goes on by what it has shown; docs/debug-session.md, section Reproduction. */
@injectable()
export class ReproduceCommand implements CommandHandler<ReproduceInput, ReproduceOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(EVIDENCE) private readonly evidence: Evidence,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
    @inject(PROGRAMS) private readonly programs: Programs,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(ANSWER) private readonly answer: CommandHandler<AnswerInput, AnswerOutput>,
    @inject(VERIFY) private readonly verify: CommandHandler<VerifyInput, VerifyOutput>,
  ) {}

  /** @throws SkillError as the manifest lists; `USAGE` without a command */
  async run(input: ReproduceInput, call: Call): Promise<ReproduceOutput> {
    const opened = await this.sessions.open(input.session);
    const wish = wishOf(input, opened, this.environment.workingFolder);
    const { entry } = opened;
    if (!isCollecting(entry.state))
      throw new SkillError("DEBUG_STEP", impossible(entry.state, "reproduce", "it belongs to step 6, 9"), {
        hint: nextStep(entry),
      });
    await this.servers.ensure(opened, call);
    const run = runOf(entry);
    const tried = await this.#meanwhile(wish, call, (signal) =>
      this.#tries(wish, opened, run, { ...call, signal }),
    );
    const written = await this.sessions.turn(entry.id, call, (now) => {
      const tries = [...(now.entry.tries ?? []), ...tried.map(({ one }) => one)].slice(-MOST_TRIES);
      return this.sessions.write(now, { ...now.entry, reproduction: wish, tries });
    });
    return this.#goOn(written, wish, tried, call);
  }

  /** Runs the server of a reproduction, where there is one, as long as some work takes. */
  async #meanwhile<T>(
    wish: Reproduction,
    { signal }: Call,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (!wish.server) return work(signal);
    const { command, port } = wish.server;
    if (await answers(port, 1, signal))
      throw new SkillError(
        "PROGRAM_FAILED",
        `Port ${port} is in use already, so ${command} was not started.`,
        {
          hint: "End the program that listens there, or start the server yourself and leave out --while.",
        },
      );
    const over = new AbortController();
    let output = "";
    let isOver = false;
    const told = (text: string): void => void (output = (output + text).slice(-MOST_OUTPUT));
    const limitS = 3_600;
    const both = AbortSignal.any([signal, over.signal]);
    const server = runCommand(this.programs, { command, folder: wish.folder, limitS, signal: both, told })
      .catch(() => undefined)
      .finally(() => (isOver = true));
    try {
      const look = AbortSignal.any([both]);
      const isUp = await Promise.race([answers(port, SERVER_MS, look), server.then(() => false)]);
      if (!isUp)
        throw new SkillError(
          "PROGRAM_FAILED",
          `${command} ${isOver ? "has ended" : `does not listen at port ${port}`}: ${lastLines(output).join(" / ") || "it has written nothing"}`,
        );
      return await work(signal);
    } finally {
      over.abort();
      await server;
    }
  }

  async #tries(
    wish: Reproduction,
    opened: OpenedSession,
    run: string,
    call: Call,
  ): Promise<readonly Tried[]> {
    const all: Tried[] = [];
    let last = await this.#last(opened, run);
    for (let number = 1; number <= wish.times; number += 1) {
      call.progress(`Running the command, ${number} of ${wish.times}.`);
      let output = "";
      const told = (text: string): void => void (output = (output + text).slice(-MOST_OUTPUT));
      const { command, folder, timeout: limitS, failsWhen } = wish;
      const end = await runCommand(this.programs, { command, folder, limitS, signal: call.signal, told });
      const failed = failsWhen === undefined ? end.status !== 0 : output.includes(failsWhen);
      const to = await this.#settled(opened, run, last, call.signal);
      all.push({ one: { run, from: last + 1, to, failed }, end, output });
      last = to;
    }
    return all;
  }

  /** The number of the last event of a run, 0 before the first. */
  async #last(opened: OpenedSession, run: string): Promise<number> {
    return (await this.evidence.passes(opened, run)).at(-1)?.seq ?? 0;
  }

  /** The same, once no further event comes. */
  async #settled(opened: OpenedSession, run: string, before: number, signal: AbortSignal): Promise<number> {
    let last = await this.#last(opened, run);
    for (const late = performance.now() + SETTLE_MS; performance.now() < late && !signal.aborted;) {
      await pause(LOOK_MS, signal);
      const now = await this.#last(opened, run);
      if (now === last && now > before) break;
      last = now;
    }
    return last;
  }

  /** Takes the step that follows from what the tries have shown. */
  async #goOn(
    opened: OpenedSession,
    wish: Reproduction,
    tried: readonly Tried[],
    call: Call,
  ): Promise<ReproduceOutput> {
    const { entry } = opened;
    const run = runOf(entry);
    const rate = rateOf(entry.tries ?? [], run);
    const events = await this.evidence.passes(opened, run);
    const own = (entry.tries ?? []).filter((one) => one.run === run);
    const lines = [...ranLines(wish, tried, rateText(rate)), ...shown(differenceLines(own, events))];
    const silent = own.filter(({ failed, from, to }) => failed && to < from).length;
    if (silent > 0 && events.length > 0)
      lines.push(
        `${silent} of the failing runs reported no event: a program that crashes loses those that are under way. Probes with --sync wait for them.`,
      );
    const more = { command: wish.command, ...rate };
    const isMeasured = wish.failsWhen !== undefined || wish.times > 1;
    const why =
      events.length === 0
        ? "No event has arrived: the command does not pass the probes, or its events are lost (--sync)."
        : entry.state === "reproducing" && isMeasured && rate.failed === 0
          ? "The command has not failed, so it does not show the bug yet: run it more often (--times), or have the user answer B."
          : undefined;
    if (why !== undefined) return answered(entry, [...lines, why], more);
    const note = isMeasured ? `${wish.command}: ${rateText(rate)}` : `${wish.command} was run`;
    const { text } =
      entry.state === "reproducing"
        ? await this.answer.run({ session: entry.id, answer: "A", note }, call)
        : await this.verify.run({ session: entry.id }, call);
    const now = await this.sessions.open(entry.id);
    // The command has answered, as the lines above say.
    const rest = text.replace(/^A\) .*\n\n?/, "");
    return { ...answered(now.entry, [], more), text: [...lines, rest].join("\n") };
  }
}

function ranLines(
  { command, timeout, failsWhen }: Reproduction,
  tried: readonly Tried[],
  rate: string,
): readonly string[] {
  const failing = tried.find(({ one }) => one.failed);
  const { end, output } = failing ?? tried.at(-1) ?? {};
  if (!end) return [];
  const what =
    tried.length === 1 && failsWhen === undefined
      ? `\`${command}\` ${endText(end, timeout)}${written(output ?? "")}.`
      : `\`${command}\` ${rate}${failing ? `; the first failing one ${endText(end, timeout)}` : ""}.`;
  return [what, ...shown(failing ? lastLines(output ?? "") : [])];
}

/** The last line of an output, for a sentence. */
function written(output: string): string {
  const last = lastLines(output).at(-1);
  return last === undefined
    ? " and wrote nothing"
    : `; it wrote last: ${quotedName(shortened(last, MOST_LAST))}`;
}

function shown(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [framed(lines)];
}

function lastLines(output: string): readonly string[] {
  return output
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-MOST_LINES);
}

function wishOf(
  { command, times, failsWhen, timeout, while: server, port }: ReproduceInput,
  { entry }: OpenedSession,
  folder: string,
): Reproduction {
  const known = entry.reproduction;
  const wished = command ?? known?.command;
  if (wished === undefined)
    throw new SkillError("USAGE", "Which command shows the bug?", {
      hint: `Name it: skillctl run runtime-debug reproduce "COMMAND" --session ${entry.id}`,
    });
  if ((server === undefined) !== (port === undefined))
    throw new SkillError(
      "USAGE",
      `--while and --port belong together: ${server === undefined ? "--while" : "--port"} is missing.`,
    );
  if (isObserved(entry))
    throw new SkillError(
      "USAGE",
      "Observation points go with their process, so a new run of the command has none.",
      {
        hint: "Set probes in the code, or let `observe --again --run COMMAND` run it.",
      },
    );
  const fails = failsWhen ?? known?.failsWhen;
  const run = server !== undefined && port !== undefined ? { command: server, port } : known?.server;
  return {
    command: wished,
    folder: command === undefined ? (known?.folder ?? folder) : folder,
    times: times ?? known?.times ?? 1,
    timeout: timeout ?? known?.timeout ?? TRY_S,
    ...(fails !== undefined && { failsWhen: fails }),
    ...(run && { server: run }),
  };
}
