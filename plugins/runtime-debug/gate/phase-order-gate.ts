import { inject, injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import { ACTIONS, type Action } from "../protocol/edges.ts";
import { take } from "../protocol/machine.ts";
import { meant, ownCommands, type OwnCommand } from "./own-commands.ts";
import { SITES, type Sites } from "./sites.ts";
import { verdictOf, type Objection } from "./verdict.ts";

/** Phases are run in order and none is skipped (specification, States and transitions). The command says the same. */
@injectable()
export class PhaseOrderGate implements RuleHandler {
  constructor(@inject(SITES) private readonly sites: Sites) {}

  /** @throws SkillError as `Sites.of` does: then the rule has denied. */
  async judge(subject: Subject): Promise<Verdict> {
    const objections: Objection[] = [];
    for (const command of ownCommands(subject)) {
      const action = actionOf(command);
      if (action === undefined) continue;
      for (const site of await this.sites.of(subject)) {
        const sessions = meant(command, site);
        const refusals = sessions.flatMap((session): readonly Objection[] => {
          const taken = take(session.state, action, () => true);
          return taken.ok ? [] : [{ decision: "deny", sentence: taken.sentence, session }];
        });
        // Which of several sessions is meant the command finds out: one that can is enough.
        if (refusals.length === sessions.length) objections.push(...refusals);
      }
    }
    return verdictOf(
      objections,
      "The steps of a session come in order.",
      "Do the step that is missing first.",
    );
  }
}

/** The cleanup has a rule of its own; looking changes no state. */
function actionOf({ name, words }: OwnCommand): Action | undefined {
  if (name === "cleanup" || words.includes("--staged")) return undefined;
  const letter = words.find((word) => /^(?:--answer=)?[A-Da-d]$/.test(word));
  // What a session is asked at any step is looked at; `check` only tells elsewhere.
  if (name === "check") return undefined;
  const action =
    name === "answer" && letter !== undefined ? `answer ${letter.slice(-1).toUpperCase()}` : name;
  return ACTIONS.find((one) => one === action);
}
