import { TooMuch } from "./facts.ts";

/** Comparisons of one pattern with all its texts: far more than any that a person writes. */
const MOST_WORK = 5_000_000;
/** Characters read in brackets that never close. */
const MOST_OPEN = 100_000;

/** One step of a pattern. */
type Step = { readonly star: true } | { readonly star?: never; readonly fits: (char: string) => boolean };

/** A pattern of the shell (Bash manual 3.5.8.1) in which a backslash takes the next character as it is. */
export class Pattern {
  readonly #steps: readonly Step[];
  #work = 0;

  constructor(source: string) {
    this.#steps = stepsOf(source);
  }

  /** Time: length of the text times length of the pattern, whatever both hold. @throws TooMuch after five million comparisons */
  fits(text: string): boolean {
    const chars = [...text];
    const steps = this.#steps;
    let at = 0;
    let step = 0;
    let star = -1;
    let retry = 0;
    while (at < chars.length) {
      this.#work += 1;
      if (this.#work > MOST_WORK) throw new TooMuch();
      const wanted = steps[step];
      if (wanted?.star) {
        star = step++;
        retry = at;
      } else if (wanted && wanted.fits(chars[at] ?? "")) {
        at++;
        step++;
      } else if (star >= 0) {
        step = star + 1;
        at = ++retry;
      } else return false;
    }
    while (steps[step]?.star) step++;
    return step === steps.length;
  }
}

/** Whether a character means more than itself in a pattern. */
export function isPatternText(text: string): boolean {
  return /[*?[]/.test(text);
}

export function escapedPattern(text: string): string {
  return text.replace(/[*?[\]\\!^-]/g, "\\$&");
}

function stepsOf(source: string): Step[] {
  const steps: Step[] = [];
  const chars = [...source];
  let open = 0;
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? "";
    const set = char === "[" ? setAt(chars, at) : undefined;
    if (char === "[" && !set) open += chars.length - at;
    if (open > MOST_OPEN) throw new TooMuch();
    if (char === "*") {
      if (!steps.at(-1)?.star) steps.push({ star: true });
    } else if (char === "?") steps.push({ fits: () => true });
    else if (set) {
      steps.push({ fits: set.fits });
      at = set.end;
    } else if (char === "\\" && at + 1 < chars.length) {
      const plain = chars[++at] ?? "";
      steps.push({ fits: (other) => other === plain });
    } else steps.push({ fits: (other) => other === char });
  }
  return steps;
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alpha: /\p{L}/u,
  digit: /\d/,
  alnum: /[\p{L}\p{Nd}]/u,
  upper: /\p{Lu}/u,
  lower: /\p{Ll}/u,
  space: /\s/,
  blank: /[ \t]/,
  punct: /[!-/:-@[-`{-~]/,
  xdigit: /[\dA-Fa-f]/,
  word: /\w/,
};

function setAt(
  chars: readonly string[],
  opening: number,
): { fits: (char: string) => boolean; end: number } | undefined {
  let at = opening + 1;
  const not = chars[at] === "!" || chars[at] === "^";
  if (not) at++;
  const first = at;
  const tests: ((char: string) => boolean)[] = [];
  for (; at < chars.length; at++) {
    const char = chars[at] ?? "";
    if (char === "]" && at > first) {
      return { fits: (other) => tests.some((test) => test(other)) !== not, end: at };
    }
    if (char === "/") return undefined;
    const named = char === "[" ? /^\[([:.=])(.*?)\1\]/.exec(chars.slice(at, at + 24).join("")) : null;
    if (named) {
      const expression = CLASSES[named[2] ?? ""];
      // What is not known of a class fits everything: a file too many is named, never one too few.
      tests.push((other) => (expression ? expression.test(other) : !not));
      at += named[0].length - 1;
      continue;
    }
    const low = char === "\\" ? (chars[++at] ?? "") : char;
    if (chars[at + 1] === "-" && chars[at + 2] !== "]" && at + 2 < chars.length) {
      at += 2;
      const high = chars[at] === "\\" ? (chars[++at] ?? "") : (chars[at] ?? "");
      tests.push((other) => other >= low && other <= high);
    } else tests.push((other) => other === low);
  }
  return undefined;
}
