import type { TextLine } from "../regions/lines.ts";
import { languageOf } from "../probes/languages.ts";
import { remaining, type CutText } from "./cuts.ts";
import { hunksBetween } from "./hunks.ts";
import { importedIn, namesIn, wordsOf } from "./names.ts";
import { regionNames } from "./region-names.ts";
import { shellsIn, type Leftover, type Line } from "./shells.ts";
import { traceIn, type SessionTraces } from "./traces.ts";

const REPORTERS =
  /dart:(?:io|convert)|\bhttp\b|urllib|requests|net\/http|std::net|java\.net|okhttp|LWP|axios|node-fetch|socket/i;
/** A line that only says that there is such a name: a field, a parameter, a value it begins with. */
const MENTION =
  /^\s*(?:(?!(?:return|await|yield|throw|new|in|of|not)\b)(?:this\.|self\.|[@$]?\w+(?:::\w+)*(?:<[^>]*>)?\??\s+))*[$@]?([A-Za-z_]\w*)\s*(?:[:=,;)]|$)/;
/** Shorter names are too common to tell anything. */
const SHORTEST_NAME = 3;

type What = Omit<Leftover, "line">;

/** Lines that are new, outside all regions, and belong to the instrumentation as far as can be seen. */
export function leftoversIn(
  path: string,
  cut: CutText,
  before: readonly TextLine[],
  traces: SessionTraces,
): readonly Leftover[] {
  const now: readonly Line[] = remaining(cut);
  const added = new Set<Line>();
  for (const { after } of hunksBetween(before, now))
    for (const line of now.slice(after.from, after.to)) added.add(line);
  const look = new LeftoverLook(path, cut, before, traces, added);
  const found = now.flatMap((one): readonly Leftover[] => {
    const what = look.at(one);
    return what && one.line !== undefined ? [{ line: one.line, ...what }] : [];
  });
  return [...found, ...shellsIn(cut, now, added)].sort((one, other) => one.line - other.line);
}

/** Looks at one line after the other with what is known of all. */
class LeftoverLook {
  /** Words of the code before. */
  readonly #known: ReadonlySet<string>;
  /** Names that regions use. */
  readonly #reported: ReadonlySet<string>;
  /** Names that only regions declare. */
  readonly #dangling: ReadonlySet<string>;
  readonly #places = new Map<string, Line[]>();

  constructor(
    path: string,
    cut: CutText,
    before: readonly TextLine[],
    private readonly traces: SessionTraces,
    private readonly added: ReadonlySet<Line>,
  ) {
    const now: readonly Line[] = remaining(cut);
    this.#known = wordsOf(before.map(({ text }) => text).join("\n"));
    for (const line of now)
      for (const word of wordsOf(line.text)) {
        const lines = this.#places.get(word);
        if (lines) lines.push(line);
        else this.#places.set(word, [line]);
      }
    const { declared, used } = regionNames(cut, languageOf(path));
    this.#reported = used;
    const own = namesIn(now.map(({ text }) => text));
    this.#dangling = new Set([...declared].filter((name) => !this.#known.has(name) && !own.has(name)));
  }

  at(line: Line): What | undefined {
    return (this.added.has(line) ? this.#newLine(line) : undefined) ?? this.#danglingIn(line);
  }

  #newLine(line: Line): What | undefined {
    const trace = traceIn(line.text, this.traces, this.#known);
    if (trace !== undefined)
      return {
        code: "residue",
        sentence: `This line is new, stands outside all regions and holds ${trace}.`,
      };
    const imported = importedIn(line.text);
    return imported ? this.#importOf(line, imported) : this.#nameOf(line);
  }

  #importOf(line: Line, names: readonly string[]): What | undefined {
    if (names.some((name) => this.#mentions(name).some((other) => other !== line))) return undefined;
    if (!names.some((name) => this.#reported.has(name)) && !REPORTERS.test(line.text)) return undefined;
    return { code: "probe-import", sentence: "This import is new, and only probes have used it." };
  }

  #nameOf({ text }: Line): What | undefined {
    const name = MENTION.exec(text)?.[1];
    if (name === undefined || name.length < SHORTEST_NAME) return undefined;
    // In a new file everything is new, and what it is for cannot be told by that.
    if (this.#known.size === 0 || this.#known.has(name) || !this.#reported.has(name)) return undefined;
    const isOnlyNamed = this.#mentions(name).every(
      (line) => this.added.has(line) && MENTION.exec(line.text)?.[1] === name,
    );
    return isOnlyNamed
      ? { code: "probe-name", sentence: `"${name}" is new, and only probes have used it.` }
      : undefined;
  }

  #danglingIn({ text }: Line): What | undefined {
    if (this.#dangling.size === 0) return undefined;
    const name = [...wordsOf(text)].find((word) => this.#dangling.has(word));
    return name === undefined
      ? undefined
      : { code: "dangling-name", sentence: `"${name}" is used here and declared only in a region.` };
  }

  #mentions(name: string): readonly Line[] {
    return this.#places.get(name) ?? [];
  }
}
