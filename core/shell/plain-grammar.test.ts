import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parse } from "unbash";
import { NeedsGrammar, plainScript } from "./plain-grammar.ts";
import { factsOf } from "./read-shell.ts";
import { effort } from "../../contract-tests/effort.ts";

const place = { cwd: tmpdir(), home: "/home/someone" };

function withoutParser(command: string): ReturnType<typeof factsOf> | undefined {
  try {
    return factsOf(command, place, plainScript);
  } catch (caught) {
    if (caught instanceof NeedsGrammar) return undefined;
    throw caught;
  }
}

const words = fc.oneof(
  fc.constantFrom(
    "ls",
    "cd",
    "git",
    "status",
    "if",
    "rm",
    "-rf",
    "a=b",
    "x/y",
    "export",
    "echo",
    "node",
    "sh",
    "time",
    "..",
    "exit",
    "true",
    "PATH=x",
  ),
  fc.stringMatching(/^[A-Za-z0-9_./=:,@%+-]{1,6}$/),
);
const texts = fc
  .array(
    fc.oneof({ weight: 4, arbitrary: words }, fc.constantFrom("&&", "||", ";", "|", "&", ";;", "", "|&")),
    { maxLength: 9 },
  )
  .map((all) => all.join(" "));

describe("plain words", () => {
  test("what is read without the parser is read as the parser does", () => {
    let compared = 0;
    fc.assert(
      fc.property(texts, fc.boolean(), (spaced, tight) => {
        const command = tight ? spaced.replaceAll(/ ?([;|&]+) ?/g, "$1") : spaced;
        const facts = withoutParser(command);
        if (!facts) return;
        compared += 1;
        assert.deepEqual(facts, factsOf(command, place, parse), command);
      }),
      { numRuns: effort(100, 1_800) },
    );
    assert.ok(compared > 10, `${compared} were compared`);
  });

  const plain = [
    "ls",
    "git status",
    "npm test",
    "git add -A && git log -3 ; ls",
    "ls | head -5",
    "a || b",
    "",
    " ",
    "  ls  ",
    "ls ;",
  ];
  test("are read without the parser", () => {
    for (const text of plain) {
      assert.ok(text.trim() === "" || plainScript(text).commands.length > 0, JSON.stringify(text));
      assert.deepEqual(withoutParser(text), factsOf(text, place, parse), JSON.stringify(text));
    }
  });

  const grammar = [
    "a & b",
    "a &",
    "a=1 b",
    "if a",
    "time ls",
    "export A=b",
    "ls ;; ls",
    "| a",
    "a &&",
    "ls *",
    "echo 'x'",
    "a\nb",
    "~/x",
    "a |& b",
    "a #b",
    "!a",
    "{a,b}",
  ];
  test("leave all else to the parser", () => {
    for (const text of grammar) {
      assert.throws(() => plainScript(text), NeedsGrammar, JSON.stringify(text));
    }
  });
});
