import { lengthOf } from "./draft.ts";

/** A regular expression, as far as it is needed to make words of it. */
export type Part =
  | { readonly kind: "set"; readonly characters: readonly string[] }
  | { readonly kind: "sequence"; readonly parts: readonly Part[] }
  | { readonly kind: "branch"; readonly branches: readonly Part[] }
  | { readonly kind: "repeat"; readonly part: Part; readonly least: number; readonly most: number };

const COMMON = [..."abcxyzABCXYZ0123456789-_./: ~!@#%&=+,;|<>()[]{}'\"^$?*`\\\n\té中歌《，😀"];
const NOTHING: Part = { kind: "sequence", parts: [] };

/** Reads a pattern; undefined when it holds what is not read here, such as a back reference. */
export function parsePattern(pattern: string): Part | undefined {
  const reader = new PatternReader(pattern);
  try {
    const part = reader.branches();
    return reader.done ? part : undefined;
  } catch (caught) {
    if (caught instanceof Unreadable) return undefined;
    throw caught;
  }
}

class Unreadable extends Error {}

class PatternReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get done(): boolean {
    return this.#at >= this.#text.length;
  }

  branches(): Part {
    const branches = [this.#sequence()];
    while (this.#take("|")) branches.push(this.#sequence());
    return branches.length === 1 ? (branches[0] as Part) : { kind: "branch", branches };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (!this.done && !"|)".includes(this.#text.charAt(this.#at)))
      parts.push(this.#repeated(this.#atom()));
    return { kind: "sequence", parts };
  }

  #atom(): Part {
    if (this.#take("^") || this.#take("$")) return NOTHING;
    if (this.#take("(")) return this.#group();
    const [source] =
      /^(\[(\\.|[^\]\\])*\]|\\([pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)|[^\\])/su.exec(
        this.#text.slice(this.#at),
      ) ?? [undefined];
    if (source === undefined || /^\\[1-9k]/.test(source)) throw new Unreadable();
    this.#at += source.length;
    if (/^\\[bB]$/.test(source)) return NOTHING;
    return setOf(source);
  }

  #group(): Part {
    const around = ["?=", "?!", "?<=", "?<!"].find((mark) => this.#take(mark));
    if (!around && !this.#take("?:")) {
      const [name] = /^\?<[^>]*>/.exec(this.#text.slice(this.#at)) ?? [""];
      this.#at += name.length;
    }
    const inside = this.branches();
    if (!this.#take(")")) throw new Unreadable();
    return around ? NOTHING : inside;
  }

  #repeated(part: Part): Part {
    const [mark, braces, least = "0", comma, most] = /^(?:[*+?]|(\{(\d+)(,(\d*))?\}))\??/.exec(
      this.#text.slice(this.#at),
    ) ?? [""];
    this.#at += mark.length;
    if (mark === "") return part;
    if (braces === undefined) {
      return { kind: "repeat", part, least: mark[0] === "+" ? 1 : 0, most: mark[0] === "?" ? 1 : 1e6 };
    }
    const bound = comma === undefined ? Number(least) : most ? Number(most) : 1e6;
    return { kind: "repeat", part, least: Number(least), most: bound };
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}

/** The characters that fit the source of a class, an escape or one character. */
function setOf(source: string): Part {
  const expression = new RegExp(`^(?:${source})$`, "su");
  const characters = [...new Set([...COMMON, ...source])].filter((character) => expression.test(character));
  if (characters.length > 0) return { kind: "set", characters };
  for (let code = 0; code < 0x3000; code += 1) {
    const character = String.fromCharCode(code);
    if (expression.test(character)) return { kind: "set", characters: [character] };
  }
  throw new Unreadable();
}

/** Walks a pattern once; `seed` chooses among characters and branches, `spare` is how much repeats may add. */
interface Walk {
  seed: number;
  spare: number;
}

/**
 * Strings that match a regular expression, each tried against it. `length` asks for exactly so many code points.
 * Look-around is not read but obeyed, since every word is tried. A pattern that cannot be read gives no word.
 */
export function* patternWords(
  pattern: string,
  length?: number,
  tries = length === undefined ? 200 : 24,
): Generator<string> {
  const part = parsePattern(pattern);
  if (!part) return;
  const expression = new RegExp(pattern, "u");
  const seen = new Set<string>();
  for (let seed = 0; seed < tries; seed += 1) {
    const least = word(part, { seed, spare: 0 });
    const spare = length === undefined ? 0 : length - lengthOf(least);
    const made = spare > 0 ? word(part, { seed, spare }) : least;
    if (seen.has(made) || (length !== undefined && lengthOf(made) !== length) || !expression.test(made))
      continue;
    seen.add(made);
    yield made;
  }
}

function word(part: Part, walk: Walk): string {
  switch (part.kind) {
    case "set":
      return chosen(part.characters, walk);
    case "sequence":
      return part.parts.map((one) => word(one, walk)).join("");
    case "branch":
      return word(chosen(part.branches, walk), walk);
    case "repeat": {
      let text = "";
      for (let count = 0; count < part.least; count += 1) text += word(part.part, walk);
      for (let count = part.least; count < part.most && walk.spare > 0; count += 1) {
        const least = lengthOf(word(part.part, { seed: walk.seed, spare: 0 }));
        if (least > walk.spare || least === 0) break;
        walk.spare -= least;
        text += word(part.part, walk);
      }
      return text;
    }
  }
}

function chosen<T>(options: readonly T[], walk: Walk): T {
  const option = options[walk.seed % options.length] as T;
  walk.seed = Math.floor(walk.seed / options.length);
  return option;
}
