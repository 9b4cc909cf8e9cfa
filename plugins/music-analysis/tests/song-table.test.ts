/** Runs the published table of cases, `song-table.json`, through the pure functions. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { GROUPS, confirmation, extraction, hintName, resolution, type ResolutionCase } from "./song-table.ts";

function asLine({ question, songs, focus, expected }: ResolutionCase): string {
  const known = songs.map(([name, id]) => `${name}#${id}`).join(" ");
  const outcome =
    "kind" in expected
      ? expected.kind
      : `${expected.tier} ${"name" in expected ? expected.name : "ids" in expected ? expected.ids.join(",") : expected.id}`;
  return [question, known, focus?.join("#") ?? "", outcome].join(" | ").replaceAll(/\|  (?=\|)/gu, "| ");
}

describe("the table of song cases", () => {
  it("has no case twice beside the public examples, and a reason for each", () => {
    const cases = GROUPS.filter(({ name }) => name !== "public examples").flatMap((group) =>
      group.cases.map((each) => JSON.stringify({ ...each, kind: group.kind, expected: null, why: null })),
    );
    assert.ok(GROUPS.every((group) => group.cases.every(({ why }) => why !== "")));
    assert.equal(new Set(cases).size, cases.length);
  });
});

for (const group of GROUPS)
  describe(`${group.kind}: ${group.name}`, () => {
    if (group.kind === "resolution")
      for (const each of group.cases)
        it(each.why, () => assert.deepEqual(resolution(each), each.expected, asLine(each)));
    else if (group.kind === "confirmation")
      for (const each of group.cases)
        it(each.why, () => assert.deepEqual(confirmation(each), each.expected, JSON.stringify(each.answer)));
    else if (group.kind === "extraction")
      for (const each of group.cases)
        it(each.why, () => assert.deepEqual(extraction(each), each.expected, JSON.stringify(each.content)));
    else
      for (const each of group.cases)
        it(each.why, () => assert.equal(hintName(each), each.expected, JSON.stringify(each.content)));
  });
