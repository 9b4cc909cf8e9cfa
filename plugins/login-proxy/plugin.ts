import { ACCESS_TOKENS, config, definePlugin, inject, injectable, type AccessTokens } from "skillctl";
import { CheckCommand } from "./check-command.ts";
import type { Config, Contract } from "./contract.ts";
import { LOGIN, Login } from "./login.ts";
import { LoginCommand } from "./login-command.ts";
import { LogoutCommand } from "./logout-command.ts";
import { OAUTH_SETTINGS, type OAuthSettings } from "./oauth/settings.ts";
import { wireDeviceLogin } from "./oauth/wire.ts";
import { NoHomeReadRule } from "./no-home-read-rule.ts";
import { NoTokenDumpRule } from "./no-token-dump-rule.ts";
import { REFRESH_LOCK, RefreshLock } from "./refresh-lock.ts";
import { StatusCommand } from "./status-command.ts";
import { TOKEN_CACHE, TokenCache } from "./token-cache.ts";
import { TOKEN_CHECK, TokenCheck } from "./token-check.ts";
import { TOKEN_RENEWAL, TokenRenewal } from "./token-renewal.ts";
import { VerifyCommand } from "./verify-command.ts";

/** What other skills borrow: the token, a new one when it is refused, and nothing about how either is had. */
@injectable()
class LentTokens implements AccessTokens {
  readonly current: AccessTokens["current"];
  readonly renew: AccessTokens["renew"];

  constructor(@inject(TOKEN_CACHE) cache: TokenCache, @inject(TOKEN_RENEWAL) renewal: TokenRenewal) {
    this.current = () => cache.current();
    this.renew = renewal.renew;
  }
}

/** The part of the settings that the device login knows. */
@injectable()
class DeviceLoginSettings implements OAuthSettings {
  readonly issuer: string | undefined;
  readonly clientId: string | undefined;
  readonly scope: string | undefined;
  readonly audience: string | undefined;

  constructor(@inject(config<Config>()) { oauth = {} }: Config) {
    ({ issuer: this.issuer, clientId: this.clientId, scope: this.scope, audience: this.audience } = oauth);
  }
}

export default definePlugin<Contract>({
  wire: (wiring) => {
    wiring.single(TOKEN_CACHE, TokenCache);
    wiring.single(OAUTH_SETTINGS, DeviceLoginSettings);
    wireDeviceLogin(wiring);
    wiring.single(LOGIN, Login);
    wiring.single(REFRESH_LOCK, RefreshLock);
    wiring.single(TOKEN_RENEWAL, TokenRenewal);
    wiring.single(TOKEN_CHECK, TokenCheck);
    wiring.single(ACCESS_TOKENS, LentTokens);
  },
  commands: {
    status: StatusCommand,
    login: LoginCommand,
    check: CheckCommand,
    verify: VerifyCommand,
    logout: LogoutCommand,
  },
  routes: {},
  rules: { "no-home-read": NoHomeReadRule, "no-token-dump": NoTokenDumpRule },
});
