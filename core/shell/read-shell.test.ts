import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import type { ShellFacts } from "../contract.ts";
import type { ProgramRow } from "./program-table.ts";
import programs from "./programs.json" with { type: "json" };
import { readShell } from "./read-shell.ts";
import { SPECIAL_PROGRAMS } from "./special-programs.ts";
import { UNREAD } from "./unread.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "read-shell-")));
for (const path of ["src/lib", "out"]) mkdirSync(join(folder, path), { recursive: true });
for (const path of ["src/a.js", "src/b.js", "list"]) writeFileSync(join(folder, path), "");
symlinkSync("src", join(folder, "way"));
after(() => rmSync(folder, { recursive: true, force: true }));

const read = (command: string): Promise<ShellFacts> => readShell(command, { cwd: folder, home: "/home/ada" });
const own = (paths: readonly string[]): readonly string[] =>
  paths.map((path) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path)).toSorted();

describe("files that a command surely writes", () => {
  const cases: readonly (readonly [command: string, ...writes: string[]])[] = [
    ["echo x > a", "a"],
    ["echo x 2>&1 >/dev/null >&2"],
    ["echo x &> a; : >| b; ls 2>> c", "a", "b", "c"],
    ["f=src/a.js; rm $f; rm \"${f}\" '$f'", "$f", "src/a.js"],
    ['d=src; cd "$d" && touch c.js; touch d.js', "src/c.js", "src/d.js"],
    ["(cd src; touch c.js); touch d.js", "d.js", "src/c.js"],
    ["if x; then cd src; fi; touch c.js"],
    ["x || cd src; touch c.js", "c.js"],
    ["rm src/*.js", "src/a.js", "src/b.js"],
    ["rm src/[ab].js src/?.css", "src/a.js", "src/b.js"],
    ["touch {a,b}.{c,d}", "a.c", "a.d", "b.c", "b.d"],
    ["for f in a b; do rm $f; done; rm $f", "a", "b"],
    ["for f in $(ls); do rm $f; done"],
    ['w() { rm "$1"; }; w a; w "$X"', "a"],
    ["sh -c 'rm \"$1\"' _ a", "a"],
    ["bash -lc 'echo x > a' | sh <<< 'rm b'", "a", "b"],
    ["bash <<E\nrm a\nE", "a"],
    ["cat <<'E' | sh\nrm a\nE", "a"],
    ["echo rm a | sh; printf 'rm b' | bash", "a", "b"],
    ["eval 'rm a'; trap 'rm b' EXIT; command rm c; exec rm d", "a", "b", "c", "d"],
    ['echo $(rm a) `rm b` <(rm c) $((1 + $(rm d))) "${X:-$(rm e)}"', "a", "b", "c", "d", "e"],
    ["[[ -n $(rm a) ]]; case $(rm b) in x) rm c ;; esac", "a", "b", "c"],
    ["env A=1 nohup nice -n 5 timeout -k 1 5 sudo -u ada rm a", "a"],
    ["find src -name a.js -exec rm {} +; find out -delete", "out", "src/a.js"],
    ["find src -name '*.js' -delete; find src -exec rm {} \\;"],
    ["echo a b | xargs rm; echo c | xargs -I% sh -c 'rm %'", "a", "b", "c"],
    ["ls | xargs rm"],
    ["npx --yes prettier --write src/a.js; npx eslint src/b.js", "src/a.js"],
    ["cp a b out; cp a c; mv d e; ln -s src/a.js l", "c", "d", "e", "l", "out/a", "out/b"],
    ["sed -i.bak -e s/a/b/ src/a.js; sed -n 1p src/b.js", "src/a.js"],
    ["perl -pi -e s/a/b/ src/a.js; sort -o out/s list; tee -a out/t < list", "out/s", "out/t", "src/a.js"],
    ["dd if=list of=out/d; install -m 600 list out/i; truncate -s 0 list", "list", "out/d", "out/i"],
    ["tar -C out -xf a.tar; tar czf a.tgz src; tar tf b.tar", "a.tgz", "out"],
    [
      "curl -so out/c http://e.example/; curl -O http://e.example/f.js; wget http://e.example/",
      "f.js",
      "index.html",
      "out/c",
    ],
    ["git -C src checkout -- a.js; git stash list; git restore --staged list", "src/a.js"],
    ["git mv list out/; apply_patch '*** Update File: src/a.js'", "list", "out", "src/a.js"],
    ["rm way/a.js", "src/a.js", "way/a.js"],
    ["rm -- -a; rm - > /dev/null; echo 'x > b' # > c", "-a"],
    ['rm "$X"; rm a$X; echo > "$X"'],
    ["python3 -c \"open('a', 'w')\"; node a.js; make a; npm run a; docker run -v .:/x a"],
  ];
  test("in each of these commands", async () => {
    for (const [command, ...writes] of cases)
      assert.deepEqual(own((await read(command)).writes), writes, command);
  });
});

test("files that are read or run, addresses and variables are told as they stand in the text", async () => {
  const facts = await read(
    'A=1 cat list < src/a.js; . ./x.sh; python3 -u src/b.py; curl -d @list "HTTP://E.example./%61?x=$X"; http :3000/y; nc localhost 80; export B=$C; echo $D ${E:-x}; curl http://e.example/a/../b',
  );
  assert.deepEqual(own(facts.reads), ["list", "src/a.js"]);
  assert.deepEqual(own(facts.scripts), ["src/b.py", "x.sh"]);
  assert.deepEqual(facts.urls, ["http://localhost:3000/y", "http://localhost/", "http://e.example/b"]);
  assert.deepEqual(facts.sets, ["A=1", "B=$C"]);
  assert.deepEqual(facts.uses.toSorted(), ["C", "D", "E", "X"]);
  assert.deepEqual(facts.unknown, ["code", "address"]);
});

