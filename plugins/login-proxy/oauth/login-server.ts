import {
  CLOCK,
  ENVIRONMENT,
  HTTP,
  SkillError,
  config,
  inject,
  injectable,
  ownConfig,
  token,
  type Clock,
  type Environment,
  type Http,
} from "skillctl";
import type { TokenVerdict } from "../../ports.ts";
import type * as OpenidClient from "openid-client";
import type { CustomFetch } from "openid-client";
import { claimsOf, originOf, isSafeAddress, maskedAccount, objectOf } from "../token-text.ts";
import type { Config } from "../contract.ts";
import { cancelled, pause } from "../login-folder.ts";
import { deviceCodeOf, type CodeOwner, type DeviceCode } from "./pending-login.ts";

/** The validated configuration of the client of a login server. */
interface OAuthClient extends CodeOwner {
  readonly scope: string;
  /** The service that the token is for, if the server requires it. */
  readonly audience: string | undefined;
}

/** `offline_access` asks for a refresh token (OpenID Connect Core, 11). */
const DEFAULT_SCOPE = "openid offline_access";

const HINT =
  "Set SVC_LOGIN_ISSUER and SVC_LOGIN_CLIENT_ID, or `oauth` of login-proxy in the configuration file.";

/** The values from settings and environment, not validated. Variables take precedence. */
function namedIn({ oauth }: Config, environment: Environment): NonNullable<Config["oauth"]> {
  const issuer = environment.variable("SVC_LOGIN_ISSUER");
  const clientId = environment.variable("SVC_LOGIN_CLIENT_ID");
  return { ...oauth, ...(issuer !== undefined && { issuer }), ...(clientId !== undefined && { clientId }) };
}

/** The client in settings and environment. @throws SkillError `CONFIG_INVALID` */
function clientOf(settings: Config, environment: Environment): OAuthClient {
  const { issuer, clientId, scope = DEFAULT_SCOPE, audience } = namedIn(settings, environment);
  if (issuer === undefined || clientId === undefined) {
    const missing = issuer === undefined ? "address of the login server" : "client id";
    throw new SkillError("CONFIG_INVALID", `The device login has no ${missing}.`, { hint: HINT });
  }
  return { issuer: issuerUrl(issuer), clientId, scope, audience };
}

function issuerUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // An address below .well-known would be fetched directly, and could name any issuer.
  const plain = url && url.search + url.hash + url.username + url.password === "";
  const fault =
    !url || !isSafeAddress(url)
      ? "must be an https address (http only on this machine)"
      : !plain || url.pathname.includes("/.well-known/")
        ? "must be its issuer alone: no query, no password, no /.well-known/"
        : undefined;
  if (url && fault === undefined) return url;
  throw new SkillError("CONFIG_INVALID", `The address of the login server ${fault}.`, {
    hint: "Give its issuer, such as https://id.example, in SVC_LOGIN_ISSUER or in `oauth` of login-proxy.",
  });
}

/** Tokens from a login server, unchecked. */
export interface Grant {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Milliseconds since the epoch, from `expires_in`. */
  readonly expiresAt: number | undefined;
  /** The `sub` of the id token: the one claim that never changes (OpenID Connect Core, 5.7). */
  readonly account: string | undefined;
}

/** A hundred years; a longer lifetime is ignored. */
const LONGEST_TOKEN_SECONDS = 3_155_760_000;
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
/** RFC 8628 3.5: `slow_down` adds 5 seconds to this and every later wait. */
export const SLOW_DOWN_SECONDS = 5;
/** Network failures double the wait up to this limit, unless the server requested a longer interval. */
const LONGEST_BACK_OFF_SECONDS = 60;

export const LOGIN_SERVER = token<LoginServer>("login-proxy/login-server");

/** The configured login server. openid-client accesses it through the HTTP port. */
@injectable()
export class LoginServer {
  constructor(
    @inject(HTTP) private readonly http: Http,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(config<Config>()) private readonly settings: Config,
    @inject(ownConfig<Config>()) private readonly own: Config,
  ) {}

  get configured(): boolean {
    const { issuer, clientId } = namedIn(this.settings, this.environment);
    return (issuer ?? clientId) !== undefined;
  }

