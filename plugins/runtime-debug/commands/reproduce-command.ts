import {
  ENVIRONMENT,
  HTTP,
  inject,
  injectable,
  PROGRAMS,
  SkillError,
  type Call,
  type CommandHandler,
  type Environment,
  type Http,
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
import { answers, endText, runCommand, waitingVariables, type CommandEnd } from "../reproduce/command-run.ts";
import { differenceLines } from "../reproduce/difference.ts";
import { Output } from "../reproduce/output.ts";
import { reproductionOf } from "../reproduce/reproduction.ts";
import { isTried, rateOf, rateText, triesOf } from "../reproduce/rates.ts";
import { pause } from "../server/pause.ts";
import { DEBUG_SERVERS, type DebugServers } from "../session/debug-servers.ts";
import type { Reproduction, Try } from "../session/entry.ts";
import { EVIDENCE, type Evidence } from "../session/evidence.ts";
import { guidance, nextStep } from "../session/next-step.ts";
import { citedRun, runOf } from "../session/rounds.ts";
import { isObserved } from "../session/set-probes.ts";
import { SESSIONS, answered, type OpenedSession, type Sessions } from "../session/sessions.ts";
import { impossible, isCollecting } from "../session/steps.ts";
import { framed, inert } from "../store/event/inert-text.ts";
import { ANSWER, VERIFY } from "./handlers.ts";

/** A server that runs meanwhile is given so long to listen, in milliseconds. */
const SERVER_MS = 30_000;
/** The last events of a try are given so long to arrive, in milliseconds, the first ones of a server longer, and looked for so often. */
const SETTLE_MS = 1_000;
const FIRST_MS = 5_000;
const LOOK_MS = 40;
const MOST_TRIES = 1_000;
const SYNC = "With `reproduce --sync` a Node program waits until each is stored.";

/** Begins a frame of collected text, of which the mark is random. */
const BEGIN = /^----- begin [0-9a-f]+ -----$/m;

/** A try with its output. */
interface Tried {
  readonly one: Try;
  readonly end: CommandEnd;
  readonly output: Output;
}

/** The server that runs meanwhile. */
interface Meanwhile {
  readonly output: Output;
  /** Once it has ended by itself. */
  end?: CommandEnd;
}

/** The tries of a reproduction with their results. */
interface Tries {
  readonly wish: Reproduction;
  readonly tried: readonly Tried[];
  readonly server: Meanwhile;
}

/** Runs the command that shows the bug, and goes on by what it has shown; docs/debug-session.md, section Reproduction. */
@injectable()
export class ReproduceCommand implements CommandHandler<ReproduceInput, ReproduceOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(EVIDENCE) private readonly evidence: Evidence,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
    @inject(PROGRAMS) private readonly programs: Programs,
    @inject(HTTP) private readonly http: Http,
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
    const server: Meanwhile = { output: new Output(wish.folder) };
    const { page = {} } = wish;
    const tried = await this.#meanwhile(wish, server, call, async () => {
      if (!wish.page || page.inspect !== undefined) return this.#tries(wish, opened, server, call);
      const { withBrowser } = await import("../reproduce/page.ts");
      return withBrowser(this.programs, call.signal, (address) =>
        this.#tries({ ...wish, page: { ...page, inspect: address } }, opened, server, call),
      );
    });
    const written = await this.sessions.turn(entry.id, call, (now) => {
      const tries = [...(now.entry.tries ?? []), ...tried.map(({ one }) => one)].slice(-MOST_TRIES);
      return this.sessions.write(now, { ...now.entry, reproduction: wish, tries });
    });
    return this.#goOn(written, { wish, tried, server }, call);
  }

  /** Runs the server of a reproduction, where there is one, as long as some work takes. */
  async #meanwhile<T>(
    wish: Reproduction,
    running: Meanwhile,
    { signal }: Call,
    work: () => Promise<T>,
  ): Promise<T> {
    if (!wish.server) return work();
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
    const told = running.output.take;
    const limitS = 3_600;
    const both = AbortSignal.any([signal, over.signal]);
    const where = { folder: wish.folder, environment: wish.sync ? waitingVariables() : {} };
    const server = runCommand(this.programs, { command, ...where, limitS, signal: both, told })
      .then((end) => void (running.end = end))
      .catch(() => undefined);
    try {
      const look = AbortSignal.any([both]);
      const isUp = await Promise.race([answers(port, SERVER_MS, look), server.then(() => false)]);
      if (!isUp)
        throw new SkillError(
          "PROGRAM_FAILED",
          `${command} ${running.end ? "has ended" : `does not listen at port ${port}`}: ${running.output.lines().join(" / ") || "it has written nothing"}`,
        );
      return await work();
    } finally {
      over.abort();
      await server;
    }
  }

  async #tries(
    wish: Reproduction,
    opened: OpenedSession,
    server: Meanwhile,
    call: Call,
  ): Promise<readonly Tried[]> {
    const all: Tried[] = [];
    const run = runOf(opened.entry);
    let last = await this.#last(opened, run);
    for (let number = 1; number <= wish.times && !server.end; number += 1) {
      call.progress(`Running the command, ${number} of ${wish.times}.`);
      const output = new Output(wish.folder);
      const { command, page, folder, timeout: limitS, failsWhen } = wish;
      const how = { limitS, signal: call.signal, told: output.take };
      const end = page
        ? await (
            await import("../reproduce/page.ts")
          ).visit(page.inspect ?? "", { url: command, ...page, ...how }, this.http)
        : await runCommand(this.programs, {
            command,
            folder,
            environment: wish.sync ? waitingVariables() : {},
            ...how,
          });
      const late = performance.now() + (wish.server && number === 1 ? FIRST_MS : SETTLE_MS);
      const to = await this.#settled(
        opened,
        last,
        () => late < performance.now() || !!server.end,
        call.signal,
      );
      const isShown = failsWhen === undefined ? end.status !== 0 : output.text.includes(failsWhen);
      const failed = isShown || server.end !== undefined;
      all.push({ one: { command, run, from: last + 1, to, failed }, end, output });
      last = to;
    }
    return all;
  }

  /** The number of the last event of a run, 0 before the first. */
  async #last(opened: OpenedSession, run: string): Promise<number> {
    return (await this.evidence.passes(opened, run)).at(-1)?.seq ?? 0;
  }

  /** The same, once no further event comes. */
  async #settled(
    opened: OpenedSession,
    before: number,
    isOver: () => boolean,
    signal: AbortSignal,
  ): Promise<number> {
    const run = runOf(opened.entry);
    let last = await this.#last(opened, run);
    while (!isOver() && !signal.aborted) {
      await pause(LOOK_MS, signal);
      const now = await this.#last(opened, run);
      if (now === last && now > before) break;
      last = now;
    }
    return last;
  }

  /** Takes the step that follows from what the tries have shown. */
  async #goOn(opened: OpenedSession, tries: Tries, call: Call): Promise<ReproduceOutput> {
    const { entry } = opened;
    const { wish } = tries;
    const run = runOf(entry);
    const rate = rateOf(triesOf(entry), run);
    const events = await this.evidence.passes(opened, run);
    const own = triesOf(entry).filter((one) => one.run === run);
    const isAllSilent = events.length === 0;
    const lines = ranLines(tries, rateText(rate), isAllSilent);
    const collected = collectedLines(tries, differenceLines(own, events), isAllSilent);
    const frame = collected.length === 0 ? [] : [framed(collected)];
    const isMeasured = wish.failsWhen !== undefined || wish.times > 1;
    const late = isMeasured ? tries.tried.filter(({ end }) => end.isLate).length : 0;
    if (late > 0)
      lines.push(
        `${late} ${late === 1 ? "run was" : "runs were"} ended after ${wish.timeout} s (--timeout): what would have come later is missing.`,
      );
    const silent = own.filter(({ failed, from, to }) => failed && to < from).length;
    if (silent > 0 && events.length > 0)
      lines.push(
        `${silent} of the failing runs reported no event: a program that crashes loses those that are under way. ${SYNC}`,
      );
    const more = { command: wish.command, ...rate };
    const isFirst = entry.state === "reproducing";
    const isSilent = events.length === 0 && (isFirst || !isTried(triesOf(entry), citedRun(entry), run));
    const why = isSilent
      ? `No event has arrived: the command does not pass the probes, or ends before they have reported. ${SYNC}`
      : isFirst && isMeasured && rate.failed === 0
        ? "The command has not failed, so it does not show the bug yet: run it more often (--times), or have the user answer B."
        : undefined;
    if (why !== undefined) {
      const steps = guidance(entry.steps, isFirst ? "the probes" : "the fix");
      return answered(entry, [...lines, ...frame, why, "", ...steps], more);
    }
    const note = isMeasured ? `${wish.command}: ${rateText(rate)}` : `${wish.command} was run`;
    const { text } = isFirst
      ? await this.answer.run({ session: entry.id, answer: "A", note }, call)
      : await this.verify.run({ session: entry.id }, call);
    const now = await this.sessions.open(entry.id);
    // The command has answered, as the lines above say; all that was collected stands in one frame.
    const said = text.replace(/^A\) .*\n\n?/, "");
    const rest = BEGIN.test(said)
      ? [said.replace(BEGIN, (mark) => [mark, ...collected.map(inert)].join("\n"))]
      : [...frame, said];
    return { ...answered(now.entry, [], more), text: [...lines, ...rest].join("\n") };
  }
}

