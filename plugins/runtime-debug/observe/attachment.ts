import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { SkillError } from "skillctl";
import WebSocket from "ws";
import { Debuggee } from "./debuggee.ts";
import { InspectorSession, type Incoming } from "./inspector.ts";
import { keeperOf } from "./keeper.ts";
import type { PointList, Witness } from "./point.ts";
import { beforeFix, CLOSE_INSPECTOR } from "./processes.ts";
import { changedAt, type Texts } from "./scripts.ts";

/** Time limit for the start of a connection, in milliseconds: a listener that does not respond is not an inspector. */
const OPEN_MS = 5_000;
/**
 * The longest wait for each step of detaching, in milliseconds: a stopped program takes the step once it runs again.
 */
const LEAVE_MS = 2_000;
const CRASHED = "The page has crashed: load it again.";

/** The connection below a socket. */
interface Stream {
  readonly cork: () => void;
  readonly uncork: () => void;
}

/** The owner of the inspector, if a process was named, and how to end the attempt. */
interface Opened {
  /** The process that must own the inspector. */
  readonly pid?: number;
  /** Whether its inspector was opened for us. */
  readonly ours?: boolean;
  /** Ends an attempt to attach that gets no response. */
  readonly signal?: AbortSignal;
}

/** The targets at one inspector: a process or a page, with its present workers and frames. */
export class Attachment {
  /** Resolves when the debuggee has ended, or was detached. */
  readonly closed: Promise<void>;
  /** The unique name under which the program reports to this observer. */
  readonly #name = `__skillctl_${randomBytes(6).toString("hex")}`;
  readonly #keeper: ReturnType<typeof keeperOf>;
  readonly #send: (message: object) => void;
  readonly #root: InspectorSession;
  /** Workers and frames, by the names that the protocol gives them. */
  readonly #children = new Map<string, InspectorSession>();
  readonly #debuggees: Debuggee[] = [];

