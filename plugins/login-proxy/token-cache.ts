import { join } from "node:path";
import {
  ENVIRONMENT,
  FILES,
  SkillError,
  inject,
  injectable,
  token,
  type AccessToken,
  type AccessTokens,
  type Environment,
  type Files,
} from "skillctl";
import manifest from "../../skills/login-proxy/skill.json" with { type: "json" };
import { tokenOf } from "./token-text.ts";

/** What the cache file holds, as far as it can be read. */
export interface CachedToken {
  readonly token: string;
  /** Seconds since the epoch. */
  readonly savedAt: number | undefined;
  readonly baseUrl: string | undefined;
}

export const TOKEN_CACHE = token<TokenCache>("token-cache");

/**
 * The token: first the cache file `~/.svc-login/token.json`, then `SVC_HEADER_TOKEN`
 * (specification, Authentication 2). A blank or broken file falls through to the variable.
 */
@injectable()
export class TokenCache implements AccessTokens {
  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  get file(): string {
    return join(this.environment.home, ".svc-login", "token.json");
  }

  readonly current = async (): Promise<AccessToken> => {
    const found = await this.find();
    if (found) return found;
    throw new SkillError("TOKEN_MISSING", manifest.texts.missing.text.replace("{FILE}", this.file), {
      hint: "Run the login skill, then ask again.",
    });
  };

  async find(): Promise<AccessToken | undefined> {
    const cached = await this.cached();
    if (cached) return { value: cached.token, source: "cache" };
    const value = tokenOf(this.environment.variable("SVC_HEADER_TOKEN") ?? "");
    return value === undefined ? undefined : { value, source: "environment" };
  }

  async cached(): Promise<CachedToken | undefined> {
    const text = await this.files.readText(this.file);
    return text === undefined ? undefined : cachedToken(text);
  }
}

/** Reads the cache file's text; undefined when it holds no usable token. */
export function cachedToken(text: string): CachedToken | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    // A broken file counts as none: the variable is looked at next.
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null) return undefined;
  const { token: value, savedAt, baseUrl } = parsed as Readonly<Record<string, unknown>>;
  const usable = typeof value === "string" ? tokenOf(value) : undefined;
  if (usable === undefined) return undefined;
  return {
    token: usable,
    savedAt: typeof savedAt === "number" && savedAt > 0 && savedAt < 1e11 ? savedAt : undefined,
    baseUrl: typeof baseUrl === "string" ? baseUrl : undefined,
  };
}
