import { inject, injectable, token, type Call } from "skillctl";
import type { ObserveInput } from "../contract.ts";
import { pause } from "../server/pause.ts";
import { DEBUG_SERVERS, type DebugServers } from "../session/debug-servers.ts";
import type { SetProbe } from "../session/entry.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { OBSERVER_START, type ObservedRun, type ObserverStart } from "./observer-start.ts";
import {
  OBSERVER_SERVICES,
  type ObservedSession,
  type ObserverServices,
} from "../observe/observer-services.ts";
import { OBSERVERS, type Observer, type Observers } from "../observe/observers.ts";
import type { Point } from "../observe/point.ts";

const LOOK_MS = 30;
/** Time limit for the last message of an observer. */
const LAST_MS = 3_000;

/** Observes programs for a session: in another process, or as that process. */
@injectable()
export class Observation {
  constructor(
    @inject(OBSERVER_START) private readonly start: ObserverStart,
    @inject(OBSERVER_SERVICES) private readonly services: ObserverServices,
    @inject(OBSERVERS) private readonly observers: Observers,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
  ) {}

  /** Makes sure that a server collects, then as `ObserverStart.begin`, whose errors it throws, too. */
  async begin(
    input: ObserveInput,
    opened: OpenedSession,
    points: readonly Point[],
    call: Call,
  ): Promise<Observer> {
    await this.servers.ensure(opened, call);
    return this.start.begin(input, opened, points, call);
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
    const folder = run === undefined ? undefined : this.start.folder(id);
    await new Observing({ id, opened, points, found }, this.services).run(
      {
        ...(pid && { pid }),
        ...(inspect && { inspect }),
        ...(adapter && { adapter }),
        ...(folder && { folder }),
      },
      call.signal,
    );
  }

  /** Runs a program that an observer waits for; how it has ended, and the last message of the observer. */
  async program(
    run: ObservedRun,
    opened: OpenedSession,
    call: Call,
  ): Promise<{ readonly end: string; readonly last: Observer | undefined }> {
    const end = await this.start.program(run, call);
    // Its last message arrives after it has disconnected.
    await until(async () => !(await this.observers.isRunning(run.observer)), call);
    return { end, last: await this.observers.told(opened, run.observer) };
  }

  /** Removes points from observed programs, and waits until they are removed. */
  async remove(opened: OpenedSession, gone: readonly SetProbe[], call: Call): Promise<void> {
    const isGone = ({ hypothesis, point }: Pick<SetProbe, "hypothesis" | "point">): boolean =>
      gone.some((one) => one.hypothesis === hypothesis && one.point === point);
    const standing = async (): Promise<readonly Observer[]> =>
      (await this.observers.running(opened)).filter(({ points }) => points.some(isGone));
    for (const { id } of await standing()) await this.observers.want(id, gone.map(removalOf));
    await until(async () => (await standing()).length === 0, call);
  }
}

export const OBSERVATION = token<Observation>("observation");

/** Resolves when a condition is true, or after some seconds. */
async function until(holds: () => Promise<boolean>, { signal }: Call): Promise<void> {
  for (const late = performance.now() + LAST_MS; performance.now() < late; await pause(LOOK_MS, signal))
    if (await holds()) return;
}

/** Removes the points with that name. */
function removalOf({ hypothesis, point }: SetProbe): Point {
  const nowhere = { path: "", file: "", line: 0, data: [], allowCall: false, perSecond: 1, most: 1 };
  return { hypothesis, name: point, ...nowhere, isRemoved: true };
}
