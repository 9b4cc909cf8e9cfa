/** The shell reader beside Bash itself: what a command has changed on disk, the reader has named before. */
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import fc from "fast-check";
import { has, mayWrite, ShellHarness } from "./shell-harness.ts";

const TARGETS = ["src/app.js", "src/deep/low.js", "src/new.js", "new.txt", "docs/read me.md", "other name"];

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Ways to write down one file name. A statement may have to come before it. */
const SPELLINGS: readonly ((path: string) => readonly [before: string, word: string])[] = [
  (path) => ["", quoted(path)],
  (path) => ["", `"${path}"`],
  (path) => ["", path.replaceAll(" ", "\\ ")],
  (path) => ["", [...path].map((char) => (char === " " ? "\\ " : `\\${char}`)).join("")],
  (path) => ["", `./${path.replaceAll(" ", '" "')}`],
  (path) => ["", `$'${[...path].map((char) => `\\x${char.charCodeAt(0).toString(16)}`).join("")}'`],
  (path) => [`file=${quoted(path)}`, '"$file"'],
  (path) => [`dir=src base=${quoted(path)}; file="$base".bak`, '"${file%.bak}"'],
  (path) => [`file=${quoted(`x${path}`)}`, '"${file#x}"'],
  (path) => [`file=${quoted(`x${path}`)}`, '"${file:1}"'],
  (path) => [`files=(none ${quoted(path)})`, '"${files[1]}"'],
  (path) => [`unset none`, `"\${none:-${path}}"`],
  (path) => [`set -- a ${quoted(path)}`, '"$2"'],
  (path) => ["", `"$(echo ${quoted(path)})"`],
  (path) => ["", `"\`printf %s ${quoted(path)}\`"`],
  (path) => ["", `"$(printf '%s' ${Buffer.from(path).toString("base64")} | base64 -d)"`],
  (path) => ["", `"$PWD/"${quoted(path)}`],
  (path) => ["", `"$HOME"/shop/${quoted(path)}`],
  (path) => ["", `~/shop/${quoted(path)}`],
  (path) => [`name=file; file=${quoted(path)}`, '"${!name}"'],
  (path) => ["", `${quoted(path.slice(0, 2))}"${path.slice(2)}"`],
  (path) => ["", `src/../${quoted(path)}`],
  (path) => [`i=1; i=$((i + 1)); names=(a b ${quoted(path)})`, '"${names[$i]}"'],
  (path) => [`printf -v file '%s' ${quoted(path)}`, '"$file"'],
  (path) => [`IFS=/ read -r file <<< ${quoted(path)}`, '"$file"'],
  (path) => [`ln -sfn "$PWD" ../way`, `../way/${quoted(path)}`],
];

/** Ways to change a file. */
const WRITES: readonly ((word: string) => string)[] = [
  (word) => `echo x > ${word}`,
  (word) => `echo x >> ${word}`,
  (word) => `: >| ${word}`,
  (word) => `printf x 2> ${word}; > ${word}`,
  (word) => `cat > ${word} <<< text`,
  (word) => `cat <<'END' > ${word}\nsome $text\nEND\n`,
  (word) => `{ echo a; echo b; } &> ${word}`,
  (word) => `exec 5> ${word}; echo x >&5; exec 5>&-`,
  (word) => `echo x | tee ${word}`,
  (word) => `echo x | tee -a ${word} > /dev/null`,
  (word) => `cp seed ${word}`,
  (word) => `rm -f ${word}`,
  (word) => `touch ${word}`,
  (word) => `mv seed ${word}`,
  (word) => `dd if=seed of=${word}`,
  (word) => `sed -i s/a/b/ ${word}`,
  (word) => `truncate -s 0 ${word}`,
  (word) => `ln -f seed ${word}`,
  (word) => `echo x > >(cat > ${word}); wait $!`,
  (word) => `while read -r line; do echo "$line" >> ${word}; done < seed`,
  (word) => `coproc { echo x > ${word}; }; wait`,
  (word) => `echo ${word} | xargs -d '\\n' rm -f`,
  (word) => `find seed -exec cp {} ${word} \\;`,
  (word) => `[[ -n $(echo x > ${word}) ]]`,
  (word) => `: $(( $(echo 1 > ${word}; echo 2) + 1 ))`,
];

