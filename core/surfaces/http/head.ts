import type { IncomingMessage } from "node:http";

/**
 * What the gate reads of a request's head, in one pass over the lines as they came. Node's own `headers`, which costs
 * a twentieth of a small request, is made when somebody asks for more.
 */
export class Head {
  readonly method: string;
  readonly url: string;
  /** How many Host lines there are: what stands between may have judged by another than the first. */
  hosts = 0;
  host: string | undefined;
  /** Several are joined by commas, so that they are no origin. */
  origin: string | undefined;
  authorization: string | undefined;
  /** What a browser says of a request that has no Origin: whose page it is from, and what for. */
  fetchSite: string | undefined;
  fetchDest: string | undefined;
  /** Bytes of the body as announced; 0 when nothing is. */
  length = 0;

  constructor({ method = "", url = "", rawHeaders }: IncomingMessage) {
    this.method = method;
    this.url = url;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] as string;
      switch (name.length) {
        case 4:
        case 6:
        case 13:
        case 14:
          this.#read(name.toLowerCase(), rawHeaders[index + 1] as string);
      }
    }
  }

  #read(name: string, value: string): void {
    switch (name) {
      case "host":
        this.hosts += 1;
        this.host ??= value;
        break;
      case "origin":
        this.origin = this.origin === undefined ? value : `${this.origin}, ${value}`;
        break;
      case "authorization":
        this.authorization ??= value;
        break;
      case "sec-fetch-site":
        this.fetchSite = value;
        break;
      case "sec-fetch-dest":
        this.fetchDest = value;
        break;
      case "content-length":
        this.length = Number(value);
    }
  }
}
