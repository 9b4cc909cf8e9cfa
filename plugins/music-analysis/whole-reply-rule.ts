import { injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import { askedIn } from "./agent/asked-question.ts";

/**
 * Stops a question whose answer goes elsewhere than to the agent (specification, Presentation rule 1). The rule's `when`
 * sees that something stands beside the question; what asks none, such as `songs` and `--help`, may be piped.
 */
@injectable()
export class WholeReplyRule implements RuleHandler {
  readonly judge = (subject: Subject): Verdict => ({ decision: askedIn(subject) ? "deny" : "allow" });
}
