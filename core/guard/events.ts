import type { GuardEvent } from "../plugin.ts";

/** Events that belong to one skill are heard by the rules of that skill, unless a rule `applies` to all. */
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

/** Events of agents, which belong to no skill. */
export const HOOK_EVENTS = (Object.keys(OF_A_SKILL) as GuardEvent[]).filter((event) => !isOfSkill(event));
