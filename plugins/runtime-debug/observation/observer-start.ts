import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  ENVIRONMENT,
  FILES,
  inject,
  injectable,
  LOG,
  PROGRAMS,
  SkillError,
  token,
  type Call,
  type Environment,
  type Files,
  type Log,
  type Programs,
} from "skillctl";
import type { ObserveInput } from "../contract.ts";
import { endText, runCommand } from "../reproduce/command-run.ts";
import { pause } from "../server/pause.ts";
import { signalEnd, toldError } from "../server/server-call.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { OBSERVERS, type Observer, type Observers } from "../observe/observers.ts";
import type { Point } from "../observe/point.ts";

const LOOK_MS = 30;
/** A program that is busy answers late. */
const PATIENCE_MS = 20_000;

/** A program that is run for an observer which waits for it. */
export interface ObservedRun {
  readonly command: string;
  /** The id of the observer. */
  readonly observer: string;
  /** Seconds that it may run. */
  readonly limitS: number;
  /** Told before it is started. */
  readonly notice: string;
}

/** Starts observers in the background, and programs that they observe. */
@injectable()
export class ObserverStart {
  constructor(
    @inject(OBSERVERS) private readonly observers: Observers,
    @inject(FILES) private readonly files: Files,
    @inject(PROGRAMS) private readonly programs: Programs,
    @inject(LOG) private readonly log: Log,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** Gives the points to the observer of that program, or to a new one in the background, and waits until it has tried each. */
  async begin(
    input: ObserveInput,
    opened: OpenedSession,
    points: readonly Point[],
    call: Call,
  ): Promise<Observer> {
    const { nameOf } = await import("../observe/observer.ts");
    const { check: _, ...rest } = input;
    const log = join(opened.root, ".dbg", `${opened.entry.id}.observe.log`);
    const before = (await this.files.facts(log))?.bytes ?? 0;
    const running = input.run === undefined ? await this.observers.running(opened) : [];
    const known = running.find(({ target }) => target === nameOf(input));
    const id = known?.id ?? randomBytes(8).toString("hex");
    const over = new AbortController();
    let begun: number | undefined;
    if (known) await this.observers.want(id, points);
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
      const told = await this.observers.told(opened, id);
      if (told && told.tried >= (known?.tried ?? 0) + points.length) {
        const rows = rowsOf(told, points);
        // One that has nothing to observe leaves the program.
        if (begun !== undefined && rows.every(({ state }) => state === "refused")) signalEnd(begun);
        return { ...told, points: rows };
      }
      if (given.aborted || performance.now() > end) break;
      if (known && !(await this.observers.isRunning(id))) break;
      await pause(LOOK_MS, given);
    }
    // Read before the observer is ended: its errors after that are a consequence.
    const said = new TextDecoder().decode(
      ((await this.files.readBytes(log)) ?? new Uint8Array()).subarray(before),
    );
    // An observer that stayed would set its points after this call has failed.
    if (begun !== undefined && !over.signal.aborted) signalEnd(begun);
    if (call.signal.aborted)
      throw new SkillError("CANCELLED", "The call was cancelled before the points were set.");
    throw (
      toldError(said.trim()) ??
      new SkillError("PROGRAM_FAILED", "The observer has not set its points.", {
        file: log,
        hint: `Its output is in ${log}.`,
      })
    );
  }

  /** Runs the program to its end or its time limit, and answers how it has ended. */
  async program({ command, observer, limitS, notice }: ObservedRun, call: Call): Promise<string> {
    this.log.notice(notice);
    const preload = join(this.folder(observer), "preload.cjs");
    const { preloadOptions } = await import("../observe/processes.ts");
    try {
      const end = await runCommand(this.programs, {
        command,
        environment: { NODE_OPTIONS: preloadOptions(preload, process.env["NODE_OPTIONS"]) },
        limitS,
        signal: call.signal,
        told: (text) => this.log.notice(text.replace(/\n$/, "")),
      });
      return end.isLate
        ? `The program was still running after ${limitS} s and has been ended; --timeout SECONDS gives it more.`
        : `The program has ${endText(end, limitS).replace(/^was /, "been ")}.`;
    } finally {
      await this.files.remove(preload);
    }
  }

  /** The file in which a program that an observer has started with its module writes its address. */
  folder(id: string): string {
    return join(this.environment.stateFolder, "observe", id);
  }
}

export const OBSERVER_START = token<ObserverStart>("observer-start");

/** The message of an observer about some of its points. */
function rowsOf({ points }: Observer, asked: readonly Point[]): Observer["points"] {
  return points.filter((row) =>
    asked.some(
      ({ hypothesis, name, path, line }) =>
        row.hypothesis === hypothesis && row.point === name && row.at === `${path}:${line}`,
    ),
  );
}
