import { randomBytes } from "node:crypto";
import { SkillError, type Files } from "skillctl";
import { Debuggee, OBSERVER } from "./debuggee.ts";
import { InspectorConnection, type InspectorSession } from "./inspector.ts";
import type { Point, Witness } from "./point.ts";
import { CLOSE_INSPECTOR } from "./processes.ts";

/** What is observed at one inspector: a process or a page, with its workers and frames as they come and go. */
export class Attachment {
  /** Settles when the debuggee is gone, or has been left. */
  readonly closed: Promise<void>;
  readonly #connection: InspectorConnection;
  readonly #points: readonly Point[];
  readonly #files: Files;
  readonly #witness: Witness;
  /** Of this observer alone: several may look at one program. */
  readonly #name = `${OBSERVER}${randomBytes(6).toString("hex")}`;
  readonly #debuggees = new Map<InspectorSession, Debuggee>();

  private constructor(
    connection: InspectorConnection,
    points: readonly Point[],
    files: Files,
    witness: Witness,
  ) {
    this.#connection = connection;
    this.#points = points;
    this.#files = files;
    this.#witness = witness;
    this.closed = connection.closed;
  }

  /**
   * Sets the points at an inspector.
   * @param pid the process that has to be at the other end, where one was named
   * @throws SkillError `PROGRAM_FAILED`, `DEBUG_NO_DEBUGGEE`
   */
  static async open(
    url: string,
    points: readonly Point[],
    files: Files,
    witness: Witness,
    pid?: number,
  ): Promise<Attachment> {
    const connection = await InspectorConnection.open(url);
    const attachment = new Attachment(connection, points, files, witness);
    try {
      if (pid !== undefined) await refuseOther(connection.root, pid);
      await attachment.#start();
    } catch (caught) {
      connection.close();
      throw caught;
    }
    return attachment;
  }

  /** Takes the points out again; `closing` closes the inspector too. */
  async leave(closing: boolean): Promise<void> {
    for (const debuggee of this.#debuggees.values()) await debuggee.leave().catch(() => undefined);
    if (closing) {
      // It is closed before it could answer.
      const expression = CLOSE_INSPECTOR;
      void this.#connection.root
        .call("Runtime.evaluate", { expression, includeCommandLineAPI: true })
        .catch(() => undefined);
      await Promise.race([this.closed, new Promise((resolve) => setTimeout(resolve, 1_000))]);
    }
    this.#connection.close();
    await this.closed;
  }

  async #start(): Promise<void> {
    const { root } = this.#connection;
    root.on("NodeWorker.receivedMessageFromWorker", ({ sessionId, message }) =>
      this.#connection.deliver(String(sessionId), String(message)),
    );
    root.on("NodeWorker.attachedToWorker", ({ sessionId: id }) => {
      const send = (message: object): void => {
        const params = { sessionId: id, message: JSON.stringify(message) };
        void root.call("NodeWorker.sendMessageToWorker", params).catch(() => undefined);
      };
      this.#join(this.#connection.child(String(id), send));
    });
    root.on("Target.attachedToTarget", ({ sessionId: id }) => this.#join(this.#connection.child(String(id))));
    for (const event of ["NodeWorker.detachedFromWorker", "Target.detachedFromTarget"])
      root.on(event, ({ sessionId: id }) => this.#connection.forget(String(id)));
    // A Node program does not end before those who look at it have let go.
    root.on("NodeRuntime.waitingForDisconnect", () => this.#connection.close());
    await this.#observe(root);
    await optional(root.call("NodeRuntime.notifyWhenWaitingForDisconnect", { enabled: true }));
    await optional(root.call("NodeWorker.enable", { waitForDebuggerOnStart: true }));
    const page = { autoAttach: true, waitForDebuggerOnStart: false, flatten: true };
    await optional(root.call("Target.setAutoAttach", page));
  }

  #join(session: InspectorSession): void {
    const joined = this.#observe(session).then(() => session.call("Runtime.runIfWaitingForDebugger"));
    void joined.catch(() => undefined);
  }

  async #observe(session: InspectorSession): Promise<void> {
    const debuggee = new Debuggee(session, this.#points, this.#files, this.#witness, this.#name);
    this.#debuggees.set(session, debuggee);
    await debuggee.start();
  }
}

/** What not every runtime has. */
async function optional(call: Promise<unknown>): Promise<void> {
  await call.catch(() => undefined);
}

async function refuseOther(root: InspectorSession, pid: number): Promise<void> {
  const { result } = await root.call("Runtime.evaluate", { expression: "process.pid", returnByValue: true });
  if ((result as { readonly value?: unknown }).value === pid) return;
  throw new SkillError("DEBUG_NO_DEBUGGEE", `The inspector is not that of process ${pid}.`, {
    hint: "Another program holds the port: end it, or name an address with --inspect.",
  });
}
