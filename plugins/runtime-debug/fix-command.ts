import { FILES, inject, injectable, type Call, type CommandHandler, type Files } from "skillctl";
import { placed } from "./check/finding.ts";
import type { FixInput, FixOutput } from "./contract.ts";
import { DEBUG_SERVERS, type DebugServers } from "./server/ensure-server.ts";
import { ending, guidance } from "./session/next-step.ts";
import { nextFixRun } from "./session/rounds.ts";
import { SESSIONS, standing, type Sessions } from "./session/sessions.ts";
import { WORKTREE, type Worktree } from "./worktree/worktree.ts";

/** Takes note of a fix; new events belong to the run after it. */
@injectable()
export class FixCommand implements CommandHandler<FixInput, FixOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(WORKTREE) private readonly worktree: Worktree,
    @inject(FILES) private readonly files: Files,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
  ) {}

  /** @throws SkillError `DEBUG_STEP`, `DEBUG_CHECK_FAILED`, and what the check and the server throw. */
  run(input: FixInput, call: Call): Promise<FixOutput> {
    return this.sessions.turn(input.session, call.signal, () => this.#run(input, call));
  }

  async #run({ session, summary, cause }: FixInput, call: Call): Promise<FixOutput> {
    const opened = await this.sessions.open(session);
    this.sessions.refuse(opened, "fix");
    const { fixed } = await import("./check/fixed.ts");
    const { accepted, files, notes } = await fixed(opened, this.worktree, this.files);
    this.sessions.refuse(opened, "fix", new Set(files.length > 0 ? ["changed"] : []));
    const { hypotheses, fixes, runs } = opened.entry;
    const run = nextFixRun(opened.entry);
    // First the server: a step that was taken while events still get the old run would spoil the comparison.
    await this.servers.begin(opened, call, run);
    const confirmed = hypotheses.filter(({ verdict }) => verdict === "confirmed").map(({ text }) => text);
    const { entry } = await this.sessions.step(opened, "fix", new Set(["changed"]), () => ({
      runs: { ...runs, after: run },
      fixes: [...fixes, { summary, files }],
      cause: cause ?? confirmed.join("; "),
      accepted,
    }));
    const text = [
      `The fix changes: ${files.join(", ")}`,
      `Events belong to the run ${run} from now on; those before stay for the comparison. The probes stay.`,
      ...notes.map((note) => `To be looked at: ${placed(note)}`),
      "",
      ...guidance(entry.steps, "the fix"),
      "",
      ending(entry),
    ].join("\n");
    return { ...standing(entry), files: [...files], run, text };
  }
}
