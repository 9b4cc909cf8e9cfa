import { LOG, inject, injectable, token, type Log } from "skillctl";
import type { FaultPlan } from "./fault-plan.ts";
import { FAULTS, type FaultName } from "./faults.ts";

/** The faults that are still to come; none unless `serve` was given some. */
@injectable()
export class Rehearsal {
  #turns: { readonly fault: FaultName; count: number }[] = [];
  #delayMs = 0;
  #stop = new AbortController().signal;
  #requests = 0;
  #isOn = false;

  constructor(@inject(LOG) private readonly log: Log) {}

  /** From now on requests get these faults; a delay ends early when `stop` is aborted. */
  begin({ turns, delayMs }: FaultPlan, stop: AbortSignal): void {
    this.#turns = turns.map((turn) => ({ ...turn }));
    this.#delayMs = delayMs;
    this.#stop = stop;
    this.#isOn = turns.length > 0 || delayMs > 0;
    this.#requests = 0;
  }

  end(): void {
    this.begin({ turns: [], delayMs: 0 }, this.#stop);
  }

  /** The fault of the next request, which is told on standard error; undefined when it is to be answered as ever. */
  take(hasToken: boolean): FaultName | undefined {
    const [turn] = this.#turns;
    const fault = turn && (hasToken || FAULTS[turn.fault].tokenless) ? turn.fault : undefined;
    if (turn && fault) {
      turn.count -= 1;
      if (turn.count === 0) this.#turns.shift();
    }
    if (this.#isOn)
      this.#tell(fault ?? (hasToken ? "the real answer" : "refused, since its token is not the right one"));
    return fault;
  }

  /** Waits for the delay, or until who asked has gone. */
  async delay(gone: AbortSignal): Promise<void> {
    if (this.#delayMs === 0) return;
    const over = AbortSignal.any([gone, this.#stop]);
    if (over.aborted) return;
    await new Promise<void>((settle) => {
      const timer = setTimeout(settle, this.#delayMs);
      over.addEventListener("abort", () => (clearTimeout(timer), settle()), { once: true });
    });
  }

  #tell(what: string): void {
    this.#requests += 1;
    this.log.notice(`Request ${this.#requests}: ${what}.`);
  }
}

export const REHEARSAL = token<Rehearsal>("music-gateway/rehearsal");
