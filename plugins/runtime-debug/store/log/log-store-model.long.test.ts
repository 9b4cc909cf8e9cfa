import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "node:test";
import fc from "fast-check";
import { BookHarness, FROM, VISIBLE } from "../../tests/log-store-harness.ts";
import { assertKept, type Kept } from "../../tests/log-store-oracle.ts";
import type { LogStore } from "./log-store.ts";
import { effort } from "../../../../contract-tests/effort.ts";

/** What is done with a log, one after the other. */
type Step =
  | { readonly kind: "take"; readonly sizes: readonly number[]; readonly bad: number }
  | { readonly kind: "crash"; readonly sizes: readonly number[]; readonly cut: number }
  | { readonly kind: "run"; readonly run: string }
  | { readonly kind: "clear" | "purge" | "restart" };

const sizes = fc.array(fc.nat(400), { minLength: 1, maxLength: 25 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("take" as const), sizes, bad: fc.nat(2) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("crash" as const),
      sizes,
      cut: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("run" as const), run: fc.constantFrom("pre", "post", "other") }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom("clear" as const, "purge" as const, "restart" as const) }),
  },
);

/** A log, and beside it what should be in it. */
class Checked {
  #harness = new BookHarness();
  #kept: Kept = { names: [], runs: [], rejected: 0 };
  #run = "pre-fix";
  #next = 0;
  #book!: LogStore;

  constructor(readonly maxBytes: number) {}

  async play(steps: readonly Step[]): Promise<void> {
    try {
      await this.#open();
      for (const one of steps) {
        await this.#do(one);
        assertKept(this.#harness, this.#book, this.#kept);
      }
      await this.#reopen();
      assertKept(this.#harness, this.#book, this.#kept);
    } finally {
      await this.#harness[Symbol.asyncDispose]();
    }
  }

  async #do(one: Step): Promise<void> {
    if (one.kind === "take") await this.#take(one.sizes, one.bad);
    else if (one.kind === "crash") await this.#crash(one.sizes, one.cut);
    else if (one.kind === "restart") await this.#reopen();
    else if (one.kind === "run") {
      this.#book.setRun(one.run);
      this.#run = { pre: "pre-fix", post: "post-fix" }[one.run] ?? one.run;
    } else {
      await this.#book.clear({ purge: one.kind === "purge" });
      if (one.kind === "purge") this.#kept = { names: [], runs: [], rejected: 0 };
    }
  }

  /** Several bodies at once, all of which are answered. */
  async #take(sizes: readonly number[], bad: number): Promise<void> {
    const bodies = this.#bodies(sizes);
    const taking = bodies.map(({ bytes }) => this.#book.take(bytes, FROM));
    const refused = Array.from({ length: bad }, () => this.#book.take(Buffer.from("{"), FROM));
    const seqs = (await Promise.all(taking)).map(({ seq }) => seq);
    assert.deepEqual(
      seqs,
      seqs.toSorted((a, b) => a - b),
    );
    for (const { accepted, rejected } of await Promise.all(refused))
      assert.deepEqual([accepted, rejected.length], [0, 1]);
    this.#keep(
      bodies.map(({ name }) => name),
      bad,
    );
  }

  /** The folder as it would be found if the process ended now, with the last bytes that nobody was told of cut off. */
  async #crash(sizes: readonly number[], cut: number): Promise<void> {
    const bodies = this.#bodies(sizes);
    const answered: string[] = [];
    const taking = bodies.map(({ name, bytes }) =>
      this.#book.take(bytes, FROM).then(() => answered.push(name)),
    );
    for (let turn = 0; turn < sizes.length % 4; turn += 1) await new Promise(setImmediate);
    const [known, lasting] = [answered.length, this.#book.facts().bytes];
    const copy = snapshot(this.#harness);
    await Promise.all(taking);
    await this.#harness[Symbol.asyncDispose]();
    this.#harness = copy;
    const size = fs.statSync(copy.path(VISIBLE)).size;
    if (size > lasting) fs.truncateSync(copy.path(VISIBLE), lasting + Math.floor((size - lasting) * cut));
    await this.#open();
    // A torn line may have been kept, and of those that nobody was told of some may be there.
    const there = new Set(
      this.#book.segments.flatMap(({ path }) =>
        copy.rows(path.slice(copy.folder.length + 1)).map((row) => row?.["n"]),
      ),
    );
    const names = bodies.map(({ name }) => name).filter((name, at) => at < known || there.has(name));
    this.#keep(names, this.#book.facts().rejected - this.#kept.rejected);
    assert.ok(this.#book.facts().rejected - this.#kept.rejected <= 1);
  }

  #bodies(sizes: readonly number[]): readonly { readonly name: string; readonly bytes: Uint8Array }[] {
    return sizes.map((size) => {
      const name = `e${(this.#next += 1)}`;
      return {
        name,
        bytes: Buffer.from(JSON.stringify({ n: name, hypothesisId: "AB"[size % 2], msg: "x".repeat(size) })),
      };
    });
  }

  #keep(names: readonly string[], rejected: number): void {
    const kept = this.#kept;
    this.#kept = {
      names: [...kept.names, ...names],
      runs: [...kept.runs, ...names.map(() => this.#run)],
      rejected: kept.rejected + rejected,
    };
  }

  async #open(): Promise<void> {
    this.#book = await this.#harness.open({ maxBytes: this.maxBytes, run: this.#run });
  }

  async #reopen(): Promise<void> {
    await this.#harness.close(this.#book);
    await this.#open();
  }
}

/** A copy of the folder. A rename that another thread does meanwhile makes it fail, and is then over. */
function snapshot(harness: BookHarness): BookHarness {
  for (;;) {
    try {
      return new BookHarness(harness);
    } catch (caught) {
      if ((caught as NodeJS.ErrnoException).code !== "ENOENT") throw caught;
    }
  }
}

describe("a log and its model", () => {
  test("whatever happens, each acknowledged event is there once, in order, or counted as left out", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 6, max: 40 }),
        fc.array(step, { minLength: 3, maxLength: 25 }),
        (kib, steps) => new Checked(kib * 1024).play(steps),
      ),
      { numRuns: effort(10, 120) },
    );
  });
});
