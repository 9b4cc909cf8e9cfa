import { SkillError } from "skillctl";
import type { JudgeInput } from "../contract.ts";
import { citationText, citationsIn, type Citation } from "../record/citations.ts";
import type { Hypothesis } from "./entry.ts";
import type { Evidence } from "./evidence.ts";
import type { OpenedSession } from "./sessions.ts";

/** What follows from verdicts. */
export interface Judged {
  readonly hypotheses: readonly Hypothesis[];
  /** What whoever judges should look at again. */
  readonly remarks: readonly string[];
}

type Verdicts = JudgeInput["verdicts"];

/**
 * Hypotheses with new verdicts. Every verdict cites lines that are events of the run under judgement.
 * @throws SkillError `DEBUG_CITATION`, `INPUT_INVALID`, `FILE_UNREADABLE`
 */
export async function judged(opened: OpenedSession, verdicts: Verdicts, evidence: Evidence): Promise<Judged> {
  const { entry } = opened;
  const remarks: string[] = [];
  let hypotheses = entry.hypotheses;
  for (const [index, one] of verdicts.entries()) {
    checkLetter(index, verdicts, entry.hypotheses);
    const { hypothesis } = one;
    const citations = citationsOf(one, opened);
    const cited = await evidence.lines(opened, citations);
    if (cited.missing.length > 0) throw missingLines(hypothesis, cited.missing, opened);
    if (!cited.hypotheses.has(hypothesis) && cited.hypotheses.size > 0)
      remarks.push(
        `Look again: the lines cited for ${hypothesis} were reported for ${[...cited.hypotheses].join(", ")}.`,
      );
    hypotheses = hypotheses.map((known) =>
      known.id === hypothesis ? withVerdict(known, one, citations, cited.texts) : known,
    );
  }
  return { hypotheses, remarks };
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

function citationsOf({ hypothesis, lines }: Verdicts[number], opened: OpenedSession): readonly Citation[] {
  const citations = citationsIn(lines);
  if (citations) return citations;
  throw uncited(`"${lines}", for ${hypothesis}, cites no lines.`, opened);
}

function missingLines(hypothesis: string, missing: readonly Citation[], opened: OpenedSession): SkillError {
  const names = missing.map(citationText).join(", ");
  const { before } = opened.entry.runs;
  return uncited(`Of what is cited for ${hypothesis}, this is no event of ${before}: ${names}.`, opened);
}

function uncited(sentence: string, { entry: { id, runs } }: OpenedSession): SkillError {
  return new SkillError("DEBUG_CITATION", sentence, {
    hint: `Cite events by their numbers, such as #12 or #15-18: skillctl run runtime-debug logs ${id} --run-id ${runs.before}`,
  });
}
