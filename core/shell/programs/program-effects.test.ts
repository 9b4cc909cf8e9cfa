import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { call, FILES } from "./fixture-calls.ts";
import type { Word } from "./effects.ts";
import { effectsOf } from "./program-effects.ts";
import { effort } from "../../../contract-tests/effort.ts";

const PROGRAMS =
  "rm cp mv ln tee sed awk find xargs parallel git node python3 perl ruby bash env sudo timeout npm npx yarn bun make curl wget nc socat ssh tar zip gzip sqlite3 docker tsc eslint biome openssl jq rg rsync mine".split(
    " ",
  );
const PIECES =
  "-i -e -c -o -f -x -C -n -p -m - -- --output= --exec -exec {} + ; -delete src/a.js a=b $(x) 's/a/b/w x' {print>\"x\"} checkout -- restore run test install @file http://a/ : ::: 1 é \n [ ( / \\ \" ' `".split(
    " ",
  );

const word: fc.Arbitrary<Word> = fc.oneof(
  fc.constantFrom(...PIECES).map((text) => ({ text })),
  fc.string({ maxLength: 30 }).map((text) => ({ text })),
  fc.string({ maxLength: 10 }).map((known) => ({ text: undefined, known })),
  fc.constant({ text: undefined }),
);

test("no call of a program makes the reader throw, and each gets an answer of the same shape", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...PROGRAMS),
      fc.array(word, { maxLength: 8 }),
      fc.constantFrom("/p", undefined),
      fc.oneof(fc.constant(undefined), fc.string({ maxLength: 60 })),
      (name, args, cwd, input) => {
        const stdin =
          input === undefined ? ({ kind: "unknown" } as const) : ({ kind: "text", text: input } as const);
        const effects = effectsOf({ name, path: name, args, cwd, home: "/home/u", stdin }, FILES);
        assert.ok(effects.writes.every((path) => path !== "" && path !== "/dev/null"));
        assert.equal(new Set(effects.unknown).size, effects.unknown.length);
      },
    ),
    { numRuns: effort(500, 9_000) },
  );
});

test("what is not known in the place of a file that is written is unknown, with every program that writes", () => {
  const lines =
    "rm $X|cp src/a.js $X|mv src/a.js $X|tee $X|touch $X|dd of=$X|truncate -s 0 $X|sed -i s/a/b/ $X|sort -o $X a|curl -o $X http://a/|git checkout -- $X|git restore $X|gzip $X|install a $X|patch $X|prettier --write $X|ln a $X|mkdir $X|find src -fprint $X";
  for (const line of lines.split("|")) {
    const { writes, unknown } = effectsOf(call(line), FILES);
    assert.ok(unknown.includes("write") || writes.includes("/p"), line);
  }
});

test("a relative path behind a folder that is not known is not known either", () => {
  assert.deepEqual(effectsOf(call("git -C $X checkout -- a.js"), FILES).unknown, ["write"]);
  assert.deepEqual(effectsOf(call("tar -C $X -cf /tmp/a b"), FILES).writes, ["/tmp/a"]);
  assert.ok(effectsOf(call("env -C $X rm a.js"), FILES).unknown.includes("write"));
});

test("a folder that is not known makes scripts of a package unknown code", () => {
  assert.deepEqual(effectsOf(call("npm test", undefined, "/nowhere"), FILES).runs, []);
  const lost = { ...call("npm test"), cwd: undefined };
  assert.deepEqual(effectsOf(lost, FILES).unknown, ["code"]);
});

test("hostile texts are read to their end", () => {
  const many = (text: string) => text.repeat(5000);
  const texts = [
    "(/[",
    "s/[",
    "a.b(",
    "print 1.1",
    '"',
    "/*",
    "${",
    "{(",
    "f'{",
    "select ",
    " -x",
    "-exec ; ",
    "[a",
    "$(",
  ];
  for (const text of texts.map(many))
    for (const line of [
      "sed x",
      "awk x",
      "perl -e x",
      "node -e x",
      "python3 -c x",
      "sqlite3 a x",
      "find x",
      "make x",
      "psql -c x",
    ]) {
      const known = call(line);
      const args = [...known.args.slice(0, -1), { text }];
      assert.ok(Array.isArray(effectsOf({ ...known, args }, FILES).writes));
    }
});
