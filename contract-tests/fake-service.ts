import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";

/** One request as the fake service saw it. */
export interface SeenRequest extends Pick<IncomingMessage, "headers" | "rawHeaders"> {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  /** The body as it came over the wire. */
  readonly bytes: Buffer;
}

/** A complete answer, whatever its content. */
export interface WholeReply {
  readonly status?: number;
  /** Headers in addition to or instead of `content-type: application/json`; an empty value leaves one out. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** One whose body is text. */
export interface TextReply extends WholeReply {
  readonly body: string;
}

/**
 * The fake service's response to a request that it has read: a reply, `drop` for a connection that ends without
 * an answer, `reset` for one that is reset, `half` for one that ends in the middle of an answer, `silent` for none at all.
 */
export type FakeReply = WholeReply | "drop" | "reset" | "half" | "silent";

/** A response that is determined later: for an answer that waits until a test has seen something. */
export type ScriptedReply = FakeReply | Promise<FakeReply>;

/** Where and how it listens. Default: plain HTTP on a free port. */
export interface FakeAddress {
  readonly port?: number;
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A real HTTP server that plays the analysis service from a script; the last reply repeats. */
export class FakeService {
  readonly seen: SeenRequest[] = [];
  /** The number of requests that their sender abandoned before they were answered. */
  left = 0;
  readonly #server: Server;
  readonly #scheme: "http" | "https";
  readonly #waiting = new Set<() => void>();

  private constructor(script: readonly ScriptedReply[], tls: FakeAddress["tls"]) {
    const listener: RequestListener = (request, response) => {
      const chunks: Buffer[] = [];
      response.once("close", () => {
        if (!response.writableFinished) this.left += 1;
        this.#tell();
      });
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { method = "", url = "", headers, rawHeaders } = request;
        const bytes = Buffer.concat(chunks);
        this.seen.push({ method, url, headers, rawHeaders, bytes, body: bytes.toString("utf8") });
        this.#tell();
        const reply = script[Math.min(this.seen.length, script.length) - 1] ?? "drop";
        void Promise.resolve(reply).then((known) => act(known, request, response));
      });
    };
    this.#scheme = tls ? "https" : "http";
    this.#server = tls ? createSecureServer(tls, listener) : createServer(listener);
  }

  static start(...script: readonly ScriptedReply[]): Promise<FakeService> {
    return FakeService.startAt({}, script);
  }

  static async startAt(
    { port = 0, tls }: FakeAddress,
    script: readonly ScriptedReply[],
  ): Promise<FakeService> {
    const service = new FakeService(script, tls);
    await new Promise<void>((resolve) => service.#server.listen(port, "127.0.0.1", resolve));
    return service;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.port}`;
  }

  /** The bodies of the requests, as JSON. */
  get bodies(): unknown[] {
    return this.seen.map(({ body }) => JSON.parse(body) as unknown);
  }

  /** Waits until this holds; it is checked whenever a request has been read or abandoned. */
  async until(holds: (service: FakeService) => boolean): Promise<void> {
    while (!holds(this)) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #tell(): void {
    for (const look of this.#waiting) look();
    this.#waiting.clear();
  }
}

function act(reply: FakeReply, { socket }: IncomingMessage, response: ServerResponse): void {
  if (reply === "silent") return;
  if (reply === "drop") return void socket.destroy();
  if (reply === "reset") return void socket.resetAndDestroy();
  if (reply === "half") {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    return void response.write('{"code":0,', () => socket.destroy());
  }
  const headers = Object.entries({ "content-type": "application/json", ...reply.headers });
  response.writeHead(reply.status ?? 200, Object.fromEntries(headers.filter(([, value]) => value !== "")));
  response.end(reply.body);
}

/** A successful reply with this content, or with other fields of `data`. */
export function answered(content: string, data: object = {}): TextReply {
  const whole = {
    sessionId: "s",
    messageId: "m",
    content,
    finishReason: "COMPLETE",
    safetyRevoked: false,
    ...data,
  };
  return { body: JSON.stringify({ code: 0, message: null, data: whole }) };
}

/** An incomplete answer. */
export function finished(finishReason: string): FakeReply {
  return answered("", { finishReason });
}

/** A refusal. */
export function refused(code: number | string, message: string): FakeReply {
  return { body: JSON.stringify({ code, message, data: null }) };
}
