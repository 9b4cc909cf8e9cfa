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
import { LOGIN, type FoundProgram, type Login } from "./login.ts";
import { waitOf } from "./login-wait.ts";
import { sentence } from "./texts.ts";
import { TOKEN_CACHE, type TokenCache } from "./token-cache.ts";
import type { CachedToken } from "./token-file.ts";
import { endOf, ranOut } from "./token-facts.ts";
import { TOKEN_RENEWAL, type TokenRenewal } from "./token-renewal.ts";

/**
 * Prints the token: the login program's token API, then its check command, else guidance (specification,
 * Authentication 3). Without a login program what the wrapper would use: cache file, then variable (docs/login.md, Check).
 */
@injectable()
export class CheckCommand implements CommandHandler<CheckInput, CheckOutput> {
  constructor(
    @inject(LOGIN) private readonly login: Login,
    @inject(TOKEN_CACHE) private readonly cache: TokenCache,
    @inject(TOKEN_RENEWAL) private readonly renewal: TokenRenewal,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOG) private readonly log: Log,
  ) {}

  readonly run = async (_input: CheckInput, call: Call): Promise<CheckOutput> => {
    const found = await this.login.find();
    const output = found ? await this.#fetched(found, call) : await this.#current();
    const { cached } = await this.cache.look();
    const said = cached?.token === output.token ? cached.expiresAt : undefined;
    const over = ranOut(output.token, this.clock.now(), said);
    if (over !== undefined) this.log.notice(over);
    if (call.person?.seesResult) this.log.notice(sentence("token-shown"));
    return output;
  };

  async #current(): Promise<CheckOutput> {
    const { value, source } = await this.cache.current();
    return { token: value, source };
  }

  async #fetched({ program, builtIn }: FoundProgram, call: Call): Promise<CheckOutput> {
    const { value, source, notKept } = await this.renewal.fetch(program, {
      wait: waitOf(call),
      by: "any",
      ...(builtIn && { fits: this.#lasts }),
      evenUnlocked: true,
    });
    if (notKept) this.log.notice(sentence("not-kept", { REASON: notKept.message }));
    return { token: value, source };
  }

  readonly #lasts = ({ token, expiresAt }: CachedToken): boolean =>
    (endOf(token, expiresAt) ?? Infinity) > this.clock.now();
}
