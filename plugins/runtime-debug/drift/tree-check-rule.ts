import { SkillError, inject, injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import { SITES, type Sites } from "../gate/sites.ts";
import { DRIFT, driftText, isHeld, type Drift } from "./drift.ts";

/**
 * After each call of a tool and at the end of a turn: tells what has changed by more than probes before the evidence, or
 * since the fix was accepted (specification, Gates 1). It touches no file and stops nothing that is done already: the
 * commands of the session refuse to go on.
 */
@injectable()
export class TreeCheckRule implements RuleHandler {
  constructor(
    @inject(DRIFT) private readonly drift: Drift,
    @inject(SITES) private readonly sites: Sites,
  ) {}

  /** @throws SkillError as `Sites.of` does */
  async judge(subject: Subject): Promise<Verdict> {
    const told: string[] = [];
    const hints = new Set<string>();
    for (const { root, sessions } of await this.sites.of(subject)) {
      for (const entry of sessions.filter(({ state }) => isHeld(state))) {
        if (entry.baseline.images === "") {
          told.push(
            "A debug session holds the code, but what is kept of it is not here, so it cannot be compared.",
          );
          continue;
        }
        try {
          const opened = { root, entry };
          const found = await this.drift.of(opened);
          if (found.length === 0) continue;
          told.push(`In ${root} (session ${entry.id}) ${driftText(opened, found)}`);
          for (const { hint } of found) if (hint !== undefined) hints.add(hint);
        } catch (caught) {
          if (!(caught instanceof SkillError)) throw caught;
          told.push(`Whether the code of ${root} has changed could not be seen: ${caught.message}`);
        }
      }
    }
    if (told.length === 0) return { decision: "allow" };
    const message = told.join(" ");
    return {
      decision: "warn",
      message,
      agentMessage:
        `${message} The session does not go on until that is undone. ${[...hints].join(" ")}`.trim(),
    };
  }
}
