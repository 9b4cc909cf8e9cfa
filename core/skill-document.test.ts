import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readSkillDocument, type DocumentFaultCode } from "./skill-document.ts";
import { effort } from "../contract-tests/harness.ts";
import { ANY_CHARACTER } from "../contract-tests/any-character.ts";

const GOOD = "name: greeting\ndescription: Greets people. Use when a person asks for a greeting.";
const document = (yaml: string, body = "# Greet\n"): string => `---\n${yaml}\n---\n${body}`;
const faultsOf = async (text: string, folder = "greeting"): Promise<readonly string[]> =>
  (await readSkillDocument(text, folder)).faults.map(({ code, line }) => `${code}@${line}`);

const ACCEPTED: readonly (readonly [title: string, text: string, folder?: string])[] = [
  ["the two required fields", document(GOOD)],
  [
    "all six fields",
    document(
      `${GOOD}\nlicense: MIT\ncompatibility: Node 20\nmetadata:\n  version: "1.0"\nallowed-tools: Read Bash(git:*)`,
    ),
  ],
  ["line ends of Windows", document(GOOD).replaceAll("\n", "\r\n")],
  ["three hyphens inside a value", document("name: greeting\ndescription: before --- after")],
  ["three hyphens inside the body", document(GOOD, "one\n\n---\n\ntwo\n")],
  ["spaces after a delimiter", `--- \n${GOOD}\n---\t\nbody\n`],
  ["a folded description", document("name: greeting\ndescription: >-\n  Greets people.\n  Use when asked.")],
  ["a name in Chinese", document("name: 问候\ndescription: x"), "问候"],
  ["a name that equals the folder's after NFKC normalization", document("name: ｇreeting\ndescription: x")],
  ["1024 characters beyond the basic plane", document(`name: greeting\ndescription: ${"𝄞".repeat(1024)}`)],
  ["a number as a value of metadata", document(`${GOOD}\nmetadata:\n  version: 1`)],
  [
    "features of YAML beyond plain values",
    document("name: &n !!str greeting\ndescription: *n\nmetadata: {a: b}"),
  ],
  ["braces inside a text", document("name: greeting\ndescription: says {NAME}")],
];

const REFUSED: readonly (readonly [
  title: string,
  text: string,
  ...codes: `${DocumentFaultCode}@${number}`[],
])[] = [
  ["no front matter", "# Greet\n", "FRONT_MATTER_MISSING@1"],
  ["an empty file", "", "FRONT_MATTER_MISSING@1"],
  ["text right behind the first delimiter", `---x\n${GOOD}\n---\nbody`, "FRONT_MATTER_MISSING@1"],
  ["a front matter that is never closed", `---\n${GOOD}\nbody\n`, "FRONT_MATTER_OPEN@1"],
  ["an empty front matter", "---\n---\nbody\n", "FIELD_MISSING@1", "FIELD_MISSING@1"],
  ["a byte-order mark", `\uFEFF${document(GOOD)}`, "BYTE_ORDER_MARK@1"],
  ["no body", `---\n${GOOD}\n---\n`, "BODY_EMPTY@5"],
  ["unknown fields", document(`${GOOD}\nmodel: x\npaths: y`), "FIELD_UNKNOWN@4", "FIELD_UNKNOWN@5"],
  ["a name that is not the folder's", document("name: other\ndescription: x"), "NAME_FOLDER@2"],
  ["a name in capitals", document("name: Greeting\ndescription: x"), "NAME_CHARACTERS@2", "NAME_FOLDER@2"],
  [
    "a name with two hyphens",
    document("name: greet--ing\ndescription: x"),
    "NAME_CHARACTERS@2",
    "NAME_FOLDER@2",
  ],
  [
    "a name that ends in a hyphen",
    document("name: greeting-\ndescription: x"),
    "NAME_CHARACTERS@2",
    "NAME_FOLDER@2",
  ],
  [
    "a name over 64 characters",
    document(`name: ${"a".repeat(65)}\ndescription: x`),
    "FIELD_TOO_LONG@2",
    "NAME_FOLDER@2",
  ],
  ["no description", document("name: greeting"), "FIELD_MISSING@1"],
  ["an empty description", document("name: greeting\ndescription:"), "FIELD_EMPTY@3"],
  [
    "a description over 1024 characters",
    document(`name: greeting\ndescription: ${"a".repeat(1025)}`),
    "FIELD_TOO_LONG@3",
  ],
  [
    "a compatibility over 500 characters",
    document(`${GOOD}\ncompatibility: ${"a".repeat(501)}`),
    "FIELD_TOO_LONG@4",
  ],
  ...["true", "12", "2026-10-01", "off", "~", "1.5"].map((word): (typeof REFUSED)[number] => [
    `a description that other parsers do not read as text, ${word}`,
    document(`name: greeting\ndescription: ${word}`),
    "FIELD_TYPE@3",
  ]),
  ["tools as a list", document(`${GOOD}\nallowed-tools:\n  - Read`), "FIELD_TYPE@4"],
  ["metadata that is a text", document(`${GOOD}\nmetadata: x`), "FIELD_TYPE@4"],
  ["metadata in two levels", document(`${GOOD}\nmetadata:\n  a:\n    b: c`), "FIELD_TYPE@4"],
  [
    "a list of fields",
    document("- name\n- description"),
    "FIELD_TYPE@1",
    "FIELD_MISSING@1",
    "FIELD_MISSING@1",
  ],
  ["a repeated key", document(`${GOOD}\nname: greeting`), "YAML_DUPLICATE_KEY@4"],
  ["an undefined alias", document("name: greeting\ndescription: *n"), "YAML_INVALID@3"],
  ["an unknown tag", document("name: !name greeting\ndescription: x"), "YAML_INVALID@2"],
  ["a colon outside quotes", document("name: greeting\ndescription: Usage: greet"), "YAML_INVALID@3"],
  ["a tab as indentation", document(`${GOOD}\nmetadata:\n\ta: b`), "YAML_INVALID@5"],
];

