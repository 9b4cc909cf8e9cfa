import { inject, injectable, type Call, type CommandHandler } from "skillctl";
import type { LogoutInput, LogoutOutput } from "./contract.ts";
import { LOGIN, type Login } from "./login.ts";
import { LOGIN_LOCK, type LoginLock } from "./login-folder.ts";
import { sentence } from "./texts.ts";
import { TOKEN_STORE, type TokenStore } from "./token-store.ts";

/** Removes the cache file and the data of the login program. Waits for a login in progress, which would undo it. */
@injectable()
export class LogoutCommand implements CommandHandler<LogoutInput, LogoutOutput> {
  constructor(
    @inject(LOGIN) private readonly login: Login,
    @inject(TOKEN_STORE) private readonly store: TokenStore,
    @inject(LOGIN_LOCK) private readonly lock: LoginLock,
  ) {}

  readonly run = (_input: LogoutInput, { signal, progress }: Call): Promise<LogoutOutput> =>
    this.lock.run({ signal, progress, action: () => this.#done(signal) });

  async #done(signal: AbortSignal): Promise<LogoutOutput> {
    const removed = await this.store.remove();
    const program = await this.login.find();
    await program?.forget(signal);
    const environment = this.store.variable !== undefined;
    const sentences = [
      removed ? `You are logged out; ${this.store.file} was removed.` : "There was no cache file to remove.",
      ...(program ? [`The ${program.label} removed its data.`] : []),
      ...(environment ? [sentence("variable-stays")] : []),
    ];
    return { text: sentences.join(" "), removed, environment, ...(program && { program: program.label }) };
  }
}
