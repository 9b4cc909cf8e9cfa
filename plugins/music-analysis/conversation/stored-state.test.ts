import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { SongEntry } from "../songs/mapping.ts";
import { knownAt, learnt, pendingAt, settled, stateFor, type ConversationState } from "./state.ts";
import { documentOf, readState } from "./stored-state.ts";
import { effort } from "../../../contract-tests/effort.ts";

const NOW = 1_800_000_000_000;
const entry: fc.Arbitrary<SongEntry> = fc.record(
  {
    name: fc.string({ unit: "binary" }),
    key: fc.string(),
    songId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    version: fc.string(),
  },
  { requiredKeys: ["name", "key", "songId"] },
);
const state: fc.Arbitrary<ConversationState> = fc.record(
  {
    account: fc.record({ login: fc.string(), id: fc.string() }, { requiredKeys: ["login"] }),
    known: fc.record({
      songs: fc.array(entry),
      source: fc.constantFrom("overall", "answer"),
      at: fc.integer({ min: 0, max: NOW }),
    }),
    focus: entry,
    pending: fc.record({
      question: fc.string({ unit: "binary" }),
      name: fc.string(),
      candidates: fc.array(entry, { maxLength: 5 }),
      chosen: fc.array(fc.tuple(fc.string(), entry), { maxLength: 3 }),
      asked: fc.integer({ min: 1, max: 2 }),
      at: fc.integer({ min: 0, max: NOW }),
    }),
  },
  { requiredKeys: ["account"] },
);

const roundTrip = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("any state is read back from its document as it was", () => {
  fc.assert(
    fc.property(state, (whole) => {
      assert.deepEqual(readState(roundTrip(documentOf(whole))), roundTrip(whole));
    }),
  );
});

test("whatever stands in a document, it is read as a state that can be gone on with, or as none", () => {
  /** Puts something else in any one place of a document. */
  const spoilt = fc.tuple(state, fc.nat(), fc.jsonValue({ maxDepth: 2 })).map(([whole, place, other]) => {
    const document = roundTrip(documentOf(whole));
    const places = placesIn(document);
    const chosen = places[place % places.length];
    if (chosen) chosen.holder[chosen.key] = other;
    return document;
  });
  fc.assert(
    fc.property(fc.oneof(spoilt, fc.jsonValue()), (document) => {
      const read = readState(document);
      const own = stateFor(read?.account ?? { login: "mine" }, read);
      const later = settled([])(learnt(knownAt(own, NOW)?.songs ?? [], "overall", NOW)(own));
      assert.equal(later.pending, undefined);
      for (const { songId } of later.known?.songs ?? [])
        assert.ok(Number.isSafeInteger(songId) && songId >= 1);
      for (const { name } of pendingAt(own, NOW)?.candidates ?? []) assert.equal(typeof name, "string");
    }),
    { numRuns: effort(83, 1_500) },
  );
});

function placesIn(value: unknown): { readonly holder: Record<string, unknown>; readonly key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}
