import type { GuardRequest } from "../../contract.ts";
import type { Check } from "../../schema/schemas.ts";
import { spoken, type Dialect } from "./dialect.ts";
import { completed } from "./request.ts";

/** Exit statuses of the error table: a rule denies or asks, a rule failed, the request is none. */
const STATUS = { denied: 77, failed: 70, unreadable: 65 } as const;

/** Our own words: core/guard-request in, core/guard-decision out. What does not fit the schema is no request. */
export function skillctlDialect(fits: Check): Dialect {
  return {
    name: "skillctl",
    hear: (event) => (fits(event) ? undefined : completed(event as unknown as GuardRequest)),
    says: ({ decision }) => decision,
    answer: (decision) => {
      const stops = decision.decision === "deny" || decision.decision === "ask";
      const failed = decision.reasonCode === "GUARD_FAILED";
      return spoken(decision, stops ? (failed ? STATUS.failed : STATUS.denied) : 0);
    },
    refuse: (message, reasonCode) =>
      spoken(
        { decision: "deny", reasonCode, message, agentMessage: message },
        reasonCode === "GUARD_FAILED" ? STATUS.failed : STATUS.unreadable,
      ),
  };
}
