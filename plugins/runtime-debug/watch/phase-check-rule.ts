import { inject, injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import { LEDGER, type Ledger } from "../session/ledger.ts";
import { unseen, verdictOf } from "./told.ts";
import { WATCH, type Watch } from "./watch.ts";

const NEXT =
  "The session has not gone on. Look whether something writes there still, end it, and repeat the command.";

/**
 * Before a session leaves a state in which no code may change: what was written late is found here. Only where the hook of
 * an agent has been heard before; without one `check` tells what is wrong, and whoever wrote it mends it. The
 * way to the cleanup is never refused: an abort is offered at every checkpoint (specification, Gates 3).
 */
@injectable()
export class PhaseCheckRule implements RuleHandler {
  constructor(
    @inject(WATCH) private readonly watch: Watch,
    @inject(LEDGER) private readonly ledger: Ledger,
  ) {}

  async judge(subject: Subject): Promise<Verdict> {
    const verdict = await this.#judged(subject).catch(unseen);
    const { to } = (subject.input ?? {}) as { readonly to?: string };
    if (to !== "cleaning" || verdict.decision !== "deny") return verdict;
    return { decision: "warn", ...(verdict.message !== undefined && { message: verdict.message }) };
  }

  async #judged({ cwd = "", session = "" }: Subject): Promise<Verdict> {
    const sessions = await this.ledger.sessionsAt(cwd);
    const entry = sessions[session];
    if (!entry) return UNKNOWN;
    if (!(await this.watch.isHeard(cwd, session))) return { decision: "allow" };
    const looked = await this.watch.look(cwd, entry, {
      ids: Object.keys(sessions),
      current: () => this.ledger.read(cwd, session),
    });
    return verdictOf([{ ...looked, root: cwd, id: session }], NEXT);
  }
}

const UNKNOWN: Verdict = {
  decision: "deny",
  message: "What is kept of this debug session is not here, so the code cannot be compared.",
};
