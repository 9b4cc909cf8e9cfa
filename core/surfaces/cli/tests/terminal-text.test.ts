/** Texts of a service or a title never reach a terminal as control sequences; a pipe gets the bytes unchanged. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SKILLS } from "../../../../contract-tests/harness.ts";
import { runCli, writeSkill, ownFolder } from "../fixture-command-line.ts";
import { columnsOf } from "../text.ts";

const OBEYED = "\u001B]0;title\u0007 \u009B2J\r \u202E";
const SHOWN = "\\u001b]0;title\\u0007 \\u009b2J\\u000d \\u202e";

/** The bytes on standard output, as a terminal of 80 columns or as a pipe. */
const outOf = async (folder: string, words: readonly string[], showsOut: boolean): Promise<string> =>
  (await runCli(folder, words, { showsOut, builtin: SKILLS })).out;

test("the result of a command is escaped at a terminal and unchanged for a pipe", async (t) => {
  const path = await ownFolder(t);
  const skill = await writeSkill(path, "greeting");
  const words = ["run", "greeting", "greet", OBEYED, "--plugin", skill];
  assert.equal(await outOf(path, words, true), `Hello ${SHOWN}\n`);
  assert.equal(await outOf(path, words, false), `Hello ${OBEYED}\n`);
});

test("a terminal breaks instructions and errors between words, and never inside a command", async (t) => {
  const path = await ownFolder(t);
  const start = [
    "run",
    "runtime-debug",
    "start",
    "The total of a basket with three teas and one cup is wrong",
  ];
  const judge = ["run", "runtime-debug", "judge", "--verdicts", "A confirmed #1: it is"];
  const begun = await runCli(path, start, { showsOut: true, builtin: SKILLS });
  const refused = await runCli(path, judge, { errorColumns: 80, builtin: SKILLS });
  const told = begun.out + refused.err;
  const commands = [
    /^skillctl run runtime-debug answer A --session \S+ --note "WHAT THE USER SAID"$/m,
    /^skillctl run runtime-debug hypothesize --session \S+ --hypotheses "TEXT \| .* \| log: NAME=EXPRESSION"$/m,
    /^hint: List 3 to 5 hypotheses .*\n[^]*^skillctl run runtime-debug hypothesize .*"$/m,
  ];
  for (const command of commands) assert.match(told, command);
  assert.deepEqual(
    told.split("\n").filter((line) => columnsOf(line) > 80 && !line.startsWith("skillctl ")),
    [],
  );
});

test("tables in a result are drawn at a terminal; with a pipe or --raw the bytes are unchanged", async (t) => {
  const path = await ownFolder(t);
  const words = ["run", "music-analysis", "top 3 songs in September 2026"];
  const bytes = await outOf(path, words, false);
  assert.match(bytes, /^\| 1 \| 《/m);
  assert.equal(await outOf(path, [...words, "--raw"], true), bytes);
  const drawn = await outOf(path, words, true);
  assert.deepEqual(
    drawn.split("\n").filter((line) => columnsOf(line) > 80),
    [],
  );
  assert.match(drawn, /^Rank {2}Song .*\n─+ {2}─+.*\n1 {5}《/m);
  assert.doesNotMatch(drawn, /^\||^#|\*\*/m);
  assert.match(bytes, /^## 1\. Song ranking$/m);
  assert.match(drawn, /^\u001B\[1m1\. Song ranking\u001B\[22m$/m);
});
