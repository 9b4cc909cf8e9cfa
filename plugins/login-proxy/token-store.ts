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

/** A token in the cache file (docs/login.md, The cache file). */
export interface StoredToken {
  readonly token: string;
  /** The origin that it may be sent to; undefined if the file does not name one. */
  readonly origin?: string | undefined;
  /** Seconds since the epoch. Informative only: programs that read the file may have moved it. */
  readonly savedAt?: number | undefined;
  /** The owner of the token, if the login named one. Personal data: shown masked only. */
  readonly account?: string | undefined;
  /** Milliseconds since the epoch, if the login gave an expiry. */
  readonly expiresAt?: number | undefined;
}

/** The content of the cache file. */
export interface CacheContent {
  readonly stored?: StoredToken;
  /** The reason, as a sentence, why the file is unusable. */
  readonly fault?: string;
}

const NAME = "token.json";
/** Keys that describe one token and do not apply to another. */
const OF_THE_TOKEN: readonly string[] = ["token", "savedAt", "baseUrl", "account", "expiresAt"];

export const TOKEN_STORE = token<TokenStore>("token-store");

/** The cache file `~/.svc-login/token.json`, with this class as its only writer, and the variable `SVC_HEADER_TOKEN`. */
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

  /** Whether `SVC_HEADER_TOKEN` has a value that cannot be sent in a header. */
  get variableUnusable(): boolean {
    const set = this.environment.variable("SVC_HEADER_TOKEN") ?? "";
    return set.trim() !== "" && this.variable === undefined;
  }

  /** The origin that `SVC_BASE_URL` names. */
  get named(): string | undefined {
    return originOf(this.environment.variable("SVC_BASE_URL"));
  }

  /**
   * The origin of a token that a person provides. Without a terminal another token does not change the origin: a login
   * without a person keeps the origin, and would send the user's next token there.
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

  /** Reads the cache file. Never throws: an unreadable file counts as empty, with the reason. */
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

  /** The known facts about a token: from the token and, if it is in the cache file, from its login. */
  async facts(value: string): Promise<TokenFacts> {
    const { stored } = await this.look();
    return factsOf(value, this.clock.now(), stored?.token === value ? stored : {});
  }

  /** The permissions of the cache file if other users can read it. */
  openRights(): Promise<string | undefined> {
    return this.folder.openRights(NAME);
  }

  /**
   * Keeps a token, for the previous origin if the login names none. The same token leaves the file unchanged; unknown keys
   * are preserved.
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

  /** Removes the cache file; returns whether it existed. @throws SkillError `FILE_UNWRITABLE` */
  remove(): Promise<boolean> {
    return this.folder.remove(NAME);
  }

  /** The object in the file to replace. An unreadable regular file is replaced too; other kinds of file are an error. */
  async #before(): Promise<Readonly<Record<string, unknown>>> {
    return this.folder.object(NAME).catch((caught: unknown) => {
      if (caught instanceof SkillError) return {};
      throw caught;
    });
  }
}

/** The error for a token that is kept for another origin. */
export function elsewhere(kept: string, wanted: string): SkillError {
  return new SkillError("TOKEN_ELSEWHERE", sentence("elsewhere", { KEPT: kept, WANTED: wanted }), {
    hint: sentence("elsewhere-hint", { KEPT: kept }),
  });
}

/** Parses a cache file; undefined if it has no usable token. */
function storedToken(text: string): StoredToken | undefined {
  const { token: value, savedAt, baseUrl, account, expiresAt } = objectOf(text) ?? {};
  const usable = typeof value === "string" ? tokenOf(value) : undefined;
  if (usable === undefined) return undefined;
  const address = typeof baseUrl === "string" && baseUrl !== "" ? baseUrl : undefined;
  return {
    token: usable,
    // An invalid address matches no origin, and is not treated as missing.
    origin: originOf(address) ?? address?.slice(0, 200),
    savedAt: typeof savedAt === "number" && savedAt > 0 && savedAt < 1e11 ? savedAt : undefined,
    account: typeof account === "string" && account !== "" ? account : undefined,
    expiresAt: momentOf(expiresAt),
  };
}

/** Accepts ISO 8601 or a number: seconds, or milliseconds if it is too large for seconds. */
function momentOf(value: unknown): number | undefined {
  const number = typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : NaN;
  const moment = typeof value === "number" && number < 1e11 ? number * 1000 : number;
  return moment > 0 && moment < 1e14 ? moment : undefined;
}
