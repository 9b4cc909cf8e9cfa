import type {
  AccessTokens,
  Call,
  Claims,
  Clock,
  Environment,
  Files,
  Http,
  Journals,
  Log,
  Programs,
  Server,
} from "skillctl";
import type { ServeInput, ServeOutput } from "../contract.ts";
import type { SessionHolder } from "../open-session.ts";
import { askedFolder } from "../session-files.ts";
import { checkedSession } from "../session-id.ts";
import { audienceOf } from "./audience.ts";
import { BackgroundStart } from "./background-start.ts";
import type { RunningServer } from "./running-server.ts";
import { serverBlock } from "./server-block.ts";
import { SessionHomes } from "./session-home.ts";
import { SessionServers } from "./session-servers.ts";

/** What a server is made of. */
export interface ServingPorts {
  readonly claims: Claims;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly files: Files;
  readonly http: Http;
  readonly journals: Journals;
  readonly log: Log;
  readonly programs: Programs;
  readonly server: Server;
  readonly session: SessionHolder;
  /** Undefined where no skill keeps logins. */
  readonly tokens: AccessTokens | undefined;
}

/** Collects for a session until it is stopped or idle; with `detach` in the background. */
export async function serve(input: ServeInput, call: Call, ports: ServingPorts): Promise<ServeOutput> {
  const { claims, clock, environment, files, http, journals, log, programs, server, tokens } = ports;
  const session = checkedSession(input.session);
  const audience = audienceOf(input);
  const folder = askedFolder(input.outdir, environment);
  const homes = new SessionHomes(files, claims, http, environment);
  if (input.detach) {
    const background = new BackgroundStart(environment, files, http, log, programs);
    const info = await background.start(input, await homes.place(folder, session), call);
    return { ...info, text: serverBlock(info) };
  }
  const servers = new SessionServers(server, files, journals, clock, environment, log, tokens, ports.session);
  const home = await homes.take(folder, session, call.signal);
  try {
    return await untilItEnds(await servers.open(home, input, audience), call);
  } finally {
    await home.release();
  }
}

async function untilItEnds(server: RunningServer, call: Call): Promise<ServeOutput> {
  let ended = "failed";
  try {
    call.announce(serverBlock(server.info));
    ended = await server.serve(call.signal);
  } finally {
    await server.close(ended);
  }
  return { ...server.info, ended, text: `The server of ${server.info.session_id} has ended: ${ended}.` };
}
