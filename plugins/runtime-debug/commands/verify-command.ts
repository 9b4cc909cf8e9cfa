import { inject, injectable, token, type Call, type CommandHandler } from "skillctl";
import { COMPARISON, type Comparison } from "../compare/comparison.ts";
import type { VerifyInput, VerifyOutput } from "../contract.ts";
import { DRIFT, type Drift } from "../drift/drift.ts";
import { isTried, ratesLines, triesOf } from "../reproduce/rates.ts";
import type { SessionEntry } from "../session/entry.ts";
import { allOf, EVIDENCE, type Evidence } from "../session/evidence.ts";
import { citedRun, runOf } from "../session/rounds.ts";
import { SESSIONS, answered, type OpenedSession, type Sessions } from "../session/sessions.ts";
import { CONFIRMATION, type Action, type Fact } from "../session/steps.ts";

/** Ends the run with the fix: compares it with the run that the verdicts cite, and shows the question to the user. */
@injectable()
export class VerifyCommand implements CommandHandler<VerifyInput, VerifyOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(EVIDENCE) private readonly evidence: Evidence,
    @inject(COMPARISON) private readonly comparison: Comparison,
    @inject(DRIFT) private readonly drift: Drift,
  ) {}

  /** @throws SkillError as `of` does, and the errors of finding the session */
  run({ session }: VerifyInput, call: Call): Promise<VerifyOutput> {
    return this.sessions.turn(session, call, (opened) => this.of(opened, "verify", call));
  }

  /**
   * @param more further changes of the action @throws SkillError `DEBUG_STEP` without events of the run with the fix, or a command that was run before and after it, `DEBUG_DRIFT`, and as the comparison does
   */
  async of(
    opened: OpenedSession,
    action: Action,
    call: Call,
    more: Partial<SessionEntry> = {},
  ): Promise<VerifyOutput> {
    this.sessions.refuse(opened, action);
    // The drift check comes first: events of other code would have to be collected again.
    await this.drift.refuse(opened, action);
    const run = runOf(opened.entry);
    const cited = citedRun(opened.entry);
    const tries = triesOf(opened.entry, cited);
    const counts = await this.evidence.count(opened, run);
    // With a fix the program may pass no probe: then the runs of the command before the fix and with it show the
    // outcome.
    const isShown = counts.evidence > 0 || (allOf(counts) === 0 && isTried(tries, cited, run));
    if (!isShown) await this.evidence.refuseWithout(opened, action, counts, call);
    const holds: readonly Fact[] = isShown ? ["evidence"] : [];
    const { text } = await this.comparison.of(opened, cited, run);
    const conclusion = [...ratesLines(opened.entry, cited, run), text].join("\n");
    const change = { ...more, conclusion, seen: allOf(counts) };
    const { entry } = await this.sessions.step(opened, action, () => change, holds);
    const { text: question, options } = CONFIRMATION;
    return answered(entry, [conclusion], { question: { text: question, options: { ...options } } });
  }
}

export const VERIFY = token<VerifyCommand>("verify-handler");
