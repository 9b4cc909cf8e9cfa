import { SkillError, type Clock, type Http, type TokenVerdict } from "skillctl";
import type * as OpenidClient from "openid-client";
import { maskedAccount } from "./account-mask.ts";
import { DEFAULT_INTERVAL_SECONDS, deviceCodeOf, endOf, type DeviceCode } from "./device-code.ts";
import { httpFetch } from "./http-fetch.ts";
import { faultOf, oauthErrorOf, statusOf } from "./oauth-fault.ts";
import type { OAuthClient } from "./settings.ts";

/** Tokens as a login server issued them, unchecked. */
export interface Grant {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Milliseconds since the epoch, by `expires_in`. */
  readonly expiresAt: number | undefined;
  /** The `sub` of the id token: the one claim that never changes (OpenID Connect Core, 5.7). */
  readonly account: string | undefined;
}

/** What a login server says of a device code (RFC 8628 3.5). */
export type PollAnswer = Grant | "pending" | "slow" | "denied" | "expired";

/** What a connection to a login server needs of its host. */
export interface OAuthPorts {
  readonly http: Http;
  readonly clock: Clock;
}

/** A hundred years: what is said to last longer says nothing. */
const LONGEST_TOKEN_SECONDS = 3_155_760_000;
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

const POLL_ERRORS: Readonly<Record<string, PollAnswer>> = {
  authorization_pending: "pending",
  slow_down: "slow",
  access_denied: "denied",
  expired_token: "expired",
  // A code that was used or forgotten meanwhile.
  invalid_grant: "expired",
};

/**
 * A login server, by its metadata. Every method throws `NETWORK_*`, `CANCELLED`, and `CONFIG_INVALID` where the server
 * does not take this client; no message and no cause holds a token or a code.
 */
export class OAuthServer {
  readonly #openid: typeof OpenidClient;
  readonly #configuration: OpenidClient.Configuration;
  readonly #client: OAuthClient;
  readonly #clock: Clock;

  private constructor(
    openid: typeof OpenidClient,
    configuration: OpenidClient.Configuration,
    client: OAuthClient,
    clock: Clock,
  ) {
    this.#openid = openid;
    this.#configuration = configuration;
    this.#client = client;
    this.#clock = clock;
  }

  /** Reads the metadata and holds their issuer against the one that was asked for (OpenID Connect Discovery, 4.3). */
  static async discover(
    client: OAuthClient,
    { http, clock }: OAuthPorts,
    signal: AbortSignal,
  ): Promise<OAuthServer> {
    const openid = await import("openid-client");
    const { issuer, clientId } = client;
    try {
      const configuration = await openid.discovery(issuer, clientId, undefined, openid.None(), {
        [openid.customFetch]: httpFetch(http, signal),
        ...(issuer.protocol === "http:" && { execute: [openid.allowInsecureRequests] }),
      });
      return new OAuthServer(openid, configuration, client, clock);
    } catch (caught) {
      const fault = faultOf(caught, issuer.origin, "the question for its metadata");
      const status = statusOf(caught);
      if (fault.code !== "NETWORK_BROKEN" || fault === (caught as Error).cause || (status ?? 0) >= 500)
        throw fault;
      throw new SkillError(
        "CONFIG_INVALID",
        `${issuer.href} is no login server that can be used: ${fault.message}`,
        {
          hint: "Check the address of the login server: it must be the issuer that its metadata name.",
        },
      );
    }
  }

  /** Asks for a code that a person can confirm (RFC 8628 3.1). */
  async authorize(): Promise<DeviceCode> {
    const { scope, audience } = this.#client;
    if (this.#metadata.device_authorization_endpoint === undefined)
      throw new SkillError("CONFIG_INVALID", `${this.#origin} offers no device login.`, {
        hint: "Log in with another login program, or paste a token: `skillctl run login-proxy login --mode paste`.",
      });
    const answer = await this.#ask("the device login", () =>
      this.#openid.initiateDeviceAuthorization(this.#configuration, { scope, ...(audience && { audience }) }),
    );
    const code = deviceCodeOf({
      deviceCode: answer.device_code,
      userCode: answer.user_code,
      verificationUri: answer.verification_uri,
      completeUri: answer.verification_uri_complete,
      intervalSeconds: answer.interval ?? DEFAULT_INTERVAL_SECONDS,
      expiresAt: endOf(this.#clock.now(), answer.expires_in),
    });
    if (code) return code;
    throw new SkillError(
      "NETWORK_BROKEN",
      `${this.#origin} answered with a code or an address that cannot be shown.`,
    );
  }

  /** Asks once whether a code has been confirmed. */
  async poll({ deviceCode }: DeviceCode): Promise<PollAnswer> {
    try {
      return await this.#grant(DEVICE_GRANT, { device_code: deviceCode });
    } catch (caught) {
      const answer = POLL_ERRORS[oauthErrorOf(caught) ?? ""];
      if (answer !== undefined) return answer;
      throw faultOf(caught, this.#origin, "the question for the login");
    }
  }

  /** New tokens for a refresh token; `undefined` when the server does not take it any more. */
  async refresh(refreshToken: string): Promise<Grant | undefined> {
    try {
      return await this.#grant("refresh_token", { refresh_token: refreshToken });
    } catch (caught) {
      if (oauthErrorOf(caught) === "invalid_grant") return undefined;
      throw faultOf(caught, this.#origin, "the refresh of the login");
    }
  }

  /** Whether the server takes an access token; `undefined` when it cannot tell. */
  async userInfo(accessToken: string): Promise<TokenVerdict | undefined> {
    if (this.#metadata.userinfo_endpoint === undefined) return undefined;
    const openid = this.#openid;
    try {
      const account = maskedAccount(
        await openid.fetchUserInfo(this.#configuration, accessToken, openid.skipSubjectCheck),
      );
      return { state: "valid", ...(account !== undefined && { account }) };
    } catch (caught) {
      if (oauthErrorOf(caught) === "invalid_token" || statusOf(caught) === 401) return { state: "invalid" };
      // The token is good, only not for this question.
      if (oauthErrorOf(caught) === "insufficient_scope") return undefined;
      throw faultOf(caught, this.#origin, "the question for the account");
    }
  }

  /** Makes a refresh token useless (RFC 7009); false where the server offers no such thing. */
  async revoke(refreshToken: string): Promise<boolean> {
    if (this.#metadata.revocation_endpoint === undefined) return false;
    const hint = { token_type_hint: "refresh_token" };
    await this.#ask("the end of the login", () =>
      this.#openid.tokenRevocation(this.#configuration, refreshToken, hint),
    );
    return true;
  }

  get #metadata(): OpenidClient.ServerMetadata {
    return this.#configuration.serverMetadata();
  }

  get #origin(): string {
    return this.#client.issuer.origin;
  }

  async #grant(type: string, parameters: Record<string, string>): Promise<Grant> {
    const answer = await this.#openid.genericGrantRequest(this.#configuration, type, parameters);
    const seconds = answer.expires_in ?? 0;
    return {
      accessToken: answer.access_token,
      refreshToken: answer.refresh_token,
      expiresAt:
        seconds > 0 && seconds <= LONGEST_TOKEN_SECONDS ? this.#clock.now() + seconds * 1000 : undefined,
      account: answer.claims()?.sub,
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
