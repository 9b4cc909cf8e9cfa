import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** One request as the fake service saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What the fake service does with a request: a reply, or `drop` for a connection that breaks after the request. */
export type FakeReply =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string }
  | "drop"
  | "half";

/** A real HTTP server that plays the analysis service from a script; the last reply repeats. */
export class FakeService {
  readonly seen: SeenRequest[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(...script: readonly FakeReply[]): Promise<FakeService> {
    const server = createServer();
    const service = new FakeService(server);
    server.on("request", (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { method = "", url = "", headers } = request;
        service.seen.push({ method, url, headers, body: Buffer.concat(chunks).toString("utf8") });
        const reply = script[Math.min(service.seen.length, script.length) - 1] ?? "drop";
        if (reply === "drop") return request.socket.destroy();
        if (reply === "half") {
          response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
          return response.write('{"code":0,', () => request.socket.destroy());
        }
        response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
        return response.end(reply.body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** A successful reply with this content, or with other fields of `data`. */
export function answered(content: string, data: object = {}): FakeReply {
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

/** A refusal. */
export function refused(code: number | string, message: string): FakeReply {
  return { body: JSON.stringify({ code, message, data: null }) };
}
