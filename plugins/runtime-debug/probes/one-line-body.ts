import { placesOf, templateOf, type Language } from "./languages.ts";

/** A line that is taken apart where a statement can stand in a body that it holds. */
export interface OneLineBody {
  /** What stands in front of the statement. */
  readonly head: string;
  readonly rest: string;
  /** Whether the body is known by its indentation: what stands in it goes further in. */
  readonly isIndented: boolean;
  /** Names that only the body knows. */
  readonly names: readonly string[];
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
/** In front of the curly bracket of a body. */
const BEFORE_BODY =
  /(?:\)\s*(?:const\s*|noexcept\s*|throws\s+[\w., ]+|(?::|->)\s*[\w<>[\]., |?:&*]+)?|\)\s+[\w*[\].]+|=>|\b(?:else|do|try|finally)|\b(?:fn|func)\b.*)\s*$/;
/** In front of the bracket of values, or of members. */
const NO_BODY = /(?:\b(?:switch|match)\b[^{}]*|\b(?:class|struct|interface|enum)\b[^()]*|[=(,:[?])\s*$/;
/** In front of the brackets of a condition or loop; the group is the word of a condition. */
const CONTROL = /\b(?:((?:else)?if|while|unless|until)|for(?:each)?(?:\s+await)?)\s*$/;

/**
 * The bodies that a line holds, outermost first: of functions, conditions and loops. What is in strings and patterns is
 * left alone; a line that opens more than it closes has none.
 */
export function bodiesIn(language: Language, line: string): readonly OneLineBody[] {
  const code = blanked(line);
  if (language === "python") return pythonBodies(line, code);
  const { bodies: words } = templateOf(language);
  const isScript = placesOf(language).kind === "javascript";
  if (words !== undefined)
    return [...code.matchAll(new RegExp(words, "g"))]
      .map((found) => cut(line, found.index + found[0].length, namesOf(found[1] ?? found[2] ?? "")))
      .filter(({ rest }) => /\w/.test(rest) && /(?:\bend\b|\}|\bfi\b|\bdone\b)/.test(rest));
  const bodies: (OneLineBody & { readonly at: number })[] = [];
  for (let at = 0; at < code.length; at += 1) {
    const before = code.slice(0, at);
    if (code[at] === "{" && BEFORE_BODY.test(before) && (!NO_BODY.test(before) || /=>\s*$/.test(before))) {
      const end = endOf(code, at + 1);
      if (code[end] === "}" && code.slice(at + 1, end).trim() !== "")
        bodies.push({ at, ...cut(line, at + 1, namesIn(before)) });
    }
    if (isScript && code.startsWith("=>", at) && !/^=>\s*(?:\{|$)/.test(code.slice(at))) {
      const end = endOf(code, at + 2, /[,;]/);
      const value = line.slice(at + 2, end).trim();
      const rest = ` return (${value}); }${line.slice(end)}`;
      const names = namesOf(parametersIn(before));
      if (value !== "" && !value.includes("`"))
        bodies.push({ at, head: `${line.slice(0, at + 2)} {`, rest, isIndented: false, names });
    }
  }
  return [...bodies, ...bareBodies(language, line, code)];
}

/** The body of a condition without brackets. */
function bareBodies(language: Language, line: string, code: string): readonly OneLineBody[] {
  if (["go", "rust", "swift", "perl", "kotlin"].includes(language)) return [];
  const [whole, isElse] =
    /^\s*(?:\}\s*)?(?:(else)(?!\s+if\b)|(?:else\s+)?(?:if|for|while|foreach)\b\s*(?=\())/.exec(code) ?? [];
  if (whole === undefined) return [];
  const from = isElse === undefined ? endOf(code, whole.length + 1) + 1 : whole.length;
  if (!/^\s*[^\s{;]/.test(code.slice(from)) || !/;\s*$/.test(code)) return [];
  return [{ head: `${line.slice(0, from)} {`, rest: `${line.slice(from)} }`, isIndented: false, names: [] }];
}

function pythonBodies(line: string, code: string): readonly OneLineBody[] {
  const [head] = /^\s*(?:async\s+)?(?:def|if|elif|else|for|while|try|with|except|finally)\b/.exec(code) ?? [];
  if (head === undefined) return [];
  const end = endOf(code, head.length, /:/);
  if (code[end] !== ":" || code.slice(end + 1).trim() === "" || /\blambda\b/.test(code.slice(0, end)))
    return [];
  const names = /\bdef\b/.test(head) ? namesOf(parametersIn(code.slice(0, end))) : [];
  return [{ ...cut(line, end + 1, names), rest: line.slice(end + 1).trim(), isIndented: true }];
}

function cut(line: string, at: number, names: readonly string[]): OneLineBody {
  return { head: line.slice(0, at), rest: line.slice(at), isIndented: false, names };
}

/** Where what begins at a place ends: at a sign of `until`, or at a bracket that closes something else. */
function endOf(code: string, from: number, until = /(?!)/): number {
  const open: string[] = [];
  for (let at = from; at < code.length; at += 1) {
    const one = code.charAt(at);
    const closing = CLOSING[one];
    if (open.length === 0 && until.test(one)) return at;
    if (closing !== undefined) open.push(closing);
    else if (")]}".includes(one) && open.pop() !== one) return at;
  }
  return code.length;
}

/** The names that a body alone knows: parameters, and what a loop declares; a condition declares none. */
function namesIn(before: string): readonly string[] {
  const end = before.trimEnd().length - 1;
  const brackets = [...before.matchAll(/\(/g)].map(({ index }) => index);
  // In `if (xs.some(function (x)` the last bracket closes another one than that of the condition.
  const open = brackets.findLast((at) => before[end] === ")" && endOf(before, at + 1) === end) ?? 0;
  const [control, condition] = CONTROL.exec(before.slice(0, open)) ?? [];
  if (control === undefined) return namesOf(parametersIn(before));
  if (condition !== undefined) return [];
  const head = before.slice(open + 1, end);
  return namesOf(/\bas\b(.*)/.exec(head)?.[1] ?? head.replace(/(?:\b(?:of|in)\b|[:=]).*$/, ""));
}

/** What stands between the last brackets, or the one name in front of an arrow. */
function parametersIn(before: string): string {
  const head = before.replace(/=>?\s*$/, "").replace(/(?:->|:)[^()]*$/, "");
  return /\(([^()]*)\)[^()]*$/.exec(head)?.[1] ?? /([\w$]+)\s*$/.exec(head)?.[1] ?? "";
}

function namesOf(parameters: string): readonly string[] {
  return parameters.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
}

/** The line with strings and comments blanked out. */
function blanked(line: string): string {
  return line.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/\*.*?\*\/|\/\/.*$/g, (text) =>
    "_".repeat(text.length),
  );
}
