import { randomUUID } from "node:crypto";
import type { Command } from "./contract.ts";
import { SkillError } from "./errors/skill-error.ts";
import type { Clock } from "./ports/clock.ts";
import type { Log } from "./ports/log.ts";
import type { State } from "./ports/state.ts";

/** A task is kept for this time after its last change. */
export const TASK_KEEP_MS = 3_600_000;
/** The interval at which callers poll a task, and at which its host checks it. */
export const TASK_POLL_MS = 1_000;
/** The interval at which a host records that it still runs a task. */
const ALIVE_MS = 5_000;
/** A task whose host has recorded nothing for this time has lost its host. */
const LOST_MS = 3 * ALIVE_MS;

/** The time that a run that may not be repeated has to end when its host closes. */
const LAST_MS = 2_000;

/** The end of a run. */
export type TaskEnd =
  | { readonly result: unknown }
  | { readonly error: TaskError }
  /** Requests to the caller; the run is repeated with their results. `given`: those of earlier rounds. */
  | { readonly requests: Named; readonly given: Named };

type Named = Readonly<Record<string, unknown>>;

/** A failure of the host, in place of a result. */
export interface TaskError {
  readonly code: number;
  readonly message: string;
}

/** A task as it is stored. */
export interface Task<Call> {
  readonly id: string;
  readonly status: "working" | "input_required" | "completed" | "failed" | "cancelled";
  /** The last sentence about its progress. */
  readonly message?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly createdMs: number;
  readonly changedMs: number;
  /** When its host was last known to run it. */
  readonly aliveMs: number;
  readonly call: Call;
  readonly requests?: Named;
  readonly given: Named;
  readonly result?: unknown;
  readonly error?: TaskError;
}

/** The context of a run besides its call. */
export interface TaskTurn {
  readonly signal: AbortSignal;
  readonly given: Named;
  readonly say: (sentence: string) => void;
}

/** A run that can become a task while it continues. */
export interface TaskRun<Call> {
  readonly end: Promise<TaskEnd>;
  readonly abort: () => void;
  /** Makes it a task; settles when the task is stored. */
  readonly keep: () => Promise<Task<Call>>;
}

interface Running {
  readonly stop: AbortController;
  /** The last sentence about its progress. */
  readonly heard: { readonly last?: string };
  readonly end: Promise<TaskEnd>;
}

interface Options<Call> {
  readonly ports: { readonly clock: Clock; readonly log: Log; readonly state: State };
  /** The collection of its documents. */
  readonly collection: string;
  readonly run: (call: Call, turn: TaskTurn) => Promise<TaskEnd>;
  /** Whether a call may run again from its start after its host has ended. */
  readonly isRepeatable: (call: Call) => boolean;
}

/**
 * Calls that outlive their request. A task is a document of the state store, so that every host of the store can return it, even after
 * a restart. Results and open questions are kept; a run whose host has ended is repeated if it is repeatable, and otherwise
 * fails.
 */
export class Tasks<Call> {
  readonly #options: Options<Call>;
  readonly #running = new Map<
    string,
    { readonly stop: AbortController; readonly isRepeatable: boolean; readonly ended: Promise<void> }
  >();
  /** Called with the ids of tasks that this host has changed. */
  readonly #listeners = new Set<(id: string) => void>();
  #isClosing = false;

  constructor(options: Options<Call>) {
    this.#options = options;
  }

  start(call: Call, given: Named, say: TaskTurn["say"]): TaskRun<Call> {
    const { stop, heard, end } = this.#begin(call, given, say);
    return {
      end,
      abort: () => stop.abort(CANCELLED),
      keep: async () => {
        const now = this.#options.ports.clock.now();
        const id = randomUUID();
        const times = { createdMs: now, changedMs: now, aliveMs: now };
        const task: Task<Call> = { id, status: "working", ...times, call, given };
        await this.#options.ports.state.update(this.#name(id), TASK_KEEP_MS, () => task);
        this.#follow(task, { stop, heard, end });
        return task;
      },
    };
  }

