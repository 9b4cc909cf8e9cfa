import {
  ACCESS_TOKENS,
  CLAIMS,
  CLOCK,
  ENVIRONMENT,
  FILES,
  HTTP,
  JOURNALS,
  LOG,
  PROGRAMS,
  SERVER,
  SkillError,
  inject,
  injectable,
} from "skillctl";
import type {
  AccessTokens,
  Call,
  Claims,
  Clock,
  CommandHandler,
  Environment,
  Files,
  Http,
  Journals,
  Log,
  Programs,
  Server,
} from "skillctl";
import type { ServeInput, ServeOutput } from "./contract.ts";
import { SESSION, type SessionHolder } from "./open-session.ts";
import type { ServingPorts } from "./server/serving.ts";

/** Collects for a session. The server is loaded when one is wanted, so that reading a log does not wait for it. */
@injectable()
export class ServeCommand implements CommandHandler<ServeInput, ServeOutput> {
  readonly #ports: ServingPorts;

  constructor(
    @inject(CLAIMS) claims: Claims,
    @inject(CLOCK) clock: Clock,
    @inject(ENVIRONMENT) environment: Environment,
    @inject(FILES) files: Files,
    @inject(HTTP) http: Http,
    @inject(JOURNALS) journals: Journals,
    @inject(LOG) log: Log,
    @inject(PROGRAMS) programs: Programs,
    @inject(SERVER) server: Server,
    @inject(SESSION) session: SessionHolder,
    @inject(ACCESS_TOKENS) tokens: AccessTokens | undefined,
  ) {
    this.#ports = {
      claims,
      clock,
      environment,
      files,
      http,
      journals,
      log,
      programs,
      server,
      session,
      tokens,
    };
  }

  /** @throws SkillError as the manifest lists; `USAGE` for one that would go on where no terminal holds it. */
  async run(input: ServeInput, call: Call): Promise<ServeOutput> {
    if (call.surface !== "cli" && !input.detach)
      throw new SkillError(
        "USAGE",
        "A server that goes on until it is stopped needs a terminal of its own.",
        {
          hint: "Ask for one in the background: detach is true.",
        },
      );
    const { serve } = await import("./server/serving.ts");
    return serve(input, call, this.#ports);
  }
}
