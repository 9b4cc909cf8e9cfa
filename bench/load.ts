import { connect } from "node:net";

/** A request and the one body that is its right answer. */
export interface Exchange {
  readonly body: string;
  readonly answer: string;
}

export interface LoadOptions {
  readonly url: URL;
  readonly exchanges: readonly Exchange[];
  readonly requests: number;
  /** Each sends its next request when its last is answered. Default 50. */
  readonly connections?: number;
}

/**
 * Sends requests over keep-alive connections and holds every answer against the right one. It writes to bare sockets,
 * because node:http as a client is slower than the servers, which would then be measured half idle.
 * @throws Error for a wrong answer.
 */
export async function load({ url, exchanges, requests, connections = 50 }: LoadOptions): Promise<void> {
  const prepared = exchanges.map(({ body, answer }) => ({ bytes: requestBytes(url, body), answer: Buffer.from(answer) }));
  let sent = 0;
  const next = () => (sent < requests ? prepared[sent++ % prepared.length] : undefined);
  await Promise.all(Array.from({ length: connections }, () => converse(url, next)));
}

interface Prepared {
  readonly bytes: Buffer;
  readonly answer: Buffer;
}

const HEAD_END = Buffer.from("\r\n\r\n");
const OK = Buffer.from("HTTP/1.1 200 OK\r\n");

function converse({ hostname, port }: URL, next: () => Prepared | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let pending = Buffer.alloc(0);
    let current: Prepared | undefined;
    const proceed = (): void => {
      current = next();
      if (current) socket.write(current.bytes);
      else socket.end(resolve);
    };
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    socket.on("connect", proceed);
    socket.on("error", fail);
    socket.on("close", () => reject(new Error("The server closed a connection.")));
    socket.on("data", (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const start = pending.indexOf(HEAD_END) + HEAD_END.length;
      if (start < HEAD_END.length || !current) return;
      const { answer } = current;
      const isOk = pending.subarray(0, OK.length).equals(OK);
      if (isOk && pending.length < start + answer.length) return;
      if (!isOk || !pending.subarray(start).equals(answer)) {
        fail(new Error(`Wrong answer, ${answer.toString()} was right:\n${pending.toString()}`));
        return;
      }
      pending = Buffer.alloc(0);
      proceed();
    });
  });
}

function requestBytes({ host, pathname }: URL, body: string): Buffer {
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
  return Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
