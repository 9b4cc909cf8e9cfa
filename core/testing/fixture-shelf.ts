import type { SkillFiles } from "./fixture-greeting.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

function schema(name: string, required: readonly string[], properties: object, examples: readonly object[]) {
  return {
    $schema: DIALECT,
    $id: `shelf/${name}`,
    title: `Shelf ${name}`,
    description: "A shape of the shelf.",
    type: "object",
    required,
    additionalProperties: false,
    properties,
    examples,
  };
}

const id = { description: "Id of a book.", type: "string", pattern: "^b[1-9][0-9]{0,3}$", maxLength: 5 };
const title = { description: "Its title.", type: "string", minLength: 1, maxLength: 60 };
const year = { description: "Its year.", type: "integer", minimum: 1450, maximum: 2100 };
const tags = {
  description: "Its tags.",
  type: "array",
  minItems: 0,
  maxItems: 3,
  uniqueItems: true,
  items: { type: "string", minLength: 2, maxLength: 12 },
};
const count = { description: "How many.", type: "integer", minimum: 0, maximum: 3 };
const text = { description: "For a person.", type: "string", minLength: 1, maxLength: 120 };
const due = { description: "The day of return.", type: "string", format: "date" };
const book = {
  description: "A book.",
  type: "object",
  required: ["id", "title", "year"],
  additionalProperties: false,
  properties: { id, title, year, lent: { description: "Whether it is lent.", type: "boolean" } },
};
const books = { description: "Books.", type: "array", maxItems: 3, items: book };
const BOOK = { id: "b1", title: "Emma", year: 1815, lent: false };

function command(input: string, output: string, rest: object) {
  return { summary: "A command of the shelf.", input: `shelf/${input}`, output: `shelf/${output}`, ...rest };
}

const called = (name: string, input: object) => ({
  event: "command.pre",
  surface: "cli",
  skill: "shelf",
  name,
  input,
});

/** A skill with state, errors, a rule, a route and sequences: a shelf of at most three books. */
export function shelfFiles(): SkillFiles {
  return {
    "skill.json": {
      manifestVersion: 1,
      name: "shelf",
      version: "1.0.0",
      summary: "Keeps books.",
      engines: { skillctl: "*" },
      commands: {
        add: command("add-input", "add-output", { positional: ["title", "year"], errors: ["SHELF_FULL"] }),
        find: command("find-input", "find-output", { default: true, effects: { readOnly: true } }),
        lend: command("lend-input", "lend-output", {
          positional: ["id"],
          display: "text",
          errors: ["SHELF_UNKNOWN", "SHELF_LENT"],
        }),
      },
      routes: {
        books: {
          summary: "The books.",
          method: "GET",
          path: "/books",
          query: "shelf/books-query",
          replies: { 200: "shelf/find-output" },
        },
      },
      errors: {
        SHELF_FULL: { exit: 65, http: 409, fault: "user", summary: "The shelf is full." },
        SHELF_UNKNOWN: { exit: 65, http: 404, fault: "user", summary: "There is no such book." },
        SHELF_LENT: { exit: 65, http: 409, fault: "user", summary: "The book is lent already." },
      },
      rules: {
        "no-shouting": {
          tell: "Write a title as its author does.",
          on: ["command.pre"],
          when: {
            type: "object",
            required: ["name", "input"],
            properties: {
              name: { const: "add" },
              input: {
                type: "object",
                required: ["title"],
                properties: { title: { type: "string", pattern: "^[A-Z]{4,}$" } },
              },
            },
          },
          decision: "deny",
          message: "Titles in capitals are hard to read.",
        },
      },
      sequences: {
        lending: [
          {
            command: "add",
            input: { title: "Emma", year: 1815, tags: ["novel"] },
            output: { id: "b1", count: 1 },
          },
          { command: "add", input: { title: "Ulysses", year: 1922 }, output: { id: "b2", count: 2 } },
          { command: "find", input: { query: "emm" }, output: { books: [BOOK], total: 1 } },
          {
            command: "find",
            input: {},
            output: {
              books: [BOOK, { id: "b2", title: "Ulysses", year: 1922, lent: false }],
              total: 2,
            },
          },
          {
            command: "find",
            input: { limit: 1, sort: "year-down" },
            output: { books: [{ id: "b2", title: "Ulysses", year: 1922, lent: false }], total: 2 },
          },
          {
            command: "lend",
            input: { id: "b1" },
            output: { text: "Emma is lent until 2026-07-15.", due: "2026-07-15" },
          },
          { command: "lend", input: { id: "b1" }, error: "SHELF_LENT" },
          { command: "lend", input: { id: "b9" }, error: "SHELF_UNKNOWN" },
          { command: "find", input: { lent: true }, output: { books: [{ ...BOOK, lent: true }] } },
          { command: "add", input: { title: "Dune", year: 1965 }, output: { count: 3 } },
          { command: "add", input: { title: "Nana", year: 1880 }, error: "SHELF_FULL" },
          { command: "add", input: { title: "NANA", year: 1880 }, error: "GUARD_DENIED" },
        ],
      },
    },
    "SKILL.md":
      "---\nname: shelf\ndescription: Keeps books. Use it to add, find and lend books.\n---\n\nRun `skillctl run shelf find`.\n",
    "schemas/add-input.json": schema("add-input", ["title", "year"], { title, year, tags }, [
      { title: "Emma", year: 1815, tags: ["novel"] },
    ]),
    "schemas/add-output.json": schema("add-output", ["id", "count"], { id, count }, [{ id: "b1", count: 1 }]),
    "schemas/find-input.json": schema(
      "find-input",
      [],
      {
        query: { description: "A part of the title.", type: "string", minLength: 2, maxLength: 30 },
        limit: { description: "How many at most.", type: "integer", minimum: 1, maximum: 3, default: 3 },
        sort: { description: "The order.", enum: ["year-up", "year-down"], default: "year-up" },
        lent: { description: "Only those that are lent, or that are not.", type: "boolean" },
      },
      [{ query: "emm", limit: 2, sort: "year-down", lent: false }, {}],
    ),
    "schemas/find-output.json": schema("find-output", ["books", "total"], { books, total: count }, [
      { books: [BOOK], total: 1 },
    ]),
    "schemas/lend-input.json": schema("lend-input", ["id"], { id }, [{ id: "b1" }]),
    "schemas/lend-output.json": schema("lend-output", ["text", "due"], { text, due }, [
      { text: "Emma is lent until 2026-07-15.", due: "2026-07-15" },
    ]),
    "schemas/books-query.json": schema(
      "books-query",
      [],
      { limit: { description: "How many at most.", type: "integer", minimum: 1, maximum: 3 } },
      [{ limit: 2 }],
    ),
    "rules/no-shouting.json": {
      passes: [
        called("add", { title: "Emma", year: 1815 }),
        called("add", { title: "ABC", year: 1990 }),
        called("lend", { id: "b1" }),
        called("find", { title: "EMMA" }),
      ],
      stops: [
        { subject: called("add", { title: "EMMA", year: 1815 }), decision: "deny" },
        { subject: called("add", { title: "WARANDPEACE", year: 1869 }), decision: "deny" },
      ],
    },
    "plugin.js": CODE,
    "package.json": { type: "module" },
  };
}

