/** The log of a session on disk: remains of other programs and killed processes, removed data, and how it continues. */
import assert from "node:assert/strict";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Journals } from "skillctl";
import { nodePorts } from "skillctl/host";
import { memoryLog } from "skillctl/testing";
import { LogFiles } from "../store/log/log-files.ts";
import type { Gap } from "../store/log/log-lines.ts";
import { LogStore, type LogStoreOptions } from "../store/log/log-store.ts";
import { select } from "../store/read/selection.ts";

const SESSION = "test-session";
const VISIBLE = `svc-debug-log-${SESSION}.ndjson`;
const REJECTED = `svc-debug-rejected-${SESSION}.ndjson`;
const EARLIER = (number: number): string => `svc-debug-log-${SESSION}.${number}.ndjson`;
const FROM = { source: "event" } as const;

type Row = Readonly<Record<string, unknown>> | undefined;

/** A folder of a test, and the stores that are opened on it. */
class StoreHarness implements AsyncDisposable {
  readonly folder: string = fs.mkdtempSync(join(tmpdir(), "log-store-"));
  readonly #open = new Set<LogStore>();

  async open(options: Partial<LogStoreOptions> = {}, given?: Journals): Promise<LogStore> {
    const { journals, files, clock } = nodePorts();
    const log = new LogFiles(given ?? journals, files, this.folder, SESSION);
    const own = { keepSecrets: false, run: "pre-fix", maxBytes: 64 * 1024 * 1024 };
    const store = await LogStore.open(log, clock, memoryLog(), { ...own, durability: "process", ...options });
    this.#open.add(store);
    return store;
  }

  async close(store: LogStore): Promise<void> {
    this.#open.delete(store);
    await store.close();
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, content: string | Uint8Array): void {
    fs.writeFileSync(this.path(name), content, { mode: 0o600 });
  }

  read(name: string): string {
    return fs.existsSync(this.path(name)) ? fs.readFileSync(this.path(name), "utf8") : "";
  }

  /** Sorted. */
  names(): readonly string[] {
    return fs.readdirSync(this.folder).sort();
  }

