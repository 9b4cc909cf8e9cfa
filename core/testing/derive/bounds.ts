import { draft, perhaps, type Draft, lengthOf } from "./draft.ts";
import type { Keywords } from "./flat.ts";
import { FORMATS } from "./formats.ts";
import { MOST_CHARACTERS, unitOf, type Sampler } from "./sampler.ts";

type Made = Iterable<Draft>;

/** Wrong numbers and strings: one keyword broken at a time. */
export const WRONG: Readonly<Record<string, (plain: Keywords, sampler: Sampler) => Made>> = {
  minimum: ({ minimum = 0, ...plain }) => [draft("minimum", minimum - unitOf(plain, minimum), "just below")],
  maximum: ({ maximum = 0, ...plain }) => [draft("maximum", maximum + unitOf(plain, maximum), "just above")],
  exclusiveMinimum: ({ exclusiveMinimum }) => [
    draft("exclusiveMinimum", exclusiveMinimum, "the bound itself"),
  ],
  exclusiveMaximum: ({ exclusiveMaximum }) => [
    draft("exclusiveMaximum", exclusiveMaximum, "the bound itself"),
  ],
  *multipleOf(plain, sampler) {
    const unit = plain.multipleOf ?? 1;
    const [base] = sampler.sample(plain) as readonly number[];
    for (const off of [1, unit / 2]) yield draft("multipleOf", (base ?? 0) + off, "between two multiples");
  },
  *minLength(plain, sampler) {
    const { minLength = 0, ...rest } = plain;
    for (const text of sampler.strings(rest, minLength - 1))
      yield draft("minLength", text, "one character too few");
    if (minLength > 0)
      yield draft("minLength", "x".repeat(Math.min(minLength - 1, MOST_CHARACTERS)), "one character too few");
  },
  *maxLength(plain, sampler) {
    const { maxLength = 0, ...rest } = plain;
    for (const text of sampler.strings(rest, maxLength + 1))
      yield draft("maxLength", text, "one character too many");
    if (maxLength < MOST_CHARACTERS)
      yield draft("maxLength", "x".repeat(maxLength + 1), "one character too many");
  },
  *pattern(plain, sampler) {
    const expression = new RegExp(plain.pattern ?? "", "u");
    for (const base of sampler.sample({ type: "string", ...plain }) as readonly string[]) {
      for (const text of bent(base)) {
        if (!expression.test(text)) yield draft("pattern", text, "against the pattern");
      }
    }
  },
  *format(plain) {
    for (const text of FORMATS[plain.format ?? ""]?.misfit ?? [])
      yield draft("format", text, `no ${plain.format}`);
  },
};

/** Right numbers and strings: both sides of each bound that lie inside. */
export function* rightNumbers(plain: Keywords): Made {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = plain;
  if (minimum !== undefined) {
    yield draft("minimum", minimum, "the bound itself");
    yield draft("minimum", minimum + unitOf(plain, minimum), "one step inside");
  }
  if (maximum !== undefined) {
    yield draft("maximum", maximum, "the bound itself");
    yield draft("maximum", maximum - unitOf(plain, maximum), "one step inside");
  }
  if (above !== undefined) yield draft("exclusiveMinimum", above + unitOf(plain, above), "one step inside");
  if (below !== undefined) yield draft("exclusiveMaximum", below - unitOf(plain, below), "one step inside");
}

const SCRIPTS = { accented: "é", Chinese: "歌", astral: "😀" } as const;

/** Strings at each length that a bound speaks of, and in scripts of one to four bytes. */
export function* rightStrings(plain: Keywords, sampler: Sampler): Made {
  const { minLength = 0, maxLength } = plain;
  for (const [length, note] of [
    [minLength, "the shortest"],
    [minLength + 1, "one more than the shortest"],
  ] as const) {
    for (const text of sampler.strings(plain, length)) yield draft("minLength", text, note);
  }
  if (maxLength !== undefined) {
    for (const [length, note] of [
      [maxLength, "the longest"],
      [maxLength - 1, "one less than the longest"],
    ] as const) {
      for (const text of sampler.strings(plain, length)) yield draft("maxLength", text, note);
    }
  }
  for (const text of FORMATS[plain.format ?? ""]?.fit ?? [])
    yield draft("format", text, `a ${plain.format}: ${text}`);
  const longest = Math.max(minLength, Math.min(maxLength ?? 8, 1_000));
  for (const [script, character] of Object.entries(SCRIPTS)) {
    const text = draft("maxLength", character.repeat(longest), `${longest} ${script} characters`);
    yield plain.pattern === undefined && plain.format === undefined ? text : perhaps(text);
  }
}

/** Texts one character away from a text, which may or may not be wrong. */
function* bent(text: string): Generator<string> {
  const characters = [...text];
  for (const odd of [" ", "!", "\u0000", "A", "a", "0", "歌", "\n"]) {
    yield `${text}${odd}`;
    yield `${odd}${text}`;
    for (let at = 0; at < Math.min(lengthOf(text), 8); at += 1) yield characters.with(at, odd).join("");
  }
  for (let at = 0; at < Math.min(lengthOf(text), 40); at += 1) yield characters.toSpliced(at, 1).join("");
  yield "";
}
