import assert from "node:assert/strict";
import { test } from "node:test";
import { SkillError } from "../../errors/skill-error.ts";
import type { JsonSchema } from "../../schema/schemas.ts";
import { inputForm, type InputForm } from "./form.ts";
import { parseInput } from "./parse.ts";

const SCHEMA: JsonSchema = {
  type: "object",
  required: ["question"],
  additionalProperties: false,
  properties: {
    question: { description: "What is asked.", type: "string" },
    songId: { type: "integer", minimum: 1 },
    rate: { $ref: "#/$defs/rate" },
    mode: { enum: ["fast", "slow", 3, "--odd"] },
    deep: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    sizes: { type: "array", items: { type: "integer" } },
    filter: { type: "object" },
    either: { type: ["string", "integer"] },
    maybe: { type: ["integer", "null"] },
    json: { type: "string" },
  },
  $defs: { rate: { type: "number" } },
};
const FORM = inputForm(SCHEMA, ["question", "songId", "tags"]);
const STDIN = '{"question":"from stdin"}';

function parse(words: readonly string[], form: InputForm = FORM): Promise<unknown> {
  return parseInput(form, words, {
    readInput: () => Promise.resolve(STDIN),
    readFile: () => Promise.resolve(undefined),
  });
}

const ACCEPTED: readonly (readonly [readonly string[], unknown])[] = [
  [["hi"], { question: "hi" }],
  [["最近30天怎么样？"], { question: "最近30天怎么样？" }],
  [[""], { question: "" }],
  [["hi", "12", "a", "b"], { question: "hi", songId: 12, tags: ["a", "b"] }],
  [["hi", ""], { question: "hi" }],
  [["hi", " ", "a"], { question: "hi", tags: ["a"] }],
  [["--question", "hi", "7"], { question: "hi", songId: 7 }],
  [["--song-id", "-5", "hi"], { question: "hi", songId: -5 }],
  [["hi", "-5"], { question: "hi", songId: -5 }],
  [["-5"], { question: "-5" }],
  [["-12.5e3"], { question: "-12.5e3" }],
  [["-"], { question: "-" }],
  [["--", "--deep"], { question: "--deep" }],
  [["--deep", "--", "-x"], { question: "-x", deep: true }],
  [["hi", "--no-deep"], { question: "hi", deep: false }],
  [["hi", "--deep=false"], { question: "hi", deep: false }],
  [["--question=--deep=1"], { question: "--deep=1" }],
  [["--question="], { question: "" }],
  [["--question=\u0000\r\n🎵\u2028\"'"], { question: "\u0000\r\n🎵\u2028\"'" }],
  [["hi", "--rate", "-0.5"], { question: "hi", rate: -0.5 }],
  [["hi", "--mode", "slow"], { question: "hi", mode: "slow" }],
  [["hi", "--mode=3"], { question: "hi", mode: 3 }],
  [["hi", "--mode=--odd"], { question: "hi", mode: "--odd" }],
  [["hi", "--tags", "a", "--tags=b,c"], { question: "hi", tags: ["a", "b,c"] }],
  [["hi", "--no-tags"], { question: "hi", tags: [] }],
  [["hi", "--sizes", "1", "--sizes", "-2"], { question: "hi", sizes: [1, -2] }],
  [["hi", "--filter", '{"a":[1,null]}'], { question: "hi", filter: { a: [1, null] } }],
  [["hi", "--either", "12"], { question: "hi", either: 12 }],
  [["hi", "--either", "12a"], { question: "hi", either: "12a" }],
  [["hi", "--maybe", "null"], { question: "hi", maybe: null }],
  [["--input", '{"question":"whole","json":"x"}'], { question: "whole", json: "x" }],
  [["--input", "-"], { question: "from stdin" }],
];

test("words are parsed into the input", async () => {
  for (const [words, input] of ACCEPTED) {
    assert.deepEqual(await parse(words).catch(String), input, JSON.stringify(words));
  }
});

