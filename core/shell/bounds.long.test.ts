import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parse } from "unbash";
import { TooMuch } from "./facts.ts";
import { factsOf, readShell } from "./read-shell.ts";
import { UNREAD } from "./unread.ts";
import { effort } from "../../contract-tests/effort.ts";

const place = { cwd: tmpdir(), home: "/home/someone" };

function nested(depth: number, wrap: (inner: string) => string): string {
  let text = "ls";
  for (let level = 0; level < depth; level++) text = wrap(text);
  return text;
}

/** Texts that are small and would be a great deal of work. */
const HEAVY: Readonly<Record<string, string>> = {
  "a text over 256 KiB": `echo ${"a".repeat(256 * 1024)}`,
  "1,001 programs": Array.from({ length: 1001 }, (_, at) => `p${at}`).join(";"),
  "subshells in subshells": nested(40, (inner) => `( ${inner} )`),
  "substitutions in substitutions": nested(40, (inner) => `$(${inner})`),
  "functions that call each other twice": `f0() { ls; }; ${Array.from({ length: 25 }, (_, at) => `f${at + 1}() { f${at}; f${at}; }`).join("; ")}; f25`,
  "a function that calls itself": "f() { f; f; }; f",
  "a text that doubles itself": `x=aaaaaaaa; ${"x=$x$x; ".repeat(40)} echo $x`,
  "loops in loops": nested(9, (inner) => `for x in {1..50}; do ${inner} $x; done`),
  "an eval that grows": 'x=\'eval "$x$x"\'; eval "$x"',
  "a shell that starts itself": nested(
    40,
    (inner) => `bash -c ${JSON.stringify(inner).slice(0, 100_000)}`,
  ).slice(0, 200_000),
};

/** As heavy, and yet a few facts are no trouble. */
const LONG: Readonly<Record<string, string>> = {
  "braces that double": `echo ${"{a,b}".repeat(40)}`,
  "loops without an end in loops": nested(14, (inner) => `while x=$x.; do y=$z; z=$x; ${inner}; done`),
  "a pattern of many stars": `x=${"a".repeat(2000)}; echo \${x%%${"*a".repeat(40)}b}; echo \${x//${"*a".repeat(20)}b/c}`,
  "patterns over patterns of files": `ls ${"/*".repeat(30)}`,
  "stars for folders": "ls /**/**/**/**/x",
  "many open braces": `echo ${"{a,".repeat(400)}`,
  "many braces that never close": "{a,".repeat(30_000),
  "many braces that never close, then one that does": `echo ${"{a,".repeat(30_000)}}`,
  "brackets that never close": "[".repeat(30_000),
  "a brace of a hundred thousand": "{".repeat(100_000),
  "braces of long words": `echo {1..1000}${"a".repeat(90_000)}`,
  "a removal that fits nowhere": `x=${"a".repeat(2000)}; echo \${x%%*${"a".repeat(1000)}b}`,
  "line ends before a letter": `x=$(cat <<'E'\n${"\n".repeat(99_000)}x\nE\n); echo $x`,
  "slashes before a letter": `busybox ${"/".repeat(99_000)}x`,
  "a path of many folders": `cat ${"a/".repeat(30_000)}b`,
  "an address of many ranges": `curl ${"[-".repeat(30_000)}`,
  "an awk set that never closes": `awk '/[${"\\a".repeat(60)}/ { print }' f`,
  "ten thousand blocks of awk": `awk '${"{print}".repeat(10_000)}' f`,
  "a sed address that never closes": `sed '\\,${"\\a".repeat(60)}' f`,
  "sed sets that never close": `sed 's/${"[]a]".repeat(60)}' f`,
  "blank lines before a statement": `sqlite3 a.db 'select ${"\n".repeat(90_000)}x'`,
  "many quotes": `echo ${`"'"'"'`.repeat(3000)}`,
  "many variables and branches": Array.from({ length: 150 }, (_, at) => `[ a ] && v${at}=1`).join("; "),
  "many open parentheses": "echo $((".repeat(200),
};

describe("bounds of the shell reader", () => {
  for (const [name, text] of Object.entries(HEAVY)) {
    test(`of ${name} nothing is known`, async () => {
      assert.deepEqual(await readShell(text, place), UNREAD);
    });
  }
  for (const [name, text] of Object.entries(LONG)) {
    test(`${name}: an answer`, async () => {
      const facts = await readShell(text, place);
      assert.ok(facts.writes.length === 0);
    });
  }

  test("a few hundred programs are read", async () => {
    const { programs, unknown } = await readShell(
      Array.from({ length: 300 }, () => "echo a").join("\n"),
      place,
    );
    assert.equal(programs.length, 1);
    assert.deepEqual(unknown, []);
  });

  const bits = fc.constantFrom(
    ..."a b ls rm cd f x= $x ${x} ${x: ${x:- $( ) ` ( ) { } (( )) [[ ]] [ ] if then fi while do done for in case esac ;; && || | & ; > < << <<< E ' \" \\ * ? ~ ! # = + , .. {a,b} <( >( $' eval sh -c 1 function f() select coproc |& &> \n \t ;& time -- @ % / ${! ${# $(( ".split(
      " ",
    ),
    "\n",
    "\u200b",
    "\0",
  );
  test("whatever the text, nothing else is thrown than that it is too much", () => {
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 25 }), fc.constantFrom("", " "), (all, between) => {
        try {
          factsOf(all.join(between), place, parse);
        } catch (caught) {
          assert.ok(caught instanceof TooMuch, String(caught));
        }
      }),
      { numRuns: effort(83, 1_500) },
    );
  });
});
