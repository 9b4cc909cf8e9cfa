/** Writes into a project as agents come upon them: what is done, by which program, and in which words. */

/** What a write works on: folder `at` in a project `root`, with the files of `SLOT` in it. */
export interface Slot {
  readonly root: string;
  /** From the root. */
  readonly at: string;
  /** A name that leads to the root, outside it. */
  readonly alias: string;
  /** A folder of its own outside the project, for scripts. */
  readonly scratch: string;
}

/** What is in each slot at the beginning. `run.sh` may be run, `link.js` leads to `a.js`. */
export const SLOT: Readonly<Record<string, string>> = {
  "a.js": "export const a = 1;\nexport const b = 2;\nexport function sum(x, y) {\n  return x + y;\n}\n",
  "b.py": "def total(items):\n    return sum(items[1:])\n",
  "data.json": '{ "limit": 10 }\n',
  "run.sh": "#!/bin/sh\necho run\n",
  "sub/c.js": "export const c = 3;\n",
  "sub/deep/d.txt": "text\n",
};

const GIT = "git -c user.name=T -c user.email=t@example.org -c commit.gpgSign=false";

/** In words of a shell whose working folder is the slot. */
const BY_SHELL: readonly string[] = [
  "echo 'export const z = 9;' > new.js",
  "mkdir fresh && echo 'x = 1' > fresh/x.py",
  "mkdir -p fresh/one/two && cp a.js fresh/one/two/a.js",
  "echo changed > a.js",
  "echo '// more' >> a.js",
  "printf x | dd of=a.js bs=1 seek=3 conv=notrunc 2>/dev/null",
  ": > b.py",
  "truncate -s 5 a.js",
  "sed -i 's/x + y/x - y/' a.js",
  "sed -i 1d b.py",
  "perl -pi -e 's/return/return 1 +/' a.js",
  "rm a.js",
  "rm -rf sub",
  "mv a.js z.js",
  "mv sub lib",
  "mv a.js tmp && mv b.py a.js && mv tmp b.py",
  "mv a.js A.js",
  "chmod +x a.js",
  "chmod -x run.sh",
  "rm link.js && ln -s sub/c.js link.js",
  "rm a.js && ln -s sub/c.js a.js",
  "ln -sfn b.py link.js",
  "rm -r sub && ln -s /usr sub",
  "rm -r sub && echo file > sub",
  "rm a.js && mkdir a.js && echo 1 > a.js/index.js",
  "rm a.js && mkfifo a.js",
  "cp a.js save && sed 's/1/7/' save > a.js && rm save",
  "touch -r a.js ../../ref && sed -i 's/= 1/= 2/' a.js && touch -r ../../ref a.js && rm ../../ref",
  "ln a.js hard.js && echo more >> hard.js",
  "ln a.js ../../hard && echo more >> ../../hard && rm ../../hard",
  "tee -a a.js < b.py > /dev/null",
  "cat b.py >> sub/c.js",
  "cp b.py sub/c.js",
  "install -m 755 b.py sub/c.js",
  "tar cf - -C sub . | tar xf - -C . && rm -r sub",
  "printf '%s\\n' '--- a.js' '+++ a.js' '@@ -1 +1 @@' '-export const a = 1;' '+export const a = 5;' > p && patch -s a.js < p; rm -f p",
  "awk '{ print toupper($0) }' a.js > t && mv t a.js",
  "find . -name '*.js' -type f -exec sed -i 's/const/let/' {} +",
  "for f in *.py; do echo '# x' >> $f; done",
  "exec 3>> a.js; echo '// fd' >&3; exec 3>&-",
  'f=a.js; echo 1 > "$f"',
  "echo 'new.js' > .gitignore; echo 1 > new.js",
  "echo '*' > .gitignore; mkdir h; echo 1 > h/new.js; echo 2 >> a.js",
  "printf '/%s/\\n' fresh >> $(git rev-parse --git-path info/exclude); mkdir fresh; echo 1 > fresh/new.js",
  `${GIT} update-index --assume-unchanged a.js; echo hidden >> a.js`,
  `${GIT} update-index --skip-worktree b.py; echo hidden >> b.py`,
  `echo '*.js filter=same' > .gitattributes; ${GIT} config filter.same.clean 'git show HEAD:./a.js'; echo 9 >> a.js`,
  `echo 1 > n.js; ${GIT} add -f n.js; ${GIT} commit -qm more -- n.js`,
  `echo more >> a.js; ${GIT} commit -qm change -- a.js`,
  `${GIT} rm -q --cached a.js; echo more >> a.js`,
  `${GIT} mv a.js renamed.js`,
  `${GIT} rm -qf b.py`,
  `${GIT} checkout -q older -- .`,
  `${GIT} restore --source=older -- a.js`,
  `${GIT} show older:./a.js > a.js`,
  `${GIT} init -q nested; echo 1 > nested/k.js`,
  `mkdir n; ${GIT} init -q n; echo 1 > n/k.js; cd n; ${GIT} add .; ${GIT} commit -qm x`,
  `${GIT} init -q .; echo 'a.js' > .git/info/exclude; echo hidden >> a.js; rm -rf .git`,
  `${GIT} config core.excludesFile "$PWD/ex"; echo '*' > ex; echo 1 > new.js`,
];

