import { SkillError, type Call } from "skillctl";
import { STEPS } from "./steps.ts";
import type { DebugServers } from "./debug-servers.ts";
import type { EventCounts } from "./evidence.ts";
import type { OpenedSession } from "./sessions.ts";
import { UNFIT, type Unfit } from "./signs.ts";

/** All events of a run. */
export function allOf({ evidence, others }: EventCounts): number {
  return evidence + others.session + others.hypothesis + others.region;
}

/**
 * Refuses a step whose run has other events alone, or none because the server was away: then it is started, so that the next
 * try arrives.
 * @throws SkillError `DEBUG_STEP`, and what the start of a server throws
 */
export async function refuseWithoutEvidence(
  opened: OpenedSession,
  action: "answer A" | "verify",
  counts: EventCounts,
  servers: DebugServers,
  call: Call,
): Promise<void> {
  if (allOf(counts) > 0) throw otherEvents(opened, action, counts);
  if (await servers.running(opened)) return;
  const { url } = await servers.ensure(opened, call);
  const why = "no event has been collected in this run, because the debug server was not running";
  throw new SkillError("DEBUG_STEP", `"${action}" is not possible now: ${why}.`, {
    hint: `It runs again at ${url}: have the user go the same way once more, then repeat this command.`,
  });
}

/** How many events of a run are evidence, and what the others lack, as a sentence. */
export function evidenceLine(counts: EventCounts): string {
  const { evidence } = counts;
  const others = allOf(counts) - evidence;
  const told = `Evidence of this run: ${evidence} ${evidence === 1 ? "event" : "events"}`;
  if (others === 0) return `${told}.`;
  if (others > 1) return `${told}; ${others} others are none: ${lacks(counts).join(", ")}.`;
  return `${told}; 1 other is none, since it ${lacks(counts).join("").replace(/^1 /, "")}.`;
}

/** What the other events lack: `2 name no hypothesis that is listed`. */
function lacks({ others }: EventCounts): readonly string[] {
  return (Object.keys(UNFIT) as Unfit[])
    .filter((why) => others[why] > 0)
    .map((why) => `${others[why]} ${UNFIT[why].replace(/^(\w+)s /, others[why] === 1 ? "$1s " : "$1 ")}`);
}

function otherEvents(
  { entry }: OpenedSession,
  action: "answer A" | "verify",
  counts: EventCounts,
): SkillError {
  const sum = allOf(counts);
  const { number, title } = STEPS[entry.state];
  const events = sum === 1 ? "1 event has" : `${sum} events have`;
  return new SkillError(
    "DEBUG_STEP",
    `"${action}" is not possible now: ${events} been collected in this run, and none is evidence: ${lacks(counts).join(", ")}. The session is at step ${number} of 11: ${title}.`,
    {
      hint: `An event counts when it names the session ${entry.id}, one of the hypotheses ${entry.hypotheses
        .map(({ id }) => id)
        .join(
          ", ",
        )}, and a location or message that stands as text in a region: see \`skillctl run runtime-debug logs ${entry.id}\`. After a change of a region: skillctl run runtime-debug check ${entry.id}`,
    },
  );
}
