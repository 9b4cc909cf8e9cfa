import { SkillError } from "skillctl";
import { citationText, citationsIn, type Citation } from "../record/citations.ts";
import type { Hypothesis } from "./entry.ts";
import type { Evidence } from "./evidence.ts";
import { backLine } from "./rounds.ts";
import type { verdictsOf } from "./plain-lines.ts";
import type { OpenedSession } from "./sessions.ts";

type Verdicts = ReturnType<typeof verdictsOf>;

/** So many citations are named of those that would do. */
const MOST_SHOWN = 10;

/** Stands for lines where no line of the run names the hypothesis. */
const NO_LINES = "none";

/**
 * Hypotheses with new verdicts. Every verdict cites lines of the run under judgement that were reported for its hypothesis;
 * where there is none, it is inconclusive: silence shows nothing.
 * @throws SkillError `DEBUG_CITATION`, `INPUT_INVALID`, `FILE_UNREADABLE`
 */
export async function judged(
  opened: OpenedSession,
  verdicts: Verdicts,
  evidence: Evidence,
): Promise<readonly Hypothesis[]> {
  let { hypotheses } = opened.entry;
  for (const [index, one] of verdicts.entries()) {
    checkLetter(index, verdicts, opened.entry.hypotheses);
    const citations = await citationsOf(one, opened, evidence);
    const { missing, unfit, texts } = await evidence.lines(opened, citations, one.hypothesis);
    if (missing.length > 0 || unfit.length > 0) throw await wrongLines(one, missing, unfit, opened, evidence);
    hypotheses = hypotheses.map((known) =>
      known.id === one.hypothesis ? withVerdict(known, one, citations, texts) : known,
    );
  }
  return hypotheses;
}

function withVerdict(
  known: Hypothesis,
  { verdict, because }: Verdicts[number],
  citations: readonly Citation[],
  cited: readonly string[],
): Hypothesis {
  const { because: _, ...rest } = known;
  const lines = citations.map(citationText);
  return { ...rest, verdict, lines, cited, ...(because !== undefined && { because }) };
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

async function citationsOf(
  { hypothesis, verdict, lines }: Verdicts[number],
  opened: OpenedSession,
  evidence: Evidence,
): Promise<readonly Citation[]> {
  const citations = citationsIn(lines);
  if (citations) return citations;
  if (lines.trim().toLowerCase() !== NO_LINES)
    throw await uncited(`"${lines}", for ${hypothesis}, cites no lines.`, hypothesis, opened, evidence);
  const own = await evidence.linesOf(opened, hypothesis);
  if (own.length === 0 && verdict === "inconclusive") return [];
  const why =
    own.length > 0
      ? "lines of the run name it"
      : `without a line it is inconclusive and cannot be ${verdict}`;
  throw await uncited(`${hypothesis} cannot be judged by no lines: ${why}.`, hypothesis, opened, evidence);
}

function wrongLines(
  { hypothesis }: Verdicts[number],
  missing: readonly Citation[],
  unfit: readonly string[],
  opened: OpenedSession,
  evidence: Evidence,
): Promise<SkillError> {
  const { before } = opened.entry.runs;
  const names = missing.map(citationText).join(", ");
  const sentence =
    missing.length > 0
      ? `Of what is cited for ${hypothesis}, this is no event of ${before}: ${names}.`
      : `What is cited for ${hypothesis} is no evidence for it: ${unfit.join("; ")}.`;
  return uncited(sentence, hypothesis, opened, evidence);
}

/** Refused with the lines that can be cited. */
async function uncited(
  sentence: string,
  hypothesis: string,
  opened: OpenedSession,
  evidence: Evidence,
): Promise<SkillError> {
  const { id, runs } = opened.entry;
  const own = await evidence.linesOf(opened, hypothesis);
  const shown = own.slice(0, MOST_SHOWN).join(", ");
  // A wrong answer may be why another run is judged.
  const back = opened.entry.past?.at(-1)?.former.runs ? backLine(opened.entry) : undefined;
  const hint =
    own.length === 0
      ? `No line of ${runs.before} can be cited for ${hypothesis}: say it is inconclusive, with the lines "${NO_LINES}".`
      : `For ${hypothesis} these can be cited: ${shown}${own.length > MOST_SHOWN ? " and more" : ""}. See: skillctl run runtime-debug logs ${id} --run-id ${runs.before} --hypothesis-id ${hypothesis}`;
  return new SkillError("DEBUG_CITATION", sentence, {
    hint: back === undefined ? hint : `${back}\n${hint}`,
  });
}
