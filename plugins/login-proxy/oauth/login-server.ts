import {
  CLOCK,
  ENVIRONMENT,
  HTTP,
  inject,
  injectable,
  token,
  type Clock,
  type Environment,
  type Http,
} from "skillctl";
import { OAuthServer } from "./oauth-server.ts";
import { OAUTH_SETTINGS, clientOf, namedIn, type OAuthClient, type OAuthSettings } from "./settings.ts";

export const LOGIN_SERVER = token<LoginServer>("login-proxy/login-server");

/** The login server that is configured, if one is. */
@injectable()
export class LoginServer {
  constructor(
    @inject(HTTP) private readonly http: Http,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(OAUTH_SETTINGS) private readonly settings: OAuthSettings,
  ) {}

  get configured(): boolean {
    const { issuer, clientId } = namedIn(this.settings, this.environment);
    return issuer !== undefined || clientId !== undefined;
  }

  /** For people, as far as the address is one. */
  get origin(): string | undefined {
    const { issuer = "" } = namedIn(this.settings, this.environment);
    return URL.canParse(issuer) ? new URL(issuer).origin : undefined;
  }

  /**
   * The client to log in as; `undefined` when none is configured.
   * @throws SkillError `CONFIG_INVALID` when it is configured in part or cannot be used.
   */
  get client(): OAuthClient | undefined {
    return clientOf(this.settings, this.environment);
  }

  /** Asks the server for its metadata: every connection does, so that what it says is never stale. */
  connect(client: OAuthClient, signal: AbortSignal): Promise<OAuthServer> {
    return OAuthServer.discover(client, { http: this.http, clock: this.clock }, signal);
  }
}