  /** For messages; undefined if the address is invalid. */
  get origin(): string | undefined {
    return originOf(namedIn(this.settings, this.environment).issuer);
  }

  /** @throws SkillError `CONFIG_INVALID` if the configuration is missing, incomplete or invalid. */
  get client(): OAuthClient {
    return clientOf(this.settings, this.environment);
  }

  /** Fetches the server's metadata for every connection, so that it is never stale. */
  async connect(signal: AbortSignal): Promise<Connection> {
    const { client } = this;
    const openid = await import("openid-client");
    const { issuer, clientId } = client;
    const fetch = portFetch(this.http, signal, this.own.environmentNetwork === true);
    try {
      const configuration = await openid.discovery(issuer, clientId, undefined, openid.None(), {
        [openid.customFetch]: fetch,
        ...(issuer.protocol === "http:" && { execute: [openid.allowInsecureRequests] }),
      });
      return new Connection(openid, configuration, client, this.clock, signal);
    } catch (caught) {
      const fault = faultOf(caught, issuer.origin, "the request for its metadata");
      const isIll = fault === (caught as Error).cause || (statusOf(caught) ?? 0) >= 500;
      if (fault.code !== "NETWORK_BROKEN" || isIll) throw fault;
      throw new SkillError(
        "CONFIG_INVALID",
        `${issuer.href} is not a usable login server: ${fault.message}`,
        { hint: "Check the address of the login server: it must be the issuer that its metadata names." },
      );
    }
  }
}

/**
 * A login server with its metadata. Every method throws `NETWORK_*`, `CANCELLED`, and `CONFIG_INVALID` if the server refuses
 * the client; messages and causes contain no tokens or codes.
 */
class Connection {
  constructor(
    private readonly openid: typeof OpenidClient,
    private readonly configuration: OpenidClient.Configuration,
    private readonly client: OAuthClient,
    private readonly clock: Clock,
    private readonly signal: AbortSignal,
  ) {}

  /** Requests a code for a person to confirm (RFC 8628 3.1). */
  async authorize(): Promise<DeviceCode> {
    const { scope, audience } = this.client;
    if (this.#metadata.device_authorization_endpoint === undefined)
      throw new SkillError("CONFIG_INVALID", `${this.#origin} does not support the device login.`, {
        hint: "Log in with another login program, or paste a token: `skillctl run login-proxy login --mode paste`.",
      });
    const parameters = { scope, ...(audience !== undefined && { audience }) };
    const answer = await this.#ask("the device login", () =>
      this.openid.initiateDeviceAuthorization(this.configuration, parameters),
    );
    const code = deviceCodeOf(answer, this.clock.now());
    if (code) return code;
    throw new SkillError(
      "NETWORK_BROKEN",
      `${this.#origin} returned a code or an address that cannot be shown.`,
    );
  }

  /**
   * Polls until a code is confirmed or expires.
   * @throws SkillError also `LOGIN_REFUSED`, `LOGIN_EXPIRED`; `NETWORK_*` if the server was unreachable until the end.
   */
  async confirmed(code: DeviceCode): Promise<Grant> {
    const end = AbortSignal.timeout(Math.max(0, code.expiresAt - this.clock.now()));
    const stop = AbortSignal.any([this.signal, end]);
    let failure: SkillError | undefined;
    for (let { interval } = code; ;) {
      try {
        await pause(interval * 1000, stop);
        const answer = await this.poll(code);
        if (typeof answer === "object") return answer;
        if (answer === "slower") interval += SLOW_DOWN_SECONDS;
        failure = undefined;
      } catch (caught) {
        if (this.signal.aborted) throw cancelled();
        if (end.aborted) throw failure ?? expired();
        if (!(caught instanceof SkillError) || !caught.code.startsWith("NETWORK_")) throw caught;
        failure = caught;
        interval = Math.min(interval * 2, Math.max(code.interval, LONGEST_BACK_OFF_SECONDS));
      }
    }
  }

