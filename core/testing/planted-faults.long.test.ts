import assert from "node:assert/strict";
import { test } from "node:test";
import { contractCases } from "./contract-tests.ts";
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
  [CODE, ">= MOST", "> MOST"],
  [CODE, '"b" + (', '"c" + ('],
  [CODE, "(this.books.length + 1)", "this.books.length"],
  [CODE, "count: this.books.length", "count: this.books.length + 1"],
  [CODE, "count: this", "size: this"],
  [CODE, "lent: false };", "lent: true };"],
  [CODE, "title.toLowerCase()", "title"],
  [CODE, "query === undefined || ", ""],
  [CODE, "lent === undefined || ", ""],
  [CODE, "=== lent", "!== lent"],
  [CODE, "one.year - other.year", "other.year - one.year"],
  [CODE, 'sort === "year-up"', 'sort !== "year-up"'],
  [CODE, ".slice(0, limit)", ""],
  [CODE, ".slice(0, limit)", ".slice(1, limit)"],
  [CODE, "({ id, title, year, lent }))", "({ id, title, lent }))"],
  [CODE, "({ id, title, year, lent }))", "({ id, title, year, lent, tags: [] }))"],
  [CODE, "total: found.length", "total: books.length"],
  [CODE, "total: found.length", "total: String(found.length)"],
  [CODE, 'SkillError("SHELF_UNKNOWN"', 'SkillError("SHELF_LENT"'],
  [CODE, 'SkillError("SHELF_UNKNOWN"', 'SkillError("SHELF_MISSING"'],
  [CODE, "if (book.lent) throw", "if (book.gone) throw"],
  [CODE, "book.lent = true;", ""],
  [CODE, ".slice(0, 10)", ""],
  [CODE, "+ LOAN_MS", "- LOAN_MS"],
  [CODE, '" is lent until "', '" was lent until "'],
  [CODE, "text: book.title + ", "text: 5, more: "],
  [CODE, "add(title, year, tags); }", "add(year, title, tags); }"],
  [CODE, "return this.books.lend(id)", "this.books.lend(id)"],
  [CODE, "({ single }) => single(BOOKS, Books)", "() => undefined"],
  [CODE, ", lend: Lend", ""],
  [CODE, ", lend: Lend", ", lend: Lend, give: Lend"],
  [CODE, "{ books: ListBooks }", "{}"],
  [CODE, "status: 200", "status: 201"],
  [CODE, 'body: this.books.find(undefined, query.limit ?? MOST, "year-up")', "body: {}"],
  [CODE, "query.limit ?? MOST", "query.limit.most.length"],
  [CODE, 'throw new SkillError("SHELF_FULL", "The shelf is full.")', 'throw new Error("full")'],
  [CODE, 'throw new SkillError("SHELF_FULL", "The shelf is full.")', 'return { id: "b1", count: 3 }'],
  [CODE, "import { CLOCK,", "import { CLOK as CLOCK,"],
  [CODE, "class Find {", "class Find"],
  [CODE, "export default", "export const plugin ="],
  [CODE, "find(query, limit, sort, lent); }", "find(query, limit, undefined, lent); }"],
  [CODE, "this.clock = clock", "this.clock = Date"],
  [CODE, "this.books.push(book);", "this.books.unshift(book);"],
  [CODE, "this.books.push(book);", "this.books = [book];"],
  [CODE, "async run({ id })", "async go({ id })"],
  [CODE, "tags = []", "tags"],
  [CODE, "", undefined],
  [
    "schemas/add-input.json",
    '"examples":[{"title":"Emma","year":1815',
    '"examples":[{"title":"Emma","year":"1815"',
  ],
  ["schemas/add-input.json", ',"maximum":2100', ""],
  ["schemas/add-input.json", '"additionalProperties":false,', ""],
  ["schemas/add-input.json", '"minimum":1450', '"minimun":1450'],
  ["schemas/add-input.json", '"type":"string","minLength":1', '"minLength":1'],
  ["schemas/add-input.json", '"minimum":1450', '"minimum":1816'],
  ["schemas/add-input.json", '"maximum":2100', '"maximum":2101'],
  ["schemas/add-output.json", '"$id":"shelf/add-output"', '"$id":"shelf/add"'],
  ["schemas/add-output.json", '"maximum":3', '"maximum":2'],
  ["schemas/lend-input.json", '"examples":[{"id":"b1"}]', '"examples":[]'],
  ["schemas/lend-input.json", '"^b[1-9]', '"^b[1-9'],
  ["schemas/lend-output.json", '"maxLength":120', '"maxLength":10'],
  ["schemas/lend-output.json", '["text","due"]', '["text","due","who"]'],
  ["schemas/lend-output.json", '"format":"date"', '"format":"time"'],
  ["schemas/lend-output.json", '"format":"date"', '"format":"dat"'],
  ["schemas/find-output.json", '"maxItems":3', '"maxItems":0'],
  ["schemas/find-output.json", '"type":"boolean"', '"type":"string"'],
  ["schemas/find-input.json", '"default":3', '"default":1'],
  ["schemas/find-input.json", '"enum":["year-up","year-down"]', '"enum":["year-up"]'],
  ["schemas/books-query.json", "", undefined],
  [MANIFEST, '"errors":["SHELF_FULL"]', '"errors":[]'],
  [MANIFEST, '"input":"shelf/lend-input"', '"input":"shelf/land-input"'],
  [MANIFEST, '"output":"shelf/lend-output"', '"output":"shelf/add-output"'],
  [MANIFEST, '"positional":["id"]', '"positional":["ids"]'],
  [MANIFEST, '"display":"text"', '"display":"txt"'],
  [MANIFEST, '"exit":65', '"exit":0'],
  [MANIFEST, '"200":"shelf/find-output"', '"200":"shelf/lend-output"'],
  [MANIFEST, '"200":"shelf/find-output"', '"201":"shelf/find-output"'],
  [MANIFEST, '"query":"shelf/books-query"', '"query":"shelf/find-output"'],
  [MANIFEST, '"decision":"deny"', '"decision":"warn"'],
  [MANIFEST, "{4,}", "{3,}"],
  [MANIFEST, "{4,}", "{5,}"],
  [MANIFEST, '"const":"add"', '"const":"find"'],
  [MANIFEST, '"on":["command.pre"]', '"on":["command.post"]'],
  [MANIFEST, '"message":"Titles in capitals are hard to read."', '"massage":"x"'],
  [MANIFEST, '"name":"shelf"', '"name":"shelve"'],
  [MANIFEST, '"skillctl":"*"', '"skillctl":"^99.0.0"'],
  [MANIFEST, '"version":"1.0.0"', '"version":"1.0"'],
  [MANIFEST, '"SHELF_LENT":{', '"SHELF_LENDT":{'],
  ["SKILL.md", "name: shelf", "name: shelve"],
  ["SKILL.md", "description:", "describtion:"],
  ["rules/no-shouting.json", "WARANDPEACE", "War and Peace"],
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
  // The cases that find most run first.
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
  assert.ok(missed.length <= FAULTS.length / 20, missed.join("\n"));
});