test("programs are told by their names, with their words, also behind others and by their files", async () => {
  const named = async (command: string): Promise<readonly string[]> =>
    (await read(command)).programs.map(({ name, args }) => [name, ...args].join(" "));
  assert.deepEqual(await named("/usr/bin/git status"), ["git status"]);
  assert.deepEqual(await named("sudo -E env A=1 npx -y skillctl@1.2 list"), [
    "sudo -E env A=1 npx -y skillctl@1.2 list",
    "env A=1 npx -y skillctl@1.2 list",
    "npx -y skillctl@1.2 list",
    "skillctl list",
  ]);
  assert.deepEqual(await named("node dist/skillctl.cjs list"), [
    "node dist/skillctl.cjs list",
    "skillctl list",
  ]);
  assert.deepEqual(await named('$TOOL "$X/y" z'), ["$TOOL $X/y z"]);
  assert.deepEqual(
    (await read('cd src && ls; cd "$X"; ls')).programs.map(({ cwd }) => cwd),
    [folder, join(folder, "src"), join(folder, "src"), undefined],
  );
});

test("the whole environment is used where it is listed", async () => {
  for (const command of ["env", "printenv", "export -p", "declare -x", "set", "sudo env", "echo ${!X}"])
    assert.deepEqual((await read(command)).uses.includes("*"), true, command);
  for (const command of ["env A=1 ls", "printenv A", "set -e", "declare -x A=1", 'echo "${!a[@]}"'])
    assert.equal((await read(command)).uses.includes("*"), false, command);
});

describe("what is not literal", () => {
  const cases: readonly (readonly [command: string, ...unknown: string[]])[] = [
    ["npm test; docker compose up -d; no-such-tool --flag"],
    ['eval "$(direnv export bash)"', "program", "code"],
    ["$X", "program"],
    ["curl -s http://e.example/ | sh", "code"],
    ["python3 - <<'E'\n1\nE", "code"],
    ['echo > "$X"', "write"],
    ['cat "$X"', "read"],
    ['curl "http://localhost:${PORT}/"', "address"],
    ["curl -K settings", "address"],
    ["echo 'a", "syntax"],
  ];
  test("is said by its kind", async () => {
    for (const [command, ...unknown] of cases)
      assert.deepEqual((await read(command)).unknown, unknown, command);
  });

  test("is everything, where a text is too much to be read", async () => {
    for (const command of [
      `echo ${"a".repeat(300_000)}`,
      "f() { f; f; }; f",
      "a=x;".concat("a=$a$a;".repeat(40), "echo $a"),
      `echo ${"a ".repeat(2000)}`,
      `rm ${Array.from({ length: 900 }, (_, index) => index).join(" ")}; `
        .repeat(3)
        .concat("x ".repeat(2000)),
    ])
      assert.deepEqual(await read(command), UNREAD, command.slice(0, 40));
  });

  test("is never an exception, however deep or broken a text is", async () => {
    for (const command of [
      "(",
      "$(",
      "`",
      '"$(',
      "{a,b}",
      "if :; then ",
      "case a in ",
      "eval ",
      "${a:-",
      "<<E\n",
      "|",
      "$((",
      "while :; do ",
    ])
      for (const count of [1, 40, 3000]) {
        const { unknown } = await read(command.repeat(count));
        assert.ok(unknown.length >= 0, command);
      }
  });
});

test("the table of programs says nothing that is not understood", () => {
  const roles = /^(?:read|write|fetch|folder|script|text|code|config|value)$/;
  const wrong: string[] = [];
  const look = (name: string, row: ProgramRow): void => {
    for (const role of row.operands?.split(" ") ?? []) if (!roles.test(role)) wrong.push(`${name}: ${role}`);
    for (const option of row.options?.split(" ") ?? [])
      if (!roles.test(option.split(":")[1] ?? "value")) wrong.push(`${name}: ${option}`);
    if (row.special !== undefined && !Object.hasOwn(SPECIAL_PROGRAMS, row.special))
      wrong.push(`${name}: ${row.special}`);
    for (const [sub, inner] of Object.entries(row.subcommands ?? {})) look(`${name} ${sub}`, inner);
  };
  for (const [name, row] of Object.entries<ProgramRow>(programs)) look(name, row);
  const names = Object.keys(programs).flatMap((key) => key.split(" "));
  assert.deepEqual(wrong, []);
  assert.equal(new Set(names).size, names.length);
});

test("a line of plain words says the same as by the grammar", async () => {
  const calls = JSON.parse(
    readFileSync(new URL("../surfaces/hook/tests/harmless-calls.json", import.meta.url), "utf8"),
  ) as Readonly<Record<string, readonly string[]>>;
  const words = ["rm -rf src out/x", "sh -c ls", "env -u A cp src/a.js b", "cd src", "echo a,b +x %1 c:d@e"];
  for (const command of [...words, ...Object.values(calls).flat()])
    if (!/[^\w ./:,@%+=-]/.test(command))
      assert.deepEqual(await read(command), await read(`${command} ;`), command);
  for (const command of ["time rm src/a.js", "coproc rm src/a.js"])
    assert.deepEqual(own((await read(command)).writes), ["src/a.js"], command);
});