  /** The objects in a file, one per line; other lines are `undefined`. */
  rows(name: string): readonly Row[] {
    return this.read(name)
      .split("\n")
      .slice(0, -1)
      .map((line) => {
        try {
          return JSON.parse(line) as Row;
        } catch {
          return undefined;
        }
      });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const store of this.#open) await store.close();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A body of events, each with a name in `n`. */
function body(...names: readonly (string | number)[]): Uint8Array {
  return Buffer.from(names.map((n) => `${JSON.stringify({ hypothesisId: "A", msg: "m", n })}\n`).join(""));
}

/** A log of three events, as bytes. */
const LOG = Buffer.from('{"n":"one","_seq":1}\n{"n":"zwölf","_seq":2}\n{"n":"three","_seq":3}\n');
const ASIDE = `svc-debug-aside-${SESSION}.1.ndjson`;
const MAX = 64 * 1024;

const names = (harness: StoreHarness, name = VISIBLE): readonly unknown[] =>
  harness.rows(name).map((row) => row?.["n"]);

describe("a log that was cut off", () => {
  test("counts lines of older tools as events and gives them no number", async () => {
    await using harness = new StoreHarness();
    harness.write(VISIBLE, '{"msg":"a"}\nwords\n{"msg":"b"}\n');
    const store = await harness.open();
    assert.equal(store.facts().log_count, 2);
    assert.match(store.facts().recovered?.join() ?? "", /not events: 1/);
    assert.equal((await store.store(body("c"), FROM)).seq, 1);
  });
});

describe("the unfinished work of a killed process", () => {
  test("is a clear that had only renamed the log: the next segment continues it", async () => {
    await using harness = new StoreHarness();
    harness.write(EARLIER(1), LOG);
    const store = await harness.open();
    assert.equal(store.facts().segment, 2);
    assert.equal((await store.store(body("next"), FROM)).seq, 4);
  });

  test("a copy next to the log is removed; a copy that replaces a moved log takes its place", async () => {
    await using harness = new StoreHarness();
    harness.write(VISIBLE, LOG);
    harness.write(`${VISIBLE}.new`, LOG.subarray(0, 30));
    await harness.close(await harness.open());
    assert.deepEqual(names(harness), ["one", "zwölf", "three"]);
    fs.renameSync(harness.path(VISIBLE), harness.path(`${VISIBLE}.new`));
    await harness.open();
    assert.deepEqual(names(harness), ["one", "zwölf", "three"]);
    assert.deepEqual(harness.names(), [VISIBLE]);
  });

  test("are not files of another session whose name begins with the same words", async () => {
    await using harness = new StoreHarness();
    const others = [`svc-debug-log-${SESSION}-two.1.ndjson`, `svc-debug-log-${SESSION}.1.ndjson.bak`];
    for (const name of others) harness.write(name, '{"_seq":900}\n');
    const store = await harness.open();
    assert.equal((await store.store(body(1), FROM)).seq, 1);
    await store.clear({ purge: true });
    for (const name of others) assert.equal(harness.read(name), '{"_seq":900}\n');
  });
});

/** Logs that were only removed, renamed or cut are F20 and F21 of docs/faults.md. */
describe("a log that another program has changed", () => {
  const meddled: Readonly<Record<string, (harness: StoreHarness) => void>> = {
    "another file in its place": (harness) => {
      harness.write("other", '{"n":"foreign"}\n');
      fs.renameSync(harness.path("other"), harness.path(VISIBLE));
    },
    "lines that another program has added": (harness) =>
      fs.appendFileSync(harness.path(VISIBLE), '{"n":"foreign"}\n'),
  };
  for (const [what, meddle] of Object.entries(meddled))
    test(`keeps ${what} in a side file, and its own events once`, async () => {
      await using harness = new StoreHarness();
      const store = await harness.open();
      await store.store(body("a", "b", "c"), FROM);
      meddle(harness);
      await store.store(body("d"), FROM);
      assert.deepEqual(names(harness), ["a", "b", "c", "d"]);
      assert.equal(names(harness, ASIDE).at(-1), "foreign");
      assert.match(store.facts().recovered?.join() ?? "", /kept as svc-debug-aside-test-session\.1\.ndjson/);
    });

  test("is written again by a clear too, and so is a side file that was removed", async () => {
    await using harness = new StoreHarness();
    const store = await harness.open();
    await store.store(body("a", "b", "c"), FROM);
    await store.store(Buffer.from("x"), FROM);
    fs.rmSync(harness.path(VISIBLE));
    fs.rmSync(harness.path(REJECTED));
    await store.clear({ purge: false });
    await Promise.all(["y", "z"].map((text) => store.store(Buffer.from(text), FROM)));
    await store.store(body("d"), FROM);
    assert.deepEqual([names(harness, EARLIER(1)), names(harness)], [["a", "b", "c"], ["d"]]);
    assert.deepEqual(
      harness.rows(REJECTED).map((row) => row?.["text"]),
      ["y", "z"],
    );
    assert.equal(store.facts().rejected, 3);
  });
});

describe("a log that is purged", () => {
  test("contains only the number of its last event, also after a restart", async () => {
    await using harness = new StoreHarness();
    const store = await harness.open();
    for (const name of ["a", "b"]) {
      await store.store(body(name), FROM);
      await store.clear({ purge: name === "b" });
    }
    await harness.close(store);
    assert.deepEqual(harness.names(), [VISIBLE]);
    const again = await harness.open();
    const { log_count: events, dropped, rejected, seq } = again.facts();
    assert.deepEqual([events, dropped, rejected, seq], [0, 0, 0, 2]);
    assert.equal((await again.store(body("c"), FROM)).seq, 3);
  });
});

describe("a side file that is full", () => {
  test("counts events without room while the process runs", async () => {
    await using harness = new StoreHarness();
    const filling = JSON.stringify({ code: "BODY_TOO_LARGE", text: "x".repeat(1024 * 1024) });
    harness.write(REJECTED, `${filling}\n`.repeat(4));
    const store = await harness.open();
    await store.refuse({ code: "BODY_TOO_LARGE", sentence: "Too large." }, Buffer.from("x"));
    assert.equal(store.facts().rejected, 5);
    const { journals, files } = nodePorts();
    assert.equal(await new LogFiles(journals, files, harness.folder, SESSION).rejectedCount(), 4);
  });
});

/** @throws the error of the first event that was not stored, once all are settled */
async function fill(store: LogStore, events: number): Promise<void> {
  for (let done = 0; done < events; done += 10) {
    const taking = Array.from({ length: 10 }, (_, n) => store.store(body(done + n), FROM));
    await Promise.allSettled(taking);
    await Promise.all(taking);
  }
}

const gaps = (rows: readonly Row[]): readonly Gap[] =>
  rows.flatMap((row) => (row?.["_gap"] ? [row["_gap"] as Gap] : []));

describe("a log that would become too large", () => {
  test("is read to its end by earlier readers, and keeps no replaced file open", async () => {
    await using harness = new StoreHarness();
    const store = await harness.open({ maxBytes: MAX });
    await fill(store, 300);
    const count = await store.read(
      (paths) => paths,
      async (sources) => {
        await fill(store, 1000);
        await store.clear({ purge: false });
        return (await select(sources, {})).count;
      },
    );
    assert.equal(count, 300);
    if (process.platform !== "linux") return;
    const open = fs.readdirSync("/proc/self/fd").map((fd) => linkOf(`/proc/self/fd/${fd}`));
    const gone = open.filter((path) => path.startsWith(harness.folder) && path.endsWith("(deleted)"));
    assert.deepEqual(gone, []);
  });

  test("of two huge events keeps both", async () => {
    await using harness = new StoreHarness();
    const store = await harness.open({ maxBytes: 4096 });
    const huge = { parts: Array.from({ length: 5 }, () => "x".repeat(2000)) };
    for (let n = 0; n < 2; n += 1) await store.store(Buffer.from(JSON.stringify({ ...huge, n })), FROM);
    assert.deepEqual(names(harness), [0, 1]);
  });

  test("answers that the disk failed when no copy can be made, and continues when one can", async () => {
    await using harness = new StoreHarness();
    const { journals } = nodePorts();
    let full = true;
    const failing: typeof journals = {
      ...journals,
      open: async (path, options) => {
        const journal = await journals.open(path, options);
        if (full && path.endsWith(".new")) await journal.close();
        return journal;
      },
    };
    const store = await harness.open({ maxBytes: MAX }, failing);
    await assert.rejects(fill(store, 3000), { code: "STORAGE_FAILED" });
    const stored = harness.rows(VISIBLE).length;
    assert.equal(store.fault?.code, "STORAGE_FAILED");
    full = false;
    await store.store(body("next"), FROM);
    const rows = harness.rows(VISIBLE);
    assert.equal(rows.length - 1 + (gaps(rows)[0]?.events ?? 0), stored + 1);
    assert.equal(store.fault, undefined);
    assert.deepEqual(harness.names(), [VISIBLE]);
  });
});

/** The path of a descriptor; empty if it was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return fs.readlinkSync(path);
  } catch {
    return "";
  }
}
