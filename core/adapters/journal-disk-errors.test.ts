import assert from "node:assert/strict";
import * as fs from "node:fs";
import { dirname } from "node:path";
import { test, type TestContext } from "node:test";
import { codeOf, folderFor } from "./fixture-journal.ts";
import { JournalPlace, openPlain, JournalWriters } from "./journal-place.ts";
import { FileReader } from "./journal-reader.ts";
import { FileJournal } from "./journal.ts";

/** A sync that has been asked for and ends when the test says how. */
type Pending = (code?: string) => void;

/** The real descriptors, with syncs that end by hand. What opens the file anew gets real ones. */
class HandWriters extends JournalWriters {
  readonly pending: Pending[] = [];

  override sync(done: (error: Error | null) => void): void {
    this.pending.push((code) => {
      done(code === undefined ? null : Object.assign(new Error(code), { code }));
    });
  }
}

/** A journal whose first syncs end by hand; `refusals` is how often it cannot be opened anew then. */
async function journalByHand(t: TestContext, refusals = 0) {
  const path = folderFor(t).file("log");
  const appending = fs.openSync(path, "a", 0o600);
  const place = new JournalPlace(path, appending, fs.lstatSync(dirname(path), { bigint: true }));
  const writers = new HandWriters(appending, fs.openSync(path, "r+"));
  const reader = new FileReader(path, openPlain(path, fs.constants.O_RDONLY), 0);
  let left = refusals;
  const journal = new FileJournal(place, reader, writers, "sync", (file) => {
    left -= 1;
    if (left >= 0) throw Object.assign(new Error("EMFILE"), { code: "EMFILE" });
    return JournalWriters.open(file);
  });
  t.after(() => journal.close());
  return { path, journal, pending: writers.pending };
}

/** Long enough for a commit to begin. */
async function turn(): Promise<void> {
  for (let phase = 0; phase < 3; phase += 1) await new Promise(setImmediate);
}

test("one sync is under way at a time, and what waits goes out together as soon as it has ended", async (t) => {
  const { path, journal, pending } = await journalByHand(t);
  const first = journal.append("a\n");
  await turn();
  const others = [journal.append("b\n"), journal.append("c\n")];
  await turn();
  assert.equal(pending.length, 1);
  assert.equal(fs.readFileSync(path, "utf8"), "a\n");
  assert.equal(others[0], others[1]);
  pending[0]?.();
  assert.equal(pending.length, 2);
  assert.equal(fs.readFileSync(path, "utf8"), "a\nb\nc\n");
  await first;
  assert.deepEqual([journal.bytes, journal.end], [2, 6]);
  pending[1]?.();
  await Promise.all(others);
  assert.equal(journal.bytes, 6);
});

test("a sync that fails takes back its lines and all that waits", async (t) => {
  const { path, journal, pending } = await journalByHand(t);
  const kept = journal.append("kept\n");
  await turn();
  pending[0]?.();
  await kept;
  const all = [journal.append("a\n")];
  await turn();
  all.push(journal.append("b\n"));
  const codes = Promise.all(all.map(codeOf));
  pending[1]?.("EIO");
  assert.deepEqual(await codes, ["STORAGE_FAILED", "STORAGE_FAILED"]);
  assert.deepEqual([journal.bytes, journal.end, fs.readFileSync(path, "utf8")], [5, 5, "kept\n"]);
  await journal.append("d\n");
  assert.equal(fs.readFileSync(path, "utf8"), "kept\nd\n");
});

test("a sync that finds no space is a full disk", async (t) => {
  const { journal, pending } = await journalByHand(t);
  const line = codeOf(journal.append("a\n"));
  await turn();
  pending[0]?.("ENOSPC");
  assert.equal(await line, "STORAGE_FULL");
});

test("bytes that changed behind a failed sync end the journal", async (t) => {
  const { path, journal, pending } = await journalByHand(t);
  const kept = journal.append("kept\n");
  await turn();
  pending[0]?.();
  await kept;
  const line = codeOf(journal.append("a\n"));
  await turn();
  fs.writeFileSync(path, "\0\0\0\0\na\n", { flag: "r+" });
  pending[1]?.("EIO");
  assert.equal(await line, "STORAGE_LOST");
  assert.equal(journal.loss, "changed");
});

test("closing while a sync fails waits until the file is in order", async (t) => {
  const { path, journal, pending } = await journalByHand(t);
  const line = codeOf(journal.append("a\n"));
  await turn();
  const closed = journal.close();
  pending[0]?.("EIO");
  await closed;
  assert.equal(await line, "STORAGE_FAILED");
  assert.equal(fs.readFileSync(path, "utf8"), "");
});

test("a file that cannot be opened anew refuses every line until it can, and then cuts what had failed", async (t) => {
  const { path, journal, pending } = await journalByHand(t, 3);
  const kept = journal.append("kept\n");
  await turn();
  pending[0]?.();
  await kept;
  const failed = codeOf(journal.append("failed\n"));
  await turn();
  pending[1]?.("EIO");
  assert.equal(await failed, "STORAGE_FAILED");
  for (const line of ["a\n", "b\n"]) {
    await journal.verify();
    assert.equal(await codeOf(journal.append(line)), "STORAGE_FAILED");
    assert.deepEqual([journal.bytes, journal.end], [5, 5]);
  }
  assert.equal(fs.readFileSync(path, "utf8"), "kept\nfailed\n");
  await Promise.all([journal.append("c\n"), journal.append("d\n")]);
  assert.equal(fs.readFileSync(path, "utf8"), "kept\nc\nd\n");
});

test("looking at the file while it is mended takes the cutting for nobody else's", async (t) => {
  const { path, journal, pending } = await journalByHand(t);
  const failed = codeOf(journal.append("failed\n"));
  await turn();
  pending[0]?.("EIO");
  while (fs.statSync(path).size > 0) await Promise.resolve();
  await journal.verify();
  assert.equal(await failed, "STORAGE_FAILED");
  await journal.append("a\n");
  assert.equal(fs.readFileSync(path, "utf8"), "a\n");
});

test("a file that is shorter than it is to be cut to gets no hole", async (t) => {
  const path = folderFor(t).file("log");
  fs.writeFileSync(path, "short\n");
  const descriptor = fs.openSync(path, "r");
  const place = new JournalPlace(path, descriptor, fs.lstatSync(dirname(path), { bigint: true }));
  fs.closeSync(descriptor);
  const writers = JournalWriters.open(place);
  await writers.cut(100);
  writers.close();
  assert.equal(fs.readFileSync(path, "utf8"), "short\n");
});
