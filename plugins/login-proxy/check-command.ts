import {
  CLOCK,
  LOG,
  inject,
  injectable,
  type Call,
  type Clock,
  type CommandHandler,
  type Log,
} from "skillctl";
import type { CheckInput, CheckOutput } from "./contract.ts";
import { LOGIN, type Login } from "./login.ts";
import { ORIGIN_TOKENS, type OriginTokens } from "./origin-tokens.ts";
import { sentence } from "./texts.ts";
import { TOKEN_RENEWAL, waitOf, type LoginResult, type TokenRenewal } from "./token-renewal.ts";
import { TOKEN_STORE, type StoredToken, type TokenStore } from "./token-store.ts";
import { factsOf } from "./token-text.ts";

/**
 * Prints the token from the login program's token API, else from its check command; without either, prints guidance
 * (specification, Authentication 3). Without a login program: the token that the wrapper would use, from the cache file
 * or the variable (docs/login.md, Check).
 */
@injectable()
export class CheckCommand implements CommandHandler<CheckInput, CheckOutput> {
  constructor(
    @inject(LOGIN) private readonly login: Login,
    @inject(TOKEN_STORE) private readonly store: TokenStore,
    @inject(TOKEN_RENEWAL) private readonly renewal: TokenRenewal,
    @inject(ORIGIN_TOKENS) private readonly tokens: OriginTokens,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOG) private readonly log: Log,
  ) {}

  readonly run = async (_input: CheckInput, call: Call): Promise<CheckOutput> => {
    const { value, source } = await this.#token(call);
    const { ranOut } = await this.store.facts(value);
    if (ranOut !== undefined) this.log.notice(ranOut);
    if (call.person?.seesResult) this.log.notice(sentence("token-shown"));
    return { token: value, source };
  };

  async #token(call: Call): Promise<Pick<LoginResult, "value"> & Pick<CheckOutput, "source">> {
    const program = await this.login.find();
    if (!program) return this.tokens.any();
    const fits = this.login.isBuiltIn(program) && { fits: this.#lasts };
    const wanted = { wait: waitOf(call), by: "any", ...fits, evenUnkept: true } as const;
    const fetched = await this.renewal.fetch(program, wanted);
    this.renewal.tell(fetched);
    return fetched;
  }

  readonly #lasts = (stored: StoredToken): boolean =>
    factsOf(stored.token, this.clock.now(), stored).ranOut === undefined;
}
