import { inject, injectable, token, type Call } from "skillctl";
import { type Fact, QUESTIONS, type Letter } from "./steps.ts";
import { DEBUG_SERVERS, type DebugServers } from "./debug-servers.ts";
import { framed } from "../store/event/inert-text.ts";
import { NOTICE } from "../store/read/notice.ts";
import type { SessionEntry } from "./entry.ts";
import { EVIDENCE, type Evidence } from "./evidence.ts";
import { reopened, roundsWith } from "./hypotheses.ts";
import { allOf, refuseWithoutEvidence } from "./no-evidence.ts";
import { judgedByFix, nextReproduction, otherSymptoms } from "./rounds.ts";
import { SESSIONS, type OpenedSession, type Sessions } from "./sessions.ts";

/** What the user has answered. */
export interface Answer {
  readonly letter: Letter;
  readonly note?: string | undefined;
}

/** The session after an answer, and what was answered, for people. */
export interface Answered {
  readonly opened: OpenedSession;
  readonly said: string;
  /** The evidence that is to be judged, where it has just come in. */
  readonly shown: readonly string[];
}

/** Takes the steps of answers. */
@injectable()
export class Answers {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(EVIDENCE) private readonly evidence: Evidence,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
  ) {}

  /**
   * Takes the step of an answer. Answers B and C to what was seen of the bug begin another round.
   * @throws SkillError `DEBUG_STEP` when no event shows that the bug was reproduced, `DEBUG_CHANGED`
   */
  async take(opened: OpenedSession, { letter, note }: Answer, call: Call): Promise<Answered> {
    const { state, runs } = opened.entry;
    const option = QUESTIONS[state]?.options[letter] ?? "Abort debugging";
    const said = `${letter}) ${option}${note === undefined ? "" : `: ${note}`}`;
    const counts = state === "reproducing" ? await this.evidence.count(opened, runs.before) : undefined;
    if (counts?.evidence === 0 && letter === "A")
      await refuseWithoutEvidence(opened, "answer A", counts, this.servers, call);
    const events = counts === undefined ? 0 : allOf(counts);
    const holds = new Set<Fact>(counts !== undefined && counts.evidence > 0 ? ["evidence"] : []);
    const change = (entry: SessionEntry): Partial<SessionEntry> => ({
      ...noted(opened.entry, letter, said, note),
      ...round(state, letter, entry, events > 0),
      ...(counts && { seen: events }),
    });
    const shown = letter === "A" && counts ? await this.#eventLines(opened) : [];
    return { opened: await this.sessions.step(opened, `answer ${letter}`, holds, change), said, shown };
  }

  async #eventLines(opened: OpenedSession): Promise<readonly string[]> {
    const { id, runs } = opened.entry;
    const { lines, more } = await this.evidence.texts(opened, runs.before);
    if (lines.length === 0) return [];
    return [
      framed(lines, NOTICE),
      ...(more > 0
        ? [
            `${more} more: skillctl run runtime-debug logs ${id} --run-id ${runs.before}, with --format summary too.`,
          ]
        : []),
      "",
    ];
  }
}

export const ANSWERS = token<Answers>("answers");

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
  if (from === "confirming" && (letter === "B" || letter === "C"))
    return {
      runs: letter === "B" ? judgedByFix(entry) : otherSymptoms(entry),
      rounds: roundsWith(entry, entry.hypotheses),
      hypotheses: reopened(entry.hypotheses),
    };
  const isMissed = from === "reproducing" && (letter === "B" || letter === "C");
  // Events of a try that was none must not count for the next one.
  return isMissed && hasEvents ? { runs: nextReproduction(entry) } : {};
}
