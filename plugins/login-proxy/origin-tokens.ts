import { LOG, SkillError, inject, injectable, isLoopbackOrigin, ownConfig, token, type Log } from "skillctl";
import type { AccessToken, AccessTokens, Renewal } from "../ports.ts";
import { originOf } from "./token-text.ts";
import type { Config } from "./contract.ts";
import { LOGIN, type Login } from "./login.ts";
import { LOGIN_LOCK, type LoginLock } from "./login-folder.ts";
import { sentence } from "./texts.ts";
import { TOKEN_RENEWAL, type TokenRenewal } from "./token-renewal.ts";
import { TOKEN_STORE, elsewhere, type StoredToken, type TokenStore } from "./token-store.ts";

export const ORIGIN_TOKENS = token<OriginTokens>("origin-tokens");

/**
 * Provides other skills with the token for an origin, and with a new one if it is refused. The only place that decides where
 * a token may be sent (docs/login.md, The origin).
 */
@injectable()
export class OriginTokens implements AccessTokens {
  readonly #told = new Set<string>();

  constructor(
    @inject(TOKEN_STORE) private readonly store: TokenStore,
    @inject(TOKEN_RENEWAL) private readonly renewal: TokenRenewal,
    @inject(LOGIN_LOCK) private readonly lock: LoginLock,
    @inject(LOGIN) private readonly login: Login,
    @inject(ownConfig<Config>()) private readonly own: Config,
    @inject(LOG) private readonly log: Log,
  ) {}

  readonly current: AccessTokens["current"] = async (origin, wait) => {
    const { stored, fault } = await this.store.look();
    const refusal = stored && (await this.#refusal(stored, origin, wait));
    if (stored && !refusal) return this.#given({ ...stored, value: stored.token, source: "cache" });
    const { variable } = this.store;
    const isKept = stored?.origin !== undefined && stored.token === variable;
    if (variable === undefined || isKept) throw refusal ?? this.missing();
    this.#tell(refusal?.message ?? fault, " The token of SVC_HEADER_TOKEN is used.");
    return this.#given({ value: variable, source: "environment" });
  };

  readonly renew: AccessTokens["renew"] = async (origin, failed, wait) => {
    const named = this.#isNamed(origin) ? origin : undefined;
    const kept = (await this.store.look()).stored?.origin ?? originOf(this.own.origin) ?? named;
    if (kept !== undefined && kept !== origin) throw elsewhere(kept, origin);
    try {
      const wanted = {
        wait: { ...wait, columns: undefined, refused: failed },
        by: "any",
        fits: (stored: StoredToken) => stored.token !== failed && stored.origin === origin,
        origin,
        evenUnkept: true,
      } as const;
      // A token that has since been written to the cache file needs no login program.
      const fetched =
        (await this.renewal.cached(wanted)) ?? (await this.renewal.fetch(await this.login.need(), wanted));
      this.renewal.tell(fetched);
      const goes = originOf(fetched.origin) ?? kept;
      if (goes === undefined) throw this.#unbound(origin);
      if (goes !== origin) throw elsewhere(goes, origin);
      return await this.#given({ ...fetched, source: "cache" });
    } catch (cause) {
      throw cause instanceof SkillError ? withoutLogin(cause) : cause;
    }
  };

  readonly held: AccessTokens["held"] = async () => {
    const { stored } = await this.store.look();
    return [stored?.token, this.store.variable].filter((value) => value !== undefined);
  };

  /** The token of the cache file or else the variable, not for sending. @throws SkillError `TOKEN_MISSING` */
  async any(): Promise<AccessToken> {
    const { stored, fault } = await this.store.look();
    if (stored) return this.#given({ value: stored.token, source: "cache" });
    const { variable } = this.store;
    if (variable === undefined) throw this.missing();
    this.#tell(fault, " The token of SVC_HEADER_TOKEN is used.");
    return { value: variable, source: "environment" };
  }

  missing(): SkillError {
    const text = this.store.variableUnusable ? "missing-unusable" : "missing";
    return new SkillError("TOKEN_MISSING", sentence(text, { FILE: this.store.file }), {
      hint: sentence("log-in"),
    });
  }

  /** The reason why a stored token is not for an origin. A token without one is bound if a person or the settings name it. */
  async #refusal(stored: StoredToken, origin: string, wait: Renewal): Promise<SkillError | undefined> {
    if (stored.origin !== undefined)
      return stored.origin === origin ? undefined : elsewhere(stored.origin, origin);
    const own = originOf(this.own.origin);
    if (own !== undefined && own !== origin) return elsewhere(own, origin);
    const isConfigured = own === origin || this.#isNamed(origin);
    if (!isConfigured && !wait.interactive) return this.#unbound(origin);
    try {
      await this.#bind(stored, origin, wait);
    } catch (caught) {
      // The user's configuration will name it again, whereas a person's answer would be lost.
      if (!(caught instanceof SkillError) || caught.code === "CANCELLED") throw caught;
      if (!isConfigured) return caught;
    }
    return undefined;
  }

  /** Whether `SVC_BASE_URL` names the origin. Loopback does not count, since any local program can listen there. */
  #isNamed(origin: string): boolean {
    return this.store.named === origin && !isLoopbackOrigin(origin);
  }

  /** Under the lock, since a login in progress would otherwise lose its result. */
  #bind(unbound: StoredToken, origin: string, { signal, progress }: Renewal): Promise<void> {
    return this.lock.run({
      signal,
      progress,
      action: async () => {
        const { stored } = await this.store.look();
        const isSame = stored?.token === unbound.token && (stored.origin ?? origin) === origin;
        if (!isSame) throw this.#unbound(origin);
        await this.store.write({ value: stored.token, baseUrl: origin });
        this.log.notice(sentence("bound", { ORIGIN: origin }));
      },
    });
  }

  #unbound(origin: string): SkillError {
    return new SkillError("TOKEN_ELSEWHERE", sentence("unbound", { FILE: this.store.file, WANTED: origin }), {
      hint: sentence("unbound-hint"),
    });
  }

  async #given({ value, source, account }: AccessToken): Promise<AccessToken> {
    const rights = source === "cache" ? await this.store.openRights() : undefined;
    if (rights !== undefined) this.#tell(sentence("open-file", { FILE: this.store.file, RIGHTS: rights }));
    return { value, source, account, viaEnvironment: this.own.environmentNetwork === true };
  }

  /** Logs only once per process. */
  #tell(why: string | undefined, more = ""): void {
    if (why === undefined || this.#told.has(why)) return;
    this.#told.add(why);
    this.log.notice(`${why}${more}`);
  }
}

/** The error that the port promises: the same code for every cause, with a hint. */
function withoutLogin(cause: SkillError): SkillError {
  if (["TOKEN_MISSING", "TOKEN_ELSEWHERE", "CANCELLED"].includes(cause.code)) return cause;
  return new SkillError("TOKEN_MISSING", cause.message, { hint: cause.hint ?? sentence("log-in"), cause });
}
