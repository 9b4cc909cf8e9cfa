import {
  ENVIRONMENT,
  inject,
  injectable,
  SkillError,
  type Call,
  type CommandHandler,
  type Environment,
} from "skillctl";
import type { ServeInput, ServeOutput } from "../contract.ts";
import { audienceOf, serverBlock } from "../server/plan.ts";
import { BACKGROUND_START, type BackgroundStart } from "../server/server-call.ts";
import { SERVING, type Serving } from "../server/serving.ts";
import { SESSION_HOMES, type SessionHomes } from "../server/session-home.ts";
import { askedFolder, checkedSession } from "../session-files.ts";

/** Collects for a session. */
@injectable()
export class ServeCommand implements CommandHandler<ServeInput, ServeOutput> {
  constructor(
    @inject(SESSION_HOMES) private readonly homes: SessionHomes,
    @inject(BACKGROUND_START) private readonly background: BackgroundStart,
    @inject(SERVING) private readonly serving: Serving,
    @inject(ENVIRONMENT) private readonly environment: Environment,
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
    const { environment, homes } = this;
    const session = checkedSession(input.session);
    const audience = audienceOf(input, environment.addresses());
    const folder = askedFolder(input.outdir, environment);
    if (input.detach) {
      const info = await this.background.start(input, await homes.place(folder, session), call);
      return { ...info, text: serverBlock(info) };
    }
    const home = await homes.take(folder, session, call.signal);
    try {
      const running = await this.serving.open(home, input, audience);
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
