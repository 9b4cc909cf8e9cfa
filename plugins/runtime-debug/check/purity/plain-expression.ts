import type { Language } from "../../probes/languages.ts";
import { isActing } from "./acting.ts";

/** What an expression is made of; what it does not know ends it. Strings hold no escapes and no code. */
const TOKEN =
  /\s*(?:(?<name>\$\{\w+\}|(?:[$@]{1,2})?[\p{L}_][\p{L}\p{N}_]*)|(?<literal>\d[\w.]*|"[^"\\$#`{]*"|'[^'\\$#`{]*')|(?<sign>-(?:eq|ne|gt|ge|lt|le|and|or|like|notlike|contains|is)\b|\?\.|->|::|\.\.|===|!==|==|!=|<=|>=|&&|\|\||\?\?|[.[\]{}()?:<>+\-*/%!&#]))/uy;
/** Signs that change something, begin a comment or join in another way somewhere. */
const NOT_PLAIN = /--|\+\+|\/\/|\/\*|\*\*|>\s*\(/;
const JOINING = new Set([
  ..."+ - * / % < > <= >= == != === !== && || ?? . .. and or is in".split(" "),
  ..."instanceof eq ne lt gt le ge".split(" "),
]);
const OF_POWERSHELL = /^-\w/;
const LEADING = new Set(["-", "+", "!", "*", "&", "#", "not", "typeof"]);
const MEMBER = new Set([".", "?.", "->", "::"]);
/** Words that do something, or begin what does. */
const DOING =
  /^(?:new|await|yield|delete|void|function|lambda|import|throw|raise|return|async|class|do|go|if|else|for|while|exit|die|quit|abort|goto|break|continue|next|redo|retry|last|unless|until|case|when|switch|match|try|catch|begin|end|super|undef|exec|system|wait|let|var|const|del|print|echo|puts)$/;
const READING_CALLS: ReadonlySet<Language> = new Set(["ruby", "perl"]);

/**
 * Whether an expression surely changes nothing, by its text alone: names, members, indexes, literals, comparisons and
 * arithmetic. No calls, no assignments. What is not plain may be harmless all the same: a syntax tree tells.
 */
export function isPlain(language: Language, expression: string): boolean {
  if (NOT_PLAIN.test(expression) || (language !== "lua" && /#(?!\w)/.test(expression))) return false;
  const tokens = tokensOf(expression);
  if (!tokens || tokens.length === 0) return false;
  const end = new Reader(language, tokens).whole(0);
  return end === tokens.length;
}

interface Token {
  readonly kind: "name" | "literal" | "sign";
  readonly text: string;
}

function tokensOf(expression: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  const text = expression.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text)?.groups;
    if (!found) return undefined;
    const [kind, value] = Object.entries(found).find(([, part]) => part !== undefined) ?? [];
    if (value === undefined) return undefined;
    tokens.push({ kind: kind as Token["kind"], text: value });
  }
  return tokens;
}

/** Each method answers where what it has read ends, or -1. */
class Reader {
  constructor(
    private readonly language: Language,
    private readonly tokens: readonly Token[],
  ) {}

  whole(from: number): number {
    let at = this.#operand(from);
    while (at > 0) {
      const sign = this.tokens[at]?.text ?? "";
      if (sign === "?") {
        at = this.whole(at + 1);
        if (this.tokens[at]?.text !== ":") return -1;
      } else if (!JOINING.has(sign) && !(this.language === "powershell" && OF_POWERSHELL.test(sign)))
        return at;
      at = this.#operand(at + 1);
    }
    return -1;
  }

  #operand(from: number): number {
    let at = from;
    while (LEADING.has(this.tokens[at]?.text ?? "")) {
      if (this.tokens[at]?.text === this.tokens[at + 1]?.text && this.tokens[at]?.text !== "!") return -1;
      at += 1;
    }
    const token = this.tokens[at];
    if (token?.kind === "literal") at += 1;
    else if (token?.kind === "name" && this.#reads(token.text)) at += 1;
    else if (token?.text === "(") at = this.#closed(at + 1, ")");
    else return -1;
    return this.#members(at);
  }

  #members(from: number): number {
    let at = from;
    while (at > 0) {
      const sign = this.tokens[at]?.text ?? "";
      const next = this.tokens[at + 1];
      // An index of C++ may insert: a syntax tree says so.
      if (sign === "[" && this.language === "cpp") return -1;
      if (sign === "[") at = this.#closed(at + 1, "]");
      else if (this.language === "perl" && sign === "{") at = this.#closed(at + 1, "}");
      else if (this.language === "perl" && sign === "->" && next?.text === "{")
        at = this.#closed(at + 2, "}");
      else if (MEMBER.has(sign) && next?.text === "[" && sign !== ".") at = this.#closed(at + 2, "]");
      else if (MEMBER.has(sign) && next?.kind === "name") {
        if (this.language === "perl" && sign === "->") return -1;
        if (!this.#reads(next.text)) return -1;
        at += 2;
      } else return at;
    }
    return -1;
  }

  #closed(from: number, sign: string): number {
    const at = this.whole(from);
    return at > 0 && this.tokens[at]?.text === sign ? at + 1 : -1;
  }

  #reads(name: string): boolean {
    if (DOING.test(name) || JOINING.has(name)) return false;
    return !READING_CALLS.has(this.language) || /^[$@]/.test(name) || !isActing(name);
  }
}
