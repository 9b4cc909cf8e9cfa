/** How `openHttpServer` listens and whom it lets in. */
export interface HttpServerOptions {
  /** Address to bind. Default `127.0.0.1`. Anything beyond loopback needs both `key` and `allowHosts`. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Names the server also answers for beside loopback: `name` on any port, or `name:port`. Compared exactly. */
  readonly allowHosts?: readonly string[];
  /** Origins whose pages may call and read, such as `https://app.example`. Compared exactly. */
  readonly allowOrigins?: readonly string[];
  /** Every route but `/health` then needs `Authorization: Bearer <key>`. */
  readonly key?: string;
}
