import {
  HTTP,
  SkillError,
  config,
  inject,
  injectable,
  ownConfig,
  token,
  type Http,
  type HttpResponse,
} from "skillctl";
import type { TokenVerdict } from "../ports.ts";
import { isSafeAddress, maskedAccount, objectOf } from "./token-text.ts";
import type { Config } from "./contract.ts";
import { LOGIN, type Login } from "./login.ts";
import { TOKEN_STORE, type TokenStore } from "./token-store.ts";

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 256 * 1024;

export const TOKEN_CHECK = token<TokenCheck>("token-check");

/** Asks whether a token is good: the service at `verifyUrl`, else the login program (docs/login.md, Verify). */
@injectable()
export class TokenCheck {
  constructor(
    @inject(config<Config>()) private readonly settings: Config,
    @inject(ownConfig<Config>()) private readonly own: Config,
    @inject(HTTP) private readonly http: Http,
    @inject(LOGIN) private readonly login: Login,
    @inject(TOKEN_STORE) private readonly store: TokenStore,
  ) {}

  /**
   * `undefined` when nothing here can tell.
   * @throws SkillError `CONFIG_INVALID`, `PROGRAM_FAILED`, `CANCELLED`
   */
  async verdict(value: string, signal: AbortSignal): Promise<TokenVerdict | undefined> {
    const { verifyUrl } = this.settings;
    if (verifyUrl !== undefined) return this.#asked(await this.#address(verifyUrl, value), value, signal);
    return (await this.login.find())?.verify(value, signal);
  }

  async #asked(url: string, value: string, signal: AbortSignal): Promise<TokenVerdict> {
    try {
      return verdictOf(
        await this.http.send({
          method: "GET",
          url,
          headers: { "svc-header-token": value, accept: "application/json", connection: "close" },
          timeoutMs: TIMEOUT_MS,
          maxBytes: MAX_BYTES,
          signal,
          viaEnvironment: this.own.environmentNetwork === true,
        }),
      );
    } catch (caught) {
      if (!(caught instanceof SkillError) || !caught.code.startsWith("NETWORK_")) throw caught;
      return { state: "unreachable", reason: caught.message };
    }
  }

  /** The token goes to the origin that it is for: a configuration file in a project must not send it elsewhere. */
  async #address(text: string, value: string): Promise<string> {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const refuse = (what: string, hint: string): SkillError =>
      new SkillError("CONFIG_INVALID", `verifyUrl of login-proxy ${what}.`, {
        pointer: "/config/login-proxy/verifyUrl",
        hint,
      });
    if (!url || !isSafeAddress(url) || url.username + url.password !== "")
      throw refuse("is no https address", "http is for addresses on this machine only.");
    if (url.origin !== (await this.store.originFor(value)))
      throw refuse(
        "is not of the origin that the token is for",
        "Set SVC_BASE_URL to the service; the token is sent nowhere else.",
      );
    return url.href;
  }
}

/** What the service says: `ret` 0, `code` 0 or `success` true is yes. A redirect or a failure of the service is no answer. */
function verdictOf({ status, body }: HttpResponse): TokenVerdict {
  if (status === 401 || status === 403) return { state: "invalid" };
  const said = status >= 300 ? undefined : objectOf(body);
  if (!said)
    return {
      state: "unreachable",
      reason: `The service answered with status ${status} and nothing that can be read.`,
    };
  const { ret, code, success, data } = said;
  const good = ret === 0 || code === 0 || code === "0" || success === true;
  if (!good) return { state: "invalid" };
  const account = maskedAccount(typeof data === "object" && data !== null ? { ...data } : said);
  return { state: "valid", ...(account !== undefined && { account }) };
}
