import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import type { ShellFiles } from "../shell-files.ts";
import { call } from "./fixture-calls.ts";
import { effectsOf } from "./program-effects.ts";

/** Each changes something in the project when it is run; ` <<< text` is standard input. */
const CHANGING = String.raw`
rm -rf src
cp README src
cp -t src README
mv src/a.txt .
ln -s src/a.txt link
ln src/a.txt link
install -m 644 README src/new.txt
truncate -s 0 src/a.txt
dd if=README of=src/a.txt
tee src/a.txt src/c.txt <<< text
chmod +x src/a.txt
sort --outp=src/a.txt README
sort -rosrc/a.txt README
uniq README src/a.txt
sed -i.bak s/one/1/ src/a.txt
sed -ne s/one/1/w\ out -e p src/a.txt
sed --in-place=.b s/one/1/ src/a.txt
sed -n 'w out' README
sed 's/one/1/w out' src/a.txt
awk '{print >> "out"}' README
perl -i.bak -pe 's/one/1/' src/a.txt
find src -name '*.txt' -delete
find src -type f -exec rm {} +
find . -name README -fprint out
xargs rm <<< src/a.txt
xargs -I{} cp {} out <<< src/a.txt
env A=1 rm src/a.txt
timeout 5 rm src/a.txt
node -e "require('fs').writeFileSync('src/a.txt', 'x')"
node -e "const {rmSync} = require('fs'); rmSync('src/a.txt')"
node --input-type=module -e "import fs from 'node:fs'; fs.renameSync('src/a.txt', 'out')"
node <<< require('fs').appendFileSync('src/a.txt', 'x')
python3 -c "open('src/a.txt', 'w').write('x')"
python3 -c "from pathlib import Path; Path('src/a.txt').write_text('x')"
python3 -c "import subprocess; subprocess.run(['rm', 'src/a.txt'])"
git checkout -- src/b.txt
git checkout src/b.txt
git reset --hard -q
git stash -q
git rm -qf src/b.txt
git mv src/b.txt src/d.txt
git add -A
git apply change.patch
git init -q inner
git archive -o out.tar HEAD
git log --output=out
git worktree add -q inner
patch -s -p1 -i change.patch
patch -s src/a.txt change.patch
tar cf out.tar src
gzip src/a.txt
zip -qm out.zip src/a.txt
xxd -r dump src/a.txt
sqlite3 data.db 'create table t(a)'
rsync -a README src/a.txt
rsync -a src/ copy/
vim -es -u NONE -c '1d|wq' src/a.txt
ex -sc '1d|x' src/a.txt
`;

const realFiles: ShellFiles = {
  text: (place) => known(() => readFileSync(place, "utf8")),
  kind: (place) =>
    known(() => {
      const found = lstatSync(place);
      return found.isSymbolicLink() ? "link" : found.isDirectory() ? "folder" : "file";
    }),
  list: (place) => known(() => readdirSync(place)),
  realPath: (place) => known(() => realpathSync(place)) ?? place,
};

function known<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

const PATCH = "--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1,3 +1,3 @@\n-one\n+uno\n two\n three\n";

/** A project to be copied, with a change that is not committed and a file that git does not know. */
function template(): string {
  const folder = temporary();
  mkdirSync(path.join(folder, "src"));
  const texts = {
    README: "b\na\na\n",
    "src/a.txt": "one\ntwo\nthree\n",
    "src/b.txt": "four\n",
    "change.patch": PATCH,
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(folder, name), text);
  writeFileSync(path.join(folder, "dump"), "00000000: 6869\n");
  const git = (...args: readonly string[]) =>
    spawnSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
      cwd: folder,
      stdio: "ignore",
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
  writeFileSync(path.join(folder, "src/b.txt"), "five\n");
  writeFileSync(path.join(folder, "loose"), "x");
  return folder;
}

function temporary(): string {
  return realpathSync(mkdtempSync(path.join(tmpdir(), "effects-")));
}

/** The files of a folder: mode and content by path. */
function contents(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const place = path.join(entry.parentPath, entry.name);
    if (entry.isDirectory()) continue;
    const state = lstatSync(place);
    const content = entry.isFile() ? createHash("sha1").update(readFileSync(place)).digest("hex") : "";
    found.set(place, `${String(state.mode)} ${content}`);
  }
  return found;
}

function changed(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (place) => before.get(place) !== after.get(place),
  );
}

/** Paths that a call says it writes, itself or by what it starts; `undefined` when it says that not all is known. */
function writes(line: string, input: string | undefined, folder: string): readonly string[] | undefined {
  const stdin = input === undefined ? ({ kind: "none" } as const) : ({ kind: "text", text: input } as const);
  const open = [call(line, stdin, folder)];
  const found: string[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const effects = effectsOf(next, realFiles);
    if (effects.unknown.some((reason) => ["write", "code", "program"].includes(reason))) return undefined;
    found.push(...effects.writes.map((place) => path.resolve(folder, place)));
    for (const run of effects.runs) {
      if ("shell" in run) return undefined;
      const [first, ...args] = run;
      const name = first?.text ?? "";
      open.push({ name, path: name, args, cwd: folder, home: "/home/u", stdin });
    }
  }
  return found;
}

const covers = (places: readonly string[], file: string) =>
  places.some((place) => file === place || file.startsWith(`${place}/`.replace("//", "/")));

test(
  "what a program really changes is among what it is said to write",
  { skip: process.platform === "win32" },
  (t) => {
    const original = template();
    t.after(() => rmSync(original, { recursive: true, force: true }));
    let ran = 0;
    let precise = 0;
    const missing: string[] = [];
    for (const line of CHANGING.split("\n").filter((text) => text !== "")) {
      const [command = "", input] = line.split(" <<< ");
      const folder = temporary();
      try {
        cpSync(original, folder, { recursive: true });
        const said = writes(command, input, folder);
        const { name, args } = call(command);
        const before = contents(folder);
        const result = spawnSync(
          name,
          args.map(({ text }) => text ?? ""),
          {
            cwd: folder,
            input: input === undefined ? "" : `${input}\n`,
            timeout: 20_000,
          },
        );
        if (result.error !== undefined) {
          t.diagnostic(`not run: ${line}`);
          continue;
        }
        const different = changed(before, contents(folder));
        ran++;
        if (different.length === 0 && result.status === 0) missing.push(`${line}: nothing is changed`);
        if (said === undefined) continue;
        precise++;
        const missed = different.filter((file) => file !== folder && !covers(said, file));
        if (missed.length > 0)
          missing.push(`${line}: ${missed.map((file) => path.relative(folder, file)).join(", ")}`);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
    assert.deepEqual(missing, []);
    assert.ok(precise * 2 > ran, `${String(precise)} of ${String(ran)} are told precisely`);
  },
);

test("a change that is not among what is said is seen", () => {
  assert.equal(covers(["/p/src/a"], "/p/src/ab"), false);
  assert.equal(covers(["/p/src"], "/p/src/ab"), true);
  assert.deepEqual(
    changed(
      new Map([["/p/a", "1"]]),
      new Map([
        ["/p/a", "2"],
        ["/p/b", "1"],
      ]),
    ),
    ["/p/a", "/p/b"],
  );
});
