import type { Http } from "../ports/http.ts";
import type { OpenServer } from "../ports/server.ts";

/** Tracks open servers and requests, so that leaks can be reported. */
export class Leaks {
  readonly #servers = new Map<OpenServer, string>();
  readonly #requests = new Map<symbol, string>();

  /** Tracks a server until it is closed. */
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

  /** Tracks the requests of a network until they are answered. */
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

  /** One sentence for each leak; closes the servers among them. */
  async found(): Promise<readonly string[]> {
    const sentences = [...this.#servers.values(), ...this.#requests.values()];
    for (const server of this.#servers.keys()) await server.close();
    return sentences;
  }
}
