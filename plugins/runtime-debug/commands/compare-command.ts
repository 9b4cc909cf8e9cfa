import { inject, injectable, type CommandHandler } from "skillctl";
import { COMPARISON, type Comparison } from "../compare/comparison.ts";
import type { CompareInput, CompareOutput } from "../contract.ts";
import { citedRun } from "../session/rounds.ts";
import { SESSIONS, type Sessions } from "../session/sessions.ts";

/** Compares the run before the fix with the run after it. It is read-only and takes no step. */
@injectable()
export class CompareCommand implements CommandHandler<CompareInput, CompareOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(COMPARISON) private readonly comparison: Comparison,
  ) {}

  /** @throws SkillError as the manifest lists. */
  async run(input: CompareInput): Promise<CompareOutput> {
    const opened = await this.sessions.open(input.session);
    const { entry } = opened;
    const [before, after] = [input.before ?? citedRun(entry), input.after ?? entry.runs.after];
    return this.comparison.of(opened, before, after);
  }
}
