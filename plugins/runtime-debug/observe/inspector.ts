import { SkillError } from "skillctl";

/** Parameters and results of calls of the protocol, and of its events. */
export type Message = Readonly<Record<string, unknown>>;

/** A message of the protocol: a response or an event. */
export interface Incoming {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Message;
  readonly result?: Message;
  readonly error?: { readonly message?: string };
  readonly sessionId?: string;
}

/** One debuggee behind a connection: a process, a page, or a worker of either. */
export class InspectorSession {
  readonly #waiting = new Map<number, { resolve: (result: Message) => void; reject: (why: Error) => void }>();
  readonly #listeners = new Map<string, (params: Message) => void>();
  #last = 0;
  #isOver = false;

  constructor(
    private readonly send: (message: object) => void,
    /** The session of the program, for a worker or frame. */
    private readonly program?: InspectorSession,
  ) {}

  /** @throws SkillError `PROGRAM_FAILED` if the debuggee refuses the call or has ended */
  call(method: string, params: Message = {}): Promise<Message> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) {
        reject(gone(method));
        return;
      }
      this.#last += 1;
      this.#waiting.set(this.#last, { resolve, reject });
      this.send({ id: this.#last, method, params });
    });
  }

  /**
   * Sends a message, so that TCP does not delay a response. Workers get only necessary messages: Node (20.20) aborts
   * when a message reaches a worker that has just ended.
   */
  nudge(): void {
    if (this.program) this.program.nudge();
    else void this.call("Runtime.getIsolateId").catch(() => undefined);
  }

  /** Sets the single listener for a kind of event. */
  on(method: string, listener: (params: Message) => void): void {
    this.#listeners.set(method, listener);
  }

  receive({ id, method, params = {}, result = {}, error }: Incoming): void {
    if (method !== undefined) this.#listeners.get(method)?.(params);
    const call = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || !call) return;
    this.#waiting.delete(id);
    if (!error) call.resolve(result);
    else call.reject(new SkillError("PROGRAM_FAILED", `The debuggee refuses a call: ${error.message ?? ""}`));
  }

  /** Reopens the session after it has ended. */
  begin(): void {
    this.#isOver = false;
  }

  /** No more messages will arrive. */
  end(): void {
    this.#isOver = true;
    for (const { reject } of this.#waiting.values()) reject(gone("the call under way"));
    this.#waiting.clear();
  }
}

function gone(what: string): SkillError {
  return new SkillError("PROGRAM_FAILED", `The debuggee ended before it answered ${what}.`);
}