  private constructor(
    private readonly socket: WebSocket,
    private readonly points: PointList,
    private readonly texts: Texts,
    private readonly witness: Witness,
  ) {
    const stream = (socket as unknown as { readonly _socket: Stream })._socket;
    const text = Buffer.from(JSON.stringify({ id: 1_000_000_000, method: "Debugger.disable" }));
    // A text message in one frame, masked with zeros (RFC 6455, section 5.2).
    const frame = Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]);
    this.#keeper = keeperOf(stream, frame);
    this.#send = (message) => {
      // Calls of one step arrive in one segment: no pass occurs between the removal of a breakpoint and the setting of
      // its successor.
      stream.cork();
      socket.send(JSON.stringify(message));
      process.nextTick(() => stream.uncork());
    };
    this.#root = new InspectorSession(this.#send);
    socket.on("message", (text: Buffer) => {
      const message = JSON.parse(text.toString()) as Incoming;
      const { sessionId } = message;
      const session = sessionId === undefined ? this.#root : this.#children.get(sessionId);
      session?.receive(message);
    });
    socket.on("error", () => socket.terminate());
    this.closed = new Promise((resolve) => {
      socket.on("close", () => {
        this.#keeper.kill("SIGKILL");
        for (const session of [this.#root, ...this.#children.values()]) session.end();
        resolve();
      });
    });
  }

  /**
   * Sets the points at an inspector.
   * @throws SkillError `PROGRAM_FAILED`, `DEBUG_NO_DEBUGGEE`
   */
  static async open(
    url: string,
    points: PointList,
    texts: Texts,
    witness: Witness,
    { pid, ours = false, signal }: Opened = {},
  ): Promise<Attachment> {
    const socket = new WebSocket(url, { perMessageDeflate: false, handshakeTimeout: OPEN_MS });
    const attachment = await new Promise<Attachment>((resolve, reject) => {
      socket.once("open", () => resolve(new Attachment(socket, points, texts, witness)));
      socket.once("error", (cause) =>
        reject(new SkillError("PROGRAM_FAILED", `No inspector answers at ${url}.`, { cause })),
      );
    });
    const end = (): void => socket.terminate();
    signal?.addEventListener("abort", end);
    try {
      await attachment.#heedCrashes();
      if (pid !== undefined) await refuseOther(attachment.#root, pid);
      const began = await valueIn(attachment.#root, "performance.timeOrigin");
      if (Number(began) < (await changedAt(texts))) throw beforeFix();
      await attachment.#start();
    } catch (caught) {
      if (ours) await attachment.leave(true);
      else attachment.#close();
      throw caught;
    } finally {
      signal?.removeEventListener("abort", end);
    }
    return attachment;
  }

  /** Applies a change of the list of points. */
  async change(): Promise<void> {
    await Promise.all(this.#debuggees.map((debuggee) => debuggee.change().catch(() => undefined)));
  }

  /** Removes the points; with `closing` also closes the inspector. */
  async leave(closing: boolean): Promise<void> {
    await within(LEAVE_MS, Promise.all(this.#debuggees.map((debuggee) => debuggee.leave())));
    if (closing) {
      // The inspector closes before it can answer.
      const expression = CLOSE_INSPECTOR;
      void this.#root
        .call("Runtime.evaluate", { expression, includeCommandLineAPI: true })
        .catch(() => undefined);
      await within(LEAVE_MS, this.closed);
    }
    this.#close();
    await within(LEAVE_MS, this.closed);
    this.socket.terminate();
    await this.closed;
  }

  /** A crashed page does not answer until it is reloaded. @throws SkillError `DEBUG_NO_DEBUGGEE` */
  async #heedCrashes(): Promise<void> {
    const root = this.#root;
    let hasCrashed = false;
    root.on("Inspector.targetCrashed", () => {
      hasCrashed = true;
      root.end();
      this.witness.troubled(CRASHED);
    });
    root.on("Inspector.targetReloadedAfterCrash", () => {
      root.begin();
      this.witness.troubled(undefined);
    });
    await optional(root.call("Inspector.enable"));
    if (hasCrashed) throw new SkillError("DEBUG_NO_DEBUGGEE", CRASHED);
  }

  async #start(): Promise<void> {
    const root = this.#root;
    // Node wraps the messages of a worker.
    root.on("NodeWorker.receivedMessageFromWorker", ({ sessionId, message }) =>
      this.#children.get(String(sessionId))?.receive(JSON.parse(String(message)) as Incoming),
    );
    root.on("NodeWorker.attachedToWorker", ({ sessionId: id }) =>
      this.#join(String(id), (message) => {
        const params = { sessionId: id, message: JSON.stringify(message) };
        void root.call("NodeWorker.sendMessageToWorker", params).catch(() => undefined);
      }),
    );
    root.on("Target.attachedToTarget", ({ sessionId: id }) =>
      this.#join(String(id), (message) => this.#send({ ...message, sessionId: id })),
    );
    for (const event of ["NodeWorker.detachedFromWorker", "Target.detachedFromTarget"])
      root.on(event, ({ sessionId: id }) => {
        this.#children.get(String(id))?.end();
        this.#children.delete(String(id));
      });
    // A Node program does not exit before its debuggers have disconnected.
    root.on("NodeRuntime.waitingForDisconnect", () => this.#close());
    await optional(root.call("NodeRuntime.notifyWhenWaitingForDisconnect", { enabled: true }));
    await this.#observe(root);
    await optional(root.call("NodeWorker.enable", { waitForDebuggerOnStart: true }));
    const page = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
    await optional(root.call("Target.setAutoAttach", page));
  }

  #join(id: string, send: (message: object) => void): void {
    const session = new InspectorSession(send, this.#root);
    this.#children.set(id, session);
    // The program must be resumed after any failure.
    const observed = this.#observe(session).catch(() => undefined);
    void optional(observed.then(() => session.call("Runtime.runIfWaitingForDebugger")));
  }

  async #observe(session: InspectorSession): Promise<void> {
    const debuggee = new Debuggee(session, this.points, this.texts, this.witness, this.#name);
    this.#debuggees.push(debuggee);
    await debuggee.start();
  }

  /** Called once the breakpoints are removed. */
  #close(): void {
    this.#keeper.kill("SIGKILL");
    this.socket.close();
  }
}

/** Calls that not every runtime has. */
async function optional(call: Promise<unknown>): Promise<void> {
  await call.catch(() => undefined);
}

/** Waits, at most for a time limit. */
async function within(ms: number, done: Promise<unknown>): Promise<void> {
  await Promise.race([done, pause(ms, undefined, { ref: false })]);
}

async function refuseOther(root: InspectorSession, pid: number): Promise<void> {
  if ((await valueIn(root, "process.pid")) === pid) return;
  throw new SkillError("DEBUG_NO_DEBUGGEE", `The inspector is not that of process ${pid}.`, {
    hint: "Another program holds the port: end it, or name an address with --inspect.",
  });
}

async function valueIn(session: InspectorSession, expression: string): Promise<unknown> {
  const { result } = await session.call("Runtime.evaluate", { expression, returnByValue: true });
  return (result as { readonly value?: unknown }).value;
}
