import { inject, injectable, token, type Call } from "skillctl";
import { OBSERVERS, type Observers } from "../observe/observers.ts";
import { DEBUG_SERVERS, type DebugServers } from "../session/debug-servers.ts";
import type { SessionEntry, SetProbe } from "../session/entry.ts";
import { allOf, EVIDENCE, type Evidence } from "../session/evidence.ts";
import { pending } from "../session/hypotheses.ts";
import { nextReproduction, runOf, runsAgain } from "../session/rounds.ts";
import { SESSIONS, type OpenedSession, type Sessions } from "../session/sessions.ts";
import { withProbes } from "../session/set-probes.ts";
import { withSigns } from "../session/signs.ts";
import { isCollecting, isHeld, type State } from "../session/steps.ts";
import { DRIFT, type Drift } from "./drift.ts";

/** In these states events have already been collected, and are collected again. */
const AGAIN: Readonly<Partial<Record<State, State>>> = { judging: "reproducing", confirming: "verifying" };

/** A session with a new run, and a sentence about it. */
export interface Renewed {
  readonly opened: OpenedSession;
  readonly lines: readonly string[];
}

/** Begins a new run, because earlier events belong to other code. */
@injectable()
export class NewRun {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(EVIDENCE) private readonly evidence: Evidence,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
    @inject(DRIFT) private readonly drift: Drift,
    @inject(OBSERVERS) private readonly observers: Observers,
  ) {}

  /** Whether events have arrived since the last comparison without drift. @throws SkillError as `Evidence.count` does */
  async isDue(opened: OpenedSession): Promise<boolean> {
    const { state, seen = 0 } = opened.entry;
    const events = allOf(await this.evidence.count(opened, runOf(opened.entry)));
    return events > (AGAIN[state] === undefined ? 0 : seen);
  }

  /** Takes the step that sets probes. Events from before the probes must not count together with later ones. */
  async probed(
    opened: OpenedSession,
    set: readonly SetProbe[],
    more: Pick<SessionEntry, "checked"> = {},
  ): Promise<OpenedSession> {
    const isAnew = opened.entry.state === "reproducing" && (await this.isDue(opened));
    return this.sessions.step(opened, "probe", (entry) => ({
      probes: withProbes(entry.probes, set),
      ...(isAnew && { runs: nextReproduction(entry) }),
      ...more,
    }));
  }

  /**
   * Does the same for points in a running program, whose events arrive before the next check. @throws SkillError as
   * `Drift.look` does
   */
  async observed(opened: OpenedSession, set: readonly SetProbe[]): Promise<OpenedSession> {
    const { entry } = opened;
    const probes = withProbes(entry.probes, set);
    const looked = await this.drift.look(opened);
    const isSound = looked.findings.length === 0;
    const checked = isSound
      ? await this.drift.checked({ ...opened, entry: { ...entry, probes } }, looked)
      : undefined;
    const more = isHeld(entry.state) ? { checked } : {};
    if (entry.state !== "verifying") return this.probed(opened, set, more);
    const signs = withSigns(
      entry,
      set.flatMap(({ at = [] }) => at),
    );
    return this.sessions.write(opened, { ...entry, ...more, probes, signs });
  }

  /**
   * Ends the observation of programs that run the code before a fix; later events count for the run of the fix.
   * @throws SkillError errors of starting a server
   */
  async fixed(opened: OpenedSession, run: string, call: Call): Promise<void> {
    await this.observers.end(opened, call.signal);
    await this.servers.begin(opened, call, run);
  }

  /**
   * Writes the session with its change, a line about it, and a new run: back to the state in which events are
   * collected. @throws SkillError errors of starting a server and of `Sessions.write`
   */
  async begin(
    { root, entry }: OpenedSession,
    said: string,
    change: Partial<SessionEntry>,
    call: Call,
  ): Promise<Renewed> {
    const state = AGAIN[entry.state] ?? entry.state;
    const runs = runsAgain(entry);
    const line = `${said} Events count from the run ${runOf({ runs })} onwards.`;
    const next: SessionEntry = {
      ...entry,
      ...change,
      state,
      runs,
      // Verdicts were about other code.
      ...(entry.runs.after === undefined && { hypotheses: entry.hypotheses.map(pending) }),
      drift: [...(entry.drift ?? []), line],
      // Earlier steps were taken with other code.
      past: [],
    };
    if (isCollecting(state)) await this.servers.begin({ root, entry: next }, call);
    const opened = await this.sessions.write({ root, entry }, next);
    if (!isCollecting(state)) return { opened, lines: [line] };
    const found = state === entry.state ? "" : " and findings";
    const again = `Earlier events${found} belong to other code: the user must repeat the reproduction.`;
    return { opened, lines: [line, again] };
  }
}

export const NEW_RUN = token<NewRun>("new-run");
