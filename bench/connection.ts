import { connect, type Socket } from "node:net";

/** A request and the one body that is its right answer. */
export interface Exchange {
  readonly body: string;
  readonly answer: string;
}

interface Asked {
  readonly answer: Buffer;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

const HEAD_END = Buffer.from("\r\n\r\n");
const OK = Buffer.from("HTTP/1.1 200 OK\r\n");

/** One keep-alive connection that posts JSON, one request at a time. Lighter than node:http as a client. */
export class Connection {
  readonly #socket: Socket;
  readonly #head: string;
  #asked: Asked | undefined;
  #pending: Buffer = Buffer.alloc(0);

  private constructor(socket: Socket, { host, pathname }: URL) {
    this.#socket = socket;
    this.#head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("error", (error) => this.#asked?.reject(error));
    socket.on("close", () => this.#asked?.reject(new Error("The server closed a connection.")));
  }

  static open(url: URL): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
      socket.once("error", reject);
      socket.once("connect", () => resolve(new Connection(socket.off("error", reject), url)));
    });
  }

  /** Resolves with the right answer. @throws Error for any other. */
  ask({ body, answer }: Exchange): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#asked = { answer: Buffer.from(answer), resolve, reject };
      this.#socket.write(`${this.#head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    });
  }

  close(): void {
    this.#socket.end();
  }

  #read(chunk: Buffer): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const asked = this.#asked;
    const start = this.#pending.indexOf(HEAD_END) + HEAD_END.length;
    if (start < HEAD_END.length || !asked) return;
    const isOk = this.#pending.subarray(0, OK.length).equals(OK);
    if (isOk && this.#pending.length < start + asked.answer.length) return;
    const isRight = isOk && this.#pending.subarray(start).equals(asked.answer);
    const seen = this.#pending;
    this.#pending = Buffer.alloc(0);
    this.#asked = undefined;
    if (isRight) asked.resolve();
    else asked.reject(new Error(`Wrong answer, ${asked.answer.toString()} was right:\n${seen.toString()}`));
  }
}
