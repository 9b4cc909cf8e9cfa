import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { answered, type FakeReply } from "../../../contract-tests/fake-service.ts";

/** The body of a question as the service got it. */
export interface Body {
  readonly userMessage: string;
  readonly songId?: number;
}

/** The reply of the service to a question; `token` is that of the header. */
export type Answer = (body: Body, token: string) => FakeReply | Promise<FakeReply>;

/** The internal question whose answer is never shown. */
export const OVERALL: Body = { userMessage: "看看我的整体歌曲表现" };

/** A real HTTP server that computes each answer from the question, for tests where a script cannot foresee the questions. */
export class AskingService {
  /** The bodies of all questions, in order. */
  readonly bodies: Body[] = [];
  /** May be replaced at any time. */
  answer: Answer;
  readonly #server: Server;

  private constructor(server: Server, answer: Answer) {
    this.#server = server;
    this.answer = answer;
  }

  /** `host`: the address that it listens on. */
  static async start(answer: Answer, host = "127.0.0.1"): Promise<AskingService> {
    const server = createServer();
    const service = new AskingService(server, answer);
    server.on("request", (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Body;
        service.bodies.push(body);
        const token = String(request.headers["svc-header-token"]);
        void Promise.resolve(service.answer(body, token)).then((reply) => {
          if (typeof reply === "string") return request.socket.destroy();
          response.writeHead(reply.status ?? 200, { "content-type": "application/json" });
          return response.end(reply.body);
        });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
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

/** A name and its id, as the service knows it. */
export type Song = readonly [name: string, id: number];

/** An account of the service. */
interface Catalogue {
  /** Songs in the answer to the overall question. */
  readonly overall: readonly Song[];
  /** Songs in answers to other questions about the account. Default: none. */
  readonly listed?: readonly Song[];
  /** The account id of `data.sessionId`. Default: an id of an unknown form, which names no account. */
  readonly account?: string;
}

/** Answers of an account: song tables for the account, and for one song a sentence with its id and without new songs. */
export function catalogue({ overall, listed = [], account }: Catalogue): Answer {
  const data = { sessionId: account === undefined ? "s" : `svc:svc:${account}:20260701` };
  return ({ userMessage, songId }) => {
    if (songId !== undefined) return answered(`answer about song ${songId}`, data);
    const songs = userMessage === OVERALL.userMessage ? overall : listed;
    return answered(`answer about the account\n\n${table(songs)}`, data);
  };
}

/** A table of songs as in answers. */
function table(songs: readonly Song[]): string {
  const rows = songs.map(([name, id], place) => `| ${name} | ${id} | ${1_000 - place} |`);
  return songs.length === 0 ? "" : ["| 歌曲名 | songId | 播放量 |", "|---|---|---|", ...rows, ""].join("\n");
}
