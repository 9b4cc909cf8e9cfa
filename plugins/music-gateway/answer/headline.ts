import type { DayRange } from "../question/day.ts";
import { isOfChange } from "../question/query.ts";
import { bySplit, calendarDays } from "./calendar.ts";
import type { Plan } from "./plan.ts";
import { valueName } from "./totals.ts";
import { filterParts, kindOf } from "./understood.ts";
import type { Headline, Question } from "./wording.ts";

/** The heading of a picture: the figures and how they are split, what they are narrowed to, and their days. */
export function headlineOf(question: Question, plans: readonly Plan[]): Headline {
  const { reading, wording } = question;
  const [plan] = plans;
  const isFigures = reading.kind === "figures";
  const names = new Set(plans.map((one) => valueName(one, wording)));
  const { order } = reading;
  const moves = isFigures && order !== undefined && isOfChange(order) ? wording.say(`order-${order}`) : "";
  const figures = bySplit(wording.list([...names]), isFigures ? plan?.split : undefined, wording);
  const { range, comparison } = plan?.period ?? {};
  const days = (one: DayRange): string => calendarDays(one, wording.language);
  return {
    title: [
      isFigures ? "" : capital(kindOf(reading, wording)),
      reading.kind === "overview"
        ? ""
        : [figures, moves].filter(Boolean).join(wording.language === "zh" ? "，" : ", "),
    ]
      .filter(Boolean)
      .join(wording.language === "zh" ? "：" : ": "),
    subjects: filterParts(question, plan).map(capital),
    // Written only for a picture: loading the calendar takes longer than the rest of an answer.
    get days() {
      return [
        ...(range === undefined ? [] : [days(range)]),
        ...(comparison === undefined ? [] : [wording.say("compared", { RANGE: days(comparison) })]),
      ];
    },
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
