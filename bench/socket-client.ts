import { connect, type Socket } from "node:net";

const HEAD_END = "\r\n\r\n";
const LAST_CHUNK = "\r\n0\r\n\r\n";

/** Called with nothing when the answer was right, otherwise with what came. */
export type Answered = (error?: Error) => void;

/** The bytes of a POST in front of its body. */
export function postHead({ host, pathname, search }: URL, length: number, isLast: boolean): string {
  const connection = isLast ? "Connection: close\r\n" : "";
  const lines = `POST ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n${connection}`;
  return `${lines}Content-Type: application/json\r\nContent-Length: ${length}${HEAD_END}`;
}

export function getRequest({ host, pathname, search }: URL): Buffer {
  return Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}${HEAD_END}`, "latin1");
}

/** Which answers are right: any of the kind 2xx, or only those with the body of the first as well. */
export type Right = "any" | "same";

/**
 * One keep-alive connection that sends the same bytes again and again. Lighter than node:http as a client: an answer
 * as long as the one before is not taken apart.
 */
export class SocketClient {
  readonly #socket: Socket;
  readonly #request: Buffer;
  readonly #right: Right;
  #answered: Answered | undefined;
  #answer = "";
  #length = 0;
  #body: Buffer | undefined;

  private constructor(socket: Socket, request: Buffer, right: Right) {
    this.#socket = socket;
    this.#request = request;
    this.#right = right;
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("error", (error) => this.#settle(error));
    socket.on("close", () => this.#settle(new Error("The server closed a connection.")));
  }

  static open({ hostname, port }: URL, request: Buffer, right: Right = "same"): Promise<SocketClient> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      socket.once("error", reject);
      socket.once("connect", () => resolve(new SocketClient(socket.off("error", reject), request, right)));
    });
  }

  /** The body of the first answer. */
  get body(): string {
    return this.#body?.toString() ?? "";
  }

  /** Sends the request as its bytes are now; only after the answer to the one before. */
  send(answered: Answered): void {
    this.#answered = answered;
    this.#socket.write(this.#request);
  }

  /** The same, as a promise. */
  sent(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.send((error) => (error ? reject(error) : resolve()));
    });
  }

  close(): void {
    this.#answered = undefined;
    this.#socket.end();
  }

  #read(chunk: Buffer): void {
    if (chunk.length === this.#length && this.#answer === "" && this.#isRight(chunk)) {
      this.#settle();
      return;
    }
    this.#answer += chunk.toString("latin1");
    const start = this.#answer.indexOf(HEAD_END) + HEAD_END.length;
    if (start < HEAD_END.length || !isWhole(this.#answer, start)) return;
    const answer = Buffer.from(this.#answer, "latin1");
    this.#answer = "";
    this.#length = answer.length;
    this.#body ??= answer.subarray(start);
    this.#settle(
      this.#isRight(answer) ? undefined : new Error(`Not the right answer:\n${answer.toString()}`),
    );
  }

  #isRight(answer: Buffer): boolean {
    if (answer[9] !== 0x32) return false;
    const body = this.#body;
    if (this.#right === "any" || body === undefined) return body !== undefined;
    return answer.subarray(answer.length - body.length).equals(body);
  }

  #settle(error?: Error): void {
    const answered = this.#answered;
    this.#answered = undefined;
    answered?.(error);
  }
}

/** Whether an answer, whose body begins at `start`, has come to its end. */
function isWhole(answer: string, start: number): boolean {
  const head = answer.slice(0, start);
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return answer.endsWith(LAST_CHUNK);
  return answer.length >= start + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
}
