import { spawn, type ChildProcess } from "node:child_process";
import { SkillError } from "skillctl";
import type WebSocket from "ws";

/** What a call of the protocol takes and answers, and what an event brings. */
export type Message = Readonly<Record<string, unknown>>;

/** A message of the protocol that answers a call or tells an event. */
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

  constructor(private readonly send: (message: object) => void) {}

  /** @throws SkillError `PROGRAM_FAILED` when the debuggee refuses the call or is gone */
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

  /** Hears one kind of event; there is one listener a kind. */
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

  /** Nothing more comes. */
  end(): void {
    this.#isOver = true;
    for (const { reject } of this.#waiting.values()) reject(gone("the call under way"));
    this.#waiting.clear();
  }
}

function gone(what: string): SkillError {
  return new SkillError("PROGRAM_FAILED", `The debuggee has gone before it answered ${what}.`);
}

/** What ws and Node keep of a connection. */
interface Underlying {
  readonly _socket: { readonly _handle: { readonly fd: number } };
}

/**
 * Holds the connection open when this process is killed, until the breakpoints are out: Node can crash when a debugger is gone in the
 * midst of a condition. A shell has the same socket, waits for the end of this process and sends the last call.
 */
export function keeperOf(socket: WebSocket): ChildProcess {
  const text = Buffer.from(JSON.stringify({ id: 1_000_000_000, method: "Debugger.disable" }));
  // A text in one frame, masked with zeros (RFC 6455, section 5.2).
  const frame = Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]);
  const octal = [...frame].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  // By its number: a socket that is handed over as such is read no more here.
  const descriptor = (socket as unknown as Underlying)._socket._handle.fd;
  const script = 'while kill -0 "$1" 2>/dev/null; do sleep 0.2; done; printf "$2" >&3; sleep 1';
  const keeper = spawn("/bin/sh", ["-c", script, "sh", String(process.pid), octal], {
    stdio: ["ignore", "ignore", "ignore", descriptor],
    detached: true,
  });
  keeper.on("error", () => undefined).unref();
  return keeper;
}
