import { lengthOf } from "./json.ts";
import { parsePattern, type Part } from "./pattern-parts.ts";

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
