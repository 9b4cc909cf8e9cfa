import { inject, injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import { SITES, shutIn, type Sites } from "../gates/sites.ts";
import { unseen, verdictOf, type LookedSession } from "./told.ts";
import { WATCH, type Watch } from "./watch.ts";

const NEXT =
  "Do not write it again, in no other way either: the cause comes first. " +
  "`skillctl run runtime-debug status` says what comes next; `skillctl run runtime-debug probe --apply FILE:LINE` sets a probe, which may stay.";

/**
 * After each call of a tool, before the next and at the end of a turn: no change of code stays before the evidence
 * (specification, Gates 1; guards.md, 2.3.1).
 */
@injectable()
export class TreeCheckRule implements RuleHandler {
  constructor(
    @inject(WATCH) private readonly watch: Watch,
    @inject(SITES) private readonly sites: Sites,
  ) {}

  async judge(subject: Subject): Promise<Verdict> {
    const verdict = await this.#judged(subject).catch(unseen);
    // The call that comes next has not done it. What a failed call has written is found here: not every agent tells of those.
    return subject.event === "tool.pre" && verdict.decision === "deny"
      ? { ...verdict, decision: "warn" }
      : verdict;
  }

  async #judged(subject: Subject): Promise<Verdict> {
    const found: LookedSession[] = [];
    for (const site of await this.sites.of(subject)) {
      const ids = site.sessions.map(({ id }) => id);
      for (const entry of shutIn(site)) {
        // What the request says of a session that is not kept here cannot be looked at.
        if (entry.baseline.images === "")
          return subject.event === "tool.pre" ? { decision: "allow" } : UNKNOWN;
        await this.watch.heard(site.root, entry.id, subject.session ?? "");
        const looked = await this.watch.look(site.root, entry, ids);
        found.push({ ...looked, root: site.root, id: entry.id });
      }
    }
    return verdictOf(found, NEXT);
  }
}

const UNKNOWN: Verdict = {
  decision: "deny",
  message:
    "A debug session keeps the code shut, but what is kept of it is not here, so the code cannot be compared.",
};
