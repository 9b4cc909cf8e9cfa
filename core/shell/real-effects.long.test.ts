/** The files that Bash changes when it runs commands are those that are read from them, or some are reported as unknown. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
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
import { join } from "node:path";
import { test } from "node:test";
import { readShell } from "./read-shell.ts";

const COMMANDS = [
  "echo x > a; echo x >> src/one.js; : > src/two.js",
  'f=src/one.js; echo x > $f; cp "$f" b',
  "cd src && touch three.js && cd .. && rm src/one.js",
  "(cd src; mv one.js other.js); ln -s src/two.js link; ln src/two.js hard",
  "for f in src/*.js; do echo x >> $f; done",
  'w() { echo x > "$1"; }; w a; w b',
  "if true; then rm src/one.js; else rm src/two.js; fi",
  "bash -c 'echo x > \"$1\"' _ a; sh <<< 'echo x > b'",
  "echo a b | xargs touch; echo c | xargs -I% sh -c 'echo % > %'",
  "env A=1 nohup nice -n 1 timeout 5 touch a",
  "find src -name one.js -exec rm {} +; find src -name two.js -delete",
  "sed -i s/one/1/ src/one.js; sed -i.bak -e s/two/2/ src/two.js && rm src/two.js.bak",
  "tee a src/one.js < list > /dev/null; sort -o b list; dd if=list of=c status=none",
  "truncate -s 1 list; touch -r list a; chmod 600 src/one.js; install -m 600 list d",
  "cp -r src copy; mv src/one.js src/two.js copy; rm -rf src",
  "tar cf a.tar src; mkdir out; tar -C out -xf a.tar",
  "mkdir -p deep/er && echo $(echo x > deep/er/a) `touch deep/b` > /dev/null",
  "touch {a,b}.{c,d}",
];

test(
  "the files that each command really writes are among those that were read from it",
  { skip: process.platform !== "linux" && "the commands exist on Linux only" },
  async (t) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "real-effects-")));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const wrong: string[] = [];
    for (const [index, command] of COMMANDS.entries()) {
      const cwd = join(folder, String(index));
      mkdirSync(join(cwd, "src"), { recursive: true });
      for (const [name, text] of [
        ["src/one.js", "one\n"],
        ["src/two.js", "two\n"],
        ["list", "list\n"],
      ] as const)
        writeFileSync(join(cwd, name), text);
      const { writes, unknown } = await readShell(command, { cwd, home: folder });
      const before = contents(cwd);
      spawnSync("bash", ["-c", command], {
        cwd,
        env: { PATH: process.env["PATH"], HOME: folder, LC_ALL: "C" },
      });
      const after = contents(cwd);
      const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
        (name) => before.get(name) !== after.get(name),
      );
      if (changed.length === 0) wrong.push(`${command}: nothing has changed`);
      for (const name of changed)
        if (
          !unknown.includes("write") &&
          !writes.some((path) => path === name || name.startsWith(`${path}/`))
        )
          wrong.push(`${command}: ${name}`);
    }
    assert.deepEqual(wrong, []);
  },
);

/** Files by their paths, with their modes and contents. */
function contents(folder: string, found = new Map<string, string>()): ReadonlyMap<string, string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const facts = lstatSync(path);
    if (facts.isDirectory()) contents(path, found);
    else found.set(path, facts.isSymbolicLink() ? "link" : `${facts.mode} ${readFileSync(path, "latin1")}`);
  }
  return found;
}
