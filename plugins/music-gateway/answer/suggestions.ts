import { addDays, calendarUnit } from "../question/day.ts";
import { read, type Reading } from "../question/reading.ts";
import { measuresHeld } from "./held.ts";
import suggestions from "./suggestions.json" with { type: "json" };
import type { Question } from "./wording.ts";

const MOST = 6;
/** How many last months are tried: files end with different ones. */
const MOST_MONTHS = 3;
/** By the catalogue that they are of: every refusal ends with them. */
const found = new WeakMap<object, Map<string, Promise<string>>>();

/** Questions that the files answer, as a sentence; empty where there is none. */
export function suggestionOf(
  question: Question,
  isAnswered: (reading: Reading) => Promise<boolean>,
): Promise<string> {
  const { catalog } = question.collection;
  const known = found.get(catalog) ?? new Map<string, Promise<string>>();
  found.set(catalog, known);
  const key = `${question.wording.language} ${question.today}`;
  const sentence = known.get(key) ?? sentenceOf(question, isAnswered);
  known.set(key, sentence);
  sentence.catch(() => known.delete(key));
  return sentence;
}

async function sentenceOf(
  { collection, wording }: Question,
  isAnswered: (reading: Reading) => Promise<boolean>,
): Promise<string> {
  const { catalog } = collection;
  const held = await measuresHeld(collection);
  const ends = catalog.files.flatMap(({ window }) => window?.to ?? []);
  const months = [...new Set(ends.map(lastMonth))].sort().reverse().slice(0, MOST_MONTHS);
  const questions: string[] = [];
  for (const { [wording.language]: template } of suggestions) {
    const forms = template.includes("{MONTH}")
      ? months.map((day) => template.replace("{MONTH}", wording.period({ from: day, to: day }, "month")))
      : [template];
    for (const form of forms) {
      const reading = read(form, undefined, catalog);
      const isHeld = reading.faults.length === 0 && reading.measures.every((one) => held.includes(one));
      if (!isHeld || !(await isAnswered(reading))) continue;
      questions.push(form);
      break;
    }
    if (questions.length === MOST) break;
  }
  const QUESTIONS = wording.list(questions.map((QUESTION) => wording.say("quoted", { QUESTION })));
  return questions.length === 0 ? "" : wording.say("can-ask", { QUESTIONS });
}

/** The first day of the last month that is over when files end. */
function lastMonth(end: string): string {
  return calendarUnit(1, "month", addDays(end, 1))?.from ?? end;
}
