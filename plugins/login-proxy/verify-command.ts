import { inject, injectable, type Call, type CommandHandler } from "skillctl";
import type { VerifyInput, VerifyOutput } from "./contract.ts";
import { tokenFrom } from "./handed-token.ts";
import { sentence } from "./texts.ts";
import { TOKEN_CACHE, type TokenCache } from "./token-cache.ts";
import { TOKEN_CHECK, type TokenCheck } from "./token-check.ts";
import { untilOf } from "./token-facts.ts";

/** Asks whether the token is good; shows masked account data only. The token is never an argument. */
@injectable()
export class VerifyCommand implements CommandHandler<VerifyInput, VerifyOutput> {
  constructor(
    @inject(TOKEN_CACHE) private readonly cache: TokenCache,
    @inject(TOKEN_CHECK) private readonly check: TokenCheck,
  ) {}

  readonly run = async ({ stdin = false }: VerifyInput, call: Call): Promise<VerifyOutput> => {
    const value = stdin ? await tokenFrom(call) : (await this.cache.current()).value;
    const account = await this.check.accountOf(value, call.signal);
    const { cached } = await this.cache.look();
    const expiresAt = untilOf(value, cached?.token === value ? cached.expiresAt : undefined);
    return {
      text: `${sentence("token-good")}${account === undefined ? "" : ` Account: ${account}`}`,
      state: "valid",
      ...(account !== undefined && { account }),
      ...(expiresAt !== undefined && { expiresAt }),
    };
  };
}
