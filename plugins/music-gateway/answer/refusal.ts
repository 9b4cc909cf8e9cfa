import type { Reading } from "../question/reading.ts";
import type { Collection } from "./collection.ts";
import { quoted } from "./understood.ts";
import type { Wording, WordingName } from "./wording.ts";

/** Why a question as a whole is not answered; empty when it is. Nothing is looked up for these. */
export function refusalsOf(reading: Reading, { catalog }: Collection, wording: Wording): readonly string[] {
  const { faults } = reading;
  const said: string[] = [];
  const subjects = [...new Set(faults.subjects.map(({ subject }) => subject))];
  for (const subject of subjects) {
    const words = faults.subjects.filter((one) => one.subject === subject).map(({ word }) => word);
    said.push(wording.say(`subject-${subject}` as WordingName, { WORDS: quoted(words, wording) }));
  }
  for (const name of new Set(faults.songs))
    said.push(wording.say("unknown-song", { NAME: name.slice(0, 80) }));
  if (faults.stores.length > 0) {
    const stores = wording.list(catalog.stores);
    said.push(
      wording.say("unknown-store", {
        NAMES: quoted(faults.stores, wording),
        STORES: stores === "" ? wording.say("none") : stores,
      }),
    );
  }
  if (faults.areas.length > 0)
    said.push(wording.say("area", { WORDS: faults.areas.join(wording.say("comma")) }));
  if (faults.words.length > 0)
    said.push(wording.say("unknown-words", { WORDS: quoted(faults.words, wording) }));
  if (faults.hasTooManyTimes) said.push(wording.say("too-many-periods"));
  if (faults.splits.length > 0) {
    const names = [reading.split, ...faults.splits].flatMap((split) =>
      split === undefined ? [] : [wording.split(split)],
    );
    said.push(wording.say("too-many-splits", { WORDS: wording.list(names) }));
  }
  if (faults.hasPointer) said.push(wording.say("which-song"));
  if (said.length === 0 && faults.isEmpty) said.push(wording.say("empty"));
  return said;
}
