import { resolve } from "node:path";
import {
  ENVIRONMENT,
  LOG,
  SkillError,
  inject,
  injectable,
  type Call,
  type CommandHandler,
  type Environment,
  type Log,
} from "skillctl";
import type { LoginInput, LoginOutput } from "./contract.ts";
import { LOGIN, type Login } from "./login.ts";
import { sentence } from "./texts.ts";
import { TOKEN_RENEWAL, waitOf, type TokenRenewal } from "./token-renewal.ts";
import { TOKEN_STORE, type TokenStore } from "./token-store.ts";
import { tokenFrom } from "./token-text.ts";

/** Logs in and stores the token in the cache file (docs/login.md, Login). */
@injectable()
export class LoginCommand implements CommandHandler<LoginInput, LoginOutput> {
  constructor(
    @inject(LOGIN) private readonly login: Login,
    @inject(TOKEN_STORE) private readonly store: TokenStore,
    @inject(TOKEN_RENEWAL) private readonly renewal: TokenRenewal,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(LOG) private readonly log: Log,
  ) {}

  readonly run = async ({ mode, qrFile }: LoginInput, call: Call): Promise<LoginOutput> => {
    const wait = waitOf(call);
    const pastes = mode === "paste" || (mode === undefined && wait.interactive && !(await this.login.find()));
    if (qrFile !== undefined && (pastes || mode === "refresh"))
      throw new SkillError("USAGE", "--qr-file requires the device login.", { hint: "Add --mode device." });
    if (pastes) return this.#pasted(call);
    const program = await this.login.need();
    const path = qrFile === undefined ? {} : { qrFile: resolve(this.environment.workingFolder, qrFile) };
    const by = mode === "refresh" ? "quiet" : "person";
    const { value, notKept } = await this.renewal.fetch(program, { wait: { ...wait, ...path }, by });
    if (notKept) throw unkept(notKept);
    return { ...(await this.#output(value, mode ?? "device")), program: program.label };
  };

  async #pasted(call: Call): Promise<LoginOutput> {
    const value = await tokenFrom(call);
    const verdict = await (await this.login.find())?.verify(value, call.signal);
    if (verdict?.state === "invalid")
      throw new SkillError("LOGIN_TOKEN_INVALID", sentence("token-refused"), {
        hint: "The previous token remains in use. Paste another one.",
      });
    if (verdict?.state === "unreachable")
      this.log.notice(`The token could not be verified: ${verdict.reason}`);
    const baseUrl = await this.store.originFor(value, waitOf(call).interactive);
    await this.store.write({ value, baseUrl }).catch((caught: unknown) => {
      throw caught instanceof SkillError ? unkept(caught, true) : caught;
    });
    return this.#output(value, "paste", verdict?.state === "valid" ? verdict.account : undefined);
  }

  async #output(value: string, mode: LoginOutput["mode"], known?: string): Promise<LoginOutput> {
    const { file, variable } = this.store;
    const { stored } = await this.store.look();
    const facts = await this.store.facts(value);
    const { expiresAt, ranOut } = facts;
    const account = known ?? facts.account;
    if (ranOut !== undefined) this.log.notice(ranOut);
    const sentences = [
      `You are logged in${account === undefined ? "" : ` as ${account}`}. The token is in ${file}.`,
      ...(expiresAt === undefined || ranOut !== undefined ? [] : [`It is valid until ${expiresAt}.`]),
      ...(stored?.origin === undefined ? [] : [sentence("goes-to", { ORIGIN: stored.origin })]),
      ...(variable === undefined ? [] : ["SVC_HEADER_TOKEN is set too; the file comes first."]),
    ];
    return {
      text: sentences.join(" "),
      mode,
      file,
      ...(account !== undefined && { account }),
      ...(expiresAt !== undefined && { expiresAt }),
    };
  }
}

/** The error for a login whose token could not be kept. */
function unkept(cause: SkillError, pasted = false): SkillError {
  const text = pasted ? "paste-not-kept" : "not-kept";
  return new SkillError("FILE_UNWRITABLE", sentence(text, { REASON: cause.message }), {
    cause,
    ...(cause.file !== undefined && { file: cause.file }),
    hint: pasted
      ? "Fix that and paste the token again, or set SVC_HEADER_TOKEN."
      : "Fix that and log in again; until then `skillctl run login-proxy check` prints a token.",
  });
}
