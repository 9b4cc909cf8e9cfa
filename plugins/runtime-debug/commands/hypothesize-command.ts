import { ENVIRONMENT, FILES, inject, injectable } from "skillctl";
import type { Call, CommandHandler, Environment, Files } from "skillctl";
import type { HypothesizeInput, HypothesizeOutput } from "../contract.ts";
import {
  checkedHypotheses,
  hypothesisLines,
  hypothesisRows,
  listed,
  refuseFew,
} from "../session/hypotheses.ts";
import { SESSIONS, answered, type Sessions } from "../session/sessions.ts";

/** Lists the hypotheses of a session; in a further round, and until they are judged, they are replaced. */
@injectable()
export class HypothesizeCommand implements CommandHandler<HypothesizeInput, HypothesizeOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @throws SkillError `INPUT_INVALID` as `checkedHypotheses` does, `DEBUG_STEP`, and what finding the session throws. */
  run({ session, hypotheses }: HypothesizeInput, call: Call): Promise<HypothesizeOutput> {
    return this.sessions.turn(session, call, async (opened) => {
      this.sessions.refuse(opened, "hypothesize");
      const { workingFolder } = this.environment;
      const wished = await checkedHypotheses(hypotheses, opened.root, workingFolder, this.files);
      refuseFew(wished, opened.entry);
      const { entry } = await this.sessions.step(opened, "hypothesize", (now) => listed(wished, now));
      const { hypotheses: rows } = entry;
      return answered(entry, ["Hypotheses:", ...hypothesisLines(rows)], { hypotheses: hypothesisRows(rows) });
    });
  }
}
