import type { TextLine } from "../regions/regions.ts";
import { placesOf, type Language, type PlaceRules } from "./languages.ts";

/** What a text holds up to a line, strings and comments left out. */
interface Before {
  /** Brackets that are open, each with the code in front of it on its line. */
  readonly open: readonly Bracket[];
  /** The last statement, as far as it goes: its lines in one. */
  readonly last: string;
  /** The indentation of its first line. */
  readonly indentation: number;
  /** Whether the line begins inside of a string or comment. */
  readonly isInside: boolean;
}

interface Bracket {
  readonly bracket: string;
  readonly head: string;
  readonly line: number;
}

const PAIRS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
const CONTINUES =
  /(?:[,([=+*/%&|^<>?.\\-]|\b(?:and|or|not|in|return|local|throw|extends|implements|of|new|typeof))$/;
const ENDS = /(?:\+\+|--)$/;
/** In front of a curly bracket that holds values. */
const VALUES =
  /(?:[=(,?[]|(?<!\bcase\b.*|\bdefault\s*):|\breturn|\b(?:const|let|var|import|export|export default)|=\s*[A-Z][\w:<>]*)\s*$/;
const CONTINUED =
  /^(?:[.?+*/%&|<>=,)\]:]|(?:else|elseif|elsif|elif|catch|except|finally|until|and|or|rescue|ensure|when)\b)/;
/** `next.id = 1` and `next()` are of a program that has given the name to something of its own. */
const LEAVES =
  /^(?:return|throw|raise|break|continue|goto|rethrow|(?:die|exit)(?!\s*[.[=])|(?:next|last)(?!\s*[.[=(?+-]))\b(?!.*\b(?:if|unless)\b)/;
/** Returns nothing, where what follows ends the block. */
const RETURNS = /\breturn$/;
const TYPE =
  /\b(?:class|interface|object|enum|struct|union|extension|protocol|mixin|actor|trait|impl|namespace|extern\s*"")\b(?!.*\)\s*(?:=>)?\s*$)/;
/** A condition whose body has to follow. */
const BARE = /^(?:\}\s*)?(?:(?:else\s+)?(?:if|for|foreach|while)\b\s*\(.*\)|else|do)$/;
const SWITCH = /\b(?:switch|match|when|select)\b/;

/**
 * Why no probe can stand in front of a line, by the look of the lines around it. `line` counts from 0; `undefined` when
 * nothing speaks against it. What it cannot know, the compiler will say.
 */
export function textFault(given: Language, lines: readonly TextLine[], line: number): string | undefined {
  const { kind: language, rules } = placesOf(given);
  const { open, last, indentation, isInside } = lookedAt(language, rules, lines.slice(0, line));
  const isComment = rules.hash ? /^\s*#(?!!)/ : language === "lua" ? /^\s*--/ : /^\s*\/\//;
  const nextLine =
    withoutBlockComments(rules, lines.slice(line)).find(
      (text) => text.trim() !== "" && !isComment.test(text),
    ) ?? "";
  const next = nextLine.trim();
  const isIndented = /^\s/.test(nextLine);
  const inner = open.at(-1);
  if (isInside) return "The line is in the middle of a text or a comment.";
  if (inner && isOfValues(language, inner)) return "The line is in the middle of an expression.";
  if (inner && !rules.words && TYPE.test(inner.head))
    return "The line is in the body of a type, where no statement can stand.";
  if (language === "python" && headOf(lines.slice(0, line), nextLine).startsWith("class "))
    return "The line is in the body of a class, where a probe would leave names.";
  if (!rules.words && BARE.test(last))
    return "The line is the body of the condition above it; put the probe in front of that, or add brackets.";
  if (/^@\w|^#\[/.test(last) && !/[;{}]$/.test(last)) return "What stands in front of the line decorates it.";
  if (goesOn(language, rules, last)) return "The line goes on with what stands in front of it.";
  if (language === "shell" && /^(?:else|elif|then|do|esac)\b|^;;|^[^\s()]+\)(?:\s|$)/.test(next))
    return NOWHERE;
  if (language !== "shell" && isContinued(language, next, last)) return NOWHERE;
  if (!isIndented && rules.header !== undefined && new RegExp(rules.header).test(next))
    return "The line belongs to the head of the file.";
  if (next.startsWith("#!")) return NOWHERE;
  if (isFirst(language, next, last))
    return "The text at the line has to be the first statement: it is a directive or documents what follows.";
  if (
    inner &&
    SWITCH.test(inner.head) &&
    (inner.head.trim() === last.replace(/\{$/, "").trim() || isArms(inner.head))
  )
    return "No statement can stand in front of the first case.";
  if (language !== "shell" && language !== "ruby" && /^(?:case\b.*:|default\s*:)/.test(next)) return NOWHERE;
  if (/^(?:super|this)\(/.test(next) && last.endsWith("{") && language === "java")
    return "The call of another constructor has to be first.";
  if (rules.functions && !inner) return "The line is outside of every function.";
  if (rules.valued && (/^(?:\}|end\b)/.test(next) || (next === "" && inner))) return VALUE;
  if (language === "rust" && next.startsWith("}") && !/[;{}]$/.test(last)) return VALUE;
  const isBehindBlock = language === "python" && widthOf(nextLine) < indentation;
  if (LEAVES.test(last) && !isBehindBlock)
    return "The program never comes to the line: what stands in front of it leaves.";
  return undefined;
}

/** Comments between `/*` and its end that the lines begin with are left out. */
function withoutBlockComments({ hash }: PlaceRules, lines: readonly TextLine[]): readonly string[] {
  const text = lines.map((line) => line.text).join("\n");
  return (hash ? text : text.replace(/^(?:\s*\/\*[^]*?\*\/[ \t]*(?:\n|$))+/, "")).split("\n");
}

/** Whether nothing at all can stand at the line. */
export const IN_TEXT = /in the middle of a text|to the head of the file|has to be/;
const NOWHERE = "No statement begins at the line.";
const VALUE = "The last statement of a block can be its value; put the probe in front of it.";

function isOfValues(language: Language, { bracket, head }: Bracket): boolean {
  if (bracket !== "{")
    return !(language === "shell" && bracket === "(" && /^\s*(?:\w+\s*\(\s*\)\s*)?$/.test(head));
  if (language === "lua" || language === "python") return true;
  if (language === "go") return /[\w\])]$/.test(head) && !/\b(?:struct|interface)$/.test(head);
  return language !== "ruby" && language !== "shell" && VALUES.test(head);
}

function goesOn(language: Language, { ended }: PlaceRules, last: string): boolean {
  if (language === "shell")
    return /(?:\||&&|\\|\b(?:in|do|then))$/.test(last) && !/\b(?:do|then)$/.test(last);
  if (ended && last !== "" && !/[;{}:]$/.test(last) && !/^(?:#|<\?|@|\[)/.test(last)) return true;
  if (language === "ruby" && /\w\?$/.test(last)) return false;
  if (language === "javascript" && last.endsWith("=>")) return true;
  if (language === "python" && RETURNS.test(last)) return false;
  return CONTINUES.test(last) && !ENDS.test(last) && !last.endsWith("<?php");
}

/** Whether the next line goes on with the last one. */
function isContinued(language: Language, next: string, last: string): boolean {
  if (/^\}\s*(?:else|catch|finally|elsif|elseif|while)\b/.test(next)) return true;
  if (/^[*&+-]/.test(next) && (/[;{}]$/.test(last) || last === "")) return false;
  if (language === "lua" && /^(?:then|do|end\b.*)$/.test(next)) return next !== "end" && !/^end\b/.test(next);
  if (language === "python" && /^case\b.*:$/.test(next)) return true;
  return CONTINUED.test(next) && !(language === "ruby" && /^(?:&|::)/.test(next));
}

/** A text that has to be the first of its file or function. */
function isFirst(language: Language, next: string, last: string): boolean {
  if (language === "javascript") return (last === "" || last.endsWith("{")) && /^(["']).*\1;?$/.test(next);
  if (language !== "python" || !/^[rRbBuUfF]{0,2}(?:"|')/.test(next)) return false;
  return last === "" || /^(?:async\s+)?(?:def|class)\b.*:$/.test(last);
}

/** Where each case is an expression. */
function isArms(head: string): boolean {
  return /\b(?:match|when)\b/.test(head);
}

/** Python: the line that a block hangs on. */
function headOf(lines: readonly TextLine[], next: string): string {
  const width = widthOf(next);
  if (width === 0) return "";
  const head = lines.findLast(
    ({ text }) => text.trim() !== "" && !/^\s*#/.test(text) && widthOf(text) < width,
  );
  return head?.text.trim() ?? "";
}

function widthOf(line: string): number {
  return /^[\t ]*/.exec(line)?.[0].length ?? 0;
}

function lookedAt(language: Language, rules: PlaceRules, lines: readonly TextLine[]): Before {
  const open: Bracket[] = [];
  const comment = language === "lua" ? "--" : rules.hash ? "#" : "//";
  let [last, until, indentation] = ["", "", 0];
  let heredoc: RegExp | undefined;
  for (const [line, { text }] of lines.entries()) {
    let code = "";
    if (!heredoc && until === "") heredoc = pageIn(language, text);
    if (heredoc) {
      const [name = ""] = heredoc.exec(text) ?? [];
      if (name !== "") {
        heredoc = undefined;
        last += text.slice(name.length).trimEnd();
      }
      continue;
    }
    for (let at = 0; at < text.length; at += 1) {
      if (until !== "") {
        if (text[at] === "\\" && until.length === 1 && !(language === "shell" && until === "'")) at += 1;
        else if (text.startsWith(until, at)) {
          at += until.length - 1;
          until = "";
        }
        continue;
      }
      const begins = opening(language, rules, text, at, code);
      if (begins) {
        until = begins[1];
        if (!COMMENT.test(begins[0])) code += '""';
        at += begins[0].length - 1;
      } else if (text.startsWith(comment, at) && !(comment === "#" && /[$\w{]$/.test(code))) break;
      else if (language === "php" && text[at] === "#" && text[at + 1] !== "[") break;
      else {
        const one = text.charAt(at);
        if ("([{".includes(one)) open.push({ bracket: one, head: code, line });
        else if (open.at(-1)?.bracket === PAIRS[one]) {
          const begun = open.pop();
          if (begun && begun.line < line && isOfValues(language, begun))
            code = begun.head + begun.bracket + code;
        }
        code += one;
      }
    }
    heredoc = hereDocumentIn(language, rules, text, code);
    // Only strings that may be longer than a line go on.
    if (until.length === 1 && until !== "`" && !rules.longQuotes) until = "";
    const trimmed = code.trim();
    if (trimmed === "") continue;
    const joined =
      last !== "" &&
      !(RETURNS.test(last) && /^(?:\}|(?:end|else|elseif|elsif|until)\b)/.test(trimmed)) &&
      (goesOn(language, rules, last) ||
        (CONTINUED_OPERATOR.test(trimmed) && !/[;{}]$/.test(last)) ||
        (!rules.words && BARE.test(last) && !trimmed.startsWith("{")));
    if (!joined) indentation = widthOf(text);
    last = joined ? `${last} ${trimmed}` : trimmed;
  }
  return { open, last, indentation, isInside: until !== "" || heredoc !== undefined };
}

const CONTINUED_OPERATOR = /^[.?+*/%&|<>=-]/;

/** What ends the documentation that a line begins. */
function pageIn(language: Language, text: string): RegExp | undefined {
  if (language === "perl" && /^=(?!cut\b)[a-z]/.test(text)) return /^=cut\b.*/;
  return language === "ruby" && /^=begin\b/.test(text) ? /^=end\b.*/ : undefined;
}

/** What ends the long text that a line begins, which is on lines of its own. */
function hereDocumentIn(
  language: Language,
  { hereDocument }: PlaceRules,
  text: string,
  code: string,
): RegExp | undefined {
  if (language === "powershell") {
    const [, quote] = /@(["'])\s*$/.exec(text) ?? [];
    return quote === undefined ? undefined : new RegExp(`^${quote}@`);
  }
  if (hereDocument === undefined || !code.includes("<<")) return undefined;
  const [, name] = new RegExp(hereDocument).exec(text) ?? [];
  return name === undefined ? undefined : new RegExp(`^\\s*${name}\\b`);
}

/** Begins a long comment, not a string. */
const COMMENT = /^(?:\/\*|<#|--\[)/;

/** What begins a string or a long comment at a place, and what ends it. */
function opening(
  language: Language,
  { hash, longQuotes }: PlaceRules,
  text: string,
  at: number,
  code: string,
): readonly [string, string] | undefined {
  for (const quotes of ['"""', "'''"])
    if (text.startsWith(quotes, at) && !longQuotes) return [quotes, quotes];
  if (language === "powershell" && text.startsWith("<#", at)) return ["<#", "#>"];
  if (language === "lua") {
    const [long, level] = /^(?:--)?\[(=*)\[/.exec(text.slice(at)) ?? [];
    if (long !== undefined) return [long, `]${level}]`];
  }
  if (!hash && language !== "lua" && text.startsWith("/*", at)) return ["/*", "*/"];
  const one = text.charAt(at);
  if (one === "`" && (language === "javascript" || language === "go")) return [one, one];
  const [pattern] =
    language === "javascript" && one === "/" && /(?:^|[(=,:[!&|?{};]|\breturn|=>)\s*$/.test(code)
      ? (/^\/(?![/*])(?:[^\\/[]|\\.|\[(?:[^\]\\]|\\.)*\])+\//.exec(text.slice(at)) ?? [])
      : [];
  if (pattern !== undefined) return [pattern.slice(0, -1), "/"];
  if (one === "'" && language === "rust") {
    const [letter] = /^'(?:[^'\\]|\\[^']+)'/.exec(text.slice(at)) ?? [];
    return letter === undefined ? undefined : [letter.slice(0, -1), "'"];
  }
  if (one === "'" && /\w$/.test(code) && (language === "perl" || language === "cpp")) return undefined;
  return one === '"' || (one === "'" && language !== "swift") ? [one, one] : undefined;
}
