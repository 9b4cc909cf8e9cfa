const DIGITS = "0123456789";
/** Stands for any sign. */
const ANY = "any";
const ANYTHING = /\.|\[\^(?:\\.|[^\]])*\]/y;
const ASSERTION = /[$^]/y;
const GROUP = /\?(?:(?<look><?[=!])|:|<\w+>)/y;
const OPTIONAL = /[?*]|\{0,/y;
const QUANTIFIER = /(?:[?*+]|\{[\d,]+\})\??/y;

/** The signs that a match of a part of a pattern can begin with, and whether the part can match nothing. */
interface Start {
  readonly signs: ReadonlySet<string>;
  readonly isEmpty: boolean;
}

/**
 * The signs that a match of a pattern can begin with. Lookarounds do not narrow them. @throws Error for a pattern that begins with any
 * sign, or has a class of signs other than `\d` and those in brackets.
 */
export function firstSigns(pattern: string): ReadonlySet<string> {
  let at = 0;
  const taken = (part: RegExp): RegExpExecArray | null => {
    part.lastIndex = at;
    const found = part.exec(pattern);
    at += found?.[0].length ?? 0;
    return found;
  };
  const alternatives = (): Start => {
    const starts = [sequence()];
    while (pattern[at] === "|") {
      at += 1;
      starts.push(sequence());
    }
    return {
      signs: new Set(starts.flatMap(({ signs }) => [...signs])),
      isEmpty: starts.some(({ isEmpty }) => isEmpty),
    };
  };
  const sequence = (): Start => {
    const signs = new Set<string>();
    let isEmpty = true;
    while (at < pattern.length && pattern[at] !== "|" && pattern[at] !== ")") {
      const part = element();
      OPTIONAL.lastIndex = at;
      const isOptional = OPTIONAL.test(pattern);
      taken(QUANTIFIER);
      if (isEmpty) for (const sign of part.signs) signs.add(sign);
      isEmpty &&= part.isEmpty || isOptional;
    }
    return { signs, isEmpty };
  };
  const element = (): Start => {
    if (pattern[at] === "(") {
      at += 1;
      const isLook = taken(GROUP)?.groups?.["look"] !== undefined;
      const inner = alternatives();
      at += 1;
      return isLook ? { signs: new Set(), isEmpty: true } : inner;
    }
    if (taken(ASSERTION)) return { signs: new Set(), isEmpty: true };
    if (taken(ANYTHING)) return { signs: new Set([ANY]), isEmpty: false };
    if (pattern[at] !== "[") return { signs: new Set(literal()), isEmpty: false };
    const signs = new Set<string>();
    for (at += 1; pattern[at] !== "]";) {
      const from = literal();
      if (pattern[at] !== "-" || pattern[at + 1] === "]") for (const sign of from) signs.add(sign);
      else {
        at += 1;
        const to = literal().charCodeAt(0);
        for (let code = from.charCodeAt(0); code <= to; code += 1) signs.add(String.fromCharCode(code));
      }
    }
    at += 1;
    return { signs, isEmpty: false };
  };
  const literal = (): string => {
    const sign = pattern[at] ?? "";
    at += 1;
    if (sign !== "\\") return sign;
    const escaped = pattern[at] ?? "";
    at += 1;
    if (escaped === "d") return DIGITS;
    if (/\w/.test(escaped)) throw new Error(`The first signs of \\${escaped} in ${pattern} are not known.`);
    return escaped;
  };
  const { signs } = alternatives();
  if (signs.has(ANY)) throw new Error(`A match of ${pattern} can begin with any sign.`);
  return signs;
}
