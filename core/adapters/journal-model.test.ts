import assert from "node:assert/strict";
import * as fs from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import type { Journal } from "../ports/journal.ts";
import { codeOf, folderFor } from "./fixture-folder.ts";
import { nodeJournals } from "./journals.ts";
import { effort } from "../../contract-tests/harness.ts";

/** The operations on a journal and on the text that models it. */
type Step =
  | {
      readonly kind: "append";
      readonly chunks: readonly string[];
      readonly asBytes: boolean;
      readonly wait: boolean;
    }
  | { readonly kind: "cut"; readonly part: number }
  | { readonly kind: "rename" }
  | { readonly kind: "reopen" }
  | { readonly kind: "read"; readonly from: number; readonly length: number }
  | { readonly kind: "spoil"; readonly part: number };

const line = fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => `${text.replaceAll("\n", " ")}\n`);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("append" as const),
      chunks: fc.array(line, { maxLength: 5 }),
      asBytes: fc.boolean(),
      wait: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("cut" as const),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "rename" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "reopen" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("read" as const), from: fc.nat(300), length: fc.nat(300) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("spoil" as const),
      part: fc.double({ min: 0, max: 0.99, noNaN: true }),
    }),
  },
);

test("any sequence of appends, cuts, renamings, reopenings and damages gives the content that a model text has", async (t) => {
  const { path: folder } = folderFor(t);
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.constantFrom("sync", "process"),
      async (steps, durability) => {
        round += 1;
        const path = join(folder, `${round}`);
        let journal = await nodeJournals.open(path, { durability });
        let model: Buffer = Buffer.alloc(0);
        let earlier = 0;
        let under: Promise<void>[] = [];
        const settle = async (): Promise<void> => {
          await Promise.all(under);
          under = [];
          assert.deepEqual([journal.bytes, journal.end], [model.length, model.length]);
        };
        const again = async (): Promise<Journal> => {
          await journal.close();
          return (journal = await nodeJournals.open(path, { durability }));
        };
        for (const one of steps) {
          if (one.kind !== "append" && one.kind !== "read") await settle();
          switch (one.kind) {
            case "append":
              for (const chunk of one.chunks) {
                under.push(journal.append(one.asBytes ? Buffer.from(chunk) : chunk));
                model = Buffer.concat([model, Buffer.from(chunk)]);
                assert.equal(journal.end, model.length);
              }
              if (one.wait) await settle();
              break;
            case "cut":
              model = model.subarray(0, Math.floor(model.length * one.part));
              await journal.cut(model.length);
              break;
            case "rename":
              await journal.close();
              earlier += 1;
              await nodeJournals.rename(path, `${path}.${earlier}`);
              assert.deepEqual(fs.readFileSync(`${path}.${earlier}`), Buffer.from(model));
              model = Buffer.alloc(0);
              journal = await nodeJournals.open(path, { durability });
              break;
            case "reopen":
              await again();
              break;
            case "read": {
              const lasting = model.subarray(0, journal.bytes);
              const got = await journal.read(one.from, one.length);
              assert.deepEqual(
                Buffer.from(got),
                Buffer.from(lasting.subarray(one.from, one.from + one.length)),
              );
              break;
            }
            case "spoil":
              if (model.length === 0) break;
              model = model.subarray(0, Math.floor(model.length * one.part));
              fs.truncateSync(path, model.length);
              assert.equal(await codeOf(journal.append("refused\n")), "STORAGE_LOST");
              await again();
          }
        }
        await settle();
        assert.deepEqual(fs.readFileSync(path), Buffer.from(model));
        await journal.close();
      },
    ),
    { numRuns: effort(10, 180) },
  );
});
