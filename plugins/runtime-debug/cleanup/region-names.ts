import { probeIn, type ReadProbe } from "../probes/read-probe.ts";
import type { Language } from "../probes/languages.ts";
import { cutsOf, type Cut, type CutText } from "./cuts.ts";
import { namesIn, wordsOf } from "./names.ts";

/** What the regions of a file say about names. */
export interface RegionNames {
  /** Declared or imported in a region. */
  readonly declared: ReadonlySet<string>;
  /** Used in a region. */
  readonly used: ReadonlySet<string>;
}

const STRING = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g;
/** Keys of objects, names of arguments. */
const KEY = /[\w$]+\s*(?::(?!:)|=(?!=))/g;

/** What a region says when it is, letter for letter, what `probe` writes. */
export function ownProbe({ body, markers }: Cut, language: Language | undefined): ReadProbe | undefined {
  return language && probeIn(language, [markers[0], ...body.map(({ text }) => text), markers[1]]);
}

/** Names in regions, as far as text tells. Our own probes declare nothing, and only report what the program has. */
export function regionNames(cut: CutText, language: Language | undefined): RegionNames {
  const [declared, used] = [new Set<string>(), new Set<string>()];
  for (const region of cutsOf(cut)) {
    const lines = region.body.map(({ text }) => text);
    if (ownProbe(region, language)) continue;
    for (const name of namesIn(lines)) declared.add(name);
    const code = lines.join("\n").replaceAll(STRING, " ").replaceAll(KEY, " ");
    for (const word of wordsOf(code)) used.add(word);
  }
  return { declared, used };
}
