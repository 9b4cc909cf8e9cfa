import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  quotedName,
  ENVIRONMENT,
  FILES,
  HTTP,
  inject,
  injectable,
  LOG,
  PROGRAMS,
  SkillError,
  type Call,
  type CommandHandler,
  type Environment,
  type Files,
  type Http,
  type Log,
  type Programs,
} from "skillctl";
import type { ObserveInput, ObserveOutput } from "../contract.ts";
import { NEW_RUN, type NewRun } from "../drift/new-run.ts";
import { anchoredLine, anchorOf } from "../observe/anchor.ts";
import { OBSERVERS, type ObservedPoint, type Observer, type Observers } from "../observe/observers.ts";
import type { Point } from "../observe/point.ts";
import { placeOf } from "../observe/telling.ts";
import { probedFile } from "../probes/probed-file.ts";
import { languageOf } from "../probes/languages.ts";
import { refuseChanges } from "../probes/expression.ts";
import { dataFields, MOST } from "../probes/probe-text.ts";
import { endText, runCommand } from "../reproduce/command-run.ts";
import { signalEnd, toldError } from "../server/server-call.ts";
import { pause } from "../server/pause.ts";
import { DEBUG_SERVERS, type DebugServers } from "../session/debug-servers.ts";
import type { SetProbe } from "../session/entry.ts";
import { ending } from "../session/next-step.ts";
import { FILE_AND_LINE, lettersOf, probeEnding, refuseUnlisted } from "../session/set-probes.ts";
import { SESSIONS, standing, type OpenedSession, type Sessions } from "../session/sessions.ts";
import { SESSION_CHECK, type SessionCheck } from "./check-command.ts";

type Spec = NonNullable<ObserveInput["from"]>[number];

const PER_SECOND = 20;
/** Seconds that a program may run. */
const RUN_S = 300;
const LOOK_MS = 30;
const LAST_MS = 3_000;
/** A program that is busy answers late. */
const PATIENCE_MS = 20_000;

