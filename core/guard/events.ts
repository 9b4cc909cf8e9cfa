import type { GuardEvent } from "../plugin.ts";

/** Whether an event is of one skill: then its rules alone hear it by default. */
const OF_A_SKILL: Readonly<Record<GuardEvent, boolean>> = {
  "session.start": false,
  "session.end": false,
  "prompt.submit": false,
  "tool.pre": false,
  "tool.post": false,
  "command.pre": true,
  "command.post": true,
  "route.request": true,
  "output.pre": false,
  "turn.stop": false,
  "phase.enter": true,
  "phase.leave": true,
};

export function isOfSkill(event: GuardEvent): boolean {
  return OF_A_SKILL[event];
}

/** Events of agents, which are of no skill. */
export const HOOK_EVENTS = (Object.keys(OF_A_SKILL) as GuardEvent[]).filter((event) => !isOfSkill(event));
