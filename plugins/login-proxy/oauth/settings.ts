import { SkillError, type Environment } from "skillctl";
import { isSafeAddress } from "../token-text.ts";
import type { Config } from "../contract.ts";

/** The validated configuration of the client of a login server. */
export interface OAuthClient {
  /** As in the server's metadata. */
  readonly issuer: URL;
  readonly clientId: string;
  readonly scope: string;
  /** The service that the token is for, if the server requires it. */
  readonly audience: string | undefined;
}

/** `offline_access` asks for a refresh token (OpenID Connect Core, 11). */
const DEFAULT_SCOPE = "openid offline_access";

const HINT =
  "Set SVC_LOGIN_ISSUER and SVC_LOGIN_CLIENT_ID, or `oauth` of login-proxy in the configuration file.";

/** The values from settings and environment, not validated. Variables take precedence. */
export function namedIn({ oauth }: Config, environment: Environment): NonNullable<Config["oauth"]> {
  const issuer = environment.variable("SVC_LOGIN_ISSUER");
  const clientId = environment.variable("SVC_LOGIN_CLIENT_ID");
  return { ...oauth, ...(issuer !== undefined && { issuer }), ...(clientId !== undefined && { clientId }) };
}

/** The client in settings and environment. @throws SkillError `CONFIG_INVALID` */
export function clientOf(settings: Config, environment: Environment): OAuthClient {
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