/** Sets observation points in a running program; docs/debug-session.md, section Observe. */
@injectable()
export class ObserveCommand implements CommandHandler<ObserveInput, ObserveOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(SESSION_CHECK) private readonly check: SessionCheck,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
    @inject(NEW_RUN) private readonly newRun: NewRun,
    @inject(OBSERVERS) private readonly observers: Observers,
    @inject(FILES) private readonly files: Files,
    @inject(HTTP) private readonly http: Http,
    @inject(LOG) private readonly log: Log,
    @inject(PROGRAMS) private readonly programs: Programs,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @throws SkillError as the manifest lists; `USAGE` without exactly one program to look at */
  async run(input: ObserveInput, call: Call): Promise<ObserveOutput> {
    if (input.remove) {
      const { remove } = input;
      return this.sessions.turn(input.session, call, (opened) => this.#remove(remove, opened, call));
    }
    const targets = [input.pid, input.inspect, input.adapter, input.run].filter((one) => one !== undefined);
    if (targets.length !== 1)
      throw new SkillError("USAGE", "Which program is to be observed?", {
        hint: 'Name one: --pid N, --inspect HOST:PORT, --adapter HOST:PORT, or --run "COMMAND".',
      });
    if (input.observer !== undefined) return this.#observe(input, input.observer, call);
    const begun = await this.sessions.turn(input.session, call, (opened) => this.#begin(input, opened, call));
    if (input.run === undefined) return begun;
    const opened = await this.sessions.open(input.session);
    const limit = input.timeout ?? RUN_S;
    const rows = begun.points.map(({ hypothesis, point, sentence }) => `${hypothesis}:${point} ${sentence}`);
    this.log.notice(
      [...rows, `The program runs for at most ${limit} s (--timeout): ${input.run}`].join("\n"),
    );
    const end = await this.#program(input.run, begun.observer, limit, call);
    // Its last word comes when it has let go.
    for (
      const late = performance.now() + LAST_MS;
      performance.now() < late;
      await pause(LOOK_MS, call.signal)
    )
      if (!(await this.observers.isRunning(begun.observer))) break;
    const ended = `${begun.text}\n${end}`;
    const last = await this.observers.told(opened, begun.observer);
    if (!last) return { ...begun, text: ended };
    const told = last.points.map((row) => `${row.hypothesis}:${row.point} ${row.sentence} ${row.told} told.`);
    return outputOf(opened, last, [ended, ...told].join("\n"));
  }

  /** The process in the background: stays until the session or the program ends. */
  async #observe(input: ObserveInput, id: string, call: Call): Promise<ObserveOutput> {
    const opened = await this.sessions.open(input.session);
    const points = await this.#points(input, opened);
    await this.servers.ensure(opened, call);
    const { Observing } = await import("../observe/observer.ts");
    const { sessions, observers, files, http, log } = this;
    const found = async (): Promise<string | undefined> => (await this.servers.running(opened))?.eventUrl;
    const observing = new Observing(id, opened, points, found, sessions, observers, files, http, log);
    const { pid, inspect, adapter } = input;
    const folder = input.run === undefined ? undefined : this.#folder(id);
    await observing.run(
      {
        ...(pid && { pid }),
        ...(inspect && { inspect }),
        ...(adapter && { adapter }),
        ...(folder && { folder }),
      },
      call.signal,
    );
    const ended = { id, pid: process.pid, target: "", points: [], tried: 0 };
    return outputOf(opened, ended, "The observation has ended.");
  }

  /** Takes points out of the programs that are observed, and waits until they have gone. */
  async #remove(names: readonly string[], opened: OpenedSession, call: Call): Promise<ObserveOutput> {
    const { entry } = opened;
    const isNamed = ({ hypothesis, point }: Pick<SetProbe, "hypothesis" | "point">): boolean =>
      names.includes(`${hypothesis}:${point}`);
    const observed = entry.probes.filter(({ at }) => at !== undefined);
    const known = new Set(observed.map(({ hypothesis, point }) => `${hypothesis}:${point}`));
    const unknown = names.find((name) => !known.has(name));
    if (unknown !== undefined)
      throw new SkillError("DEBUG_PROBE_INVALID", `The session observes no point ${unknown}.`, {
        hint: known.size === 0 ? "It observes nothing." : `It observes ${[...known].join(", ")}.`,
      });
    const gone = observed.filter(isNamed);
    const standing = async (): Promise<readonly Observer[]> =>
      (await this.observers.running(opened)).filter(({ points }) => points.some(isNamed));
    for (const { id } of await standing()) await this.observers.want(id, gone.map(removalOf));
    for (
      const late = performance.now() + LAST_MS;
      performance.now() < late;
      await pause(LOOK_MS, call.signal)
    )
      if ((await standing()).length === 0) break;
    const probes = entry.probes.filter((probe) => !gone.includes(probe));
    const next = await this.sessions.write(opened, { ...entry, probes });
    const text = `Taken out: ${names.join(", ")}.\n\n${entry.state === "verifying" ? ending(next.entry) : probeEnding(next.entry)}`;
    return outputOf(next, { id: "", pid: process.pid, target: "", points: [], tried: 0 }, text);
  }

  async #begin(input: ObserveInput, opened: OpenedSession, call: Call): Promise<ObserveOutput> {
    // After a fix the program is another one: the points are set there again.
    const isAgain = opened.entry.state === "verifying";
    if (!isAgain) this.sessions.refuse(opened, "probe");
    const points = await this.#points(input, opened);
    await this.servers.ensure(opened, call);
    const observer = await this.#observer(input, opened, points, call);
    const standing = observer.points.filter(({ state }) => state !== "refused");
    if (standing.length === 0)
      throw new SkillError("DEBUG_PROBE_PLACE", observer.points.map(({ sentence }) => sentence).join(" "), {
        hint: "Name a line at which a statement begins, and data that only read; --allow-call lets them call.",
      });
    const rows = await Promise.all(standing.map((one) => this.#row(one, points)));
    const next = await this.newRun.observed(opened, rows);
    const text = observer.points
      .map(({ hypothesis, point, sentence }) => `${hypothesis}:${point} ${sentence}`)
      .join("\n");
    const rest = isAgain ? ending(next.entry) : probeEnding(next.entry);
    if (input.check !== true) return outputOf(next, observer, `${text}\n\n${rest}`);
    const { state, step, next: typed, text: found } = await this.check.of(next, call);
    return { ...outputOf(next, observer, `${text}\n${found}`), state, step, next: typed };
  }

  /** Gives the points to the observer of that program, or to a new one in the background, and waits until it has tried each. */
  async #observer(
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
      throw new SkillError("CANCELLED", "The call was ended before the points were set.");
    throw (
      toldError(said.trim()) ??
      new SkillError("PROGRAM_FAILED", "The observer has not set its points.", {
        file: log,
        hint: `What it has said is in ${log}.`,
      })
    );
  }

  /** Runs the program to its end or its time limit, and answers how it has ended. */
  async #program(command: string, id: string, limitS: number, call: Call): Promise<string> {
    const preload = join(this.#folder(id), "preload.cjs");
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

  /** A point that stands, as it is kept to be set again. */
  async #row(one: ObservedPoint, points: readonly Point[]): Promise<SetProbe> {
    const { hypothesis, point, at } = one;
    const set = points.find(
      (wanted) => wanted.hypothesis === hypothesis && wanted.name === point && placeOf(wanted) === at,
    );
    const row = { hypothesis, point, at, language: "observed" };
    if (!set) return row;
    const { data, when, allowCall, perSecond, most, file, line } = set;
    const anchor = anchorOf((await this.files.readText(file)) ?? "", line);
    return {
      ...row,
      observed: { anchor, data, allowCall, perSecond, most, ...(when !== undefined && { when }) },
    };
  }

  /** The points of the session, each where its statement stands now. @throws SkillError `DEBUG_PROBE_PLACE`, `DEBUG_STEP` */
  async #again({ root, entry }: OpenedSession): Promise<readonly Point[]> {
    const listed = new Set(entry.hypotheses.map(({ id }) => id));
    const points: Point[] = [];
    for (const { hypothesis, point: name, at = "", observed } of entry.probes) {
      const [, path = "", former] = FILE_AND_LINE.exec(at) ?? [];
      if (!observed || !lettersOf({ hypothesis }).some((letter) => listed.has(letter))) continue;
      const { anchor, ...spec } = observed;
      const { text } = await probedFile(this.files, root, root, path);
      const line = anchoredLine(text, anchor, Number(former));
      if (line === undefined)
        throw new SkillError(
          "DEBUG_PROBE_PLACE",
          `The statement of ${hypothesis}:${name} is not in ${quotedName(path)} any more: ${anchor.line}`,
          {
            hint: `Name another line for it with --at, or take it out: observe --remove ${hypothesis}:${name}.`,
          },
        );
      points.push({ hypothesis, name, path, file: join(root, path), line, ...spec });
    }
    if (points.length > 0) return points;
    throw new SkillError("USAGE", "The session has no observation point that could be set again.", {
      hint: "Name one with --hypothesis, --point, --data and --at.",
    });
  }

  async #points(input: ObserveInput, opened: OpenedSession): Promise<readonly Point[]> {
    if (input.again === true) return this.#again(opened);
    const { root, entry } = opened;
    const { hypothesis, point, at } = input;
    const specs: readonly Spec[] = input.from ?? [
      { ...input, hypothesis: hypothesis ?? "", point: point ?? "", at: at ?? "" },
    ];
    const points: Point[] = [];
    for (const spec of specs) {
      const [, name, number] = FILE_AND_LINE.exec(spec.at) ?? [];
      if (name === undefined || spec.point === "" || spec.hypothesis === "")
        throw new SkillError("USAGE", "A point has --hypothesis, --point and --at.", {
          hint: "Several come with --from FILE, or --from - from standard input.",
        });
      refuseUnlisted(entry, spec.hypothesis);
      const { path, text } = await probedFile(this.files, root, this.environment.workingFolder, name);
      const data = dataFields(spec.data ?? []);
      const lines = text.replace(/\n$/, "").split("\n").length;
      if (Number(number) > lines)
        throw new SkillError("DEBUG_PROBE_PLACE", `${quotedName(path)} has ${lines} lines.`);
      if (input.adapter !== undefined) await refuseChanges(languageOf(path, text), data, spec.allowCall);
      points.push({
        hypothesis: spec.hypothesis,
        name: spec.point,
        path,
        file: join(root, path),
        line: Number(number),
        data,
        ...(spec.when !== undefined && { when: spec.when }),
        allowCall: spec.allowCall === true,
        perSecond: spec.limit ?? input.limit ?? PER_SECOND,
        most: spec.most ?? input.most ?? MOST,
      });
    }
    return points;
  }

  #folder(id: string): string {
    return join(this.environment.stateFolder, "observe", id);
  }
}

/** Has the points of that name taken out. */
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

function outputOf({ entry }: OpenedSession, { id, pid, points }: Observer, text: string): ObserveOutput {
  return {
    ...standing(entry),
    observer: id,
    pid,
    points: points.map(({ hypothesis, point, at, state, sentence }) => ({
      hypothesis,
      point,
      at,
      state,
      sentence,
    })),
    text,
  };
}