  /** A task; `undefined` for an unknown id, or after its time has run out. @throws SkillError `FILE_UNREADABLE` */
  async get(id: string): Promise<Task<Call> | undefined> {
    const task = (await this.#options.ports.state.read(this.#name(id))) as Task<Call> | undefined;
    const now = this.#options.ports.clock.now();
    if (task?.status !== "working" || this.#running.has(id) || now - task.aliveMs < LOST_MS) return task;
    let isOwn = false;
    const taken = await this.#change(id, (current) => {
      isOwn = current.aliveMs === task.aliveMs;
      if (!isOwn) return current;
      const repeats = this.#options.isRepeatable(task.call);
      return { ...current, ...(repeats ? { aliveMs: now } : { status: "failed", error: LOST }) };
    });
    if (isOwn && taken?.status === "working") this.#resume(taken);
    return taken;
  }

  /**
   * Yields a task, and again after each change of its status, its sentence or its open requests, until it has ended or `signal` is aborted.
   * Changes by other hosts of the store are seen within a second. Ends at once if there is no such task.
   */
  async *changes(id: string, signal: AbortSignal): AsyncGenerator<Task<Call>, void> {
    let last: string | undefined;
    while (!signal.aborted) {
      const wait = this.#changeOf(id, signal);
      const task = await this.get(id);
      if (!task) return;
      const { status, message, requests } = task;
      const state = JSON.stringify([status, message, requests]);
      if (state !== last) yield task;
      if (status !== "working" && status !== "input_required") return;
      last = state;
      await wait;
    }
  }

