import { inject, injectable, type CommandHandler } from "skillctl";
import type { StatusInput, StatusOutput } from "./contract.ts";
import { TOKEN_CACHE, type TokenCache } from "./token-cache.ts";
import { expiryOf } from "./token-text.ts";

/** Says where the token is and until when it is good; never the token. */
@injectable()
export class StatusCommand implements CommandHandler<StatusInput, StatusOutput> {
  constructor(@inject(TOKEN_CACHE) private readonly tokens: TokenCache) {}

  readonly run = async (): Promise<StatusOutput> => {
    const { file } = this.tokens;
    const found = await this.tokens.find();
    if (!found)
      return {
        text: `No login token: ${file} holds none and SVC_HEADER_TOKEN is not set.`,
        source: "none",
        file,
      };
    const cached = found.source === "cache" ? await this.tokens.cached() : undefined;
    const expiry = expiryOf(found.value);
    const expiresAt = expiry === undefined ? undefined : new Date(expiry).toISOString();
    const place = found.source === "cache" ? file : "SVC_HEADER_TOKEN";
    const end =
      expiresAt === undefined ? "It does not say until when it is good." : `It is good until ${expiresAt}.`;
    return {
      text: `The login token is in ${place}. ${end}`,
      source: found.source,
      file,
      ...(expiresAt !== undefined && { expiresAt }),
      ...(cached?.savedAt !== undefined && { savedAt: new Date(cached.savedAt * 1000).toISOString() }),
      ...(cached?.baseUrl !== undefined && { baseUrl: cached.baseUrl }),
    };
  };
}
