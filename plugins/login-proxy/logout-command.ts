import { LOG, inject, injectable, type Call, type CommandHandler, type Log } from "skillctl";
import type { LogoutInput, LogoutOutput } from "./contract.ts";
import { LOGIN, type Login } from "./login.ts";
import { REFRESH_LOCK, type RefreshLock } from "./refresh-lock.ts";
import { sentence } from "./texts.ts";
import { TOKEN_CACHE, type TokenCache } from "./token-cache.ts";

/** Removes the cache file, then what the login program keeps. Waits for a login that is going on, which would undo it. */
@injectable()
export class LogoutCommand implements CommandHandler<LogoutInput, LogoutOutput> {
  constructor(
    @inject(LOGIN) private readonly login: Login,
    @inject(TOKEN_CACHE) private readonly cache: TokenCache,
    @inject(REFRESH_LOCK) private readonly lock: RefreshLock,
    @inject(LOG) private readonly log: Log,
  ) {}

  readonly run = async (_input: LogoutInput, { signal, progress }: Call): Promise<LogoutOutput> =>
    this.lock.run<LogoutOutput>({
      signal,
      asks: false,
      progress,
      action: () => this.#done(signal),
      orWithout: (fault) => this.log.detail(`No login lock can be made: ${fault.message}`),
    });

  async #done(signal: AbortSignal): Promise<LogoutOutput> {
    const removed = await this.cache.remove();
    const program = (await this.login.find())?.program;
    await program?.forget(signal);
    const environment = this.cache.variable !== undefined;
    const sentences = [
      removed ? `You are logged out: ${this.cache.file} is removed.` : "There was no cache file to remove.",
      ...(program ? [`The ${program.label} has forgotten what it kept.`] : []),
      ...(environment ? [sentence("variable-stays")] : []),
    ];
    return { text: sentences.join(" "), removed, environment, ...(program && { program: program.label }) };
  }
}
