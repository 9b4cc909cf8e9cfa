import assert from "node:assert/strict";
import type { Gap } from "../store/log/log-lines.ts";
import type { LogStore } from "../store/log/log-store.ts";
import type { BookHarness } from "./log-store-harness.ts";

/** What a log should hold since its last purge: events by name and the run of each, and how many were rejected. */
export interface Kept {
  readonly names: readonly string[];
  readonly runs: readonly string[];
  readonly rejected: number;
}

interface Found {
  readonly names: readonly string[];
  readonly runs: readonly string[];
  readonly seqs: readonly number[];
  readonly leftOut: number;
}

/** Holds the files of a log, and what its indexes count, against what should be there. Of nothing that is under way. */
export function assertKept(harness: BookHarness, book: LogStore, kept: Kept): void {
  const { names, runs, seqs, leftOut } = found(harness, book);
  const places = names.map((name) => kept.names.indexOf(name));
  assert.equal(places.includes(-1), false, "an event that nobody sent");
  assert.deepEqual(
    places,
    [...new Set(places)].sort((a, b) => a - b),
    "each once, in order",
  );
  assert.deepEqual(
    runs,
    places.map((place) => kept.runs[place]),
    "runs",
  );
  assert.deepEqual(
    seqs,
    [...new Set(seqs)].sort((a, b) => a - b),
    "numbers ascend",
  );
  assert.equal(names.length + leftOut, kept.names.length, "there or counted");
  assert.equal(book.facts().rejected, kept.rejected, "rejected");
}

function found(harness: BookHarness, book: LogStore): Found {
  const files = book.segments.map(({ path }) => harness.rows(path.slice(harness.folder.length + 1)));
  const rows = files.flat();
  const gaps = rows.flatMap((row) => (row?.["_gap"] === undefined ? [] : [row["_gap"] as Gap]));
  for (const { events, counts } of gaps) {
    assert.equal(
      counts.reduce((sum, row) => sum + row[4], 0),
      events,
    );
  }
  for (const file of files) assert.ok(file.filter((row) => row?.["_gap"] !== undefined).length <= 1);
  const events = rows.filter((row) => row?.["_gap"] === undefined);
  return {
    names: events.map((row) => String(row?.["n"])),
    runs: events.map((row) => String(row?.["_run"])),
    seqs: events.map((row) => Number(row?.["_seq"])),
    leftOut: gaps.reduce((sum, gap) => sum + gap.events, 0),
  };
}
