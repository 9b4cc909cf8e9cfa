import { SkillError, inject, injectable, type Call, type CommandHandler } from "skillctl";
import type { VerifyInput, VerifyOutput } from "./contract.ts";
import { LOGIN, type Login } from "./login.ts";
import { ORIGIN_TOKENS, type OriginTokens } from "./origin-tokens.ts";
import { waitOf } from "./token-renewal.ts";
import { sentence } from "./texts.ts";
import { TOKEN_STORE, type TokenStore } from "./token-store.ts";
import { tokenFrom } from "./token-text.ts";

/** Asks the login program whether the token is valid; shows masked account data only. The token is never an argument. */
@injectable()
export class VerifyCommand implements CommandHandler<VerifyInput, VerifyOutput> {
  constructor(
    @inject(TOKEN_STORE) private readonly store: TokenStore,
    @inject(ORIGIN_TOKENS) private readonly tokens: OriginTokens,
    @inject(LOGIN) private readonly login: Login,
  ) {}

  readonly run = async ({ stdin = false }: VerifyInput, call: Call): Promise<VerifyOutput> => {
    const value = stdin ? await tokenFrom(call) : await this.#kept(call);
    const verdict = await (await this.login.find())?.verify(value, call.signal);
    if (verdict?.state === "invalid")
      throw new SkillError("LOGIN_TOKEN_INVALID", sentence("token-refused"), { hint: sentence("log-in") });
    if (verdict?.state !== "valid")
      throw new SkillError("LOGIN_UNVERIFIED", verdict?.reason ?? sentence("no-verifier"), {
        hint: verdict ? "Try again later." : "Install a login program with the word `verify`.",
      });
    const { account } = verdict;
    const { expiresAt } = await this.store.facts(value);
    return {
      text: `${sentence("token-good")}${account === undefined ? "" : ` Account: ${account}`}`,
      state: "valid",
      ...(account !== undefined && { account }),
      ...(expiresAt !== undefined && { expiresAt }),
    };
  };

  /** The token that requests to the service would use. */
  async #kept(call: Call): Promise<string> {
    const { named } = this.store;
    const { value } = await (named === undefined
      ? this.tokens.any()
      : this.tokens.current(named, waitOf(call)));
    return value;
  }
}
