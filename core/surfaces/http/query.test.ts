import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import fc from "fast-check";
import { fixtureHost, type Fixture } from "./fixture-host.ts";
import { queryReader, type QueryReader } from "./query.ts";

describe("reading a query", () => {
  let fixture: Fixture;
  let reads: QueryReader;
  before(async () => {
    fixture = await fixtureHost();
    reads = await queryReader(fixture.host.schemas, "demo/search-query");
  });
  after(() => fixture.close());

  const READ: readonly (readonly [given: Readonly<Record<string, unknown>>, read: unknown])[] = [
    [{}, {}],
    [{ limit: "5" }, { limit: 5 }],
    [{ limit: "1e1" }, { limit: 10 }],
    [{ ratio: "-0.5" }, { ratio: -0.5 }],
    [{ deep: "true" }, { deep: true }],
    [{ deep: "false" }, { deep: false }],
    [{ word: "5" }, { word: "5" }],
    [{ word: "true" }, { word: "true" }],
    [{ word: "" }, { word: "" }],
    [{ tags: "one" }, { tags: ["one"] }],
    [{ tags: ["1", "2"] }, { tags: ["1", "2"] }],
    [{ ids: ["1", "2"] }, { ids: [1, 2] }],
    [{ level: "2" }, { level: 2 }],
  ];
  it("reads values as the schema has them", () => {
    for (const [given, expected] of READ) assert.deepEqual(reads(given), expected, JSON.stringify(given));
  });

  const REFUSED: readonly (readonly [given: Readonly<Record<string, unknown>>, pointer: string])[] = [
    [{ limit: "0" }, "/query/limit"],
    [{ limit: "5.5" }, "/query/limit"],
    [{ limit: "" }, "/query/limit"],
    [{ limit: " 5" }, "/query/limit"],
    [{ limit: "0x5" }, "/query/limit"],
    [{ limit: "5abc" }, "/query/limit"],
    [{ limit: ["5", "6"] }, "/query/limit"],
    [{ ratio: "1e999" }, "/query/ratio"],
    [{ ratio: "Infinity" }, "/query/ratio"],
    [{ deep: "1" }, "/query/deep"],
    [{ deep: "TRUE" }, "/query/deep"],
    [{ ids: ["1", "x"] }, "/query/ids/1"],
    [{ level: "3" }, "/query/level"],
    [{ strange: "1" }, "/query/strange"],
    [{ constructor: "1" }, "/query/constructor"],
  ];
  it("refuses values that do not fit and points to them", () => {
    for (const [given, pointer] of REFUSED) {
      assert.throws(() => reads(given), { code: "INPUT_INVALID", pointer }, JSON.stringify(given));
    }
  });

  it("leaves a whole number alone that a JavaScript number cannot hold", () => {
    assert.throws(() => reads({ ratio: "9007199254740993" }), /must be a number/);
  });

  it("leaves a query unread that no schema describes", async () => {
    const read = await queryReader(fixture.host.schemas, undefined);
    assert.deepEqual(read({ x: "1" }), {});
  });

  it("reads every number in bounds as JSON does", () => {
    fc.assert(
      fc.property(fc.double({ min: -10, max: 10, noNaN: true }), (number) => {
        assert.deepEqual(reads({ ratio: JSON.stringify(number) }), {
          ratio: JSON.parse(JSON.stringify(number)) as number,
        });
      }),
    );
  });

  it("never changes a text that is asked for as text", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), (word) => assert.deepEqual(reads({ word }), { word })),
    );
  });
});
