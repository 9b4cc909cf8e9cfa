import type { Call } from "skillctl";
import type { Fact } from "../protocol/edges.ts";
import { QUESTIONS, type Letter } from "../protocol/questions.ts";
import type { DebugServers } from "../server/ensure-server.ts";
import type { SessionEntry } from "./entry.ts";
import type { Evidence } from "./evidence.ts";
import { reopened } from "./hypotheses.ts";
import { revived } from "./revived.ts";
import { judgedByFix, nextReproduction } from "./rounds.ts";
import type { OpenedSession, Sessions } from "./sessions.ts";

/** What the user has answered. */
export interface Answer {
  readonly letter: Letter;
  readonly note?: string | undefined;
}

export interface AnswerParts {
  readonly sessions: Sessions;
  readonly evidence: Evidence;
  readonly servers: DebugServers;
}

/** The session after an answer, and what was answered, for people. */
export interface Answered {
  readonly opened: OpenedSession;
  readonly said: string;
}

/**
 * Takes the step of an answer. Answers B and C to what was seen of the bug begin another round.
 * @throws SkillError `DEBUG_STEP` when no event shows that the bug was reproduced, `DEBUG_CHANGED`
 */
export async function answered(
  opened: OpenedSession,
  { letter, note }: Answer,
  { sessions, evidence, servers }: AnswerParts,
  call: Call,
): Promise<Answered> {
  const { state, runs } = opened.entry;
  const option = QUESTIONS[state]?.options[letter] ?? "Abort debugging";
  const said = `${letter}) ${option}${note === undefined ? "" : `: ${note}`}`;
  const events = state === "reproducing" ? await evidence.count(opened, runs.before) : 0;
  // A server that has died meanwhile is why there is nothing: the next try must arrive.
  if (state === "reproducing" && letter === "A" && events === 0)
    await revived(opened, "answer A", servers, call);
  const holds = new Set<Fact>(events > 0 ? ["evidence"] : []);
  const change = (entry: SessionEntry): Partial<SessionEntry> => ({
    ...noted(opened.entry, letter, said, note),
    ...round(state, letter, entry, events > 0),
  });
  return { opened: await sessions.step(opened, `answer ${letter}`, holds, change), said };
}

/** Where an answer is kept: B and C as the reason of another round, what else was said as a note. */
function noted(
  { state, iterations, notes = [] }: SessionEntry,
  letter: Letter,
  said: string,
  note: string | undefined,
): Partial<SessionEntry> {
  const isRound = (letter === "B" || letter === "C") && state !== "observing";
  if (isRound) return { iterations: [...iterations, said] };
  return note === undefined && state !== "observing" ? {} : { notes: [...notes, said] };
}

function round(
  from: SessionEntry["state"],
  letter: Letter,
  entry: SessionEntry,
  hasEvents: boolean,
): Partial<SessionEntry> {
  if (from === "confirming" && letter === "B")
    return { runs: judgedByFix(entry), hypotheses: reopened(entry.hypotheses) };
  if (from === "confirming" && letter === "C")
    return { runs: nextReproduction(entry), hypotheses: reopened(entry.hypotheses) };
  const isMissed = from === "reproducing" && (letter === "B" || letter === "C");
  // Events of a try that was none must not count for the next one.
  return isMissed && hasEvents ? { runs: nextReproduction(entry) } : {};
}
