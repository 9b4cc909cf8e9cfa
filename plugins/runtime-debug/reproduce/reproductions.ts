import {
  ENVIRONMENT,
  HTTP,
  inject,
  injectable,
  PROGRAMS,
  SkillError,
  token,
  type Call,
  type Environment,
  type Http,
  type Programs,
} from "skillctl";
import type { ReproduceInput } from "../contract.ts";
import { pause } from "../server/pause.ts";
import { DEBUG_SERVERS, type DebugServers } from "../session/debug-servers.ts";
import type { Reproduction, Try } from "../session/entry.ts";
import { EVIDENCE, type Evidence } from "../session/evidence.ts";
import { runOf } from "../session/rounds.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { isObserved } from "../session/set-probes.ts";
import { answers, runCommand, waitingVariables, type CommandEnd } from "./command-run.ts";
import { Output } from "./output.ts";
import { settingsOf } from "./rates.ts";
import { reproductionOf } from "./reproduction.ts";

/** Time limit for the server of a reproduction to listen, in milliseconds. */
const SERVER_MS = 30_000;
/** Time limits for the last events of a run and for the first ones of a server, and the polling interval, in milliseconds. */
const SETTLE_MS = 1_000;
const FIRST_MS = 5_000;
const LOOK_MS = 40;
/** The minimum time between two progress reports, in milliseconds. */
const PROGRESS_MS = 15_000;

/** A try with its output. */
export interface Tried {
  readonly one: Try;
  readonly end: CommandEnd;
  readonly output: Output;
}

/** The server that runs during the tries. */
interface Meanwhile {
  readonly output: Output;
  /** Set if it has ended by itself. */
  end?: CommandEnd;
}

/** The tries of a reproduction with their results. */
export interface Tries {
  readonly wish: Reproduction;
  readonly tried: readonly Tried[];
  readonly server: Meanwhile;
}

/** Runs the command or page that shows a bug. */
@injectable()
export class Reproductions {
  constructor(
    @inject(EVIDENCE) private readonly evidence: Evidence,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
    @inject(PROGRAMS) private readonly programs: Programs,
    @inject(HTTP) private readonly http: Http,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * Runs it the requested number of times, while the debug server collects. @throws SkillError `USAGE` without a
   * command, `PROGRAM_FAILED`, `CANCELLED`, and errors of starting a server
   */
  async run(input: ReproduceInput, opened: OpenedSession, call: Call): Promise<Tries> {
    const wish = wishOf(input, opened, this.environment.workingFolder);
    await this.servers.ensure(opened, call);
    const server: Meanwhile = { output: new Output(wish.folder) };
    const tried = await this.#meanwhile(wish, server, call, async () => {
      if (!wish.page || wish.page.inspect !== undefined) return this.#tries(wish, opened, server, call);
      const { withBrowser } = await import("./page.ts");
      return withBrowser(this.programs, call.signal, (address) =>
        this.#tries(wish, opened, server, call, address),
      );
    });
    return { wish, tried, server };
  }

  /** Runs the server of a reproduction, if any, for the duration of an action. */
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
        `Port ${port} is already in use, so ${command} was not started.`,
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
    browser = wish.page?.inspect ?? "",
  ): Promise<readonly Tried[]> {
    const all: Tried[] = [];
    const run = runOf(opened.entry);
    const settings = settingsOf(wish);
    let last = await this.#last(opened, run);
    let toldMs = -Infinity;
    for (let number = 1; number <= wish.times && !server.end; number += 1) {
      if (performance.now() - toldMs > PROGRESS_MS) {
        call.progress(`Running the command, ${number} of ${wish.times}.`);
        toldMs = performance.now();
      }
      const output = new Output(wish.folder);
      const { command, page, folder, timeout: limitS, failsWhen } = wish;
      const how = { limitS, signal: call.signal, told: output.take };
      const end = page
        ? await (await import("./page.ts")).visit(browser, { url: command, ...page, ...how }, this.http)
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
      all.push({ one: { command, settings, run, from: last + 1, to, failed }, end, output });
      last = to;
    }
    return all;
  }

  /** The number of the last event of a run, 0 before the first. */
  async #last(opened: OpenedSession, run: string): Promise<number> {
    return (await this.evidence.passes(opened, run)).at(-1)?.seq ?? 0;
  }

  /** The same number, once no further event arrives. */
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
}

export const REPRODUCTIONS = token<Reproductions>("reproductions");

function wishOf(input: ReproduceInput, { entry }: OpenedSession, folder: string): Reproduction {
  const wish = reproductionOf(input, folder, entry.reproduction);
  if (!wish)
    throw new SkillError("USAGE", "The command that shows the bug is missing.", {
      hint: `Name it: skillctl run runtime-debug reproduce "COMMAND" --session ${entry.id}`,
    });
  if (isObserved(entry))
    throw new SkillError("USAGE", "Observation points end with their process, so a new run has none.", {
      hint: "Set probes in the code, or let `observe --again --run COMMAND` run it.",
    });
  return wish;
}
