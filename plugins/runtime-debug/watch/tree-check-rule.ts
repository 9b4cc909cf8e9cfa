import { inject, injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import { ownCommands } from "../gates/own-commands.ts";
import { SITES, shutIn, type Site, type Sites } from "../gates/sites.ts";
import type { SessionEntry } from "../session/entry.ts";
import { LEDGER, type Ledger } from "../session/ledger.ts";
import { unseen, verdictOf, type LookedSession } from "./told.ts";
import { WATCH, type Watch } from "./watch.ts";

const NEXT =
  "Do not write it again, in no other way either: the cause comes first. " +
  "`skillctl run runtime-debug status` says what comes next; `skillctl run runtime-debug probe --apply FILE:LINE` sets a probe, which may stay.";

/**
 * After each call of a tool, before the next and at the end of a turn: no change of code stays before the evidence
 * (specification, Gates 1).
 */
@injectable()
export class TreeCheckRule implements RuleHandler {
  constructor(
    @inject(WATCH) private readonly watch: Watch,
    @inject(SITES) private readonly sites: Sites,
    @inject(LEDGER) private readonly ledger: Ledger,
  ) {}

  async judge(subject: Subject): Promise<Verdict> {
    const { verdict, isOpen } = await this.#judged(subject).catch((caught: unknown) => ({
      verdict: unseen(caught),
      isOpen: true,
    }));
    if (subject.event !== "tool.pre" || verdict.decision !== "deny") return verdict;
    // The call that comes next has not done it. What a failed call has written is found here: not every agent tells of those.
    return !isOpen || isReading(subject) ? { ...verdict, decision: "warn" } : verdict;
  }

  /** What is done already may have reached any project, wherever it was called from. */
  async #judged(subject: Subject): Promise<Judged> {
    const until = this.watch.until();
    const named = await this.sites.of(subject);
    const found: LookedSession[] = [];
    for (const site of named) {
      for (const entry of shutIn(site)) {
        // What the request says of a session that is not kept here cannot be looked at.
        if (entry.baseline.images === "")
          return { verdict: subject.event === "tool.pre" ? { decision: "allow" } : UNKNOWN, isOpen: true };
        await this.watch.heard(site.root, entry.id, subject.session ?? "");
        found.push(await this.#look(site, entry, until));
      }
    }
    const isOpen = found.some((one) => one.isOpen);
    const faults = subject.event === "tool.pre" ? [] : await this.#others(named, found, until);
    const verdict = verdictOf(found, NEXT);
    if (faults.length === 0) return { verdict, isOpen };
    const message = [...(verdict.message === undefined ? [] : [verdict.message]), ...faults].join(" ");
    const decision = verdict.decision === "allow" ? "warn" : verdict.decision;
    return { verdict: { ...verdict, decision, message }, isOpen };
  }

  /** Looks at the projects that the call does not name. Answers what could not be looked at: that stops nobody. */
  async #others(named: readonly Site[], found: LookedSession[], until: number): Promise<readonly string[]> {
    const faults: string[] = [];
    for (const site of await this.sites.others(named)) {
      for (const entry of shutIn(site)) {
        try {
          found.push(await this.#look(site, entry, until));
        } catch (caught) {
          faults.push(`${site.root}: ${unseen(caught).message ?? ""}`);
        }
      }
    }
    return faults;
  }

  async #look({ root, sessions }: Site, entry: SessionEntry, until: number): Promise<LookedSession> {
    const { id } = entry;
    const current = async (): Promise<SessionEntry | undefined> => {
      const now = await this.ledger.read(root, id);
      return now && shutIn({ root, sessions: [now] })[0];
    };
    const ids = sessions.map((one) => one.id);
    return { ...(await this.watch.look(root, entry, { ids, current, until })), root, id };
  }
}

interface Judged {
  readonly verdict: Verdict;
  /** Whether something is not as it should be still, or nobody knows. */
  readonly isOpen: boolean;
}

/** A call that changes no code whatever is in it, or one of the session's own commands: an abort is always possible. */
function isReading(subject: Subject): boolean {
  if (subject.tool === "read") return true;
  const programs = subject.shell?.programs ?? [];
  return ownCommands(subject).length > 0 && programs.every(({ name }) => OWN.has(name));
}

const OWN: ReadonlySet<string> = new Set(["cd", "npx", "skillctl"]);

const UNKNOWN: Verdict = {
  decision: "deny",
  message:
    "A debug session keeps the code shut, but what is kept of it is not here, so the code cannot be compared.",
};