/** Ways to wrap a statement. */
const WRAPPINGS: readonly ((statement: string) => string)[] = [
  (statement) => statement,
  (statement) => `( ${statement}\n)`,
  (statement) => `{ ${statement}\n}`,
  (statement) => `eval ${quoted(statement)}`,
  (statement) => `bash -c ${quoted(statement)}`,
  (statement) => `env A=1 bash -c ${quoted(statement)}`,
  (statement) => `bash <<'TEXT'\n${statement}\nTEXT\n`,
  (statement) => `cat <<'TEXT' | bash\n${statement}\nTEXT\n`,
  (statement) => `echo ${Buffer.from(statement).toString("base64")} | base64 -d | bash`,
  (statement) => `printf %s ${Buffer.from(statement).toString("hex")} | xxd -r -p | bash`,
  (statement) => `f() { ${statement}\n}; f`,
  (statement) => `function g { f\n}; f() { ${statement}\n}; g`,
  (statement) => `if false; then :; else ${statement}\nfi`,
  (statement) => `for each in one; do ${statement}\ndone`,
  (statement) => `until ${statement}\n:; do :; done`,
  (statement) => `case x in y) ;; x) ${statement}\n;; esac`,
  (statement) => `false || { ${statement}\n}`,
  (statement) => `true && ! { ${statement}\n}`,
  (statement) => `{ ${statement}\n} & wait`,
  (statement) => `x=$(${statement}\n)`,
  (statement) => `cat <(${statement}\n) > /dev/null`,
  (statement) => `trap ${quoted(statement)} EXIT`,
  (statement) => `code=${quoted(statement)}; eval "$code"`,
  (statement) => `source /dev/stdin <<'TEXT'\n${statement}\nTEXT\n`,
  (statement) => `source <(cat <<'TEXT'\n${statement}\nTEXT\n)`,
  (statement) => `time { ${statement}\n}`,
  (statement) => `cd src && cd .. && { ${statement}\n}`,
  (statement) => `pushd docs > /dev/null; popd > /dev/null; ${statement}`,
  (statement) => `cat > ../run.sh <<'TEXT'\n${statement}\nTEXT\nbash ../run.sh`,
  (statement) => `xargs -I% bash -c % <<'TEXT'\ntrue\nTEXT\n${statement}`,
  (statement) => `shopt -s expand_aliases\nalias w=${quoted(statement.replaceAll("\n", " "))}\n${statement}`,
];

const samples = fc.record({
  path: fc.constantFrom(...TARGETS),
  spelling: fc.constantFrom(...SPELLINGS),
  write: fc.constantFrom(...WRITES),
  wrappings: fc.array(fc.constantFrom(...WRAPPINGS), { minLength: 1, maxLength: 2 }),
});

function written({
  path,
  spelling,
  write,
  wrappings,
}: Parameters<Parameters<typeof samples.map>[0]>[0]): string {
  const [before, word] = spelling(path);
  const statement = `${before === "" ? "" : `${before}; `}${write(word)}`;
  return wrappings.reduce((inner, wrap) => wrap(inner), statement);
}

function needs(t: TestContext): boolean {
  if (!has("bash")) t.skip("there is no bash");
  return has("bash");
}

async function misses(command: string): Promise<readonly string[]> {
  using harness = new ShellHarness();
  const facts = await harness.read(command);
  return harness.run(command).filter((path) => !mayWrite(facts, path));
}

describe("beside bash", () => {
  test("every write, however it is wrapped, is named or told to be unknown", async (t) => {
    if (!needs(t)) return;
    await fc.assert(
      fc.asyncProperty(samples.map(written), async (command) => {
        assert.deepEqual(await misses(command), []);
      }),
      { numRuns: Number(process.env["SHELL_SAMPLES"] ?? 120) },
    );
  });

  test("every spelling is read, not only told to be unknown", async (t) => {
    if (!needs(t)) return;
    const unread: string[] = [];
    for (const spelling of SPELLINGS) {
      for (const path of ["src/app.js", "docs/read me.md"]) {
        const [before, word] = spelling(path);
        const command = `${before === "" ? "" : `${before}; `}echo x > ${word}`;
        using harness = new ShellHarness();
        const { writes } = await harness.read(command);
        if (!harness.run(command).every((one) => writes.includes(one))) unread.push(command);
      }
    }
    // What is read from standard input is not followed.
    assert.deepEqual(
      unread.filter((command) => !command.includes("read -r")),
      [],
    );
  });

  test("the comparison finds a write that is not named", async (t) => {
    if (!needs(t)) return;
    using harness = new ShellHarness();
    const facts = await harness.read("cat seed");
    const changed = harness.run("echo x > src/app.js");
    assert.equal(changed.length, 1);
    assert.ok(!changed.every((path) => mayWrite(facts, path)));
  });
});
