import { createConnection, type Socket } from "node:net";
import type { ChildProcess } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { SkillError } from "skillctl";
import type { Message } from "./inspector.ts";
import { templateOf } from "../probes/languages.ts";
import { keeperOf } from "./keeper.ts";
import type { Point, PointList, Witness } from "./point.ts";
import { shownPlace } from "./telling.ts";

/** Prefixes of the output of a log point and of each value, which do not occur in the output of programs. */
const [MARK, PART] = ["\u241e", "\u241f"];
const CALL_MS = 15_000;
/** The number of the first of the last calls, greater than all others. */
const LAST_SEQ = 1_000_000_000;
/**
 * How values become JSON where the language can do that in an expression. In other languages they are texts, as the
 * debugger shows them. Python has no expression that catches errors, so without this a failing one would suppress the
 * whole point.
 */
const JSON_OF: Readonly<Record<string, string>> = {
  py: `(lambda x,g,l,d:exec('${templateOf("python").parts?.["V"] ?? ""}d[0]=__import__("json").dumps(show(lambda:eval(x,g,l)))',dict(d=d,x=x,g=g,l=l)) or d[0])(@X@,globals(),locals(),[0])`,
};

/** A breakpoint in the answer of an adapter. */
interface SetBreakpoint {
  readonly verified: boolean;
  readonly message?: string;
  readonly line?: number;
}

/**
 * The points of a program at a debug adapter that listens (the Debug Adapter Protocol): log points, which report
 * without stopping the program. When the connection ends, the adapter removes them and the program continues.
 */
