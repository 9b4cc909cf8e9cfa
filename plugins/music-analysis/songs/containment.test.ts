import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { contains, isWordLimit, wordLimits } from "./containment.ts";
import { foldExact, type Folded } from "./keys.ts";
import { effort } from "../../../contract-tests/effort.ts";

const WORD = /[\p{L}\p{N}\p{M}]/u;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}々〆ー]/u;

/** The rule word for word: character by character, with the words the spaced form shows. */
function limitsByRule({ key, spaced }: Folded): readonly number[] {
  const gaps = new Set<number>();
  let length = 0;
  for (const word of spaced.split(" ")) gaps.add((length += word.length));
  const isSpacedWord = (character = ""): boolean => WORD.test(character) && !UNSPACED.test(character);
  const limits = [0];
  let place = 0;
  const characters = Array.from(key);
  for (const [number, character] of characters.entries()) {
    const isCut = isSpacedWord(characters[number - 1]) && isSpacedWord(character) && !gaps.has(place);
    if (number > 0 && !/\p{M}/u.test(character) && !isCut) limits.push(place);
    place += character.length;
  }
  return key === "" ? [0] : [...limits, key.length];
}

const text = fc.oneof(
  fc.string({
    unit: fc.constantFrom(..."aé1 海ーガ한ภ-！🌙\u0301\u20dd\u3099", "𠀀", "\ud840", "\udc00", "𝒜", "ﬀ"),
    maxLength: 12,
  }),
  fc.string({ unit: "binary", maxLength: 12 }),
);

describe("isWordLimit", () => {
  it("is the rule, for any text", () => {
    fc.assert(
      fc.property(text, (any) => {
        const folded = foldExact(any);
        const places = Array.from({ length: folded.key.length + 1 }, (_, place) => place);
        const limits = limitsByRule(folded);
        assert.deepEqual(
          places.filter((place) => isWordLimit(folded, place)),
          limits,
        );
        assert.deepEqual(
          places.filter((place) => wordLimits(folded)[place] === 1),
          limits,
        );
      }),
      { numRuns: effort(83, 1_500) },
    );
  });
});

describe("contains", () => {
  it("says whether a name holds a key", () => {
    for (const [name, key, expected] of [
      ["Blue River", "river", true],
      ["Blue River", "blueriver", true],
      ["Blue Rivers", "river", false],
      ["Glove Love", "love", true],
      ["海盐之歌", "盐之", true],
      ["e\u0301tude", "e", false],
      ["海𠀀", "海\ud840", false],
    ] as const)
      assert.equal(
        contains(foldExact(name), key),
        expected,
        `${JSON.stringify(key)} in ${JSON.stringify(name)}`,
      );
  });
});
