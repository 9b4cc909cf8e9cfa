import { inject, injectable, type AccessToken, type CommandHandler } from "skillctl";
import type { CheckInput, CheckOutput } from "./contract.ts";
import { TOKEN_CACHE, type TokenCache } from "./token-cache.ts";

/** Prints the token: cache file, then environment, else guidance (specification, Authentication 3). */
@injectable()
export class CheckCommand implements CommandHandler<CheckInput, CheckOutput> {
  constructor(@inject(TOKEN_CACHE) private readonly tokens: TokenCache) {}

  readonly run = async (): Promise<CheckOutput> => {
    const { value, source }: AccessToken = await this.tokens.current();
    return { token: value, source };
  };
}
