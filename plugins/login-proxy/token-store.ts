import {
  CLOCK,
  ENVIRONMENT,
  SkillError,
  inject,
  injectable,
  token,
  type Clock,
  type Environment,
} from "skillctl";
import type { FreshToken } from "../ports.ts";
import { originOf, factsOf, objectOf, tokenOf, type TokenFacts } from "./token-text.ts";
import { LOGIN_FOLDER, type LoginFolder } from "./login-folder.ts";
import { sentence } from "./texts.ts";

/** What the cache file holds, as far as it can be read (docs/login.md, The cache file). */
export interface StoredToken {
  readonly token: string;
  /** Where it may be sent; undefined in a file that does not say so. */
  readonly origin?: string;
  /** Seconds since the epoch. A hint: programs that read the file may have moved it, so nothing expires by it. */
  readonly savedAt?: number;
  /** Names whose token it is, where the login said that. Personal data: only shown masked. */
  readonly account?: string;
  /** Milliseconds since the epoch, where the login said until when the token is good. */
  readonly expiresAt?: number;
}

/** What is to be seen in the place of the cache file. */
export interface CacheContent {
  readonly stored?: StoredToken;
  /** Why what is there cannot be used: a sentence. */
  readonly fault?: string;
}

const NAME = "token.json";
/** Keys that speak of the token beside them, and would be wrong beside another one. */
const OF_THE_TOKEN: readonly string[] = ["token", "savedAt", "baseUrl", "account", "expiresAt"];

export const TOKEN_STORE = token<TokenStore>("token-store");

/** The cache file `~/.svc-login/token.json`, of which this is the one writer, and the variable `SVC_HEADER_TOKEN`. */
@injectable()
export class TokenStore {
  constructor(
    @inject(LOGIN_FOLDER) private readonly folder: LoginFolder,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(CLOCK) private readonly clock: Clock,
  ) {}

  get file(): string {
    return this.folder.file(NAME);
  }

  /** A usable `SVC_HEADER_TOKEN`. */
  get variable(): string | undefined {
    return tokenOf(this.environment.variable("SVC_HEADER_TOKEN") ?? "");
  }

  /** Whether `SVC_HEADER_TOKEN` is set to something that cannot be sent in a header. */
  get variableUnusable(): boolean {
    const set = this.environment.variable("SVC_HEADER_TOKEN") ?? "";
    return set.trim() !== "" && this.variable === undefined;
  }

  /** The origin that `SVC_BASE_URL` names. */
  get named(): string | undefined {
    return originOf(this.environment.variable("SVC_BASE_URL"));
  }

  /**
   * Where a token may be sent that somebody hands in. Without a terminal no other one moves to another origin: a login without a
   * person keeps that origin, and would take the user's next token there.
   * @throws SkillError `TOKEN_ELSEWHERE`
   */
  async originFor(value: string, atTerminal: boolean): Promise<string | undefined> {
    const { named } = this;
    const { stored } = await this.look();
    const kept = stored?.origin;
    if (stored?.token === value) return kept ?? named;
    if (!atTerminal && kept !== undefined && named !== undefined && kept !== named)
      throw elsewhere(kept, named);
    return named ?? kept;
  }

  /** What the cache file holds. Never throws: what cannot be read counts as none, with the reason. */
  async look(): Promise<CacheContent> {
    try {
      const text = await this.folder.read(NAME);
      const stored = storedToken(text ?? "");
      if (stored) return { stored };
      return text === undefined ? {} : { fault: `${this.file} holds no usable token.` };
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      return { fault: caught.message };
    }
  }

  /** What is known of a token: by itself, and by what the login said of the one in the cache file. */
  async facts(value: string): Promise<TokenFacts> {
    const { stored } = await this.look();
    return factsOf(value, this.clock.now(), stored?.token === value ? stored : {});
  }

  /** The rights of the cache file, where others may read it. */
  openRights(): Promise<string | undefined> {
    return this.folder.openRights(NAME);
  }

  /**
   * Keeps a token, for the origin before where the login says none. The same one again leaves the file as it is; keys
   * that nobody here knows stay.
   * @throws SkillError `FILE_UNWRITABLE`
   */
  async write({ value, baseUrl, expiresAt, account }: FreshToken): Promise<void> {
    const before = await this.#before();
    const stored = storedToken(JSON.stringify(before));
    const isSaid =
      (account === undefined || stored?.account === account) &&
      (expiresAt === undefined || stored?.expiresAt !== undefined) &&
      (baseUrl === undefined || stored?.origin === originOf(baseUrl));
    if (stored?.token === value && isSaid) return;
    const others = Object.entries(before).filter(
      ([key]) => !OF_THE_TOKEN.slice(0, stored?.token === value ? 3 : undefined).includes(key),
    );
    await this.folder.write(NAME, {
      token: value,
      savedAt: Math.floor(this.clock.now() / 1000),
      baseUrl: baseUrl ?? stored?.origin,
      ...Object.fromEntries(others),
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
      ...(account !== undefined && { account }),
    });
  }

  /** Removes the cache file; answers whether there was one. @throws SkillError `FILE_UNWRITABLE` */
  remove(): Promise<boolean> {
    return this.folder.remove(NAME);
  }

  /** The file that is about to be replaced. One that cannot be read is replaced too, but for what is no plain file. */
  async #before(): Promise<Readonly<Record<string, unknown>>> {
    return this.folder.object(NAME).catch((caught: unknown) => {
      if (caught instanceof SkillError) return {};
      throw caught;
    });
  }
}

/** A token that is kept for one origin is sent to no other. */
export function elsewhere(kept: string, wanted: string): SkillError {
  return new SkillError("TOKEN_ELSEWHERE", sentence("elsewhere", { KEPT: kept, WANTED: wanted }), {
    hint: sentence("elsewhere-hint", { KEPT: kept }),
  });
}

/** Reads the text of a cache file; undefined when it holds no usable token. */
function storedToken(text: string): StoredToken | undefined {
  const { token: value, savedAt, baseUrl, account, expiresAt } = objectOf(text) ?? {};
  const usable = typeof value === "string" ? tokenOf(value) : undefined;
  if (usable === undefined) return undefined;
  const end = momentOf(expiresAt);
  return {
    token: usable,
    // What is no address is no origin that anything could be sent to, but it is not none either.
    ...(typeof baseUrl === "string" &&
      baseUrl !== "" && { origin: originOf(baseUrl) ?? baseUrl.slice(0, 200) }),
    ...(typeof savedAt === "number" && savedAt > 0 && savedAt < 1e11 && { savedAt }),
    ...(typeof account === "string" && account !== "" && { account }),
    ...(end !== undefined && { expiresAt: end }),
  };
}

/** ISO 8601, or a number: seconds, and milliseconds where it is too large for those. */
function momentOf(value: unknown): number | undefined {
  const number = typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : NaN;
  const moment = typeof value === "number" && number < 1e11 ? number * 1000 : number;
  return moment > 0 && moment < 1e14 ? moment : undefined;
}
