import { addDays, calendarUnit } from "../question/day.ts";
import { read } from "../question/reading.ts";
import type { Collection } from "../store/catalog.ts";
import { measuresHeld } from "./held.ts";
import suggestions from "./suggestions.json" with { type: "json" };
import type { Question } from "./wording.ts";

const MOST = 6;
/** How many recent months are tried: files end in different months. */
const MOST_MONTHS = 3;
/** Cached by catalogue: every refusal ends with these questions. */
const found = new WeakMap<object, Map<string, Promise<string>>>();

/** A sentence with questions that the files can answer; empty if there are none. */
export function suggestionOf(
  question: Question,
  isAnswered: (question: Question) => Promise<boolean>,
): Promise<string> {
  const { catalog } = question.collection;
  const known = found.get(catalog) ?? new Map<string, Promise<string>>();
  found.set(catalog, known);
  const month = monthAsked(question);
  const key = `${question.wording.language} ${question.today} ${month}`;
  const sentence = known.get(key) ?? sentenceOf(question, month, isAnswered);
  known.set(key, sentence);
  sentence.catch(() => known.delete(key));
  return sentence;
}

async function sentenceOf(
  question: Question,
  month: string | undefined,
  isAnswered: (question: Question) => Promise<boolean>,
): Promise<string> {
  const { wording } = question;
  const collection = remembering(question.collection);
  const { catalog } = collection;
  const held = await measuresHeld(collection);
  const ends = catalog.files.flatMap(({ window }) => window?.to ?? []);
  const last = [...new Set(ends.map(lastMonth))].sort().reverse().slice(0, MOST_MONTHS);
  const months = month === undefined ? last : [month, ...last];
  const questions: string[] = [];
  for (const { [wording.language]: template } of suggestions) {
    const forms = template.includes("{MONTH}")
      ? months.map((day) => template.replace("{MONTH}", wording.period({ from: day, to: day }, "month")))
      : [template];
    for (const form of forms) {
      const reading = read(form, undefined, catalog);
      const isHeld = reading.faults.length === 0 && reading.measures.every((one) => held.includes(one));
      if (!isHeld || !(await isAnswered({ ...question, collection, reading }))) continue;
      questions.push(form);
      break;
    }
    if (questions.length === MOST) break;
  }
  const QUESTIONS = wording.list(questions.map((QUESTION) => wording.say("quoted", { QUESTION })));
  return questions.length === 0 ? "" : wording.say("can-ask", { QUESTIONS });
}

/** A collection that caches the result of each statement: most questions ask the files the same. */
function remembering(collection: Collection): Collection {
  const results = new Map<string, ReturnType<Collection["rows"]>>();
  const rows: Collection["rows"] = (sql, parameters) => {
    const key = JSON.stringify([sql, parameters]);
    const result = results.get(key) ?? collection.rows(sql, parameters);
    results.set(key, result);
    return result;
  };
  return { ...collection, rows };
}

/** The first day of the month of a question; for a longer period, of its last month. */
function monthAsked({ reading, collection, today }: Question): string | undefined {
  const windows = collection.catalog.files.flatMap(({ window }) => window ?? []);
  const from = windows.map((one) => one.from).sort()[0];
  const to = windows
    .map((one) => one.to)
    .sort()
    .at(-1);
  const [time] = reading.times;
  if (time === undefined || time.isEver === true || from === undefined || to === undefined) return undefined;
  const range = time.days({ data: { from, to }, today: today ?? to });
  return range && `${(range.to < to ? range.to : to).slice(0, 8)}01`;
}

/** The first day of the last complete month when the files end. */
function lastMonth(end: string): string {
  return calendarUnit(1, "month", addDays(end, 1))?.from ?? end;
}
