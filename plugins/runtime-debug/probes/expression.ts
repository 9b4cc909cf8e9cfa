import type { ExpressionRules } from "./languages.ts";
import others from "./languages/others.json" with { type: "json" };

/** Why an expression cannot be put into a probe. */
export interface ExpressionFault {
  /** The end of a sentence. */
  readonly reason: string;
  readonly hint: string;
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

/** Slashes that may begin a pattern instead of dividing: what is in a pattern is not seen. */
const PATTERN_SLASH: readonly [RegExp, string] = [
  /(?<![\w)\]]|[\w)\]"] )\/|(?:^|[^\w.])(?:typeof|in|of|instanceof|void|and|or|not|if|unless|split|grep|return)\s*\/|\w \/\S/,
  "a slash in it can begin a pattern",
];

/** What is called without changing anything, in some language: functions and members, by their last name. */
const READING = new RegExp(`^(?:${others.reading.join("|")})$`);
const CALL = /(?<![\w$])((?:[\w$]|::|\.|->|\?\.|[\])](?=\s*\())+)\s*\(/g;
/** Words with a bracket behind them that call nothing, and functions of objects that only read. */
const NO_CALL =
  /^(?:typeof|instanceof|in|of|is|as|and|or|not|if|else|void|return|case|when|match|unless|eq|ne|x|Math\.(?!random)\w+|math\.\w+|Object\.(?:keys|values|entries|is)|JSON\.stringify|Date\.now)$/;
const OWN_NAME = /\bdebug(?:_[a-z]_?|[A-Z])\b/;
const PLAIN_HINT = "Report a plain value of it.";

/**
 * Why an expression cannot be put into a probe; `undefined` when it can. An expression can never end early in the text
 * that it is put into: its brackets and strings are closed by itself. What it calls has to be known to read only, or
 * allowed.
 */
export function expressionFault(
  expression: string,
  rules: ExpressionRules,
  allowCall = false,
): ExpressionFault | undefined {
  if (rules.dollar && /^(?:[a-z]\w*|[A-Za-z])$/.test(expression))
    return {
      reason: `a variable is written $${expression} here`,
      hint: `Write $${expression}, in single quotes.`,
    };
  const reason = textFault(expression, rules);
  if (reason !== undefined) return { reason, hint: PLAIN_HINT };
  const called = allowCall ? undefined : callIn(expression, rules);
  if (called === undefined) return undefined;
  return {
    reason: `it calls ${called}, and a call may change something`,
    hint: "Add --allow-call when it only reads.",
  };
}

/** Why an expression cannot stand in the text of a probe. */
function textFault(expression: string, rules: ExpressionRules): string | undefined {
  if (expression.trim() === "") return "it is empty";
  if (expression !== expression.trim()) return "it begins or ends with a space";
  if (expression.length > MOST) return `it is longer than ${MOST} characters`;
  if (rules.only)
    return new RegExp(rules.only).test(expression)
      ? undefined
      : "only a variable of the program can be reported";
  const scanned = scan(expression, rules);
  if (typeof scanned === "string") return scanned;
  if (scanned.end !== expression.length) return "a bracket is closed that was not opened";
  const inStrings = rules.refusedInStrings;
  if (inStrings !== undefined && new RegExp(inStrings).test(scanned.strings))
    return "a string in it holds code";
  const own = (rules.refused ?? []).map(
    ([pattern = "", why = "", flags]) => [new RegExp(pattern, flags), why] as const,
  );
  const all = [...NEVER, ...own, ...(rules.patterns ? [PATTERN_SLASH] : [])];
  const refused = all.find(([pattern]) => pattern.test(scanned.code));
  if (!refused && OWN_NAME.test(scanned.code)) return "it holds a name of the probe itself";
  return refused?.[1];
}

/** The first call that is not known to read only. */
function callIn(expression: string, rules: ExpressionRules): string | undefined {
  const scanned = rules.only ? undefined : scan(expression, rules);
  if (scanned === undefined || typeof scanned === "string") return undefined;
  const calls = [
    ...scanned.code.matchAll(CALL),
    ...scanned.code.matchAll(new RegExp(rules.calls ?? "(?!)", "g")),
  ];
  return calls
    .map(([, name = ""]) => name)
    .find((name) => !NO_CALL.test(name) && !READING.test(/\w+$/.exec(name)?.[0] ?? name));
}

interface Scanned {
  /** Behind the last character: the end of the text, or a closing bracket too many. */
  readonly end: number;
  /** What stands outside of strings, each string as one `""`. */
  readonly code: string;
  /** What stands in strings. */
  readonly strings: string;
}

function scan(text: string, { braces = false, quotes = "\"'" }: ExpressionRules): Scanned | string {
  const open: string[] = [];
  let [code, strings] = ["", ""];
  for (let at = 0; at < text.length; at += 1) {
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
