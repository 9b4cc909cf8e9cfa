import calendar from "./calendar.json" with { type: "json" };
import phrases from "./dates.json" with { type: "json" };
import { firstSigns } from "./first-signs.ts";
import { holidayNames } from "./holidays.ts";

/** A time phrase: its meaning, and a pattern whose groups and fixed parts are its values. */
interface DateRule {
  readonly is: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly source: string;
  /** The characters with which it can begin. */
  readonly signs: string;
}

const either = (names: readonly string[]): string => [...names].sort((a, b) => b.length - a.length).join("|");
const namesOf = (numbered: Readonly<Record<string, readonly string[]>>): readonly string[] =>
  Object.values(numbered).flat();
const MONTH_NAMES = either(namesOf(calendar.months).filter((name) => name !== "may"));
// "May" is also a verb: it is read as the month after a preposition, before a number, and before another month.
const MAY = `may(?=\\.? \\d)|may(?= ?(?:to|through|till|until|and|n|or|vs\\.?|versus|-|–) ?(?:${MONTH_NAMES})(?![a-z]))|(?<=(?:^|[ (,])(?:${calendar.beforeMay.join("|")}) )may`;
const HOLDERS: Readonly<Record<string, string>> = {
  MONTH: `(?<month>${MONTH_NAMES}|${MAY})(?![a-z])\\.?`,
  // After a year, "May" is the month.
  MONTH_OF_YEAR: `(?<month>${MONTH_NAMES}|may)(?![a-z])\\.?`,
  YEAR: "(?<year>(?:19|20)\\d\\d)(?!\\d)",
  WEEKDAY: `(?<day>${either(namesOf(calendar.weekdays))})`,
  HOLIDAY: `(?<holiday>${either(holidayNames())})(?![a-z])`,
  ORDINAL: `(?<ordinal>${either(namesOf(calendar.ordinals))})`,
  ZH_UNIT: "(?<unit>天|日|周|星期|礼拜|个星期|个礼拜|个月|月|个?季度?|个?半年|年)",
  ZH_COUNTED: "(?<unit>天|日|周|星期|礼拜|个星期|个礼拜|个月|个?季度|个?半年|年)",
  EN_UNIT: "(?<unit>days?|weeks?|months?|quarters?|years?)(?![a-z])",
};

/** The rules in order, and their English words. The build replaces this module with the result (scripts/build.ts). */
export function dateRules(): { readonly rules: readonly DateRule[]; readonly words: readonly string[] } {
  const rules = phrases.map(({ find, ...phrase }) => {
    const source = find.replaceAll(/\{([A-Z_]+)\}/g, (whole, name: string) => HOLDERS[name] ?? whole);
    return { ...phrase, source, signs: firstSigns(source) };
  });
  const words = phrases.flatMap(
    ({ find }) => find.replaceAll(/\{[A-Z_]+\}|\\./g, " ").match(/[a-z]{5,}/g) ?? [],
  );
  return { rules, words };
}