/** The first failing try, else the last one. */
function shownTry(tried: readonly Tried[]): Tried | undefined {
  return tried.find(({ one }) => one.failed) ?? tried.at(-1);
}

/** The output of the tries, and where they differ. */
function collectedLines(
  { wish, tried, server }: Tries,
  difference: readonly string[],
  isSilent: boolean,
): readonly string[] {
  const shown = shownTry(tried);
  const isShown = shown?.one.failed === true || isSilent;
  return [
    ...(shown && isShown ? shown.output.lines(wish.failsWhen) : []),
    ...(server.end ? server.output.lines("Error") : []),
    ...difference,
  ];
}

/** How the tries have ended. */
function ranLines({ wish, tried, server }: Tries, rate: string, isSilent: boolean): string[] {
  const { command, timeout, failsWhen, server: meanwhile } = wish;
  const shown = shownTry(tried);
  if (!shown) return [];
  const { end, output, one } = shown;
  const ended = endText(end, timeout);
  const isShown = one.failed || isSilent;
  const which = one.failed ? `; the first failing one ${ended}` : isSilent ? `; the last one ${ended}` : "";
  const lines = [
    wish.times === 1 && failsWhen === undefined
      ? `\`${command}\` ${ended}${isShown || end.says !== undefined ? "" : output.last()}.`
      : `\`${command}\` ${rate}${which}.`,
  ];
  if (meanwhile && server.end)
    lines.push(`The server \`${meanwhile.command}\` ${endText(server.end, timeout)} meanwhile.`);
  return lines;
}

function wishOf(input: ReproduceInput, { entry }: OpenedSession, folder: string): Reproduction {
  const wish = reproductionOf(input, folder, entry.reproduction);
  if (!wish)
    throw new SkillError("USAGE", "Which command shows the bug?", {
      hint: `Name it: skillctl run runtime-debug reproduce "COMMAND" --session ${entry.id}`,
    });
  if (isObserved(entry))
    throw new SkillError(
      "USAGE",
      "Observation points go with their process, so a new run of the command has none.",
      {
        hint: "Set probes in the code, or let `observe --again --run COMMAND` run it.",
      },
    );
  return wish;
}
