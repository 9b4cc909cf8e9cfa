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
import { collectorOf, FORWARDER, type Forwarder } from "../server/forwarder.ts";
import { audienceOf, serverBlock } from "../server/plan.ts";
import { BACKGROUND_START, type BackgroundStart } from "../server/server-call.ts";
import { SERVING, type Serving } from "../server/serving.ts";
import { SESSION_HOMES, type SessionHomes } from "../server/session-home.ts";
import { askedFolder, checkedSession } from "../session-files.ts";

/** Collects events for a session: on the command line in the foreground without `detach`, elsewhere in the background. */
@injectable()
export class ServeCommand implements CommandHandler<ServeInput, ServeOutput> {
  constructor(
    @inject(SESSION_HOMES) private readonly homes: SessionHomes,
    @inject(BACKGROUND_START) private readonly background: BackgroundStart,
    @inject(SERVING) private readonly serving: Serving,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(FORWARDER) private readonly forwarder: Forwarder,
  ) {}

  /** @throws SkillError as the manifest lists; `USAGE` for a server in the foreground over HTTP or MCP. */
  async run(input: ServeInput, call: Call): Promise<ServeOutput> {
    const { detach = call.surface !== "cli" } = input;
    if (!detach && call.surface !== "cli")
      throw new SkillError("USAGE", "A server can run in the foreground only in a terminal.", {
        pointer: "/detach",
        hint: "Leave out detach: the server then runs in the background.",
      });
    const { environment, homes } = this;
    const session = checkedSession(input.session);
    const audience = audienceOf(input, environment.addresses());
    const collector = input.otlp === undefined ? undefined : collectorOf(input.otlp, environment);
    const folder = askedFolder(input.outdir, environment);
    if (detach) {
      const info = await this.background.start(input, await homes.place(folder, session), call);
      return { ...info, text: serverBlock(info) };
    }
    const home = await homes.take(folder, session, call.signal);
    try {
      const check = collector && ((instance: string) => this.forwarder.check(collector, instance));
      const running = await this.serving.open(home, input, audience, check);
      try {
        call.announce(serverBlock(running.info));
        const forwarding = collector && (await this.forwarder.start(collector, home.files.log));
        const ended = await running.serve(call.signal);
        await forwarding?.stop();
        return { ...running.info, ended, text: `The server of ${session} has ended: ${ended}.` };
      } finally {
        await running.close();
      }
    } finally {
      await home.release();
    }
  }
}