  /** Settles at a change by this host, after the polling interval, or when the signal is aborted. */
  #changeOf(id: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.#listeners.delete(listener);
        signal.removeEventListener("abort", settle);
        resolve();
      };
      const listener = (changed: string): void => void (changed === id && settle());
      const timer = setTimeout(settle, TASK_POLL_MS).unref();
      this.#listeners.add(listener);
      signal.addEventListener("abort", settle);
    });
  }

  /** Accepts results of requests of a task, and continues when it has all of them. Others are ignored. Returns false for an unknown task. */
  async answer(id: string, responses: Named): Promise<boolean> {
    let isComplete = false;
    const task = await this.#change(id, (current) => {
      isComplete = false;
      const { requests = {}, status } = current;
      if (status !== "input_required") return current;
      const isGiven = ([name]: readonly [string, unknown]): boolean => Object.hasOwn(responses, name);
      const open = Object.entries(requests).filter((one) => !isGiven(one));
      const taken = Object.entries(responses).filter(([name]) => Object.hasOwn(requests, name));
      const given = { ...current.given, ...Object.fromEntries(taken) };
      isComplete = open.length === 0;
      const { requests: _, ...rest } = current;
      if (isComplete) return { ...rest, given, status: "working", aliveMs: this.#options.ports.clock.now() };
      return { ...current, given, requests: Object.fromEntries(open) };
    });
    if (task && isComplete) this.#resume(task);
    return task !== undefined;
  }

  /** Ends a task that has not ended; its run is aborted. Returns false if there is no such task. */
  async cancel(id: string): Promise<boolean> {
    const task = await this.#change(id, (open) => ({ ...open, status: "cancelled" }));
    this.#running.get(id)?.stop.abort(CANCELLED);
    return task !== undefined;
  }

  /**
   * Aborts the runs; their tasks stay, and another host may continue them. Runs that may not be repeated have some time to end first. Never
   * rejects.
   */
  async close(): Promise<void> {
    this.#isClosing = true;
    const all = [...this.#running.values()];
    const ended = Promise.all(all.map((one) => one.ended));
    for (const { stop, isRepeatable } of all) if (isRepeatable) stop.abort(CANCELLED);
    const late = setTimeout(() => all.forEach(({ stop }) => stop.abort(CANCELLED)), LAST_MS);
    await ended;
    clearTimeout(late);
  }

  #resume(task: Task<Call>): void {
    this.#follow(task, this.#begin(task.call, task.given));
  }

  #begin(call: Call, given: Named, say?: TaskTurn["say"]): Running {
    const stop = new AbortController();
    const heard: { last?: string } = {};
    const listener = (sentence: string): void => {
      heard.last = sentence;
      say?.(sentence);
    };
    const end = this.#options.run(call, { signal: stop.signal, given, say: listener });
    end.catch(() => undefined);
    return { stop, heard, end };
  }

  /** Stores the progress and the end of a run, and aborts it when its task is cancelled elsewhere. */
  #follow({ id, call }: Task<Call>, { stop, heard, end }: Running): void {
    let written: { readonly message?: string | undefined; readonly at: number } = {
      at: this.#options.ports.clock.now(),
    };
    const look = async (): Promise<void> => {
      const at = this.#options.ports.clock.now();
      const { last: message } = heard;
      const isDue = message !== written.message || at - written.at >= ALIVE_MS;
      if (isDue) written = { message, at };
      const task = isDue
        ? await this.#change(id, (current) => ({ ...current, aliveMs: at, message }))
        : ((await this.#options.ports.state.read(this.#name(id))) as Task<Call> | undefined);
      if (task?.status !== "working") stop.abort(CANCELLED);
    };
    const timer = setInterval(() => void look().catch(this.#note), TASK_POLL_MS);
    const ended = this.#store(id, { stop, heard, end })
      .catch(this.#note)
      .finally(() => {
        clearInterval(timer);
        this.#running.delete(id);
      });
    this.#running.set(id, { stop, isRepeatable: this.#options.isRepeatable(call), ended });
  }

  async #store(id: string, { stop, heard, end }: Running): Promise<void> {
    const last = await end.then(changeBy, (caught: unknown) => {
      this.#note(caught);
      return { status: "failed", error: FAULT } as const;
    });
    // A run that this host aborts because it is closing does not end its task.
    const change = this.#isClosing && stop.signal.aborted ? { aliveMs: 0 } : last;
    await this.#change(id, (task) => ({ ...task, message: heard.last ?? task.message, ...change }));
  }

  /** Changes a task that has not ended; returns the task in any state. */
  async #change(id: string, change: (task: Task<Call>) => Task<Call>): Promise<Task<Call> | undefined> {
    const { clock, state } = this.#options.ports;
    const changed = await state.update(this.#name(id), TASK_KEEP_MS, (current) => {
      const task = current as Task<Call> | undefined;
      if (task === undefined || (task.status !== "working" && task.status !== "input_required")) return task;
      const next = change(task);
      return next === task ? task : { ...next, changedMs: clock.now() };
    });
    for (const listener of this.#listeners) listener(id);
    return changed as Task<Call> | undefined;
  }

  #name(id: string) {
    return { collection: this.#options.collection, id: id.slice(0, 64) };
  }

  readonly #note = (caught: unknown): void =>
    this.#options.ports.log.notice(`A task: ${caught instanceof Error ? caught.message : String(caught)}`);
}

/** Whether a command may run again from its start; without `effects` all are assumed. */
export function isRepeatable(effects: Command["effects"]): boolean {
  return effects?.readOnly === true || effects?.idempotent === true;
}

const CANCELLED = new SkillError("CANCELLED", "The call was cancelled.");
/** JSON-RPC 2.0, section 5.1. */
const INTERNAL = -32_603;
const LOST: TaskError = { code: INTERNAL, message: "The host that ran the call has ended." };
const FAULT: TaskError = {
  code: INTERNAL,
  message: "The call failed through no fault of the caller.",
};

function changeBy(end: TaskEnd) {
  if ("result" in end) return { status: "completed", result: end.result } as const;
  if ("error" in end) return { status: "failed", error: end.error } as const;
  return { status: "input_required", requests: end.requests, given: end.given } as const;
}