/** By a program that changes into the slot itself. Placed behind `-e` or `-c`. */
const BY_PROGRAM: Readonly<Record<"python3" | "node" | "perl", readonly string[]>> = {
  python3: [
    "open('a.js','a').write('// more')",
    "open('new.py','w').write('x = 1')",
    "import pathlib; p = pathlib.Path('b.py'); p.write_text(p.read_text().replace('1:', '0:'))",
    "import os; os.remove('a.js')",
    "import os; os.rename('a.js', 'sub/a.js')",
    "import os; os.chmod('a.js', 0o755)",
    "import os; os.truncate('a.js', 3)",
    "import os; s = os.stat('a.js'); f = open('a.js', 'r+b'); f.seek(13); f.write(b'Q'); f.close(); os.utime('a.js', ns=(s.st_atime_ns, s.st_mtime_ns))",
    "import mmap; f = open('a.js', 'r+b'); m = mmap.mmap(f.fileno(), 0); m[0:1] = b'E'; m.flush(); m.close()",
    "import shutil; shutil.copytree('sub', 'copy'); shutil.rmtree('sub')",
    "import os; os.symlink('b.py', 'l.py')",
    "import tempfile, os; f = tempfile.NamedTemporaryFile('w', dir='.', delete=False); f.write('1'); f.close(); os.replace(f.name, 'a.js')",
    "open(b'\\xff.js', 'w').write('1')",
    "import os; os.mkdir(b'd\\xfe'); open(b'd\\xfe/x.js', 'w').write('1')",
    "import os; fd = os.open('a.js', os.O_WRONLY | os.O_APPEND); os.write(fd, b'1'); os.close(fd)",
  ],
  node: [
    "require('fs').appendFileSync('a.js', '// more')",
    "require('fs').writeFileSync('new.mjs', '1')",
    "const fs = require('fs'); fs.writeFileSync('a.js', fs.readFileSync('a.js', 'utf8').replace('1', '8'))",
    "require('fs').rmSync('sub', { recursive: true })",
    "require('fs').renameSync('b.py', 'c.py')",
    "require('fs').chmodSync('a.js', 0o700)",
    "require('fs').truncateSync('a.js', 1)",
    "const fs = require('fs'); const s = fs.statSync('a.js'); fs.writeFileSync('a.js', fs.readFileSync('a.js', 'utf8').replace('2', '3')); fs.utimesSync('a.js', s.atime, s.mtime)",
    "const fs = require('fs'); fs.cpSync('sub', 'again', { recursive: true })",
    "require('fs').createWriteStream('a.js', { flags: 'r+', start: 4 }).end('XY')",
    "const fs = require('fs'); fs.unlinkSync('link.js'); fs.symlinkSync('b.py', 'link.js')",
  ],
  perl: [
    "open my $f, '>>', 'a.js'; print $f '1'",
    "unlink 'a.js'",
    "rename 'a.js', 'q.js'",
    "chmod 0755, 'a.js'",
    "mkdir 'p'; open my $f, '>', 'p/x.pl'; print $f '1'",
    "open my $f, '+<', 'a.js'; seek $f, 5, 0; print $f 'ZZ'",
    "truncate 'b.py', 2",
  ],
};

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function encoded(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** Other words for the same: each takes a text that works in any folder. */
const WRAPPINGS: readonly ((text: string, slot: Slot) => string)[] = [
  (text) => text,
  (text) => `sh -c ${quoted(text)}`,
  (text) => `bash -c ${quoted(`sh -c ${quoted(text)}`)}`,
  (text) => `CMD=${quoted(text)}; export CMD; sh -c 'eval "$CMD"'`,
  (text) => `echo ${encoded(text)} | base64 -d | sh`,
  (text) => `eval "$(echo ${encoded(text)} | base64 -d)"`,
  (text) => `sh <<'END_OF_TEXT'\n${text}\nEND_OF_TEXT`,
  (text) => `(${text}\n)`,
  (text) => `go() { ${text}\n}; go`,
  (text) => `true && { ${text}\n}`,
  (text) => `env X=1 nice timeout 20 sh -c ${quoted(text)}`,
  (text, { scratch }) => `echo ${encoded(text)} | base64 -d > ${scratch}/s.sh; sh ${scratch}/s.sh`,
  (text, { scratch }) => `cd ${scratch}; sh -c ${quoted(text)}`,
  (text) => `cd /; sh -c ${quoted(text)}`,
  (text) =>
    `python3 -c ${quoted(`import subprocess; subprocess.run(${JSON.stringify(["sh", "-c", text])})`)}`,
  (text) =>
    `node -e ${quoted(`require("child_process").execFileSync("sh", ["-c", ${JSON.stringify(text)}])`)}`,
  (text) => `perl -e ${quoted(`system("sh", "-c", pack("H*", "${Buffer.from(text).toString("hex")}"))`)}`,
  (text) => `printf '%s\\n' 1 | xargs -I{} sh -c ${quoted(text.replaceAll("{}", "'{'}"))}`,
  (text) => `awk 'BEGIN { system("echo ${encoded(text)} | base64 -d | sh") }'`,
  (text) => `find / -maxdepth 0 -exec sh -c ${quoted(text.replaceAll("{}", "'{'}"))} \\;`,
];

/** A write, in words of a shell. */
export interface Write {
  readonly text: string;
  /** It ends at once, and something in the background writes later and then makes this file. */
  readonly done?: string;
}

/** A number from 0 up to a bound, the same for the same seed (mulberry32). */
export function chances(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

/** `number` goes through all writes, so that none is left to chance; the words for it are drawn. */
export function writeFor(number: number, slot: Slot, below: (bound: number) => number): Write {
  const all = allWrites();
  const base = all[number % all.length] ?? "";
  const root = below(3) === 0 ? slot.alias : slot.root;
  const there = `cd ${quoted(`${root}/${slot.at}`)} && { ${base}\n}`;
  const wrap = WRAPPINGS[below(WRAPPINGS.length)] ?? ((text: string) => text);
  const text = wrap(there, slot);
  if (below(8) > 0) return { text };
  const done = `${slot.scratch}/done`;
  return { text: `{ sleep 0.3; ${text}\n touch ${quoted(done)}; } > /dev/null 2>&1 < /dev/null &`, done };
}

/** Every write, in words of a shell that is in the slot. */
export function allWrites(): readonly string[] {
  const programs = Object.entries(BY_PROGRAM).flatMap(([program, texts]) =>
    texts.map((text) => `${program} ${program === "python3" ? "-c" : "-e"} ${quoted(text)}`),
  );
  return [...BY_SHELL, ...programs];
}
