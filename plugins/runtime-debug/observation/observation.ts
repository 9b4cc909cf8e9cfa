import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { ENVIRONMENT, inject, injectable, PROGRAMS, SkillError, token } from "skillctl";
import type { Call, Environment, Programs } from "skillctl";
import type { ObserveInput } from "../contract.ts";
import { OBSERVER_SERVICES } from "../observe/observers.ts";
import type { ObservedSession, Observer, ObserverServices } from "../observe/observers.ts";
import type { Point } from "../observe/point.ts";
import { endText, runCommand } from "../reproduce/command-run.ts";
import { pause } from "../server/pause.ts";
import { failed, signalEnd, toldError } from "../server/server-call.ts";
import { DEBUG_SERVERS, type DebugServers } from "../session/debug-servers.ts";
import type { SetProbe } from "../session/entry.ts";
import type { OpenedSession } from "../session/sessions.ts";

const LOOK_MS = 30;
/** A busy program answers late. */
const PATIENCE_MS = 20_000;
/** Time limit for the last message of an observer. */
const LAST_MS = 3_000;

/** A program that is run for a waiting observer. */
interface ObservedRun {
  readonly command: string;
  /** The id of the observer. */
  readonly observer: string;
  /** Time limit of the program, in seconds. */
  readonly limitS: number;
  /** The notice before it is started. */
  readonly notice: string;
}

/** Observes programs for a session: starts the observer process, or runs in it. */
@injectable()
export class Observation {
  constructor(
    @inject(OBSERVER_SERVICES) private readonly services: ObserverServices,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
    @inject(PROGRAMS) private readonly programs: Programs,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * Ensures that a server collects events, passes the points to the observer of that program, or to a new one in the
   * background, and waits until the observer has tried each point.
   */
  async begin(
    input: ObserveInput,
    opened: OpenedSession,
    points: readonly Point[],
    call: Call,
  ): Promise<Observer> {
    await this.servers.ensure(opened, call);
    const { observers, files } = this.services;
    const { nameOf } = await import("../observe/observer.ts");
    const { check: _, ...rest } = input;
    const log = join(opened.root, ".dbg", `${opened.entry.id}.observe.log`);
    const before = (await files.facts(log))?.bytes ?? 0;
    const running = input.run === undefined ? await observers.running(opened) : [];
    const known = running.find(({ target }) => target === nameOf(input));
    const id = known?.id ?? randomBytes(8).toString("hex");
    const over = new AbortController();
    let begun: number | undefined;
    if (known) await observers.want(id, points);
    else {
      const words = JSON.stringify({ ...rest, session: opened.entry.id, observer: id });
      const args = ["run", "runtime-debug", "observe", "--json", "--no-progress", "--input", words];
      const program = await this.programs.background({ args, log });
      begun = program.pid;
      void program.ended.then(() => over.abort());
    }
    const given = AbortSignal.any([call.signal, over.signal]);
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const told = await observers.told(opened, id);
      if (told && told.tried >= (known?.tried ?? 0) + points.length) {
        const rows = rowsOf(told, points);
        // An observer without a point to observe ends.
        if (begun !== undefined && rows.every(({ state }) => state === "refused")) signalEnd(begun);
        return { ...told, points: rows };
      }
      if (given.aborted || performance.now() > end) break;
      if (known && !(await observers.isRunning(id))) break;
      await pause(LOOK_MS, given);
    }
    // Read before the observer is ended: later errors only result from that.
    const error = await toldError(log, before, files);
    // Otherwise the observer would set its points after this call has failed.
    if (begun !== undefined && !over.signal.aborted) signalEnd(begun);
    if (call.signal.aborted)
      throw new SkillError("CANCELLED", "The call was cancelled before the points were set.");
    throw error ?? failed("The observer has not set its points.", log);
  }

  /** Observes until the session or the program ends. @throws SkillError as `Observing.run` does */
  async serve(
    { pid, inspect, adapter, run }: ObserveInput,
    { id, opened, points }: Omit<ObservedSession, "found">,
    call: Call,
  ): Promise<void> {
    await this.servers.ensure(opened, call);
    const { Observing } = await import("../observe/observer.ts");
    const found = async (): Promise<string | undefined> => (await this.servers.running(opened))?.eventUrl;
    const folder = run === undefined ? undefined : this.#folder(id);
    const observing = new Observing({ id, opened, points, found }, this.services);
    await observing.run({ pid, inspect, adapter, folder }, call.signal);
  }

  /** Runs a program that an observer waits for. @returns how it has ended, and the last message of the observer */
  async program(
    run: ObservedRun,
    opened: OpenedSession,
    call: Call,
  ): Promise<{ readonly end: string; readonly last: Observer | undefined }> {
    const end = await this.#run(run, call);
    // Its last message arrives after it has disconnected.
    await until(async () => !(await this.services.observers.isRunning(run.observer)), call);
    return { end, last: await this.services.observers.told(opened, run.observer) };
  }

  /** Removes points from observed programs, and waits until they are removed. */
  async remove(opened: OpenedSession, gone: readonly SetProbe[], call: Call): Promise<void> {
    const isGone = ({ hypothesis, point }: Pick<SetProbe, "hypothesis" | "point">): boolean =>
      gone.some((one) => one.hypothesis === hypothesis && one.point === point);
    const standing = async (): Promise<readonly Observer[]> =>
      (await this.services.observers.running(opened)).filter(({ points }) => points.some(isGone));
    for (const { id } of await standing()) await this.services.observers.want(id, gone.map(removalOf));
    await until(async () => (await standing()).length === 0, call);
  }

  /** Runs the program to its end or its time limit. @returns how it has ended */
  async #run({ command, observer, limitS, notice }: ObservedRun, call: Call): Promise<string> {
    const { log, files } = this.services;
    log.notice(notice);
    const preload = join(this.#folder(observer), "preload.cjs");
    const { preloadOptions } = await import("../observe/processes.ts");
    try {
      const end = await runCommand(this.programs, {
        command,
        environment: { NODE_OPTIONS: preloadOptions(preload, process.env["NODE_OPTIONS"]) },
        limitS,
        signal: call.signal,
        told: (text) => log.notice(text.replace(/\n$/, "")),
      });
      return end.isLate
        ? `The program was still running after ${limitS} s and has been ended; --timeout SECONDS gives it more time.`
        : `The program has ${endText(end, limitS).replace(/^was /, "been ")}.`;
    } finally {
      await files.remove(preload);
    }
  }

  /** The folder in which programs started for an observer write their addresses. */
  #folder(id: string): string {
    return join(this.environment.stateFolder, "observe", id);
  }
}

export const OBSERVATION = token<Observation>("observation");

/** Resolves when a condition holds, or after some seconds. */
async function until(holds: () => Promise<boolean>, { signal }: Call): Promise<void> {
  for (const late = performance.now() + LAST_MS; performance.now() < late; await pause(LOOK_MS, signal))
    if (await holds()) return;
}

/** The request to remove the points with that name. */
function removalOf({ hypothesis, point }: SetProbe): Point {
  const nowhere = { path: "", file: "", line: 0, data: [], allowCall: false, perSecond: 1, most: 1 };
  return { hypothesis, name: point, ...nowhere, isRemoved: true };
}

/** The message of an observer about some of its points. */
function rowsOf({ points }: Observer, asked: readonly Point[]): Observer["points"] {
  return points.filter((row) =>
    asked.some(
      ({ hypothesis, name, path, line }) =>
        row.hypothesis === hypothesis && row.point === name && row.at === `${path}:${line}`,
    ),
  );
}
