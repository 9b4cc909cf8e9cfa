import type { Http } from "../ports/http.ts";
import type { OpenServer } from "../ports/server.ts";

/** Keeps count of what is open, so that what was forgotten can be named. */
export class Leaks {
  readonly #servers = new Map<OpenServer, string>();
  readonly #requests = new Map<symbol, string>();

  /** A server that is known to be open until it is closed. */
  server(owner: string, server: OpenServer): OpenServer {
    const watched: OpenServer = {
      ...server,
      close: async () => {
        await server.close();
        this.#servers.delete(watched);
      },
    };
    this.#servers.set(watched, `${owner} left its server ${server.url} open`);
    return watched;
  }

  /** A network whose requests are known to be under way until they are answered. */
  http(http: Http): Http {
    return {
      send: async (request) => {
        const key = Symbol(request.url);
        this.#requests.set(
          key,
          `a ${request.method} request to ${new URL(request.url).origin} is still under way`,
        );
        try {
          return await http.send(request);
        } finally {
          this.#requests.delete(key);
        }
      },
    };
  }

  /** One sentence for each thing that is still open; the servers among them are closed then. */
  async found(): Promise<readonly string[]> {
    const sentences = [...this.#servers.values(), ...this.#requests.values()];
    for (const server of this.#servers.keys()) await server.close();
    return sentences;
  }
}
