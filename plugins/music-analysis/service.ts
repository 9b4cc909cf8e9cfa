import {
  ENVIRONMENT,
  LOG,
  SkillError,
  inject,
  injectable,
  isLoopbackAddress,
  optional,
  token,
  type Call,
  type Environment,
  type Http,
  type Log,
  type OptionalPort,
} from "skillctl";
import {
  ACCESS_TOKENS,
  type AccessToken,
  type AccessTokens,
  type Renewal,
  ANALYSIS_SERVICE,
  type AnalysisService,
  type AnalysisSubject,
  type AnalysisTable,
} from "../ports.ts";
import { loginOf } from "./conversation/account.ts";

/** The destination of a question, and the token for its header. */
export interface ServiceEndpoint {
  readonly origin: string;
  readonly token: string;
  /** A hash that identifies the login, stable across restarts. */
  readonly login: string;
  /** The value of `HttpRequest.viaEnvironment` for requests with the token. */
  readonly viaEnvironment?: boolean;
  /** Handles the requests instead of the network. */
  readonly http?: Http;
}

export const SERVICE = token<Service>("music-service");

/**
 * The analysis service: the one that `SVC_BASE_URL` names, with the user's token; otherwise the embedded one that
 * another skill lends, with its own token and a notice.
 */
@injectable()
export class Service {
  #told = false;

  constructor(
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(LOG) private readonly log: Log,
    @inject(optional(ACCESS_TOKENS)) private readonly tokens: OptionalPort<AccessTokens> | undefined,
    @inject(optional(ANALYSIS_SERVICE))
    private readonly embedded: OptionalPort<AnalysisService> | undefined,
  ) {}

  /** @throws SkillError `TOKEN_MISSING`, `TOKEN_ELSEWHERE`, `PORT_MISSING`, `CONFIG_INVALID` */
  async endpoint(call: Call, conversation?: string): Promise<ServiceEndpoint> {
    const named = this.environment.variable("SVC_BASE_URL");
    if (named !== undefined) {
      const origin = serviceOrigin(named);
      const tokens = await lent(this.tokens, "access-tokens");
      return endpointOf(origin, await tokens.current(origin, waitOf(call)));
    }
    const embedded = await lent(this.embedded, "analysis-service");
    const { baseUrl, token: own, account, notice, http } = await embedded.endpoint(conversation);
    if (!this.#told) this.log.notice(notice);
    this.#told = true;
    return {
      origin: baseUrl,
      token: own,
      login: loginOf("embedded", { value: own, account }),
      ...(http && { http }),
    };
  }

  /** Whether answers can be drawn: only those of the embedded service, whose figures are available locally. */
  async draws(): Promise<boolean> {
    if (this.environment.variable("SVC_BASE_URL") !== undefined) return false;
    return (await this.embedded?.())?.picture !== undefined;
  }

  /** The figures of an answer of the embedded service as SVG; undefined if it has none. */
  async picture(
    question: string,
    songIds: readonly number[],
    conversation?: string,
  ): Promise<string | undefined> {
    return (await this.embedded?.())?.picture?.(question, songIds, conversation);
  }

  /** The rows of an answer of the embedded service. */
  async tables(messageId: string): Promise<readonly AnalysisTable[] | undefined> {
    if (this.environment.variable("SVC_BASE_URL") !== undefined) return undefined;
    return (await this.embedded?.())?.tables?.(messageId);
  }

  /** The song that an answer of the embedded service is about, or `other`. */
  async subject(messageId: string): Promise<AnalysisSubject | undefined> {
    if (this.environment.variable("SVC_BASE_URL") !== undefined) return undefined;
    return (await this.embedded?.())?.subject?.(messageId);
  }

  /**
   * Logs in again through the login skill, because the service refused a token (specification, Authentication 5).
   * @throws SkillError `TOKEN_MISSING` if no other token is available, `TOKEN_ELSEWHERE`, `PORT_MISSING`, `CANCELLED`
   */
  async renew({ origin, token: failed }: ServiceEndpoint, call: Call): Promise<ServiceEndpoint> {
    if (this.environment.variable("SVC_BASE_URL") === undefined) {
      // The embedded service does not use the user's own token.
      throw new SkillError("TOKEN_MISSING", "The embedded service refuses its own token.", {
        hint: "Set SVC_BASE_URL, or ask again.",
      });
    }
    const tokens = await lent(this.tokens, "access-tokens");
    return endpointOf(origin, await tokens.renew(origin, failed, waitOf(call)));
  }
}

function endpointOf(origin: string, found: AccessToken): ServiceEndpoint {
  const { value: token, viaEnvironment = false } = found;
  return { origin, token, login: loginOf(origin, found), viaEnvironment };
}

/** A person can be asked at a terminal. */
function waitOf({ signal, progress, person }: Call): Renewal {
  return { signal, progress, interactive: person?.columns !== undefined };
}

async function lent<Port>(port: OptionalPort<Port> | undefined, name: string): Promise<Port> {
  if (port !== undefined) return port();
  throw new SkillError("PORT_MISSING", `No hosted skill provides ${name}.`, {
    hint:
      name === "access-tokens"
        ? "Install the login skill (login-proxy)."
        : "Set SVC_BASE_URL, or host the skill music-gateway.",
  });
}

/**
 * The origin of the service from `SVC_BASE_URL`: a trailing `/` and a trailing `/openapi` are removed; https, except
 * on loopback (docs/music-analysis.md, Replies).
 * @throws SkillError `CONFIG_INVALID`
 */
function serviceOrigin(value: string): string {
  const fail = (sentence: string): never => {
    throw new SkillError("CONFIG_INVALID", `SVC_BASE_URL ${sentence}.`, {
      hint: "Set it to the origin of the service, for example https://music.example.",
    });
  };
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    return fail("is not an address");
  }
  if (url.username !== "" || url.password !== "") return fail("must not contain a user name or password");
  if (url.search !== "" || url.hash !== "" || !/^\/?(openapi\/?)?$/.test(url.pathname)) {
    return fail("must be an origin without a path or query");
  }
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopbackAddress(url.hostname)))
    return url.origin;
  return fail("must start with https:// unless it is on this machine");
}
