import { SkillError, inject, injectable, type Call, type CommandHandler } from "skillctl";
import type { BackInput, BackOutput } from "../contract.ts";
import { DEBUG_SERVERS, type DebugServers } from "../session/debug-servers.ts";
import { fullEnding, nextStep } from "../session/next-step.ts";
import { entryBefore } from "../session/rounds.ts";
import { SESSIONS, standing, type Sessions } from "../session/sessions.ts";

/** Undoes the last answer, verdict, fix or verification. */
@injectable()
export class BackCommand implements CommandHandler<BackInput, BackOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
  ) {}

  /** @throws SkillError `DEBUG_STEP` if no step can be undone, and errors of opening the session. */
  run({ session }: BackInput, call: Call): Promise<BackOutput> {
    return this.sessions.turn(session, call, async (opened) => {
      const last = entryBefore(opened.entry);
      if (!last)
        throw new SkillError("DEBUG_STEP", "No step can be taken back.", {
          hint: `An answer, judge, fix or verify can be taken back until probes, hypotheses or a check follow it. ${nextStep(opened.entry)}`,
        });
      const { entry: before, action } = last;
      // First the server, as in each step with events of the user.
      if (before.state === "reproducing" || before.state === "verifying")
        await this.servers.ensure({ ...opened, entry: before }, call);
      const { entry } = await this.sessions.write(opened, before);
      const text = [`Taken back: ${action}. The record shows it.`, "", fullEnding(entry)].join("\n");
      return { ...standing(entry), action, text };
    });
  }
}
