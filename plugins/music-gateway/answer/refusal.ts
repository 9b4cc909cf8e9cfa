import type { Reading } from "../question/reading.ts";
import type { Split } from "../question/query.ts";
import type { Collection } from "./collection.ts";
import { quoted } from "./understood.ts";
import type { Wording, WordingName } from "./wording.ts";

/** Why a question as a whole is not answered; empty when it is. Nothing is looked up for these. */
export function refusalsOf(reading: Reading, { catalog }: Collection, wording: Wording): readonly string[] {
  return reading.faults.map(({ is, words }) =>
    wording.say(is as WordingName, {
      WORDS:
        is === "too-many-splits"
          ? wording.list(words.map((word) => wording.split(word as Split)))
          : quoted(words, wording),
      STORES: catalog.stores.length === 0 ? wording.say("none") : wording.list(catalog.stores),
    }),
  );
}