  /** Polls once for a code; `slower` if it is not confirmed and the server demands longer intervals. */
  async poll({ device_code }: DeviceCode): Promise<Grant | "pending" | "slower"> {
    try {
      return this.#grant(
        await this.openid.genericGrantRequest(this.configuration, DEVICE_GRANT, { device_code }),
      );
    } catch (caught) {
      const error = oauthErrorOf(caught);
      if (error === "authorization_pending") return "pending";
      if (error === "slow_down") return "slower";
      throw ended(caught) ?? faultOf(caught, this.#origin, "the request for the login");
    }
  }

  /** New tokens for a refresh token; `undefined` if the server no longer accepts it. */
  async refresh(refreshToken: string): Promise<Grant | undefined> {
    try {
      return this.#grant(await this.openid.refreshTokenGrant(this.configuration, refreshToken));
    } catch (caught) {
      if (oauthErrorOf(caught) === "invalid_grant") return undefined;
      throw faultOf(caught, this.#origin, "the refresh of the login");
    }
  }

  /** Whether the server accepts an access token; `undefined` if it gives no clear answer. */
  async userInfo(accessToken: string): Promise<TokenVerdict | undefined> {
    if (this.#metadata.userinfo_endpoint === undefined) return undefined;
    const openid = this.openid;
    try {
      const claims = await openid.fetchUserInfo(this.configuration, accessToken, openid.skipSubjectCheck);
      return { state: "valid", account: maskedAccount(claims) };
    } catch (caught) {
      if (oauthErrorOf(caught) === "invalid_token" || statusOf(caught) === 401) return { state: "invalid" };
      // The token is valid but lacks the scope for this request.
      if (oauthErrorOf(caught) === "insufficient_scope") return undefined;
      throw faultOf(caught, this.#origin, "the request for the account");
    }
  }

  /** Revokes a refresh token (RFC 7009); false if the server does not support that. */
  async revoke(refreshToken: string): Promise<boolean> {
    if (this.#metadata.revocation_endpoint === undefined) return false;
    const hint = { token_type_hint: "refresh_token" };
    await this.#ask("the end of the login", () =>
      this.openid.tokenRevocation(this.configuration, refreshToken, hint),
    );
    return true;
  }

  get #metadata(): OpenidClient.ServerMetadata {
    return this.configuration.serverMetadata();
  }

  get #origin(): string {
    return this.client.issuer.origin;
  }

  #grant(answer: OpenidClient.TokenEndpointResponse): Grant {
    const seconds = answer.expires_in ?? 0;
    const account = answer[ACCOUNT];
    return {
      accessToken: answer.access_token,
      refreshToken: answer.refresh_token,
      expiresAt:
        seconds > 0 && seconds <= LONGEST_TOKEN_SECONDS ? this.clock.now() + seconds * 1000 : undefined,
      account: typeof account === "string" && account !== "" ? account : undefined,
    };
  }

  async #ask<T>(action: string, question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (caught) {
      throw faultOf(caught, this.#origin, action);
    }
  }
}

/** The error for a response that ends the polling. */
function ended(caught: unknown): SkillError | undefined {
  const error = oauthErrorOf(caught);
  // invalid_grant: the code has been used or removed.
  if (error === "expired_token" || error === "invalid_grant") return expired();
  if (error !== "access_denied") return undefined;
  return new SkillError("LOGIN_REFUSED", "The login was refused on the login page.", {
    hint: "Log in again and confirm the new code.",
  });
}

function expired(): SkillError {
  return new SkillError("LOGIN_EXPIRED", "The code was not confirmed in time.", {
    hint: "Log in again: `skillctl run login-proxy login`.",
  });
}

/** Time limit for each request of a login. */
const TIMEOUT_MS = 20_000;
/** The metadata of a login server has about 10 KiB. */
const MAX_BYTES = 262_144;
/** Statuses for which a `Response` must not have a body. */
const BODILESS = new Set([204, 205, 304]);

/**
 * Adapts the HTTP port for openid-client, so that its limits apply and no redirect is followed. Throws the errors of the
 * port, and `CONFIG_INVALID` if a server names an unsafe address. The signal aborts every request except those for tokens,
 * which it only prevents from being sent: the server may already have used up the refresh token or the code, and the login
 * then only exists in its response.
 */
