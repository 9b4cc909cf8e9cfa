import { inject, injectable, SkillError, type Call, type CommandHandler } from "skillctl";
import type { JudgeInput, JudgeOutput } from "../contract.ts";
import { DRIFT, type Drift } from "../drift/drift.ts";
import type { Hypothesis, SessionEntry } from "../session/entry.ts";
import { citationsIn, citationText, EVIDENCE, type Cited, type Evidence } from "../session/evidence.ts";
import { hypothesisLines, hypothesisRows, verdictLine, verdictsOf } from "../session/hypotheses.ts";
import { backLine } from "../session/rounds.ts";
import { SESSIONS, answered, type OpenedSession, type Sessions } from "../session/sessions.ts";
import type { Fact } from "../session/steps.ts";

type Verdicts = ReturnType<typeof verdictsOf>;
type CitedVerdict = Verdicts[number] & Cited;

/** The number of valid citations that are listed. */
const MOST_SHOWN = 10;

/** Replaces the lines if no line of the run names the hypothesis. */
const NO_LINES = "none";

/** Judges hypotheses by log lines of the judged run. */
@injectable()
export class JudgeCommand implements CommandHandler<JudgeInput, JudgeOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(EVIDENCE) private readonly evidence: Evidence,
    @inject(DRIFT) private readonly drift: Drift,
  ) {}

  /**
   * @throws SkillError `DEBUG_STEP`, `DEBUG_DRIFT`, `DEBUG_CITATION`, `INPUT_INVALID`, and the errors of finding the
   * session.
   */
  run({ session, verdicts }: JudgeInput, call: Call): Promise<JudgeOutput> {
    return this.sessions.turn(session, call, async (opened) => {
      this.sessions.refuse(opened, "judge");
      await this.drift.refuse(opened, "judge");
      const hypotheses = await this.#judged(opened, verdictsOf(verdicts));
      const holds: Fact[] = [];
      if (hypotheses.every(({ verdict }) => verdict !== "pending")) holds.push("judged");
      if (hypotheses.some(({ verdict }) => verdict === "confirmed")) holds.push("confirmed");
      const { entry } = await this.sessions.step(opened, "judge", () => ({ hypotheses }), holds);
      const isDone = entry.state === "fixing";
      const lines = isDone ? [verdictLine(hypotheses)] : ["Hypotheses:", ...hypothesisLines(hypotheses)];
      lines.push(...openLines(holds));
      return answered(entry, lines, { hypotheses: hypothesisRows(hypotheses) });
    });
  }

  /**
   * Hypotheses with new verdicts. Every verdict cites lines of the judged run that were reported for its hypothesis; without
   * such lines it is inconclusive, since the absence of events proves nothing.
   */
  async #judged(opened: OpenedSession, verdicts: Verdicts): Promise<readonly Hypothesis[]> {
    const { entry } = opened;
    for (const index of verdicts.keys()) checkLetter(index, verdicts, entry.hypotheses);
    const asked = verdicts.map((one) => ({ ...one, citations: citationsIn(one.lines) ?? [] }));
    const judged = new Map<string, Partial<Hypothesis>>();
    for (const found of await this.evidence.cited(opened, asked)) {
      const { hypothesis, verdict, because, citations, texts } = found;
      const fault = citations.length > 0 ? citationFault(found, entry.runs.before) : silenceFault(found);
      if (fault !== undefined) throw uncited(fault, found, entry);
      const lines = citations.map(citationText);
      const run = entry.runs.before;
      judged.set(hypothesis, {
        verdict,
        lines,
        run,
        cited: texts,
        ...(because !== undefined && { because }),
      });
    }
    return entry.hypotheses.map((known) => {
      const { because: _, ...rest } = known;
      const now = judged.get(known.id);
      return now ? { ...rest, ...now } : known;
    });
  }
}

/** The fault of cited lines, as a sentence. */
function citationFault({ hypothesis, missing, unfit }: CitedVerdict, run: string): string | undefined {
  if (missing.length > 0)
    return `The run ${run} has no event that the verdict on ${hypothesis} cites: ${missing.map(citationText).join(", ")}.`;
  if (unfit.length === 0) return undefined;
  return `The verdict on ${hypothesis} cites lines that are not evidence for it: ${unfit.join("; ")}.`;
}

/** The fault of a verdict that cites no lines, as a sentence. */
function silenceFault({ hypothesis, verdict, lines, own }: CitedVerdict): string | undefined {
  if (lines.trim().toLowerCase() !== NO_LINES) return `"${lines}", for ${hypothesis}, cites no lines.`;
  if (own.length > 0) return `The verdict on ${hypothesis} must cite lines, since lines of the run name it.`;
  if (verdict === "inconclusive") return undefined;
  return `Without a line, ${hypothesis} is inconclusive; it cannot be ${verdict}.`;
}

/** The refusal lists the lines that can be cited. */
function uncited(
  sentence: string,
  { hypothesis, own, unfit }: CitedVerdict,
  entry: SessionEntry,
): SkillError {
  const { id, runs, past } = entry;
  const shown = own.slice(0, MOST_SHOWN).map(citationText).join(", ");
  const hint =
    own.length === 0
      ? `No line of ${runs.before} can be cited for ${hypothesis}: say it is inconclusive, with the lines "${NO_LINES}".`
      : `For ${hypothesis} these can be cited: ${shown}${own.length > MOST_SHOWN ? " and more" : ""}. See: skillctl run runtime-debug logs ${id} --run-id ${runs.before} --hypothesis-id ${hypothesis}`;
  // A wrong answer may be the reason why another run is judged.
  const back = past?.at(-1)?.former.runs ? backLine(entry) : undefined;
  const order =
    unfit.length === 0
      ? undefined
      : `An order of events of several points can be cited when each point names ${hypothesis}: set their probes with --hypothesis A,B.`;
  const hints = [back, hint, order].filter((one) => one !== undefined);
  return new SkillError("DEBUG_CITATION", sentence, { hint: hints.join("\n") });
}

function checkLetter(index: number, verdicts: Verdicts, hypotheses: readonly Hypothesis[]): void {
  const letter = verdicts[index]?.hypothesis;
  const known = hypotheses.map(({ id }) => id);
  const isTwice = verdicts.findIndex(({ hypothesis }) => hypothesis === letter) < index;
  if (letter !== undefined && known.includes(letter) && !isTwice) return;
  const what = isTwice ? `The hypothesis ${letter} is judged twice.` : `There is no hypothesis ${letter}.`;
  throw new SkillError("INPUT_INVALID", what, {
    pointer: `/verdicts/${index}/hypothesis`,
    hint: `The session has these: ${known.join(", ")}.`,
  });
}

/** Why no fix is possible yet. */
function openLines(holds: readonly Fact[]): readonly string[] {
  if (!holds.includes("judged"))
    return ["Judge the pending ones too: a fix is possible once all have been judged."];
  if (holds.includes("confirmed")) return [];
  return [
    "No hypothesis is confirmed, so nothing may be fixed yet: set further probes, or list other hypotheses with hypothesize.",
  ];
}
