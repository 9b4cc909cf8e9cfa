import { ACCESS_TOKENS, definePlugin, inject, injectable, type AccessTokens } from "skillctl";
import { CheckCommand } from "./check-command.ts";
import type { Contract } from "./contract.ts";
import { StatusCommand } from "./status-command.ts";
import { TOKEN_CACHE, TokenCache } from "./token-cache.ts";

/** What other skills borrow: the token, and nothing about how it is found. */
@injectable()
class LentTokens implements AccessTokens {
  constructor(@inject(TOKEN_CACHE) private readonly cache: TokenCache) {}

  readonly current: AccessTokens["current"] = () => this.cache.current();
}

export default definePlugin<Contract>({
  wire: (wiring) => {
    wiring.single(TOKEN_CACHE, TokenCache);
    wiring.single(ACCESS_TOKENS, LentTokens);
  },
  commands: { status: StatusCommand, check: CheckCommand },
  routes: {},
  rules: {},
});
