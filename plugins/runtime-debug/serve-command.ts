import { ENVIRONMENT, inject, injectable, type Call, type CommandHandler, type Environment } from "skillctl";
import type { ServeInput, ServeOutput } from "./contract.ts";
import { audienceOf } from "./server/audience.ts";
import { BACKGROUND_START, type BackgroundStart } from "./server/background-start.ts";
import { serverBlock } from "./server/server-block.ts";
import { SESSION_HOMES, type SessionHomes } from "./server/session-home.ts";
import { SESSION_SERVERS, type SessionServers } from "./server/session-servers.ts";
import { askedFolder } from "./session-files.ts";
import { checkedSession } from "./session-id.ts";

/** Collects for a session until it is stopped or idle; with `detach` in the background. */
@injectable()
export class ServeCommand implements CommandHandler<ServeInput, ServeOutput> {
  constructor(
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(SESSION_HOMES) private readonly homes: SessionHomes,
    @inject(SESSION_SERVERS) private readonly servers: SessionServers,
    @inject(BACKGROUND_START) private readonly background: BackgroundStart,
  ) {}

  /** @throws SkillError as the manifest lists. */
  async run(input: ServeInput, call: Call): Promise<ServeOutput> {
    const session = checkedSession(input.session);
    const audience = audienceOf(input);
    const folder = askedFolder(input.outdir, this.environment);
    if (input.detach) {
      const info = await this.background.start(input, await this.homes.place(folder, session), call);
      return { ...info, text: serverBlock(info) };
    }
    const home = await this.homes.take(folder, session, call.signal);
    try {
      return await this.#serve(await this.servers.open(home, input, audience), call);
    } finally {
      await home.release();
    }
  }

  async #serve(server: Awaited<ReturnType<SessionServers["open"]>>, call: Call): Promise<ServeOutput> {
    let ended = "failed";
    try {
      call.announce(serverBlock(server.info));
      ended = await server.serve(call.signal);
    } finally {
      await server.close(ended);
    }
    return { ...server.info, ended, text: `The server of ${server.info.session_id} has ended: ${ended}.` };
  }
}
