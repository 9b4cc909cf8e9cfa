import { ENVIRONMENT, FILES, inject, injectable } from "skillctl";
import type { Call, CommandHandler, Environment, Files } from "skillctl";
import type { ProbeInput, ProbeOutput } from "./contract.ts";
import type { ProbingParts } from "./probes/probing.ts";
import { DEBUG_SERVERS, type DebugServers } from "./server/ensure-server.ts";
import { SESSIONS, type Sessions } from "./session/sessions.ts";
import { WORKTREE, type Worktree } from "./worktree/worktree.ts";

/** Prints a probe or puts it into a file. */
@injectable()
export class ProbeCommand implements CommandHandler<ProbeInput, ProbeOutput> {
  readonly #parts: ProbingParts;

  constructor(
    @inject(SESSIONS) sessions: Sessions,
    @inject(DEBUG_SERVERS) servers: DebugServers,
    @inject(WORKTREE) worktree: Worktree,
    @inject(FILES) files: Files,
    @inject(ENVIRONMENT) environment: Environment,
  ) {
    this.#parts = { sessions, servers, worktree, files, environment };
  }

  /** @throws SkillError as the manifest lists. */
  async run(input: ProbeInput, call: Call): Promise<ProbeOutput> {
    const { probe } = await import("./probes/probing.ts");
    return this.#parts.sessions.turn(input.session, call.signal, () => probe(input, call, this.#parts));
  }
}