const REFUSED: readonly (readonly [readonly string[], RegExp, RegExp])[] = [
  [[], /^QUESTION is missing: What is asked\.$/, /^$/],
  [["hi", "--deap"], /^There is no flag --deap\.$/, /^Did you mean --deep\?$/],
  [["hi", "--zzz=1"], /^There is no flag --zzz\.$/, /^$/],
  [["-x"], /^There is no flag -x\.$/, /goes after --/],
  [["hi", "--song-id"], /^--song-id needs a value\.$/, /^$/],
  [
    ["hi", "--question", "--deep"],
    /^--question needs a value, and "--deep" looks like a flag\.$/,
    /--question=--deep/,
  ],
  [["hi", "1x"], /^SONG_ID must be a whole number\.$/, /^$/],
  [["hi", "1.5"], /^SONG_ID must be a whole number\.$/, /^$/],
  [["hi", "--song-id", "9007199254740993"], /^--song-id must be a/, /^$/],
  [["hi", "--rate", "1e999"], /^--rate must be a/, /^$/],
  [["hi", "--rate", "0x10"], /^--rate must be a number, not "0x10"\.$/, /^$/],
  [["hi", "--rate", "Infinity"], /^--rate must be a number/, /^$/],
  [
    ["hi", "--mode", "fasst"],
    /^--mode must be one of fast, slow, 3, --odd, not "fasst"\.$/,
    /^Did you mean fast\?$/,
  ],
  // For a single character, every other one is equally near.
  [["hi", "--mode", "2"], /^--mode must be one of fast, slow, 3, --odd, not "2"\.$/, /^$/],
  [["hi", "--mode", ""], /^--mode must be one of fast, slow, 3, --odd, not ""\.$/, /^$/],
  [["hi", "--deep=maybe"], /^--deep must be true or false, not "maybe"\.$/, /^$/],
  [["hi", "--deep", "--no-deep"], /contradict/, /^Give only one of them\.$/],
  [["hi", "--rate", "1", "--rate", "2"], /^--rate is given 2 times\.$/, /^Give it once\.$/],
  [["hi", "--filter", "{"], /^--filter must be JSON/, /^$/],
  [["hi", "--sizes", "x"], /^--sizes must be a whole number/, /^$/],
  [["--input", "{"], /^--input must be one JSON document/, /^$/],
  [["--input", "{}", "hi"], /^--input gives the whole input/, /^$/],
  [["hi", "--zson", "x"], /^There is no flag --zson\.$/, /^Did you mean --json\?$/],
];

test("words that do not fit are refused by name", async () => {
  for (const [words, message, hint] of REFUSED) {
    await assert.rejects(
      parse(words),
      (error: unknown) => {
        assert.ok(error instanceof SkillError, JSON.stringify(words));
        assert.equal(error.code, "USAGE", JSON.stringify(words));
        assert.match(error.message, message, JSON.stringify(words));
        assert.match(error.hint ?? "", hint, JSON.stringify(words));
        return true;
      },
      JSON.stringify(words),
    );
  }
});

test("a word after the last positional is refused, with the advice to quote text", async () => {
  const form = inputForm(SCHEMA, ["question"]);
  await assert.rejects(parse(["How", "was", "it"], form), (error: SkillError) => {
    assert.equal(error.code, "USAGE");
    assert.match(error.message, /^There is one word too many\.$/);
    assert.match(error.hint ?? "", /quotes/);
    return true;
  });
});

test("a list of objects is given by one flag for each object, or as one JSON array", async () => {
  const form = inputForm({
    type: "object",
    properties: { rows: { type: "array", items: { type: "object" } } },
  });
  const rows = [{ a: 1 }, { a: 2 }];
  assert.deepEqual(await parse(["--rows", '{"a":1}', "--rows", '{"a":2}'], form), { rows });
  assert.deepEqual(await parse(["--rows", ' [{"a":1},{"a":2}]'], form), { rows });
  await assert.rejects(parse(["--rows", '[{"a":1}'], form), /--rows must be JSON/);
});

test("a list of objects is read from standard input or a file too, and a list of texts by lines", async () => {
  const listOf = (type: string | readonly string[]) =>
    inputForm({ type: "object", properties: { rows: { type: "array", items: { type } } } });
  const read = (words: readonly string[], type: string | readonly string[], text: string): Promise<unknown> =>
    parseInput(listOf(type), words, {
      readInput: () => Promise.resolve(text),
      readFile: (path) => Promise.resolve(path === "rows.json" ? text : undefined),
    });
  const rows = [{ a: 1 }, { a: 2 }];
  for (const text of ['[{"a":1},\n{"a":2}]', '{"a":1}\n{"a":2}\n'])
    for (const word of ["-", "rows.json"])
      assert.deepEqual(await read(["--rows", word], "object", text), { rows }, `${word} ${text}`);
  assert.deepEqual(await read(["--rows", "-"], ["object", "string"], "\n one \n\ntwo"), {
    rows: ["one", "two"],
  });
  assert.deepEqual(await read(["--rows", "one\n two\n"], ["object", "string"], ""), { rows: ["one", "two"] });
  assert.deepEqual(await read(["--rows", "one", "--rows", '{"a":1}'], ["object", "string"], ""), {
    rows: ["one", { a: 1 }],
  });
  await assert.rejects(
    read(["--rows", "rows.json"], "object", "[{"),
    /--rows must be JSON, a list of objects/,
  );
  await assert.rejects(read(["--rows", "other.json"], "object", "[]"), /--rows must be JSON/);
});

test("a required list may be empty, unless it has a minimum length", async () => {
  const listOf = (items: object) =>
    inputForm({ required: ["all"], properties: { all: { type: "array", ...items } } }, ["all"]);
  assert.deepEqual(await parse([], listOf({ items: { type: "string" } })), { all: [] });
  await assert.rejects(parse([], listOf({ items: { type: "string" }, minItems: 1 })), /ALL is missing/);
});

test("two properties with the same kebab name get two flags, and a negation never shadows a property", async () => {
  const form = inputForm({
    properties: {
      fooBar: { type: "string" },
      foo_bar: { type: "string" },
      x: { type: "boolean" },
      noX: { type: "boolean" },
    },
  });
  assert.deepEqual(await parse(["--foo-bar", "1", "--foo_bar", "2", "--no-x"], form), {
    fooBar: "1",
    foo_bar: "2",
    noX: true,
  });
});
