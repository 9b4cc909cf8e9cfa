import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** One answer as it came over a bare socket. */
export interface WireReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

const HEAD_END = "\r\n\r\n";

/** A connection on which bytes are written as they are, and answers read one after the other. */
export class Wire {
  readonly socket: Socket;
  #unread = "";
  #failure: Error | undefined;
  #isOver = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    const changed = (): void => void socket.emit("changed");
    socket.setEncoding("latin1").on("data", (part: string) => {
      this.#unread += part;
      changed();
    });
    socket.on("error", (error) => (this.#failure = error));
    for (const end of ["end", "close"])
      socket.on(end, () => {
        this.#isOver = true;
        changed();
      });
  }

  static async open(port: number): Promise<Wire> {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    await once(socket, "connect");
    return new Wire(socket);
  }

  write(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** The next answer; `undefined` when the other side ends before it is whole. */
  async next(): Promise<WireReply | undefined> {
    for (;;) {
      const heard = this.#taken();
      if (heard || this.#isOver) return heard;
      await once(this.socket, "changed");
    }
  }

  /** All answers until the other side ends. @throws Error for bytes that are none, or when it resets the connection. */
  async all(): Promise<readonly WireReply[]> {
    const heard: WireReply[] = [];
    for (let next; (next = await this.next()) !== undefined;) heard.push(next);
    if (!this.socket.closed) {
      // Whoever still sends sees a reset only when it has sent all.
      this.socket.end();
      await once(this.socket, "close");
    }
    if (this.#failure) throw this.#failure;
    if (this.#unread !== "") throw new Error(`No answer: ${this.#unread.slice(0, 200)}`);
    return heard;
  }

  #taken(): WireReply | undefined {
    const end = this.#unread.indexOf(HEAD_END);
    if (end < 0) return undefined;
    const [first = "", ...lines] = this.#unread.slice(0, end).split("\r\n");
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
      }),
    );
    const start = end + HEAD_END.length;
    const length = Number(headers.get("content-length") ?? 0);
    if (this.#unread.length < start + length) return undefined;
    const text = Buffer.from(this.#unread.slice(start, start + length), "latin1").toString();
    this.#unread = this.#unread.slice(start + length);
    return { status: Number(first.split(" ")[1]), headers, text };
  }
}

/** Sends bytes over a connection of their own and answers what comes back until the other side ends. */
export async function told(
  port: number,
  ...bytes: readonly (string | Uint8Array)[]
): Promise<readonly WireReply[]> {
  const wire = await Wire.open(port);
  for (const part of bytes) wire.write(part);
  return wire.all();
}
