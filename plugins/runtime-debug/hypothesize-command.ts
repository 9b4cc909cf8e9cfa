import { SkillError, inject, injectable, type Call, type CommandHandler } from "skillctl";
import type { HypothesizeInput, HypothesizeOutput } from "./contract.ts";
import { hypothesisLines, hypothesisRows, lettered } from "./session/hypotheses.ts";
import { ending } from "./session/next-step.ts";
import { SESSIONS, standing, type Sessions } from "./session/sessions.ts";

/** Lists the hypotheses of a session; in a further round, and until they are judged, they are replaced. */
@injectable()
export class HypothesizeCommand implements CommandHandler<HypothesizeInput, HypothesizeOutput> {
  constructor(@inject(SESSIONS) private readonly sessions: Sessions) {}

  /** @throws SkillError `INPUT_INVALID` for a text that comes twice, `DEBUG_STEP`, and what finding the session throws. */
  run(input: HypothesizeInput, call: Call): Promise<HypothesizeOutput> {
    return this.sessions.turn(input.session, call.signal, () => this.#run(input));
  }

  async #run({ session, hypotheses }: HypothesizeInput): Promise<HypothesizeOutput> {
    const opened = await this.sessions.open(session);
    this.sessions.refuse(opened, "hypothesize");
    for (const [index, { text }] of hypotheses.entries())
      if (hypotheses.findIndex((one) => one.text === text) < index) throw twice(index, text);
    const { entry } = await this.sessions.step(opened, "hypothesize", new Set(), (now) => {
      const given = now.letters ?? now.hypotheses.map(({ id }) => id);
      const next = lettered(hypotheses, now.hypotheses, given);
      return { hypotheses: next, letters: [...new Set([...given, ...next.map(({ id }) => id)])] };
    });
    const text = ["Hypotheses:", ...hypothesisLines(entry.hypotheses), "", ending(entry)].join("\n");
    return { ...standing(entry), hypotheses: hypothesisRows(entry.hypotheses), text };
  }
}

function twice(index: number, text: string): SkillError {
  return new SkillError("INPUT_INVALID", `The hypothesis "${text}" comes twice.`, {
    pointer: `/hypotheses/${index}/text`,
    hint: "Each must be another cause, refuted by other log lines.",
  });
}
