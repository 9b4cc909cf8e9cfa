import { inject, injectable, SkillError, type Call, type CommandHandler } from "skillctl";
import type { ObserveInput, ObserveOutput } from "../contract.ts";
import { NEW_RUN, type NewRun } from "../drift/new-run.ts";
import { OBSERVATION, type Observation } from "../observation/observation.ts";
import { OBSERVATION_POINTS, type ObservationPoints } from "../observation/observation-points.ts";
import type { Observer } from "../observe/observers.ts";
import type { SetProbe } from "../session/entry.ts";
import { ending } from "../session/next-step.ts";
import { probeEnding } from "../session/set-probes.ts";
import { SESSIONS, standing, type OpenedSession, type Sessions } from "../session/sessions.ts";
import { SESSION_CHECK, type SessionCheck } from "./check-command.ts";

/** Seconds that a program may run. */
const RUN_S = 300;

/** Sets observation points in a running program; docs/debug-session.md, section Observe. */
@injectable()
export class ObserveCommand implements CommandHandler<ObserveInput, ObserveOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(SESSION_CHECK) private readonly check: SessionCheck,
    @inject(NEW_RUN) private readonly newRun: NewRun,
    @inject(OBSERVATION_POINTS) private readonly points: ObservationPoints,
    @inject(OBSERVATION) private readonly observation: Observation,
  ) {}

  /** @throws SkillError as the manifest lists; `USAGE` without exactly one program to observe */
  async run(input: ObserveInput, call: Call): Promise<ObserveOutput> {
    if (input.remove) {
      const { remove } = input;
      return this.sessions.turn(input.session, call, (opened) => this.#remove(remove, opened, call));
    }
    const targets = [input.pid, input.inspect, input.adapter, input.run].filter((one) => one !== undefined);
    if (targets.length !== 1)
      throw new SkillError("USAGE", "observe needs exactly one program.", {
        hint: 'Name it with one of: --pid N, --inspect HOST:PORT, --adapter HOST:PORT, or --run "COMMAND".',
      });
    if (input.observer !== undefined) return this.#observe(input, input.observer, call);
    const begun = await this.sessions.turn(input.session, call, (opened) => this.#begin(input, opened, call));
    const { run: command, timeout: limitS = RUN_S } = input;
    if (command === undefined) return begun;
    const opened = await this.sessions.open(input.session);
    const rows = begun.points.map(({ hypothesis, point, sentence }) => `${hypothesis}:${point} ${sentence}`);
    const notice = [...rows, `The program runs for at most ${limitS} s (--timeout): ${command}`].join("\n");
    const run = { command, observer: begun.observer, limitS, notice };
    const { end, last } = await this.observation.program(run, opened, call);
    const ended = `${begun.text}\n${end}`;
    if (!last) return { ...begun, text: ended };
    const told = last.points.map(
      (row) => `${row.hypothesis}:${row.point} ${row.sentence} ${row.told} reported.`,
    );
    return outputOf(opened, last, [ended, ...told].join("\n"));
  }

  /** The background process: it runs until the session or the program ends. */
  async #observe(input: ObserveInput, id: string, call: Call): Promise<ObserveOutput> {
    const opened = await this.sessions.open(input.session);
    const points = await this.points.of(input, opened);
    await this.observation.serve(input, { id, opened, points }, call);
    const ended = { id, pid: process.pid, target: "", points: [], tried: 0 };
    return outputOf(opened, ended, "The observation has ended.");
  }

  /** Removes points from observed programs, and waits until they are removed. */
  async #remove(names: readonly string[], opened: OpenedSession, call: Call): Promise<ObserveOutput> {
    const { entry } = opened;
    const isNamed = ({ hypothesis, point }: Pick<SetProbe, "hypothesis" | "point">): boolean =>
      names.includes(`${hypothesis}:${point}`);
    const observed = entry.probes.filter(({ at }) => at !== undefined);
    const known = new Set(observed.map(({ hypothesis, point }) => `${hypothesis}:${point}`));
    const unknown = names.find((name) => !known.has(name));
    if (unknown !== undefined)
      throw new SkillError("DEBUG_PROBE_INVALID", `The session has no observation point ${unknown}.`, {
        hint: known.size === 0 ? "It has no points." : `Its points are ${[...known].join(", ")}.`,
      });
    const gone = observed.filter(isNamed);
    await this.observation.remove(opened, gone, call);
    const probes = entry.probes.filter((probe) => !gone.includes(probe));
    const next = await this.sessions.write(opened, { ...entry, probes });
    const text = `Removed: ${names.join(", ")}.\n\n${entry.state === "verifying" ? ending(next.entry) : probeEnding(next.entry)}`;
    return outputOf(next, { id: "", pid: process.pid, target: "", points: [], tried: 0 }, text);
  }

  async #begin(input: ObserveInput, opened: OpenedSession, call: Call): Promise<ObserveOutput> {
    // After a fix, the program is a new process or a reloaded page: its points are set again.
    const isAgain = opened.entry.state === "verifying";
    if (!isAgain) this.sessions.refuse(opened, "probe");
    const points = await this.points.of(input, opened);
    const observer = await this.observation.begin(input, opened, points, call);
    const standing = observer.points.filter(({ state }) => state !== "refused");
    if (standing.length === 0)
      throw new SkillError("DEBUG_PROBE_PLACE", observer.points.map(({ sentence }) => sentence).join(" "), {
        hint: "Name a line at which a statement begins, and expressions that only read; --allow-call lets them call functions.",
      });
    const rows = await Promise.all(standing.map((one) => this.points.kept(one, points)));
    const next = await this.newRun.observed(opened, rows);
    const text = observer.points
      .map(({ hypothesis, point, sentence }) => `${hypothesis}:${point} ${sentence}`)
      .join("\n");
    const rest = isAgain ? ending(next.entry) : probeEnding(next.entry);
    if (input.check !== true) return outputOf(next, observer, `${text}\n\n${rest}`);
    const { state, step, next: typed, text: found } = await this.check.of(next, call);
    return { ...outputOf(next, observer, `${text}\n${found}`), state, step, next: typed };
  }
}

function outputOf({ entry }: OpenedSession, { id, pid, points }: Observer, text: string): ObserveOutput {
  const rows = points.map(({ told: _told, skipped: _skipped, ...row }) => row);
  return { ...standing(entry), observer: id, pid, points: rows, text };
}
