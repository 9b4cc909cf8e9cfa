import { LOG, SkillError, inject, injectable, token, type Call, type Log } from "skillctl";
import type { FreshToken, LoginProgram, LoginWait } from "../ports.ts";
import { LOGIN_FOLDER, LOGIN_LOCK, cancelled, type LoginFolder, type LoginLock } from "./login-folder.ts";
import { sentence } from "./texts.ts";
import { TOKEN_STORE, elsewhere, type StoredToken, type TokenStore } from "./token-store.ts";
import { tokenOf } from "./token-text.ts";

/** The caller from the point of view of a login program: a person can be asked if a terminal shows the messages. */
export function waitOf({ signal, progress, person }: Call): LoginWait {
  const columns = person?.columns;
  return { signal, progress, columns, interactive: columns !== undefined };
}

/** A request for a login. */
interface LoginRequest {
  readonly wait: LoginWait;
  /** quiet: without a person. person: by a person. any: without a person if possible, else by one who can be asked. */
  readonly by: "quiet" | "person" | "any";
  /** Whether a token in the cache file, perhaps just written by another process, makes the login unnecessary. */
  readonly fits?: (stored: StoredToken) => boolean;
  /** The origin for which it is valid. Default: that of SVC_BASE_URL if a person logs in. */
  readonly origin?: string;
  /** Continues if tokens cannot be kept. Default: fails before a person is asked. */
  readonly evenUnkept?: boolean;
}

/** A token from any source. */
export interface LoginResult {
  readonly value: string;
  readonly source: "cache" | "login";
  /** The origin that it may be sent to; undefined if unknown. */
  readonly origin?: string | undefined;
  readonly account?: string | undefined;
  /** The reason why it is not in the cache file. The token itself is valid. */
  readonly notKept?: SkillError | undefined;
}

export const TOKEN_RENEWAL = token<TokenRenewal>("token-renewal");

/** Fetches tokens from a login program, one login at a time across all processes, and keeps them. */
@injectable()
export class TokenRenewal {
  constructor(
    @inject(LOGIN_LOCK) private readonly lock: LoginLock,
    @inject(LOGIN_FOLDER) private readonly folder: LoginFolder,
    @inject(TOKEN_STORE) private readonly store: TokenStore,
    @inject(LOG) private readonly log: Log,
  ) {}

  /** Logs the reason why a token could not be kept. */
  tell({ notKept }: LoginResult): void {
    if (notKept) this.log.notice(sentence("not-kept", { REASON: notKept.message }));
  }

  /**
   * @throws SkillError `LOGIN_*`, `NETWORK_*`, `PROGRAM_FAILED`, `FILE_UNWRITABLE`, `TOKEN_MISSING`, `TOKEN_ELSEWHERE`,
   * `CLAIM_FAILED`, `CANCELLED`
   */
  async fetch(program: LoginProgram, wanted: LoginRequest): Promise<LoginResult> {
    const { wait, evenUnkept = false } = wanted;
    return this.lock.run<LoginResult>({
      signal: wait.signal,
      progress: wait.progress,
      action: async () => {
        const cached = await this.cached(wanted);
        if (cached) return cached;
        if (!evenUnkept) await this.folder.make();
        return this.#fetched(program, wanted);
      },
    });
  }

  /** The token of the cache file if it makes a login unnecessary. */
  async cached({ fits }: Pick<LoginRequest, "fits">): Promise<LoginResult | undefined> {
    const { stored } = await this.store.look();
    if (!stored || !fits?.(stored)) return undefined;
    return { value: stored.token, source: "cache", origin: stored.origin, account: stored.account };
  }

  /** A token without an origin is for the origin of the previous one, unless a person at a terminal logs in for another. */
  async #fetched(program: LoginProgram, wanted: LoginRequest): Promise<LoginResult> {
    const named = wanted.origin ?? this.store.named;
    const kept = (await this.store.look()).stored?.origin;
    const isOther = kept !== undefined && named !== undefined && kept !== named;
    if (isOther && wanted.by === "person" && !wanted.wait.interactive) throw elsewhere(kept, named);
    const { fresh, byPerson } = await this.#fresh(program, wanted);
    const isSeen = byPerson || (wanted.origin !== undefined && wanted.wait.interactive);
    const origin = fresh.baseUrl ?? (isSeen ? (named ?? kept) : kept);
    const notKept = await this.#notKept({ ...fresh, baseUrl: origin });
    // Checked only now: a cancellation earlier would lose a token that has already arrived.
    if (wanted.wait.signal.aborted) throw cancelled();
    const { value, account } = fresh;
    return { value, source: "login", origin, account, notKept };
  }

  /** Keeps a token; returns the error if that fails. */
  async #notKept(fresh: FreshToken): Promise<SkillError | undefined> {
    return this.store.write(fresh).then(
      () => undefined,
      (caught: unknown) => {
        if (caught instanceof SkillError) return caught;
        throw caught;
      },
    );
  }

  async #fresh(
    program: LoginProgram,
    { wait, by }: LoginRequest,
  ): Promise<{ readonly fresh: FreshToken; readonly byPerson: boolean }> {
    const { refused } = wait;
    const quiet = by === "person" ? undefined : await program.quiet(wait);
    if (quiet && quiet.value !== refused) return { fresh: usable(quiet, program), byPerson: false };
    if (by === "quiet" || (by === "any" && !wait.interactive))
      throw quiet
        ? unchanged()
        : new SkillError("LOGIN_REQUIRED", sentence("person-needed"), { hint: sentence("log-in") });
    wait.progress(sentence("logging-in", { PROGRAM: program.label }));
    const fresh = usable(await program.interactive(wait), program);
    if (fresh.value === refused) throw unchanged();
    return { fresh, byPerson: true };
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
