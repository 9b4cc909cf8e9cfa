import {
  CLAIMS,
  CLOCK,
  ENVIRONMENT,
  FILES,
  HTTP,
  inject,
  injectable,
  optional,
  JOURNALS,
  LOG,
  PROGRAMS,
  SERVER,
  SkillError,
  type Call,
  type Claims,
  type Clock,
  type CommandHandler,
  type Environment,
  type Files,
  type Http,
  type Journals,
  type Log,
  type OptionalPort,
  type Programs,
  type Server,
} from "skillctl";
import { ACCESS_TOKENS, type AccessTokens } from "../../ports.ts";
import type { ServeInput, ServeOutput } from "../contract.ts";
import { SESSION, type SessionHolder } from "../open-session.ts";
import { audienceOf, serverBlock } from "../server/plan.ts";
import { BackgroundStart } from "../server/server-call.ts";
import { SessionHomes } from "../server/session-home.ts";
import { askedFolder, checkedSession } from "../session-files.ts";

/** Collects for a session. The server is loaded when one is wanted, so that reading a log does not wait for it. */
@injectable()
export class ServeCommand implements CommandHandler<ServeInput, ServeOutput> {
  constructor(
    @inject(CLAIMS) private readonly claims: Claims,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(FILES) private readonly files: Files,
    @inject(HTTP) private readonly http: Http,
    @inject(JOURNALS) private readonly journals: Journals,
    @inject(LOG) private readonly log: Log,
    @inject(PROGRAMS) private readonly programs: Programs,
    @inject(SERVER) private readonly server: Server,
    @inject(SESSION) private readonly holder: SessionHolder,
    @inject(optional(ACCESS_TOKENS)) private readonly tokens: OptionalPort<AccessTokens> | undefined,
  ) {}

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
    if (call.surface === "http" && (input.remote || input.host !== undefined))
      throw new SkillError("USAGE", "A server for other machines is not started over HTTP.", {
        hint: `Start it at a terminal: skillctl run runtime-debug serve ${input.session} --remote`,
      });
    const { environment, files, http, log, journals, clock, tokens } = this;
    const session = checkedSession(input.session);
    const audience = audienceOf(input, environment.addresses());
    const folder = askedFolder(input.outdir, environment);
    const homes = new SessionHomes(files, this.claims, http, environment);
    if (input.detach) {
      const background = new BackgroundStart(environment, files, http, log, this.programs);
      const info = await background.start(input, await homes.place(folder, session), call);
      return { ...info, text: serverBlock(info) };
    }
    const { Serving } = await import("../server/serving.ts");
    const serving = new Serving(this.server, files, journals, clock, environment, log, this.holder, tokens);
    const home = await homes.take(folder, session, call.signal);
    try {
      const running = await serving.open(home, input, audience);
      try {
        call.announce(serverBlock(running.info));
        const ended = await running.serve(call.signal);
        return { ...running.info, ended, text: `The server of ${session} has ended: ${ended}.` };
      } finally {
        await running.close();
      }
    } finally {
      await home.release();
    }
  }
}
