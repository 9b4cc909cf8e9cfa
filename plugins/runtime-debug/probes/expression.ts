/** What an expression of a language may hold. */
export interface ExpressionRules {
  /** It is all of an expression: for languages whose expressions cannot be told apart safely. */
  readonly only?: RegExp;
  /** Outside of strings; each with what it is. */
  readonly refused?: readonly (readonly [RegExp, string])[];
  /** Inside of strings: code in them. */
  readonly refusedInStrings?: RegExp;
  /** Whether `{` and `}` may stand in it. */
  readonly braces?: boolean;
  /** Default `"` and `'`. */
  readonly quotes?: string;
}

const OPENING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const CLOSING = ")]}";
/** What changes something or ends an expression in some language; never part of one that only reads. */
const NEVER: readonly (readonly [RegExp, string])[] = [
  [/[\r\n\u2028\u2029\0]/, "it is more than one line"],
  [/[^\P{Cc}\t]|[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u, "it holds invisible characters"],
  [/;/, "a semicolon ends an expression"],
  [/`/, "backquotes can hold code"],
  [/\/\/|\/\*|\*\//, "it holds a comment"],
  [/\+\+|--/, "it changes something"],
  [/(?<![=!<>:~])=(?![=>~])|:=|(?:<<|>>)=/, "it changes something"],
  [/@[A-Z]@/, "it holds a mark of the template"],
];
/** Bytes of an expression that may be kept; the input's schema has the same bound. */
const MOST = 500;

/**
 * Why an expression cannot be put into a probe, as the end of a sentence; `undefined` when it can. An expression can
 * never end early in the text that it is put into: its brackets and strings are closed by itself. Whether it is free of
 * effects is judged on the syntax tree, where there is one.
 */
export function expressionFault(expression: string, rules: ExpressionRules): string | undefined {
  if (expression.trim() === "") return "it is empty";
  if (expression !== expression.trim()) return "it begins or ends with a space";
  if (expression.length > MOST) return `it is longer than ${MOST} characters`;
  if (rules.only)
    return rules.only.test(expression) ? undefined : "only a variable of the program can be reported";
  const scanned = scan(expression, 0, rules);
  if (typeof scanned === "string") return scanned;
  if (scanned.end !== expression.length) return "a bracket is closed that was not opened";
  if (rules.refusedInStrings?.test(scanned.strings)) return "a string in it holds code";
  const refused = [...NEVER, ...(rules.refused ?? [])].find(([pattern]) => pattern.test(scanned.code));
  return refused?.[1];
}

/** Where an expression ends that begins at a place of a line and is followed by a closing bracket. */
export function expressionEnd(text: string, from: number, rules: ExpressionRules): number | undefined {
  if (rules.only) {
    const whole = new RegExp(rules.only.source.slice(1, -1), "y");
    whole.lastIndex = from;
    return whole.test(text) ? whole.lastIndex : undefined;
  }
  const scanned = scan(text, from, rules);
  if (typeof scanned === "string" || text[scanned.end] !== ")") return undefined;
  return expressionFault(text.slice(from, scanned.end), rules) === undefined ? scanned.end : undefined;
}

interface Scanned {
  /** Behind the last character: the end of the text, or a closing bracket too many. */
  readonly end: number;
  /** What stands outside of strings, each string as one `""`. */
  readonly code: string;
  /** What stands in strings. */
  readonly strings: string;
}

function scan(
  text: string,
  from: number,
  { braces = false, quotes = "\"'" }: ExpressionRules,
): Scanned | string {
  const open: string[] = [];
  let [code, strings] = ["", ""];
  for (let at = from; at < text.length; at += 1) {
    const one = text.charAt(at);
    if (quotes.includes(one)) {
      const end = stringEnd(text, at);
      if (end === undefined) return "a string in it is not closed";
      if (text.startsWith(one.repeat(3), at)) return "strings of three quotes can hold anything";
      strings += `${text.slice(at + 1, end)}\n`;
      code += '""';
      at = end;
      continue;
    }
    if ("{}".includes(one) && !braces) return "curly brackets can hold statements";
    if (OPENING[one] !== undefined) open.push(OPENING[one]);
    else if (CLOSING.includes(one)) {
      if (open.length === 0) return { end: at, code, strings };
      if (open.pop() !== one) return "its brackets do not match";
    } else if (one === "," && open.length === 0) return "a comma makes two of it";
    code += one;
  }
  return open.length > 0 ? "a bracket is not closed" : { end: text.length, code, strings };
}

/** Where a string ends that begins at a place; a backslash takes the next character in. */
function stringEnd(text: string, from: number): number | undefined {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === text[from]) return at;
  }
  return undefined;
}
