import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Journals } from "skillctl";
import { nodePorts } from "skillctl/host";
import { IndexHarness, type MadeEvent } from "../../tests/index-harness.ts";
import { GAP, NO_EVENT, WORDS } from "./records.ts";
import type { SegmentIndex } from "./segment-index.ts";
import { effort } from "../../../../contract-tests/effort.ts";

/** A line of the log as the test reads it: JSON.parse of every line, nothing else. */
interface Line {
  readonly offset: number;
  readonly kind: "event" | "gap" | "none";
  /** 0 before the first line with a number: those are before every number that can be asked for. */
  readonly seq: number;
  readonly name: string;
}

function linesOf(harness: IndexHarness): readonly Line[] {
  let offset = 0;
  let seq: number | undefined;
  const lines = fs.readFileSync(harness.path, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => {
    const at = offset;
    offset += Buffer.byteLength(line) + 1;
    const event = parsed(line);
    const number = event?._gap ? event._gap.toSeq : event?._seq;
    if (number !== undefined && number > (seq ?? 0)) seq = number;
    const kind = event?._gap ? "gap" : event ? "event" : "none";
    const { hypothesisId = "", runId = "", location = "" } = event ?? {};
    const name = kind === "event" ? [hypothesisId, runId, location].join("|") : "";
    return { offset: at, kind, seq: seq ?? 0, name };
  });
}

interface Parsed {
  readonly _seq?: number;
  readonly _gap?: { readonly toSeq: number; readonly events: number };
  readonly hypothesisId?: string;
  readonly runId?: string;
  readonly location?: string;
}

function parsed(line: string): Parsed | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function indexed(index: SegmentIndex): Promise<readonly Line[]> {
  const { lines, base, keys, records } = index.view();
  const words = await records(0, lines);
  return Array.from({ length: lines }, (_, line) => {
    const [offset = 0, number = 0, , key = 0] = words.subarray(line * WORDS, line * WORDS + WORDS);
    const kind = key === GAP ? "gap" : key === NO_EVENT ? "none" : "event";
    const own = keys[key];
    const name = kind === "event" && own ? [own.hypothesis, own.run, own.location].join("|") : "";
    return { offset, kind, seq: base + number, name };
  });
}

async function holds(harness: IndexHarness, index: SegmentIndex, dropped: number): Promise<void> {
  const expected = linesOf(harness);
  const found = await indexed(index);
  const numbered = found.map((line, at) => (expected[at]?.seq === 0 ? { ...line, seq: 0 } : line));
  assert.deepEqual(numbered, expected);
  const events = expected.filter(({ kind }) => kind === "event");
  assert.equal(index.events, events.length);
  assert.equal(index.noEvents, expected.filter(({ kind }) => kind === "none").length);
  assert.equal(index.dropped, dropped);
  assert.equal(index.view().end, harness.bytes);
  assert.equal(index.lastSeq, expected.at(-1)?.seq ?? 0);
  const counts = await index.view().counts();
  const byName = new Map<string, number>();
  for (const { name } of events) byName.set(name, (byName.get(name) ?? 0) + 1);
  const live = index.view().keys.flatMap(({ hypothesis, run, location }, key) => {
    const count = counts.live[key] ?? 0;
    return count === 0 ? [] : [[[hypothesis, run, location].join("|"), count] as const];
  });
  assert.deepEqual(new Map(live), byName);
  assert.equal(
    counts.dropped.reduce((sum, count) => sum + count, 0),
    dropped,
  );
}

const event: fc.Arbitrary<MadeEvent> = fc.record(
  {
    hypothesis: fc.constantFrom("", "A", "B", "A,D", "é"),
    run: fc.constantFrom("pre-fix", "post-fix", "run-7"),
    location: fc.constantFrom("", "a.ts:1", "b.ts:2", "ü.ts:3"),
    trace: fc.constantFrom("t1", "t2"),
    data: fc.constantFrom(1, "x".repeat(300), { deep: [1] }),
  },
  { requiredKeys: ["hypothesis", "run", "location"] },
);

const foreign = fc.constantFrom(
  "garbage\n",
  "[1]\n",
  '{"location":"a.ts:1"}\n',
  "\0\0\0\n",
  '{"n":1e400}\r\n',
  "\n",
);

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("add" as const), events: fc.array(event, { maxLength: 9 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("foreign" as const), line: foreign }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("cut" as const), from: fc.nat(100), part: fc.nat(100) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reopen" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("spoil" as const),
      file: fc.constantFrom(".idx", ".keys"),
      how: fc.constantFrom("remove" as const, "truncate" as const, "flip" as const, "extend" as const),
      at: fc.nat(),
    }),
  },
);