function portFetch(http: Http, signal: AbortSignal, viaEnvironment: boolean): CustomFetch {
  return async (url, { method, headers, body }) => {
    if (!isSafeAddress(new URL(url)))
      throw new SkillError("CONFIG_INVALID", "The login server names an address that is not https.", {
        hint: "Report this to the operator of the login server.",
      });
    const form = body instanceof URLSearchParams ? body : undefined;
    const yieldsTokens = form?.has("grant_type") === true;
    if (yieldsTokens && signal.aborted) throw cancelled();
    const answer = await http.send({
      method: method === "POST" ? "POST" : "GET",
      url,
      headers,
      ...(form && { body: form.toString() }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      viaEnvironment,
      ...(!yieldsTokens && { signal }),
    });
    const { status } = answer;
    const isRead = form !== undefined && status === 200;
    const content = isRead ? readable(answer.body) : answer.body;
    return new Response(BODILESS.has(status) ? null : content, { status, headers: answer.headers });
  };
}

/** Optional parts of a response. */
const OPTIONAL_TEXTS = ["refresh_token", "scope", "verification_uri_complete"];
const NUMBERS = ["expires_in", "interval"];

/**
 * Removes the parts for which openid-client would reject a response that grants a login, because the response uses up the
 * grant. Malformed optional parts are dropped; the id token is replaced by its `sub`, since its times depend on this
 * machine's clock.
 */
function readable(text: string): string {
  const given = objectOf(text);
  if (!given) return text;
  const { id_token: idToken, ...parts }: Record<string, unknown> = given;
  for (const name of OPTIONAL_TEXTS)
    if (typeof parts[name] !== "string" || parts[name] === "") delete parts[name];
  for (const name of NUMBERS) {
    const number = Number(parts[name]);
    if (number > 0 && number < Infinity) parts[name] = number;
    else delete parts[name];
  }
  if (parts["access_token"] !== undefined) parts["token_type"] ??= "bearer";
  // The token endpoint itself vouches for the id token (OpenID Connect Core, 3.1.3.7).
  return JSON.stringify({
    ...parts,
    [ACCOUNT]: typeof idToken === "string" ? claimsOf(idToken)["sub"] : undefined,
  });
}

const ACCOUNT = "skillctl_account";

/** Errors of RFC 6749 5.2, RFC 8628 and RFC 8707 that indicate a wrong client configuration. */
const CONFIGURATION = new Set([
  "invalid_client",
  "invalid_request",
  "invalid_scope",
  "invalid_target",
  "unauthorized_client",
  "unsupported_grant_type",
]);

/**
 * The error code in a login server's response, such as `invalid_grant`, from the body or from the challenge in
 * `WWW-Authenticate` (RFC 6750 3); undefined if it has none.
 */
function oauthErrorOf(caught: unknown): string | undefined {
  const { error, cause } = caught as { readonly error?: unknown; readonly cause?: unknown };
  const challenge = Array.isArray(cause) ? (cause[0] as { parameters?: { error?: unknown } }) : undefined;
  const named = error ?? challenge?.parameters?.error;
  return typeof named === "string" ? named : undefined;
}

/** The HTTP status in an error of openid-client. */
function statusOf(caught: unknown): number | undefined {
  const { status, cause } = caught as { readonly status?: unknown; readonly cause?: unknown };
  if (typeof status === "number") return status;
  return cause instanceof Response ? cause.status : undefined;
}

/**
 * Translates an error of openid-client. The original is not attached, not even as a cause: it contains the server's
 * response with tokens and codes.
 */
function faultOf(caught: unknown, origin: string, action: string): SkillError {
  const cause = caught instanceof Error ? caught.cause : undefined;
  for (const one of [caught, cause]) if (one instanceof SkillError) return one;
  const error = oauthErrorOf(caught);
  if (error !== undefined && CONFIGURATION.has(error))
    return new SkillError("CONFIG_INVALID", `${origin} refuses ${action} (${error}).`, {
      hint: "Check the client id, the scope and the audience of the device login.",
    });
  const status = statusOf(caught);
  // Unknown errors and all descriptions may repeat parts of the request.
  const isUnread = status === undefined || status === 200;
  const answer = isUnread ? "in a form that cannot be read" : `with status ${status}`;
  return new SkillError("NETWORK_BROKEN", `${origin} answered ${action} ${answer}.`, {
    hint: "Try again later.",
  });
}
