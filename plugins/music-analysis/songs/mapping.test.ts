import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mergeEntries, songEntry, songIdFrom } from "./mapping.ts";

describe("songIdFrom", () => {
  it("reads whole numbers", () => {
    for (const [text, id] of [
      ["1", 1],
      [" 42 ", 42],
      ["007", 7],
      ["9007199254740991", 9007199254740991],
    ] as const)
      assert.equal(songIdFrom(text), id, JSON.stringify(text));
  });

  it("refuses all other texts", () => {
    for (const text of [
      "",
      "0",
      "000",
      "-1",
      "+1",
      "1.0",
      "1e3",
      "0x10",
      "1,234",
      "9007199254740992",
      "１２",
      "12a",
      "9".repeat(400),
    ])
      assert.equal(songIdFrom(text), undefined, JSON.stringify(text));
  });
});

describe("songEntry", () => {
  it("keeps the name as found and takes marks only out of the key", () => {
    assert.deepEqual(songEntry("《Blue River》", 3), { name: "《Blue River》", key: "blueriver", songId: 3 });
  });

  it("keeps a version note where there is one", () => {
    assert.deepEqual(songEntry("海盐", 3, " Live "), {
      name: "海盐",
      key: "海盐",
      songId: 3,
      version: "Live",
    });
  });

  it("refuses an empty name and what is no id", () => {
    for (const [name, id] of [
      ["", 1],
      ["《》", 1],
      ["《 》", 1],
      ["海盐", 0],
      ["海盐", 1.5],
      ["海盐", 2 ** 53],
    ] as const)
      assert.equal(songEntry(name, id), undefined, `${JSON.stringify(name)} with ${id}`);
  });
});

describe("mergeEntries", () => {
  it("keeps the first of two entries with one id, and both of one name", () => {
    const known = [songEntry("海盐", 1), songEntry("海盐", 2)].flatMap((entry) => entry ?? []);
    const later = [songEntry("海盐 Live", 1), songEntry("风筝", 3)].flatMap((entry) => entry ?? []);
    assert.deepEqual(
      mergeEntries(known, later).map(({ name, songId }) => [name, songId]),
      [
        ["海盐", 1],
        ["海盐", 2],
        ["风筝", 3],
      ],
    );
  });
});