test("a valid SKILL.md has no fault, and an invalid one has the faults of its lines", async () => {
  for (const [title, text, folder] of ACCEPTED) assert.deepEqual(await faultsOf(text, folder), [], title);
  for (const [title, text, ...codes] of REFUSED) assert.deepEqual(await faultsOf(text), codes, title);
});

test("the body keeps its line ends and is everything after the front matter", async () => {
  const { body } = await readSkillDocument(document(GOOD, "one\r\n---\r\ntwo"));
  assert.equal(body, "one\r\n---\r\ntwo");
});

test("the fault of a value with a colon says how to write it", async () => {
  const { faults } = await readSkillDocument(document("name: greeting\ndescription: Usage: greet"));
  assert.equal(faults[0]?.sentence, "A value with a colon must be quoted: description: Usage: greet");
});

test("any quoted description is parsed unchanged, and quoted metadata are valid with any content", async () => {
  const quoted = (text: string): string =>
    JSON.stringify(text).replace(
      /[\u007f-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  const word = fc
    .string({ minLength: 1, maxLength: 60, unit: ANY_CHARACTER })
    .filter((text) => text.trim() !== "" && text !== "__proto__");
  await fc.assert(
    fc.asyncProperty(
      word,
      fc.uniqueArray(fc.tuple(word, word), { maxLength: 4, selector: ([key]) => key }),
      async (description, entries) => {
        const lines = entries.map(([key, value]) => `  ${quoted(key)}: ${quoted(value)}`);
        const metadata = lines.length > 0 ? `\nmetadata:\n${lines.join("\n")}` : "";
        const read = await readSkillDocument(
          document(`name: greeting\ndescription: ${quoted(description)}${metadata}`),
          "greeting",
        );
        assert.deepEqual(read.faults, []);
        assert.equal(read.description, description.trim());
      },
    ),
    { numRuns: effort(25, 450) },
  );
});

test("no text makes the parser throw, and each fault names a line of the file", async () => {
  const line = fc.oneof(
    fc.constantFrom(
      "---",
      "name: greeting",
      "description: x",
      "metadata:",
      "  a: b",
      "&a",
      "? b",
      "{",
      "- [",
      "\t",
    ),
    fc.string({ maxLength: 12 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 10 }), async (lines) => {
      const { faults } = await readSkillDocument(["---", ...lines].join("\n"), "greeting");
      for (const fault of faults)
        assert.ok(fault.line >= 1 && fault.line <= lines.length + 1, JSON.stringify(fault));
    }),
    { numRuns: effort(50, 900) },
  );
});
