import { SkillError } from "skillctl";
import { expressionFault } from "../places/expression.ts";
import { grammarOf, type Grammar } from "../places/grammars.ts";
import { templateOf, type ExpressionRules, type Language } from "./languages.ts";
import type { Field } from "./probe-text.ts";

/** The maximum length of an expression, as in the schema of the input. */
const MOST = 500;
/** Text that no expression of a probe may hold, in any language. */
const NEVER: readonly (readonly [RegExp, string])[] = [
  [/^$/, "it is empty"],
  [/^\s|\s$/, "it begins or ends with a space"],
  [/[\r\n\u2028\u2029\0]/, "it is more than one line"],
  [/[^\P{Cc}\t]|[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u, "it holds invisible characters"],
  [/@[A-Z]@/, "it holds a mark of the template"],
  [/<\/script/i, "it ends a script of a page"],
  [/(?<![\w$])debug(?:_[a-z]_?|[A-Z])(?!\w)/, "it holds a name of the probe itself"],
];
/** A variable, its members and its elements, as most languages write them. */
const PATH =
  /^[$@&*#!-]{0,2}\w+(?:(?:\?\.|\.|->|::)[$#]?\w+|\[(?:\$?\w+|"[\w .-]*"|'[\w .-]*')\]|\{\$?\w+\})*$/;
/** Text that ends or hides the rest of a line in some language. */
const ENDS = /[;`]|\/[/*]|\*\/|--|#\s|<!|\?>/;
const ALLOW = "Add --allow-call if it only reads.";

/**
 * Refuses data with possible side effects or an early end, all of them in one error.
 * @throws SkillError `DEBUG_PROBE_INVALID`
 */
export async function refuseChanges(
  language: Language | undefined,
  data: readonly Field[],
  allowCall = false,
): Promise<void> {
  if (language === undefined) return;
  const { expressions } = templateOf(language);
  const grammar = await grammarOf(language);
  const faults = data.flatMap(({ name, expression }) => {
    const fault = faultOf(expression, expressions ?? {}, grammar, allowCall);
    return fault
      ? [{ ...fault, sentence: `${name} cannot be reported by ${expression}: ${fault.reason}.` }]
      : [];
  });
  const [first] = faults;
  if (!first) return;
  const sentence = faults.map((fault) => fault.sentence).join("\n");
  throw new SkillError("DEBUG_PROBE_INVALID", sentence, { hint: first.hint });
}

function faultOf(
  expression: string,
  { only, dollar }: ExpressionRules,
  grammar: Grammar | undefined,
  allowCall: boolean,
): { readonly reason: string; readonly hint: string } | undefined {
  const plain = (reason: string) => ({ reason, hint: "Report a plain value instead." });
  if (dollar && /^(?:[a-z]\w*|[A-Za-z])$/.test(expression))
    return {
      reason: `a variable is written $${expression} here`,
      hint: `Write $${expression}, in single quotes.`,
    };
  if (expression.length > MOST) return plain(`it is longer than ${MOST} characters`);
  const never = NEVER.find(([pattern]) => pattern.test(expression));
  if (never) return plain(never[1]);
  if (only !== undefined)
    return new RegExp(only).test(expression)
      ? undefined
      : plain("only a variable of the program can be reported");
  if (grammar) {
    const { reason, isCall } = expressionFault(grammar, expression, allowCall) ?? {};
    return reason === undefined ? undefined : isCall ? { reason, hint: ALLOW } : plain(reason);
  }
  if (PATH.test(expression)) return undefined;
  if (!allowCall) return { reason: "no parser can say whether it only reads", hint: ALLOW };
  return isClosed(expression) && !ENDS.test(expression) ? undefined : plain("it can end early");
}

const OPENING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** Whether each bracket and string is closed in the text, without a top-level comma. */
function isClosed(text: string): boolean {
  const open: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const one = text.charAt(at);
    if (one === '"' || one === "'") {
      const end = stringEnd(text, at);
      if (end === undefined) return false;
      at = end;
    } else if (OPENING[one] !== undefined) open.push(OPENING[one]);
    else if (")]}".includes(one) ? open.pop() !== one : one === "," && open.length === 0) return false;
  }
  return open.length === 0;
}

/** The end of a string that begins at a place; a backslash escapes the next character. */
function stringEnd(text: string, from: number): number | undefined {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === text[from]) return at;
  }
  return undefined;
}