const CODE = `import { CLOCK, SkillError, token } from "skillctl";

const MOST = 3;
const LOAN_MS = 14 * 24 * 3600 * 1000;
const BOOKS = token("shelf/books");

class Books {
  static inject = [CLOCK];
  books = [];
  constructor(clock) { this.clock = clock; }
  add(title, year, tags) {
    if (this.books.length >= MOST) throw new SkillError("SHELF_FULL", "The shelf is full.");
    const book = { id: "b" + (this.books.length + 1), title, year, tags, lent: false };
    this.books.push(book);
    return { id: book.id, count: this.books.length };
  }
  find(query, limit, sort, lent) {
    const found = this.books
      .filter((book) => query === undefined || book.title.toLowerCase().includes(query.toLowerCase()))
      .filter((book) => lent === undefined || book.lent === lent)
      .toSorted((one, other) => (sort === "year-up" ? one.year - other.year : other.year - one.year));
    const books = found.slice(0, limit).map(({ id, title, year, lent }) => ({ id, title, year, lent }));
    return { books, total: found.length };
  }
  lend(id) {
    const book = this.books.find((one) => one.id === id);
    if (!book) throw new SkillError("SHELF_UNKNOWN", "There is no book " + id + ".");
    if (book.lent) throw new SkillError("SHELF_LENT", book.title + " is lent already.");
    book.lent = true;
    const due = new Date(this.clock.now() + LOAN_MS).toISOString().slice(0, 10);
    return { text: book.title + " is lent until " + due + ".", due };
  }
}

class Add {
  static inject = [BOOKS];
  constructor(books) { this.books = books; }
  async run({ title, year, tags = [] }) { return this.books.add(title, year, tags); }
}
class Find {
  static inject = [BOOKS];
  constructor(books) { this.books = books; }
  async run({ query, limit, sort, lent }) { return this.books.find(query, limit, sort, lent); }
}
class Lend {
  static inject = [BOOKS];
  constructor(books) { this.books = books; }
  async run({ id }) { return this.books.lend(id); }
}
class ListBooks {
  static inject = [BOOKS];
  constructor(books) { this.books = books; }
  async handle({ query }) { return { status: 200, body: this.books.find(undefined, query.limit ?? MOST, "year-up") }; }
}

export default {
  wire: ({ single }) => single(BOOKS, Books),
  commands: { add: Add, find: Find, lend: Lend },
  routes: { books: ListBooks },
  rules: {},
};
`;
