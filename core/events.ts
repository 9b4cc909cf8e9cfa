import { SkillError } from "./errors/skill-error.ts";
import type { Evaluation } from "./guard.ts";
import type { Decision, GuardEvent, SurfaceName } from "./plugin.ts";
import type { Log } from "./ports/log.ts";

/** A command that has ended. */
export interface CallEvent {
  readonly skill: string;
  /** Empty if the skill has no such command. */
  readonly command: string;
  readonly surface: SurfaceName;
  /** Milliseconds, with fractions. */
  readonly durationMs: number;
  /** The code of the error; `INTERNAL` for an unexpected one. Missing after a success. */
  readonly error?: string;
}

/** The decision of one rule about a request. */
export interface DecisionEvent {
  /** `<skill>/<rule>` */
  readonly rule: string;
  readonly decision: Decision;
  /** Set if the decision had no effect: `audit` for a rule in audit mode, `lifted` if a rule of a higher tier answered its question. */
  readonly idle?: string;
  readonly event: GuardEvent;
  readonly surface: string;
  readonly skill?: string;
  /** The name of the command or route. */
  readonly name?: string;
}

/** The events of a host by name. They hold no inputs and no outputs. */
export interface HostEventMap {
  readonly call: CallEvent;
  readonly decision: DecisionEvent;
}

/** A call as a span of a tracing system. @internal */
export interface Tracing {
  readonly isActive: () => boolean;
  /** Runs a call in a span of its own; `codeOf` is the code of an error. */
  readonly call: <T>(
    call: Pick<CallEvent, "skill" | "command" | "surface">,
    run: () => Promise<T>,
    codeOf: (caught: unknown) => string,
  ) => Promise<T>;
  /** Adds a decision to the span of the current call; without a call, the decision gets its own span. */
  readonly decision: (event: DecisionEvent) => void;
}

type Listener<Name extends keyof HostEventMap> = (event: HostEventMap[Name]) => void;

/**
 * The events of a host, on every surface. Listeners are called synchronously, in the order in which they were added. An error of a
 * listener is logged and has no other effect.
 */
export class HostEvents {
  readonly #log: Log;
  readonly #tracing: Tracing | undefined;
  readonly #listeners: { readonly [Name in keyof HostEventMap]: Set<Listener<Name>> } = {
    call: new Set(),
    decision: new Set(),
  };

  /** @internal */
  constructor(log: Log, tracing?: Tracing) {
    this.#log = log;
    this.#tracing = tracing;
  }

  /** Adds a listener; the returned function removes it. */
  on<Name extends keyof HostEventMap>(name: Name, listener: Listener<Name>): () => void {
    const listeners: Set<Listener<Name>> = this.#listeners[name];
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /** Runs a call and emits an event at its end. @internal */
  call<T>(about: Pick<CallEvent, "skill" | "command" | "surface">, run: () => Promise<T>): Promise<T> {
    const told = this.#listeners.call.size === 0 ? run : () => this.#told(about, run);
    return this.#tracing?.isActive() === true ? this.#tracing.call(about, told, codeOf) : told();
  }

  /** Emits the decisions of an evaluation. @internal */
  decided({ findings, subject: { event, surface, skill, name } }: Evaluation): void {
    const isTraced = this.#tracing?.isActive() === true;
    if (this.#listeners.decision.size === 0 && !isTraced) return;
    for (const { rule, decision, idle } of findings) {
      const told: DecisionEvent = {
        rule,
        decision,
        ...(idle !== undefined && { idle }),
        event,
        surface,
        ...(skill !== undefined && { skill }),
        ...(name !== undefined && { name }),
      };
      this.#emit("decision", told);
      if (isTraced) this.#tracing?.decision(told);
    }
  }

  async #told<T>(about: Pick<CallEvent, "skill" | "command" | "surface">, run: () => Promise<T>): Promise<T> {
    const start = performance.now();
    let error: string | undefined;
    try {
      return await run();
    } catch (caught) {
      error = codeOf(caught);
      throw caught;
    } finally {
      const durationMs = performance.now() - start;
      this.#emit("call", { ...about, durationMs, ...(error !== undefined && { error }) });
    }
  }

  #emit<Name extends keyof HostEventMap>(name: Name, event: HostEventMap[Name]): void {
    const listeners: ReadonlySet<Listener<Name>> = this.#listeners[name];
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (caught) {
        this.#log.notice(`A listener of the event ${name} failed: ${String(caught)}`);
      }
    }
  }
}

function codeOf(caught: unknown): string {
  return caught instanceof SkillError ? caught.code : "INTERNAL";
}
