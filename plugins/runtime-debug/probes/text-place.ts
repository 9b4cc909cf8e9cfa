import type { Language } from "./languages.ts";
import type { TextLine } from "../regions/lines.ts";

/** What a text holds up to a line, strings and comments left out. */
interface Before {
  /** Brackets that are open, each with the code in front of it on its line. */
  readonly open: readonly { readonly bracket: string; readonly head: string }[];
  /** The last line with code. */
  readonly last: string;
  /** Whether the line begins inside of a string or comment. */
  readonly isInside: boolean;
}

const PAIRS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
const CONTINUES = /(?:[,([=+*/%&|^<>?.\\-]|\b(?:and|or|not|in|return|local|throw))$/;
/** In front of a curly bracket that holds values. */
const VALUES = /(?:[=(,:?[]|\breturn)\s*$/;
const CONTINUED = /^(?:[.?+*/%&|<>=,)\]:]|(?:else|elseif|elsif|catch|finally|until|and|or|then|do)\b)/;
const LEAVES = /^(?:return|throw|break|continue|goto|die|exit|next|last|rethrow)\b(?!.*\b(?:if|unless)\b)/;
const TYPE =
  /\b(?:class|interface|object|enum|struct|extension|protocol|mixin|actor)\b(?!.*\)\s*(?:=>)?\s*$)/;
const HEADER = /^(?:import|package|library|part|export|use|require|@|#!|__END__|=\w)/;
/** Languages whose statements end with a semicolon or a curly bracket. */
const ENDED: ReadonlySet<Language> = new Set<Language>(["dart", "perl"]);
/** Languages in which a block has the value of its last statement. */
const VALUED: ReadonlySet<Language> = new Set<Language>(["perl", "kotlin"]);
/** Languages whose statements stand in functions. */
const FUNCTIONS: ReadonlySet<Language> = new Set<Language>(["dart", "kotlin"]);

/**
 * Why no probe can stand in front of a line, by the look of the lines around it: for languages without a grammar.
 * `line` counts from 0; `undefined` when nothing speaks against it.
 */
export function textFault(language: Language, lines: readonly TextLine[], line: number): string | undefined {
  const { open, last, isInside } = lookedAt(language, lines.slice(0, line));
  const next =
    lines
      .slice(line)
      .find(({ text }) => text.trim() !== "")
      ?.text.trim() ?? "";
  const inner = open.at(-1);
  if (isInside) return "The line is in the middle of a text or a comment.";
  if (inner && (inner.bracket !== "{" || language === "lua" || VALUES.test(inner.head)))
    return "The line is in the middle of an expression.";
  if (inner && TYPE.test(inner.head))
    return "The line is in the body of a type, where no statement can stand.";
  if (language !== "lua" && /\belse$/.test(last)) return "No statement begins at the line.";
  if (CONTINUES.test(last) || (ENDED.has(language) && last !== "" && !/[;{}:]$/.test(last)))
    return "The line goes on with what stands in front of it.";
  if (CONTINUED.test(next) || HEADER.test(next)) return "No statement begins at the line.";
  if (FUNCTIONS.has(language) && !inner) return "The line is outside of every function.";
  if (VALUED.has(language) && (next.startsWith("}") || (next === "" && inner)))
    return "The last statement of a block can be its value; put the probe in front of it.";
  if (LEAVES.test(last)) return "The program never comes to the line: what stands in front of it leaves.";
  return undefined;
}

function lookedAt(language: Language, lines: readonly TextLine[]): Before {
  const open: { bracket: string; head: string }[] = [];
  const comment = language === "lua" ? "--" : language === "perl" || language === "powershell" ? "#" : "//";
  let [last, until] = ["", ""];
  for (const { text } of lines) {
    let code = "";
    for (let at = 0; at < text.length; at += 1) {
      if (until !== "") {
        if (text[at] === "\\" && until.length === 1) at += 1;
        else if (text.startsWith(until, at)) {
          at += until.length - 1;
          until = "";
        }
        continue;
      }
      const begins = opening(language, text, at);
      if (begins) {
        until = begins[1];
        code += '""';
        at += begins[0].length - 1;
      } else if (text.startsWith(comment, at)) break;
      else {
        const one = text.charAt(at);
        if ("([{".includes(one)) open.push({ bracket: one, head: code });
        else if (open.at(-1)?.bracket === PAIRS[one]) open.pop();
        code += one;
      }
    }
    // Only strings that may be longer than a line go on.
    if (until.length === 1 && language !== "perl") until = "";
    if (code.trim() !== "") last = code.trim();
  }
  return { open, last, isInside: until !== "" };
}

/** What begins a string or a long comment at a place, and what ends it. */
function opening(language: Language, text: string, at: number): readonly [string, string] | undefined {
  for (const quotes of ['"""', "'''"])
    if (text.startsWith(quotes, at) && language !== "perl") return [quotes, quotes];
  if (language === "powershell" && text.startsWith("<#", at)) return ["<#", "#>"];
  if (language === "lua" && text.startsWith("--[[", at)) return ["--[[", "]]"];
  if (language === "lua" && text.startsWith("[[", at)) return ["[[", "]]"];
  if (language !== "lua" && language !== "perl" && text.startsWith("/*", at)) return ["/*", "*/"];
  const one = text.charAt(at);
  if (one === "'" && /\w$/.test(text.slice(0, at)) && language === "perl") return undefined;
  return one === '"' || (one === "'" && language !== "swift") ? [one, one] : undefined;
}
