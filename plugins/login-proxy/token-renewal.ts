import {
  LOG,
  SkillError,
  inject,
  injectable,
  token,
  type AccessToken,
  type AccessTokens,
  type FreshToken,
  type Log,
  type LoginProgram,
  type LoginWait,
} from "skillctl";
import { LOGIN, type Login } from "./login.ts";
import { REFRESH_LOCK, type RefreshLock } from "./refresh-lock.ts";
import type { Seen } from "./lock-watch.ts";
import { cancelled } from "./oauth/pause.ts";
import { sentence } from "./texts.ts";
import { TOKEN_CACHE, type TokenCache } from "./token-cache.ts";
import type { CachedToken } from "./token-file.ts";
import { tokenOf } from "./token-text.ts";

/** A login that is wanted. */
export interface Wanted {
  readonly wait: LoginWait;
  /** quiet: without anybody. person: by a person. any: without anybody, else by a person who can be asked. */
  readonly by: "quiet" | "person" | "any";
  /** Whether a token that is found in the cache file, perhaps just put there by another process, makes it needless. */
  readonly fits?: (cached: CachedToken) => boolean;
  /** Goes on where no lock can be made, since no other process could keep a token there either. */
  readonly evenUnlocked?: boolean;
}

/** A token that was had, wherever from. */
export interface Fetched {
  readonly value: string;
  readonly source: "cache" | "login";
  /** Why it is not in the cache file. The token itself is good all the same. */
  readonly notKept?: SkillError;
}

export const TOKEN_RENEWAL = token<TokenRenewal>("token-renewal");

/** Fetches tokens with a login program: one login at a time over all processes, and what it brings is kept. */
@injectable()
export class TokenRenewal implements Pick<AccessTokens, "renew"> {
  constructor(
    @inject(LOGIN) private readonly login: Login,
    @inject(REFRESH_LOCK) private readonly lock: RefreshLock,
    @inject(TOKEN_CACHE) private readonly cache: TokenCache,
    @inject(LOG) private readonly log: Log,
  ) {}

  readonly renew: AccessTokens["renew"] = async (failed, wait): Promise<AccessToken> => {
    try {
      const wanted: Wanted = {
        wait: { ...wait, columns: undefined, refused: failed },
        by: "any",
        fits: ({ token: cached }) => cached !== failed,
        evenUnlocked: true,
      };
      // What somebody has put into the cache file meanwhile needs no login program.
      const { value, notKept } =
        (await this.#cached(wanted)) ?? (await this.fetch((await this.login.need()).program, wanted));
      if (notKept) this.log.notice(sentence("not-kept", { REASON: notKept.message }));
      const { cached } = await this.cache.look();
      const account = cached?.token === value ? cached.account : undefined;
      return { value, source: "cache", ...(account !== undefined && { account }) };
    } catch (cause) {
      throw cause instanceof SkillError ? missing(cause) : cause;
    }
  };

  /** @throws SkillError `LOGIN_*`, `NETWORK_*`, `PROGRAM_FAILED`, `FILE_UNWRITABLE`, `TOKEN_MISSING`, `CANCELLED` */
  async fetch(program: LoginProgram, wanted: Wanted): Promise<Fetched> {
    const { wait, by, evenUnlocked = false } = wanted;
    return this.lock.run<Fetched>({
      signal: wait.signal,
      asks: by !== "quiet" && wait.interactive,
      progress: wait.progress,
      meanwhile: (seen) => this.#meanwhile(wanted, seen),
      action: async () => (await this.#cached(wanted)) ?? (await this.#fetched(program, wanted)),
      ...(evenUnlocked && {
        orWithout: (fault) => this.log.detail(`No login lock can be made: ${fault.message}`),
      }),
    });
  }

  async #meanwhile(wanted: Wanted, { failed }: Seen): Promise<Fetched | undefined> {
    const cached = await this.#cached(wanted);
    if (cached) return cached;
    const { wait } = wanted;
    // What failed for the other process fails for this one too, unless this one can ask somebody and that one could not.
    if (failed && wait.refused !== undefined && (failed === "asked" || !wait.interactive))
      throw new SkillError("TOKEN_MISSING", sentence("other-login-failed"), { hint: sentence("log-in") });
    return undefined;
  }

  async #cached({ fits }: Wanted): Promise<Fetched | undefined> {
    const { cached } = fits ? await this.cache.look() : {};
    return cached && fits?.(cached) ? { value: cached.token, source: "cache" } : undefined;
  }

  async #fetched(program: LoginProgram, wanted: Wanted): Promise<Fetched> {
    const fresh = await this.#fresh(program, wanted);
    const notKept = await this.#notKept(fresh);
    // Only now: cut short before, a token that has come already would be lost.
    if (wanted.wait.signal.aborted) throw cancelled();
    return { value: fresh.value, source: "login", ...(notKept && { notKept }) };
  }

  /** Keeps a token, or says why it cannot be kept. */
  async #notKept(fresh: FreshToken): Promise<SkillError | undefined> {
    try {
      await this.cache.write(fresh);
      return undefined;
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      return caught;
    }
  }

  async #fresh(program: LoginProgram, { wait, by }: Wanted): Promise<FreshToken> {
    const { refused } = wait;
    const quiet = by === "person" ? undefined : await program.quiet(wait);
    if (quiet && quiet.value !== refused) return usable(quiet, program);
    if (by === "quiet" || (by === "any" && !wait.interactive))
      throw quiet
        ? unchanged()
        : new SkillError("LOGIN_REQUIRED", sentence("person-needed"), { hint: sentence("log-in") });
    wait.progress(sentence("logging-in", { PROGRAM: program.label }));
    const fresh = usable(await program.interactive(wait), program);
    if (fresh.value === refused) throw unchanged();
    return fresh;
  }
}

function usable(fresh: FreshToken, { label }: LoginProgram): FreshToken {
  const value = tokenOf(fresh.value);
  if (value !== undefined) return { ...fresh, value };
  throw new SkillError("PROGRAM_FAILED", `The token of ${label} cannot be sent in a header.`);
}

function unchanged(): SkillError {
  return new SkillError("TOKEN_MISSING", sentence("unchanged"), { hint: sentence("log-in") });
}

/** What the port promises: no new token is always the same code, with what to do. */
function missing(cause: SkillError): SkillError {
  if (cause.code === "TOKEN_MISSING" || cause.code === "CANCELLED") return cause;
  return new SkillError("TOKEN_MISSING", cause.message, { hint: cause.hint ?? sentence("log-in"), cause });
}