function spoil(path: string, how: "remove" | "truncate" | "flip" | "extend", at: number): void {
  if (!fs.existsSync(path)) return;
  const bytes = fs.readFileSync(path);
  const place = bytes.length === 0 ? 0 : at % bytes.length;
  if (how === "remove") fs.rmSync(path);
  if (how === "truncate") fs.truncateSync(path, place);
  if (how === "extend") fs.appendFileSync(path, Buffer.alloc((at % 40) + 1, at));
  if (how === "flip" && bytes.length > 0) {
    bytes[place] = (bytes[place] ?? 0) ^ (1 << (at % 8));
    fs.writeFileSync(path, bytes);
  }
}

/** Cuts whole lines out of the middle and puts the line of a gap there, as a compaction does. */
function cut(harness: IndexHarness, index: SegmentIndex, from: number, part: number): number {
  const lines = linesOf(harness);
  if (lines.length < 3) return 0;
  const first = lines[from % lines.length] as Line;
  const last = lines[Math.min(lines.length - 1, (from % lines.length) + (part % lines.length) + 1)] as Line;
  // A gap that is cut out is merged by who writes the new one; here it simply stays.
  if (last.offset <= first.offset || lines.some(isGapWithin(first.offset, last.offset))) return 0;
  const counts = index.counts(first.offset, last.offset);
  const events = counts.reduce((sum, row) => sum + row[4], 0);
  const before = lines.findLast(({ offset }) => offset < last.offset)?.seq ?? 0;
  const gap = { events, bytes: last.offset - first.offset, fromSeq: 1, toSeq: before, counts };
  const line = `${JSON.stringify({ msg: "[skillctl] left out", _gap: gap, _at: 1 })}\n`;
  const bytes = fs.readFileSync(harness.path);
  const kept = [bytes.subarray(0, first.offset), Buffer.from(line), bytes.subarray(last.offset)];
  fs.writeFileSync(`${harness.path}.new`, Buffer.concat(kept));
  fs.renameSync(`${harness.path}.new`, harness.path);
  index.cut(first.offset, last.offset, Buffer.byteLength(line));
  return events;
}

function isGapWithin(from: number, to: number): (line: Line) => boolean {
  return ({ kind, offset }) => kind === "gap" && offset >= from && offset < to;
}

describe("the index of a segment", () => {
  test("of one line holds no room for a thousand", async () => {
    await using harness = new IndexHarness();
    const index = await harness.open();
    harness.add(index, [{ hypothesis: "A", run: "pre-fix", location: "" }], 1);
    assert.ok((await index.view().records(0, 1)).buffer.byteLength <= 1_024);
    await index.close();
  });

  test("goes on and closes when its files fail in a way that nobody foresaw", async () => {
    await using harness = new IndexHarness();
    const { journals } = nodePorts();
    for (const failing of ["open", "append", "close"] as const) {
      const open: Journals["open"] = async (path, options) => {
        if (failing === "open") throw new TypeError(`${failing}: not foreseen`);
        const journal = await journals.open(path, options);
        return new Proxy(journal, {
          get: (target, name) => {
            if (name === failing) return () => Promise.reject(new TypeError(`${failing}: not foreseen`));
            const value: unknown = Reflect.get(target, name, target);
            return typeof value === "function" ? value.bind(target) : value;
          },
        });
      };
      const index = await harness.open({ ...journals, open });
      const events = index.events;
      harness.add(index, [{ hypothesis: "A", run: "pre-fix", location: "" }], events + 1);
      await index.flush();
      await index.close();
      assert.equal(index.events, events + 1);
      assert.match(harness.log.details.join("\n"), new RegExp(`stays behind: ${failing}: not foreseen`));
    }
  });

  test("agrees with the log after any additions, cuts, restarts and damage to its files", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        await using harness = new IndexHarness();
        let index = await harness.open();
        let seq = 1;
        let dropped = 0;
        for (const one of steps) {
          if (one.do === "add") {
            harness.add(index, one.events, seq);
            seq += one.events.length + 1;
          } else if (one.do === "cut") dropped += cut(harness, index, one.from, one.part);
          else {
            await index.close();
            if (one.do === "foreign") harness.append(one.line);
            if (one.do === "spoil") spoil(harness.path + one.file, one.how, one.at);
            index = await harness.open();
          }
          await holds(harness, index, dropped);
        }
        await index.close();
      }),
      { numRuns: effort(25, 450) },
    );
  });
});
