import {
  ENVIRONMENT,
  HTTP,
  SkillError,
  config,
  inject,
  injectable,
  token,
  type Environment,
  type Http,
  type HttpResponse,
  type TokenVerdict,
} from "skillctl";
import type { Config } from "./contract.ts";
import { LOGIN, type Login } from "./login.ts";
import { maskedAccount } from "./oauth/account-mask.ts";
import { isSafeAddress } from "./oauth/safe-address.ts";
import { sentence } from "./texts.ts";
import { TOKEN_CACHE, type TokenCache } from "./token-cache.ts";

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 256 * 1024;

export const TOKEN_CHECK = token<TokenCheck>("token-check");

/** Asks whether a token is good: the service at `verifyUrl`, else the login program (docs/login.md, Verify). */
@injectable()
export class TokenCheck {
  constructor(
    @inject(config<Config>()) private readonly settings: Config,
    @inject(HTTP) private readonly http: Http,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(LOGIN) private readonly login: Login,
    @inject(TOKEN_CACHE) private readonly cache: TokenCache,
  ) {}

  /**
   * `undefined` when nothing here can tell.
   * @throws SkillError `CONFIG_INVALID`, `PROGRAM_FAILED`, `CANCELLED`
   */
  async verdict(value: string, signal: AbortSignal): Promise<TokenVerdict | undefined> {
    const { verifyUrl } = this.settings;
    if (verifyUrl !== undefined) return this.#asked(await this.#address(verifyUrl), value, signal);
    return (await this.login.find())?.program.verify(value, signal);
  }

  /**
   * Says whose token it is, as far as that is known.
   * @throws SkillError `LOGIN_TOKEN_INVALID`, `LOGIN_UNVERIFIED` and those of `verdict`
   */
  async accountOf(value: string, signal: AbortSignal): Promise<string | undefined> {
    const verdict = await this.verdict(value, signal);
    if (verdict?.state === "valid") return verdict.account;
    if (verdict?.state === "invalid")
      throw new SkillError("LOGIN_TOKEN_INVALID", sentence("token-refused"), { hint: sentence("log-in") });
    throw new SkillError("LOGIN_UNVERIFIED", verdict?.reason ?? sentence("nobody-to-ask"), {
      hint: verdict
        ? "Try again later."
        : "Set verifyUrl of login-proxy in skillctl.json, or install a login program that can tell.",
    });
  }

  async #asked(url: string, value: string, signal: AbortSignal): Promise<TokenVerdict> {
    try {
      const headers = { "svc-header-token": value, accept: "application/json", connection: "close" };
      const request = {
        method: "GET",
        url,
        headers,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
        signal,
      } as const;
      return verdictOf(await this.http.send(request));
    } catch (caught) {
      if (!(caught instanceof SkillError) || !caught.code.startsWith("NETWORK_")) throw caught;
      return { state: "unreachable", reason: caught.message };
    }
  }

  /** The token goes to the origin that it is for: a configuration file in a project must not send it elsewhere. */
  async #address(text: string): Promise<string> {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const refuse = (what: string, hint: string): SkillError =>
      new SkillError("CONFIG_INVALID", `verifyUrl of login-proxy ${what}.`, {
        pointer: "/config/login-proxy/verifyUrl",
        hint,
      });
    if (!url || !isSafeAddress(url) || url.username + url.password !== "")
      throw refuse("is no https address", "http is for addresses on this machine only.");
    const { cached } = await this.cache.look();
    const origins = [this.environment.variable("SVC_BASE_URL"), cached?.baseUrl].flatMap((one) =>
      one !== undefined && URL.canParse(one) ? [new URL(one).origin] : [],
    );
    if (!origins.includes(url.origin))
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

function objectOf(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return isObject ? (parsed as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