export class AdapterSession {
  /** Resolves when the program or the adapter has ended. */
  readonly closed: Promise<void>;
  readonly #waiting = new Map<number, { resolve: (body: Message) => void; reject: (why: Error) => void }>();
  readonly #counts = new Map<Point, { since: number; inSecond: number; inAll: number; skipped: number }>();
  readonly #refused = new Set<Point>();
  #seq = 0;
  #rest = Buffer.alloc(0);
  #initialized: () => void = () => undefined;
  #keeper: ChildProcess | undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly points: PointList,
    private readonly witness: Witness,
  ) {
    socket.on("data", (bytes) => this.#read(bytes));
    socket.on("error", () => socket.destroy());
    this.closed = new Promise((resolve) => {
      socket.on("close", () => {
        this.#keeper?.kill("SIGKILL");
        for (const { reject } of this.#waiting.values()) reject(failed("has closed the connection"));
        resolve();
      });
    });
  }

  /** @throws SkillError `PROGRAM_FAILED`, `DEBUG_NO_DEBUGGEE` for an adapter without log points */
  static async open(
    host: string,
    port: number,
    points: PointList,
    witness: Witness,
  ): Promise<AdapterSession> {
    const socket = await new Promise<Socket>((resolve, reject) => {
      const opened = createConnection({ host, port }, () => resolve(opened));
      opened.once("error", (cause) =>
        reject(
          new SkillError("PROGRAM_FAILED", `No debug adapter answers at ${host}:${port}.`, {
            cause,
            hint: "Start one, such as `python3 -m debugpy --listen 127.0.0.1:5678 app.py`, and name its address.",
          }),
        ),
      );
    });
    const session = new AdapterSession(socket, points, witness);
    try {
      await session.#start();
    } catch (caught) {
      socket.destroy();
      throw caught;
    }
    return session;
  }

  /** Applies a change of the list of points: an adapter always receives all points of a file. */
  async change(): Promise<void> {
    this.#keeper?.kill("SIGKILL");
    const last = this.#parting.map(([command, args], index) =>
      framed({ seq: LAST_SEQ + index, type: "request", command, arguments: args }),
    );
    this.#keeper = keeperOf(this.socket, Buffer.from(last.join("")));
    for (const file of this.#files) await this.#set(file);
  }

  async leave(): Promise<void> {
    for (const [command, args] of this.#parting) await this.#call(command, args).catch(() => undefined);
    this.socket.destroy();
    await this.closed;
  }

  get #files(): readonly string[] {
    return [...new Set(this.points.all.map(({ file }) => file))];
  }

  /** Requests that remove the points: Delve keeps them for the next client, and stops there until one connects. */
  get #parting(): readonly (readonly [command: string, args: Message])[] {
    const cleared = this.#files.map(
      (path) => ["setBreakpoints", { source: { path }, breakpoints: [] }] as const,
    );
    return [...cleared, ["disconnect", { terminateDebuggee: false }]];
  }

  async #start(): Promise<void> {
    const initialized = new Promise<void>((resolve) => {
      this.#initialized = resolve;
    });
    const can = await this.#call("initialize", {
      adapterID: "skillctl",
      linesStartAt1: true,
      columnsStartAt1: true,
      pathFormat: "path",
    });
    if (can["supportsLogPoints"] !== true)
      throw new SkillError("DEBUG_NO_DEBUGGEE", "This debug adapter does not support log points.", {
        hint: "Set probes in the code instead: skillctl run runtime-debug probe.",
      });
    const attached = this.#call("attach", { mode: "remote", request: "attach", justMyCode: false });
    const late = attached
      .then(() => pause(CALL_MS, undefined, { ref: false }))
      .then(() => Promise.reject(failed("does not become ready")));
    late.catch(() => undefined);
    await Promise.race([initialized, late]);
    await this.change();
    await this.#call("configurationDone");
    await attached;
  }

  /** One log point for all points of a line: adapters accept only one per line. */
  async #set(file: string): Promise<void> {
    const { all, gone } = this.points;
    const here = all.filter((point) => point.file === file && !gone.has(point));
    const lines = [...new Set(here.map(({ line }) => line))].map((line) =>
      here.filter((one) => one.line === line),
    );
    const { breakpoints } = await this.#call("setBreakpoints", {
      source: { path: file },
      breakpoints: lines.map(([first, ...more]) => ({
        line: first?.line,
        logMessage: [first, ...more].map((point) => point && this.#message(point)).join(""),
        ...(first?.when !== undefined && { condition: first.when }),
      })),
    });
    for (const [index, { verified, message, line }] of (breakpoints as readonly SetBreakpoint[]).entries())
      for (const point of lines[index] ?? []) {
        const where = shownPlace(point);
        if (point.when !== lines[index]?.[0]?.when)
          this.#note(point, "refused", `${where} accepts only one --when for all its points.`);
        else if (line !== undefined && line !== point.line)
          this.#note(point, "refused", `No statement begins at ${where}; the adapter uses line ${line}.`);
        else if (verified) this.#note(point, "set", `${where} is observed.`);
        else this.#note(point, "waiting", `${where} waits: ${message ?? "none of its code is loaded yet"}.`);
      }
  }

  /** The text of a log point: the number of the point, then each value, each after a mark. */
  #message(point: Point): string {
    const form = JSON_OF[point.file.split(".").at(-1) ?? ""] ?? "@X@";
    const values = point.data.map(
      ({ expression }) =>
        `${PART}{${form.replace("@X@", () => (form === "@X@" ? expression : JSON.stringify(expression)))}}`,
    );
    return `${MARK}${this.points.all.indexOf(point)}${values.join("")}`;
  }

  #note(point: Point, state: "set" | "waiting" | "refused", sentence: string): void {
    if (state === "refused") this.#refused.add(point);
    this.witness.noted({ point, state, sentence });
  }

  #call(command: string, args: Message = {}): Promise<Message> {
    if (this.socket.destroyed) return Promise.reject(failed("has closed the connection"));
    this.#seq += 1;
    const seq = this.#seq;
    const answered = new Promise<Message>((resolve, reject) => {
      const late = setTimeout(() => reject(failed(`does not answer ${command}`)), CALL_MS);
      const over =
        <T>(settle: (value: T) => void) =>
        (value: T): void => {
          clearTimeout(late);
          settle(value);
        };
      this.#waiting.set(seq, { resolve: over(resolve), reject: over(reject) });
    });
    this.socket.write(framed({ seq, type: "request", command, arguments: args }));
    return answered;
  }

  #read(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const head = this.#rest.indexOf("\r\n\r\n");
      const length = Number(
        /Content-Length: (\d+)/i.exec(this.#rest.subarray(0, Math.max(head, 0)).toString())?.[1],
      );
      if (head === -1 || this.#rest.length < head + 4 + length) return;
      const text = this.#rest.subarray(head + 4, head + 4 + length).toString();
      this.#rest = this.#rest.subarray(head + 4 + length);
      this.#receive(JSON.parse(text) as Message);
    }
  }

  #receive({ type, event, request_seq: call, success, message, body = {} }: Message): void {
    const content = body as Message;
    if (type === "response") {
      const waiting = this.#waiting.get(Number(call));
      this.#waiting.delete(Number(call));
      if (success === true) waiting?.resolve(content);
      else waiting?.reject(failed(`refuses: ${String(message)}`));
    } else if (event === "initialized") this.#initialized();
    else if (event === "output") this.#told(String(content["output"]));
    // Another client has set a breakpoint that stops, or the adapter stops at the start: the program continues.
    else if (event === "stopped")
      void this.#call("continue", { threadId: content["threadId"] ?? 1 }).catch(() => undefined);
    else if (event === "terminated" || event === "exited") this.socket.destroy();
  }

  /** Output without a mark is the program's own. */
  #told(output: string): void {
    for (const part of output.trimEnd().split(MARK).slice(1)) {
      const [index, ...values] = part.split(PART);
      const point = this.points.all[Number(index)];
      const isRefused = point && this.#refused.has(point);
      if (!point || isRefused || values.length !== point.data.length || !this.#hasRoom(point)) continue;
      const data = Object.fromEntries(point.data.map(({ name }, at) => [name, valueOf(values[at] ?? "")]));
      const count = this.#counts.get(point);
      this.witness.passed({ point, data, at: Date.now(), skipped: count?.skipped ?? 0 });
      if (count) count.skipped = 0;
    }
  }

  #hasRoom(point: Point): boolean {
    const now = Date.now();
    const count = this.#counts.get(point) ?? { since: now, inSecond: 0, inAll: 0, skipped: 0 };
    this.#counts.set(point, count);
    if (now - count.since > 999) Object.assign(count, { since: now, inSecond: 0 });
    if (count.inAll >= point.most) {
      this.witness.skipped(point, 1);
      return false;
    }
    if (count.inSecond >= point.perSecond) {
      count.skipped += 1;
      return false;
    }
    count.inSecond += 1;
    count.inAll += 1;
    return true;
  }
}

function framed(message: object): string {
  const body = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the text as the debugger shows it.
    return text;
  }
}

function failed(what: string): SkillError {
  const end = what.endsWith(".") ? "" : ".";
  return new SkillError("PROGRAM_FAILED", `The debug adapter ${what}${end}`, {
    hint: "Another debugger may be attached, or the adapter may be too old; start it again.",
  });
}
