import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

/** A request to the login server. */
export interface OAuthRequest {
  readonly path: string;
  readonly form: URLSearchParams;
  readonly authorization: string | undefined;
}

/** A response in place of the real server's; `silence` sends none. */
export type OAuthReply =
  | {
      readonly status: number;
      readonly body: string | object;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | "silence"
  | "drop";

/** May answer a request before the real server sees it; undefined lets it through. */
type OAuthScript = (request: OAuthRequest) => OAuthReply | undefined | Promise<OAuthReply | undefined>;

interface OAuthProviderOptions {
  /** Further parts of the configuration of oidc-provider. */
  readonly features?: object;
  /** Seconds between two polls of a login. Default: no interval is named, which means 5. */
  readonly intervalSeconds?: number;
}

export const CLIENT_ID = "skillctl";
export const ACCOUNT = "account-7f3e91";
const CLAIMS = { sub: ACCOUNT, email: "ada.lovelace@example.org" };

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/**
 * A real OAuth server, oidc-provider, on a free loopback port. Scripts add the behaviour that it lacks: it
 * never says `slow_down`, and it does not break connections.
 */
export class OAuthProvider {
  readonly seen: OAuthRequest[] = [];
  #script: OAuthScript = () => undefined;
  readonly #server: Server;
  readonly provider: Provider;

  private constructor(server: Server, provider: Provider) {
    this.#server = server;
    this.provider = provider;
  }

  static async start(options: OAuthProviderOptions = {}): Promise<OAuthProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const provider = new Provider(urlOf(server), configuration(options));
    provider.use(async (context, next) => {
      await next();
      const { intervalSeconds: interval } = options;
      if (context.path === "/device/auth" && context.body && interval !== undefined)
        context.body = { ...context.body, interval };
    });
    const whole = new OAuthProvider(server, provider);
    const answer = provider.callback();
    server.on("request", (request, response) => void whole.#answer(request, response, answer));
    return whole;
  }

  /** The issuer. */
  get url(): string {
    return urlOf(this.#server);
  }

  /** The requests to the token endpoint, by the value of `grant_type`. */
  grants(type: "device" | "refresh"): readonly OAuthRequest[] {
    const wanted = type === "device" ? DEVICE_GRANT : "refresh_token";
    return this.seen.filter(({ path, form }) => path === "/token" && form.get("grant_type") === wanted);
  }

  /** Answers according to a script until that is disposed of. */
  play(script: OAuthScript): Disposable {
    this.#script = script;
    return { [Symbol.dispose]: () => void (this.#script = () => undefined) };
  }

  /** Confirms a user code, as the page does after a login. */
  async approve(userCode: string): Promise<void> {
    const code = await this.#code(userCode);
    const grant = new this.provider.Grant({ accountId: ACCOUNT, clientId: CLIENT_ID });
    const scope = code.params["scope"] ?? "openid";
    grant.addOIDCScope(scope);
    Object.assign(code, { accountId: ACCOUNT, scope, grantId: await grant.save() });
    await code.save();
  }

  /** Refuses a user code, as the button on the page does. */
  async deny(userCode: string): Promise<void> {
    const code = await this.#code(userCode);
    code.error = "access_denied";
    await code.save();
  }

  /** Makes a user code expire. */
  async expire(userCode: string): Promise<void> {
    const code = await this.#code(userCode);
    code.exp = Math.floor(Date.now() / 1000) - 1;
    await code.save();
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async #code(userCode: string) {
    const code = await this.provider.DeviceCode.findByUserCode(userCode.replace("-", ""));
    if (!code) throw new Error(`The login server knows no code ${userCode}.`);
    return code;
  }

  async #answer(
    request: IncomingMessage & { body?: unknown },
    response: ServerResponse,
    answer: ReturnType<Provider["callback"]>,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname } = new URL(request.url ?? "/", this.url);
    const form = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
    const seen = { path: pathname, form, authorization: request.headers.authorization };
    this.seen.push(seen);
    const reply = await this.#script(seen);
    if (reply === "silence") return;
    if (reply === "drop") return void request.socket.destroy();
    if (reply !== undefined) {
      response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
      response.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
      return;
    }
    // The body has been read here; oidc-provider uses `request.body` if it is set.
    request.body = Object.fromEntries(form);
    await answer(request, response);
  }
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function configuration({ features = {} }: OAuthProviderOptions): object {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: "none",
        grant_types: [DEVICE_GRANT, "refresh_token"],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: "ES256",
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "ES256", use: "sig" }] },
    cookies: { keys: ["for the tests"] },
    features: {
      deviceFlow: { enabled: true },
      devInteractions: { enabled: false },
      revocation: { enabled: true },
      ...features,
    },
    claims: { openid: ["sub", "email"] },
    ttl: {
      AccessToken: 600,
      DeviceCode: 600,
      Grant: 86_400,
      IdToken: 600,
      RefreshToken: 86_400,
    },
    rotateRefreshToken: true,
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => CLAIMS }),
  };
}
