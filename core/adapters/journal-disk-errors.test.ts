import assert from "node:assert/strict";
import * as fs from "node:fs";
import { test, type TestContext } from "node:test";
import { FileJournal } from "./journal.ts";
import { codeOf, folderFor } from "./fixture-folder.ts";
import { JournalFile } from "./journal-file.ts";

/** Completes a pending sync, with or without an error. */
type Pending = (code?: string) => void;

const { O_APPEND, O_CREAT, O_RDWR } = fs.constants;

/** A journal whose first syncs the test completes; reopening it fails `refusals` times. */
async function journalByHand(t: TestContext, refusals = 0) {
  const path = folderFor(t).file("log");
  const pending: Pending[] = [];
  const file = await JournalFile.open(path, O_RDWR | O_APPEND | O_CREAT, 0o600);
  file.sync = () =>
    new Promise((resolve, reject) => {
      pending.push((code) => (code === undefined ? resolve() : reject(failure(code))));
    });
  let left = refusals;
  const again = async (): Promise<JournalFile> => {
    left -= 1;
    if (left >= 0) throw failure("EMFILE");
    return JournalFile.open(path, O_RDWR | O_APPEND);
  };
  const journal = new FileJournal(file, "sync", again);
  t.after(() => journal.close());
  return { path, journal, pending };
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Long enough for a commit to begin. */
async function turn(): Promise<void> {
  for (let phase = 0; phase < 3; phase += 1) await new Promise(setImmediate);
}

/** Appends a line and ends its sync. */
async function kept({ journal, pending }: Awaited<ReturnType<typeof journalByHand>>): Promise<void> {
  const line = journal.append("kept\n");
  await turn();
  pending[0]?.();
  await line;
}

test("one sync runs at a time, and pending chunks are committed together when it has ended", async (t) => {
  const { path, journal, pending } = await journalByHand(t);
  const first = journal.append("a\n");
  await turn();
  const others = [journal.append("b\n"), journal.append("c\n")];
  await turn();
  assert.equal(pending.length, 1);
  assert.equal(fs.readFileSync(path, "utf8"), "a\n");
  let syncs = 0;
  void first.then(() => (syncs = pending.length));
  pending[0]?.();
  await first;
  assert.equal(syncs, 2, "the next commit has begun before any append is answered");
  assert.equal(fs.readFileSync(path, "utf8"), "a\nb\nc\n");
  assert.deepEqual([journal.bytes, journal.end], [2, 6]);
  pending[1]?.();
  await Promise.all(others);
  assert.equal(journal.bytes, 6);
});

test("a failed sync rejects its lines and all pending ones", async (t) => {
  const made = await journalByHand(t);
  const { path, journal, pending } = made;
  await kept(made);
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

test("a journal ends when its bytes changed during a failed sync", async (t) => {
  const made = await journalByHand(t);
  const { path, journal, pending } = made;
  await kept(made);
  const line = codeOf(journal.append("a\n"));
  await turn();
  fs.writeFileSync(path, "\0\0\0\0\na\n", { flag: "r+" });
  pending[1]?.("EIO");
  assert.equal(await line, "STORAGE_LOST");
  assert.equal(journal.loss, "changed");
});

test("closing during a sync that finds no space waits until the file is consistent", async (t) => {
  const { path, journal, pending } = await journalByHand(t);
  const line = codeOf(journal.append("a\n"));
  await turn();
  const closed = journal.close();
  pending[0]?.("ENOSPC");
  await closed;
  assert.equal(await line, "STORAGE_FULL");
  assert.equal(fs.readFileSync(path, "utf8"), "");
});

test("a journal that cannot be reopened refuses every line until it can, and then removes the failed ones", async (t) => {
  const made = await journalByHand(t, 3);
  const { path, journal, pending } = made;
  await kept(made);
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

test("truncating a file that has become shorter leaves no hole", async (t) => {
  const path = folderFor(t).file("log");
  fs.writeFileSync(path, "short\n");
  const file = await JournalFile.open(path, O_RDWR | O_APPEND);
  await file.cut(100);
  await file.close();
  assert.equal(fs.readFileSync(path, "utf8"), "short\n");
});
