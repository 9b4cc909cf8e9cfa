import assert from "node:assert/strict";
import { test } from "node:test";
import { contractCases } from "./contract-tests.ts";
import { derive } from "./derive.ts";
import { writeSkill, type SkillFiles } from "./fixture-greeting.ts";
import { shelfFiles } from "./fixture-shelf.ts";
import { createTestHost } from "./test-host.ts";

/** A small fault: a text of a file and its replacement, or undefined for a file that is missing. */
type Fault = readonly [file: string, text: string, replacement: string | undefined];

const CODE = "plugin.js";
const MANIFEST = "skill.json";

const FAULTS: readonly Fault[] = [
  [CODE, "MOST = 3", "MOST = 2"],
  [CODE, "MOST = 3", "MOST = 4"],
  [CODE, "LOAN_MS = 14", "LOAN_MS = 13"],
  [CODE, "+ LOAN_MS", "- LOAN_MS"],
  [CODE, ">= MOST", "> MOST"],
  [CODE, "count: this.books.length", "count: this.books.length + 1"],
  [CODE, "lent: false };", "lent: true };"],
  [CODE, "title.toLowerCase()", "title"],
  [CODE, "query === undefined || ", ""],
  [CODE, "lent === undefined || ", ""],
  [CODE, "=== lent", "!== lent"],
  [CODE, "one.year - other.year", "other.year - one.year"],
  [CODE, 'sort === "year-up"', 'sort !== "year-up"'],
  [CODE, ".slice(0, limit)", ""],
  [CODE, "({ id, title, year, lent }))", "({ id, title, lent }))"],
  [CODE, "total: found.length", "total: books.length"],
  [CODE, 'SkillError("SHELF_UNKNOWN"', 'SkillError("SHELF_MISSING"'],
  [CODE, "if (book.lent) throw", "if (book.gone) throw"],
  [CODE, "book.lent = true;", ""],
  [CODE, ".slice(0, 10)", ""],
  [CODE, '" is lent until "', '" was lent until "'],
  [CODE, "add(title, year, tags); }", "add(year, title, tags); }"],
  [CODE, "return this.books.lend(id)", "this.books.lend(id)"],
  [CODE, ", lend: Lend", ""],
  [CODE, "status: 200", "status: 201"],
  [CODE, 'body: this.books.find(undefined, query.limit ?? MOST, "year-up")', "body: {}"],
  [CODE, 'throw new SkillError("SHELF_FULL", "The shelf is full.")', 'throw new Error("full")'],
  [CODE, "export default", "export const plugin ="],
  [CODE, "find(query, limit, sort, lent); }", "find(query, limit, undefined, lent); }"],
  [CODE, "this.books.push(book);", "this.books.unshift(book);"],
  [CODE, "tags = []", "tags"],
  [CODE, "", undefined],
  [
    "schemas/add-input.json",
    '"examples":[{"title":"Emma","year":1815',
    '"examples":[{"title":"Emma","year":"1815"',
  ],
  ["schemas/add-input.json", '"additionalProperties":false,', ""],
  ["schemas/add-input.json", '"minimum":1450', '"minimun":1450'],
  ["schemas/add-input.json", '"type":"string","minLength":1', '"minLength":1'],
  ["schemas/add-input.json", '"minimum":1450', '"minimum":1816'],
  ["schemas/add-input.json", '"maximum":2100', '"maximum":2101'],
  ["schemas/add-output.json", '"maximum":3', '"maximum":2'],
  ["schemas/lend-input.json", '"^b[1-9]', '"^b[1-9'],
  ["schemas/lend-output.json", '"maxLength":120', '"maxLength":10'],
  ["schemas/lend-output.json", '"format":"date"', '"format":"time"'],
  ["schemas/find-output.json", '"type":"boolean"', '"type":"string"'],
  ["schemas/find-input.json", '"default":3', '"default":1'],
  ["schemas/find-input.json", '"enum":["year-up","year-down"]', '"enum":["year-up"]'],
  ["schemas/books-query.json", "", undefined],
  [MANIFEST, '"errors":["SHELF_FULL"]', '"errors":[]'],
  [MANIFEST, '"input":"shelf/lend-input"', '"input":"shelf/land-input"'],
  [MANIFEST, '"positional":["id"]', '"positional":["ids"]'],
  [MANIFEST, '"display":"text"', '"display":"txt"'],
  [MANIFEST, '"200":"shelf/find-output"', '"201":"shelf/find-output"'],
  [MANIFEST, '"decision":"deny"', '"decision":"warn"'],
  [MANIFEST, '"exit":65', '"exit":0'],
  [MANIFEST, '"const":"add"', '"const":"find"'],
  [MANIFEST, "{4,}", "{3,}"],
  [MANIFEST, "{4,}", "{5,}"],
  [MANIFEST, '"on":["command.pre"]', '"on":["command.post"]'],
  [MANIFEST, '"message":"Titles in capitals are hard to read."', '"massage":"x"'],
  [MANIFEST, '"name":"shelf"', '"name":"shelve"'],
  [MANIFEST, '"skillctl":"*"', '"skillctl":"^99.0.0"'],
  ["SKILL.md", "name: shelf", "name: shelve"],
  ["rules/no-shouting.json", "", undefined],
];

function faulty([file, text, replacement]: Fault): SkillFiles {
  const files = shelfFiles();
  if (replacement === undefined) return { ...files, [file]: undefined };
  const content = files[file];
  const before = typeof content === "string" ? content : JSON.stringify(content);
  assert.ok(before.includes(text), `${file} has no ${text}`);
  return { ...files, [file]: before.replace(text, () => replacement) };
}

/** The first case that fails for a skill of these files. */
async function firstFailure(files: SkillFiles): Promise<string | undefined> {
  await using place = await createTestHost();
  const folder = await writeSkill(place.folder, "shelf", files);
  const cases = await contractCases({ plugins: [folder] });
  // The cases that find the most faults run first.
  const rank = (title: string): number => (/^(?:sequence|manifest)/.test(title) ? 0 : 1);
  const sorted = cases.toSorted((one, other) => rank(one.title) - rank(other.title));
  for (const { title, skip, run } of sorted) {
    if (skip !== undefined) continue;
    try {
      await run();
    } catch {
      return title;
    }
  }
  return undefined;
}

test("derived tests find nearly every fault that is planted into a sample skill, and none in the skill itself", async (t) => {
  assert.equal(await firstFailure(shelfFiles()), undefined);
  const missed: string[] = [];
  for (const fault of FAULTS)
    if ((await firstFailure(faulty(fault))) === undefined) missed.push(fault.join(" -> "));
  t.diagnostic(`${FAULTS.length - missed.length} of ${FAULTS.length} found`);
  assert.ok(FAULTS.length >= 60);
  assert.ok(FAULTS.length - missed.length >= 57, missed.join("\n"));
});

test("deriving values from a pattern with nested repetition ends", () => {
  const name = { type: "string", pattern: "^(a+)+$" };
  const schema = { type: "object", properties: { name }, examples: [{ name: `${"a".repeat(60)}!` }] };
  assert.throws(
    () => derive(schema),
    /A pattern of it, .* takes too long .* \(\/properties\/name\/pattern\)\.$/,
  );
});
