import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { readShell } from "./read-shell.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "false-alarms-")));
mkdirSync(join(folder, "src"));
writeFileSync(join(folder, "src/a.js"), "a\n");
writeFileSync(join(folder, "list"), "src/a.js\n");
writeFileSync(join(folder, "Makefile"), "fix:\n\tsed -i s/a/b/ src/a.js\n\t$(X) docker run x; eval $$Y\n");
const HIDDEN = 'eval "$Y"; curl "$Z"; cat "$0" > "$W"\n';
mkdirSync(join(folder, "dist"));
writeFileSync(join(folder, "hidden.sh"), HIDDEN);
writeFileSync(join(folder, "dist/hidden.sh"), HIDDEN);
writeFileSync(join(folder, "git"), "#!/bin/sh\nrm src/a.js\n");
chmodSync(join(folder, "git"), 0o755);
after(() => rmSync(folder, { recursive: true, force: true }));

const read = (command: string) => readShell(command, { cwd: folder, home: "/home/somebody" });

describe("what is not known is no more than that", () => {
  const cases: readonly (readonly [command: string, ...unknown: string[]])[] = [
    ["docker build -t shop ."],
    ["terraform plan"],
    ["terraform apply", "unlisted"],
    ["swift build && ./gone.sh"],
    ["./mvnw test; ./gradlew test; vendor/bin/phpunit; .venv/bin/python -m pytest; .venv/bin/pytest -q"],
    [". .venv/bin/activate; python app/calc.py"],
    ["source ~/.nvm/nvm.sh && nvm use 20"],
    ["gcc -o /tmp/gone-prog a.c && /tmp/gone-prog", "unlisted"],
    ["gcc -o /tmp/gone-prog a.c; cp list /tmp/gone-prog; /tmp/gone-prog", "program", "unlisted"],
    ["echo x > gone.sh; ./gone.sh", "program", "unlisted"],
    ["echo x > gone.sh; sh gone.sh", "code"],
    ["echo x > list; . ./list", "code"],
    ["echo x > src/gone.js; node src/gone.js", "unlisted"],
    ["sh hidden.sh"],
    ["sh dist/hidden.sh", "unlisted"],
    ['sh hidden.sh "$X"', "unlisted"],
    ["curl -s http://localhost/ | sh hidden.sh", "unlisted"],
    ["X=$(date) sh hidden.sh", "unlisted"],

    ["ssh host uptime", "unlisted"],
    ["no-such-tool --flag", "unlisted"],
    ['while read -r f; do wc -l "$f"; done < list', "read"],
    ['curl "http://localhost:$PORT/api/items"'],
    ['curl "$HOST/api/items"', "address"],
    ['PORT=$(cat list); curl "http://localhost:$PORT/"', "address"],
    ['sed "s/$NAME/y/" src/a.js', "unlisted"],
    ['sed -i "s/$NAME/y/" src/a.js', "write", "unlisted"],
    ["find . -name '*.js' | xargs sed -i s/a/b/", "write", "unlisted"],
    ['rg "$WORD" src', "read", "unlisted"],
    ["make fix"],
    ['make "$TARGET"', "read", "unlisted"],
    ["crontab -l; tmux attach"],
    ["PYTHONPATH=src pytest; env PYTHONPATH=src pytest"],
  ];
  test("in each of these commands", async () => {
    for (const [command, ...unknown] of cases) {
      assert.deepEqual((await read(command)).unknown, unknown, command);
    }
  });
});

test("a file that `ls` names is named to the program behind the pipe", async () => {
  const { writes, unknown } = await read("ls src/a.js | xargs sed -i s/a/b/");
  assert.deepEqual([writes, unknown], [[join(folder, "src/a.js")], []]);
});

test("what a target of make writes is written", async () => {
  assert.deepEqual((await read("make fix")).writes, [join(folder, "src/a.js")]);
});

test("a text in a trap is read where the shell is now", async () => {
  assert.deepEqual((await read("trap 'echo x > src/a.js' EXIT")).writes, [join(folder, "src/a.js")]);
});

test("a variable in an address is told, and what it stands for is not", async () => {
  const { urls, uses } = await read('U="http://localhost:$PORT"; curl "$U/api/$ID"');
  assert.deepEqual([urls, uses], [["http://localhost:0/api/0"], ["PORT", "ID"]]);
});

test("what a stored script writes and calls is told, though what is unknown in it is not", async () => {
  writeFileSync(join(folder, "writes.sh"), 'echo x > src/a.js; curl http://localhost/a; eval "$Y"\n');
  const { writes, urls, unknown } = await read("sh writes.sh");
  assert.deepEqual([writes, urls, unknown], [[join(folder, "src/a.js")], ["http://localhost/a"], []]);
});

test("a throw-away script that is understood is no script of elsewhere", async () => {
  const place = mkdtempSync(join(tmpdir(), "throw-away-"));
  after(() => rmSync(place, { recursive: true, force: true }));
  const script = (name: string, text: string, run: string) =>
    read(`cat > ${place}/${name} <<'P'\n${text}\nP\n${run} ${place}/${name}`);
  const js = `import { total } from "${folder}/src/a.js";\nconsole.log(total([1, 2]));`;
  const known = await script("a.mjs", js, "node");
  assert.deepEqual([known.scripts, known.unknown], [[join(folder, "src/a.js")], []]);
  mkdirSync(join(folder, "app"), { recursive: true });
  writeFileSync(join(folder, "app/calc.py"), "");
  const python = `import sys; sys.path.insert(0, "${folder}")\nfrom app.calc import total\nprint(total([1]))`;
  const other = await script("a.py", python, "python3");
  assert.deepEqual([other.scripts, other.unknown], [[join(folder, "app/calc.py")], []]);
  const writes = await script("b.mjs", `import fs from "node:fs"; fs.rmSync("${folder}/src/a.js");`, "node");
  assert.ok(writes.writes.includes(join(folder, "src/a.js")));
  for (const text of ['import "./evil.js";', "x.y();"])
    assert.deepEqual((await script("c.mjs", text, "node")).scripts, [join(place, "c.mjs")], text);
  writeFileSync(join(place, "d.mjs"), 'process.binding("fs");');
  assert.deepEqual((await script("d.mjs", js, "node")).scripts, [join(place, "d.mjs")]);
  const twice = await read(`echo 1 > ${place}/e.js; cp list ${place}/e.js; node ${place}/e.js`);
  assert.deepEqual(twice.scripts, [join(place, "e.js")]);
});

test("a variable of the environment holds for make where the makefile lets it", async () => {
  writeFileSync(join(folder, "open.mk"), "OUT ?= /dev/null\nout:\n\techo x > $(OUT)\n");
  assert.deepEqual((await read("OUT=src/a.js make -f open.mk out")).writes, [join(folder, "src/a.js")]);
});

test("listing all that is exported uses the whole environment", async () => {
  for (const command of ["typeset -x", "bash -c 'declare -x'", "export -p", "declare"])
    assert.deepEqual((await read(command)).uses, ["*"], command);
  assert.deepEqual((await read("declare -x A=1; declare -f")).uses, []);
});

test("a program in a folder of temporary files or of the project is no known one", async () => {
  for (const path of ["./git", join(folder, "git"), "/tmp/gone/git"]) {
    const { scripts } = await read(`${path} status`);
    assert.ok(scripts.length > 0, path);
  }
  const { scripts, unknown } = await read("/home/somebody/.pyenv/shims/git status");
  assert.deepEqual([scripts, unknown], [[], []]);
});
