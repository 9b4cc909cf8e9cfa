import type { LogEvent } from "../store/log/log-lines.ts";
import { hypothesisNames } from "../store/read/event-filter.ts";
import type { SessionEntry } from "./entry.ts";
import { isAnySession, signReader } from "./signs.ts";

/** Why an event is none of the evidence. */
export type Unfit = "session" | "hypothesis" | "region";

/** Completes a sentence about one event. */
export const UNFIT: Readonly<Record<Unfit, string>> = {
  session: "names another session",
  hypothesis: "names no hypothesis that is listed",
  region: "comes from no region that `check` has seen",
};

/** The hypotheses that an event names. */
export function hypothesesOf({ hypothesisId }: LogEvent): ReadonlySet<string> {
  const named = Array.isArray(hypothesisId) ? hypothesisId.join(",") : hypothesisId;
  return typeof named === "string" ? hypothesisNames(named) : new Set();
}

/** Tells evidence from other events: of this session, for a listed hypothesis, from a region that `check` has seen. */
export function unfitReader({
  id,
  hypotheses,
  signs,
}: Pick<SessionEntry, "id" | "hypotheses" | "signs">): (event: LogEvent) => Unfit | undefined {
  const listed = new Set(hypotheses.map((one) => one.id));
  const hasSign = signReader(signs);
  return (event) => {
    const { sessionId } = event;
    if (sessionId !== id && !isAnySession(sessionId)) return "session";
    const names = hypothesesOf(event);
    if (![...names].some((name) => listed.has(name))) return "hypothesis";
    return hasSign(event) ? undefined : "region";
  };
}
