import type { Verdict } from "skillctl";
import { STEPS } from "../session/steps.ts";
import type { SessionEntry } from "../session/entry.ts";

const ALLOWED: Verdict = { decision: "allow" };

/** One thing that stands against a call. */
export interface Objection {
  readonly decision: "deny" | "ask";
  /** A sentence for people. */
  readonly sentence: string;
  readonly session: SessionEntry;
}

/** As many as people read. */
const MOST = 3;
const NEXT = "`skillctl run runtime-debug status` says what comes next.";

/**
 * The strictest of several objections, told once each. `why` is the rule in short, for people; `instead` the same for the
 * model, with what it does in place of the call. Where another rule speaks of the same call too, one of them says what
 * comes next.
 */
export function verdictOf(
  objections: readonly Objection[],
  why: string,
  instead: string,
  { isLast = true }: { readonly isLast?: boolean } = {},
): Verdict {
  const decision = objections.some((one) => one.decision === "deny") ? "deny" : "ask";
  const counted = objections.filter((one) => one.decision === decision);
  const [first] = counted;
  if (!first) return ALLOWED;
  const sentences = [...new Set(counted.map(({ sentence }) => sentence))];
  const told = sentences.slice(0, MOST).join(" ");
  const more = sentences.length > MOST ? ` And ${sentences.length - MOST} more.` : "";
  const { session } = first;
  const at = `Session ${session.id}, step ${STEPS[session.state].number} of 11`;
  return {
    decision,
    message: `${told}${more} ${why}${isLast ? ` (${at}.)` : ""}`,
    agentMessage: `${told}${more} ${instead}${isLast ? ` ${at}: ${NEXT}` : ""}`,
  };
}
