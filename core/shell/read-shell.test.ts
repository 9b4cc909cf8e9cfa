import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { processorSeconds } from "../../contract-tests/harness.ts";
import type { ShellFacts } from "../contract.ts";
import type { ProgramRow } from "./program-table.ts";
import table from "./programs.json" with { type: "json" };
import { readShell } from "./read-shell.ts";
import { SPECIAL_PROGRAMS } from "./special-programs.ts";
import { unreadFacts } from "./unread.ts";

const HOME = "/home/ada";
const CWD = "/home/ada/shop";
const PLACES = ["/home/ada/.key/token.json", "/home/ada/.key", "/home/ada/.local/state/tool"];

const read = (command: string): Promise<ShellFacts> =>
  readShell(command, {
    cwd: CWD,
    home: HOME,
    places: PLACES,
    inner: [".tool/settings.json", ".config/tool/tool.json"],
    named: ["tool.json", ".dbg"],
  });
const short = (paths: readonly string[]): readonly string[] =>
  paths.map((path) => path.replace(`${CWD}/`, "").replace(`${HOME}/`, "~/")).toSorted();

type Case = readonly [command: string, ...found: string[]];

function factTable(
  title: string,
  list: "writes" | "reads" | "scripts" | "urls" | "sets",
  cases: readonly Case[],
): void {
  test(title, async () => {
    for (const [command, ...found] of cases)
      assert.deepEqual(short((await read(command))[list]), found.toSorted(), command);
  });
}

describe("the files that a command writes are found", () => {
  factTable("in redirections", "writes", [
    ["echo x > a", "a"],
    ["echo x 2>&1 >/dev/null >&2"],
    ["echo x &> a; : >| b; ls 2>> c", "a", "b", "c"],
    ["exec 3<> a; { echo; } > b", "a", "b"],
    ["echo x > ~/a; echo > $HOME/b; echo > ${PWD}/c", "~/a", "~/b", "c"],
    ['echo > "$X"; echo > a$X'],
    ["rm -- -a; rm - > /dev/null; echo 'x > b' # > c", "-a"],
  ]);
  factTable("in every part of the grammar of the shell", "writes", [
    ["cd src && touch a; touch b", "src/a", "src/b"],
    ["(cd src; touch a); touch b", "b", "src/a"],
    ["if x; then cd src; fi; touch a"],
    ["if cd src; then touch a; fi", "src/a"],
    ["x || cd src; touch a", "a"],
    ["command cd src; touch a; eval 'cd b'; touch c", "src/a", "src/b/c"],
    ["w() { rm a; }; while rm b; do rm c; done; for x in y; do rm d; done", "a", "b", "c", "d"],
    [
      "case x in a) rm a ;; *) rm b ;; esac; if rm c; then :; elif rm d; then rm e; else rm f; fi",
      ..."abcdef",
    ],
    ['echo $(rm a) `rm b` <(rm c) $((1 + $(rm d))) "${X:-$(rm e)}"', ..."abcde"],
    ["[[ -n $(rm a) ]]; x=$(rm b) y=($(rm c)); rm d & ! rm e; time rm f", ..."abcdef"],
    ["touch {a,b}.{c,d}", "a.c", "a.d", "b.c", "b.d"],
    ["sh -c 'rm a' | sh <<< 'rm b'; eval -- rm c; trap 'rm d' EXIT; alias x='rm e'", ..."abcde"],
    ["bash <<E\nrm a\nE", "a"],
  ]);
  factTable("in the folder to which a command returns", "writes", [
    ["cd /x && cd - && touch a; cd src; cd ..; cd -; touch b", "a", "src/b"],
    ['cd /x; touch $OLDPWD/a ~-/b; cd "$OLDPWD"; touch c; cd -P -- ~; touch d', "a", "b", "c", "~/d"],
    ["pushd src; touch a; popd; touch b; popd; touch c", "src/a", "b", "c"],
    ["pushd /x; pushd; touch a; pushd; touch b; pushd -n /y; touch c", "a", "/x/b", "/x/c"],
    ["pushd /x; pushd /y; pushd +1; touch a; popd +1; touch b; pushd -0; touch c", "/x/a", "/x/b", "/y/c"],
    ["cd -; touch a; cd ~/shop; if x; then cd /x; pushd /y; fi; cd -; touch b; popd; touch c"],
  ]);
  factTable("as a folder, if a pattern names files in it", "writes", [
    ["rm src/*.js; sed -i d .tool/[l]og.???", ".tool", "src"],
    ["tee -a .tool/*.txt; echo > docs/a?.md; mv src/* /tmp", ".tool", "/tmp", "docs", "src"],
    [`rm ${CWD}/docs/*.md docs/*/x.md; rm -r src/deep/x@(a|b)/c`, "docs", "src/deep"],
    ["rm *.js; rm */x; rm $X/*.js; rm src/$X.js; cat src/*.js; rm ~/*.tmp; rm /tmp/*; rm ../*/a"],
  ]);
  factTable("in patterns that can name a protected file", "writes", [
    [
      "rm .[t]ool/settings.json; rm -r .?o*l; rm x/.t[a-p]ol/s*",
      ".tool",
      ".tool/settings.json",
      "x",
      "x/.tool/settings.json",
    ],
    ["rm to?l.json; tee [t]ool.json; rm .d?g/a.log; mv .d*g /x", ".dbg", "/x", "tool.json"],
    ["rm *.json; rm t*.json; rm .*; rm *; rm ?ool; rm */settings.j*; rm .to*/x; cat to?l.json"],
  ]);
  factTable("in a folder that is replaced as a whole", "writes", [
    ["cp -r /tmp/d/. .tool/", ".tool", ".tool/settings.json"],
    ["cp -r /tmp/.tool .; cp /tmp/a .tool/", ".tool", ".tool/a", ".tool/settings.json"],
    ["cp -r /tmp/d/* .tool/", ".tool", ".tool/settings.json"],
    ["cp -rT /tmp/d src", "src"],
    ["rsync -r d/ .tool; rsync a .tool/", ".tool", ".tool/a", ".tool/settings.json"],
    ["tar -C .tool -xf /tmp/a.tar", "/tmp/a.tar", ".tool", ".tool/settings.json"],
    [
      "cd /x; unzip a.zip .tool/settings.json; tar xf a .tool",
      "/x",
      "/x/.tool",
      "/x/.tool/settings.json",
      "/x/a",
    ],
    ["git mv .tool old; git mv -n a b", ".tool", ".tool/settings.json", "old"],
    ["mount --bind /tmp/a .tool; zip -qmr /a .tool", "/a", ".tool", ".tool/settings.json"],
    ["cp -r /tmp/tool ~/.config/", "~/.config/tool", "~/.config/tool/tool.json"],
    ["mkdir -p .tool; touch .tool; cp -r a ~/.config/other", ".tool", "~/.config/other", "~/.config/other/a"],
  ]);
  factTable("in commands of archivers, compilers and other programs", "writes", [
    [
      "tar --remove-files -cf /a b; zip -qm /c d; rsync --remove-source-files e h:f",
      "/a",
      "/c",
      "b",
      "d",
      "e",
    ],
    [
      "git checkout-index --prefix=a/ b; git merge-file c d e; git merge-file -p f g h",
      "~/shop",
      "a",
      "b",
      "c",
    ],
    ["openssl enc -in x -out a; gcc -fno-common -Wall x.c -lm -o b; fallocate -l 1 c; dos2unix d", ..."abcd"],
    ["split --additional-suffix=.js x s/n; csplit -f src/p -b '%d.js' x 2; split x", "s", "src"],
    ["cmake -E rm a; cmake -E copy_directory x b; cmake -S . -B build", "a", "b", "build"],
    ["setarch -R rm a; ip netns exec n rm b; ip link; chpst -u x rm c", "a", "b", "c"],
    ["PROMPT_COMMAND='rm a' bash; export GIT_EDITOR='rm b;:'; LESSOPEN='|rm c' less x", "a", "b", "c"],
  ]);
  factTable("in the text that a shell reads from a file descriptor", "writes", [
    ["source /dev/stdin <<< 'rm a'; bash /dev/stdin <<E\nrm b\nE", "a", "b"],
    ["bash /dev/fd/3 3<<< 'rm a' 0<<< 'rm b'; sh /proc/self/fd/0 <<< 'rm c'", "a", "b", "c"],
    ["cat /dev/fd/3 3<<< 'rm a'; python3 /dev/stdin <<< 'rm b'"],
  ]);
  factTable("behind programs that start programs", "writes", [
    ["exec -a x rm a; env - rm b; env -a x rm c; env -u Y X=1 rm d; env -S 'rm e'", ..."abcde"],
    ["bash +e -c 'rm a'; sh - <<< 'rm b'; bash -ec 'rm c'; sh -c '\"$@\"' x rm d", ..."abcd"],
    ["flock a -c 'rm b'; flock c rm d; timeout -k 1 5 nice -n 5 nohup sudo -u x rm e", ..."abcde"],
    ["stdbuf -oL setsid time rm a; unshare -r ionice -c2 rm b; taskset -c 0 rm c; watch rm d", ..."abcd"],
    ["script -c 'rm a' /dev/null; su x -c 'rm b'; runuser -u x -c 'rm c'; busybox rm d", ..."abcd"],
    ["strace -o a rm b; perf stat -e x rm c; gdb --args rm d; valgrind rm e; firejail rm f", ..."abcdef"],
    ["find . -name x -exec rm a {} +; find . -exec sh -c 'rm b' + {} +; find src -delete", "a", "b", "src"],
    ["find src -name c -delete; find src -exec rm {} +"],
    ["ls | xargs -n1 rm a; ls | entr rm b; parallel 'rm c' ::: x; xargs -I% sh -c 'rm d'", ..."abcd"],
    ["npx -y rm a; pnpm exec rm b; pnpm dlx rm c; yarn dlx rm d; bunx rm e; npm exec -- rm f", ..."abcdef"],
    ["npx -c 'rm a'; uv run rm b; poetry run rm c; pipenv run rm d; direnv exec . rm e", ..."abcde"],
    [
      "cross-env X=1 rm a; dotenv -e x -- rm b; concurrently 'rm c' \"rm d\"; nodemon --exec 'rm e'",
      ..."abcde",
    ],
    ["tmux new -d 'rm a'; screen -dmS x rm b; systemd-run --user rm c; numactl -N 0 rm d", ..."abcd"],
    ["git -c alias.x='!rm a' x; git -c core.pager='rm b' log; git bisect run rm c", "a", "b", "c"],
    ["git submodule foreach 'rm a'; git push --receive-pack='rm b' o; git clone 'ext::rm c' d", ..."abcd"],
    [
      "tar --to-command='rm a' -tf x; tar -I 'rm b' -tf x; tar --checkpoint-action=exec='rm c' -tf x",
      ..."abcx",
    ],
    ["rsync -e 'rm a' x:b y:c; ssh -o ProxyCommand='rm d' h; vim -c '!rm e' x; vim '+!rm f' x", ..."adef"],
    [
      "man -P 'rm a' x; sort --compress-program='rm b' x; split --filter='rm c' x; rg --pre 'rm d' x",
      ..."abcd",
    ],
    ["socat - EXEC:'rm a'; nc -e 'rm b' h 1; fd x -x 'rm c'; su -c 'rm d'; doas rm e", ..."abcde"],
  ]);
  factTable("in options that are shortened, or share a word with others or their values", "writes", [
    [
      "sort --outp a b; tar --to-com 'rm c' -tf /d; git rebase --exe='rm e'",
      "/d",
      ".git",
      "a",
      "c",
      "e",
      "~/shop",
    ],
    [
      "git restore --stag --workt a; git restore --stag b; sed --in-pl p c; cp --target-d d e",
      "a",
      "c",
      "d/d",
      "d/e",
    ],
    ["curl --head http://h/a; curl --outp b http://h/; tar --list -f /c", "/c", "b"],
    ["bash -oc pipefail 'rm a'; bash -eoc x 'rm b'; bash -o c x", "a", "b"],
    [
      "perl -lpi -e x a; perl -0777pi -e x b; perl -0pe x c; tar cfI /d 'rm e' f; tar xfC /g h",
      ..."abeh",
      "/d",
      "/g",
    ],
    [
      "setsid -f rm a; strace -xo b rm c; ltrace -x d rm e; xvfb-run -l rm f; faketime 'x y' rm g",
      ..."abcefg",
    ],
    ["env -S 'rm -f' a; env -iS'rm b' c; fd x -HIx rm d; fd -x tee {}", ..."abcd"],
  ]);
  factTable("in the words of known programs", "writes", [
    ["cp a b", "b", "b/a"],
    ["cp a c d/; cp -t e a; cp -T a f; mv g h", "d/a", "d/c", "e/a", "f", "g", "h", "h/g"],
    ["cp --target-dir=x a; ln -s y z; ln v w; install -d u", "u", "v", "w", "w/v", "x/a", "z", "z/y"],
    ["sed -i.bak -e s/a/b/ a; sed -n 1p b; perl -pi -e x c; awk -i inplace '{print}' d", "a", "c", "d"],
    ["sort -o a b; tee -a c < d; dd if=e of=f; truncate -s 0 g; mkdir -p h", "a", "c", "f", "g", "h"],
    ["tar -C out -xf /a.tar; tar czf a.tgz src; tar tf b.tar", "/a.tar", "a.tgz", "b.tar", "out"],
    [
      "curl -so a http://e.example/; curl -O http://e.example/b?x=1; wget http://e.example/c/d; wget -O e h/f",
      "a",
      "b",
      "d",
      "e",
    ],
    ["gzip a; gzip -c b; patch c; chmod 600 e; chmod --reference=f g", "a", "c", "e", "g"],
    ["git stash push -m x a; git stash push -- b; git stash show c", "a", "b"],
    ["git -C src checkout -- a; git stash list; git restore --staged b; git restore -SW c", "c", "src/a"],
    [
      "cd ~/.key; wget h/t%6fken.json; curl h/%74oken.json",
      "~/.key",
      "~/.key/t%6fken.json",
      "~/.key/token.json",
    ],
    ["git clone -q https://h/x/a.git; git clone h:x/b/; git clone h/c d", "a", "b", "d"],
    ["git mv a b; git config --global core.pager x; git config user.name y", "a", "b", "~/.gitconfig"],
    ["apply_patch '*** Update File: a'; prettier --write b; npm version patch", "a", "b", "package.json"],
    ["python3 -c 'open(\"a\")'; node a.js; make a; npm run a; docker run -v .:/x a; npm version"],
  ]);
});

factTable("the files that a command reads are found", "reads", [
  ["cat a < b; . ./x.sh; curl -d @c -F x=@d http://h; grep -f e f; gzip -c g", ..."abcdefg"],
  ["cat ~/a ~+/b ~ada/c; cat ./x/../d", "b", "d", "~/a"],
  ["git hash-object -w a; git hash-object -t blob b; git cat-file -p c", "a", "b"],
  ["cat ~/.k*/token.json", "~/.key", "~/.key/token.json"],
  ["cat ~/.[a-z]*/*", "~/.key", "~/.key/token.json", "~/.local/state"],
  ["cat /home/*/.k?y/x; head /HOME/ADA/.K[a-f]Y", "~/.key"],
  ["x=.k; cat ~/${x}ey/token.json; cat ~/.k{ey,$X}/token.json", "~/.key", "~/.key/token.json"],
  ["cd ~/.k*; cat token.json", "~/.key"],
  ['cd "$X"; cat .ke*/token.json', "~/.key"],
  ["rg . ~ -g '.k{ey,x}/*'; rg -g '**/[.]ke?/**' .; find ~ -name '.k?y' -exec cat {} +", HOME, "~/.key"],
  ["rg . -g '*.{ts,js}' -g '!.k*'; find . -name '.ke?'", "~/shop"],
  ["cat *; cat */x ~/*.json ~/.x* ~/$X/y ~/.keys* ~/.key[!a]"],
]);

factTable("the files whose text a command runs are found", "scripts", [
  [
    "sh a x; python3 -u b; node -r ./c d.js; ./e.sh; . ./f; awk -f g h; vim -S i j",
    "a",
    "b",
    "c",
    "d.js",
    "e.sh",
    "f",
    "g",
    "i",
  ],
]);

factTable("the addresses that a command calls are found", "urls", [
  [
    'curl "HTTP://E.example./%61?x=1" --url e.example/b/../c; http POST :3000/y a=b',
    "http://e.example/a?x=1",
    "http://e.example/c",
    "http://localhost:3000/y",
  ],
  [
    "nc h 1; telnet h 2; socat - TCP:h:3; ncat -l 4; ab http://h:5/; wrk -t 1 http://h:6/",
    "http://h:1/",
    "http://h:2/",
    "http://h:3/",
    "http://h:5/",
    "http://h:6/",
  ],
  ["echo x > /dev/tcp/h/1; exec 3<>/dev/udp/h/2", "http://h:1/", "http://h:2/"],
]);

factTable("the variables that a command sets are found", "sets", [
  ["A=1 ls; export B=$C; env D=2 ls; declare E=3; make F=4", "A=1", "B=$C", "D=2", "E=3", "F=4"],
]);

test("the environment variables that a command uses are found", async () => {
  for (const [command, ...uses] of [
    ["A=1; echo $A $B ${C:-x} \"$HOME\" '$D'", "B", "C"],
    ["(A=1); echo $A; printenv E; [[ $F ]]; echo $((G + $H))", "A", "E", "F", "G", "H"],
    ...["env", "printenv", "export -p", "declare -x", "set", "sudo env", "echo ${!X}", "env -u A"].map(
      (one) => [one, "*"],
    ),
    ...["env A=1 ls", "set -e", "declare -x A=1", "export A=1", "env -S ls"].map((one) => [one]),
  ] as unknown as readonly Case[]) {
    const found = (await read(command)).uses.filter((name) => name !== "X");
    assert.deepEqual(found.toSorted(), uses, command);
  }
});

test("programs are found with their arguments and folders, also behind other programs and by their files", async () => {
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
  assert.deepEqual(await named("curl -sXPOST --dat=x h"), [
    "curl -sXPOST --dat=x h",
    "curl -s -X POST --data=x --data-ascii=x --data-binary=x --data-raw=x --data-urlencode=x h",
  ]);
  assert.deepEqual(await named("git -C a push -fo x"), ["git -C a push -fo x", "git -C a push -f -o x"]);
  const folders = (await read('cd src && ls; cd "$X"; ls')).programs.map(({ cwd }) => cwd);
  assert.deepEqual(folders, [CWD, `${CWD}/src`, `${CWD}/src`, undefined]);
});

describe("texts whose effect is unknown", () => {
  const KEY = ".key/token.json";
  const unread: readonly Case[] = [
    [`cat "$(echo ~)/${KEY}"`, "read"],
    [`rm -rf \`echo ~\`/${KEY}`, "write"],
    [`X=~/${KEY}; cat $X`, "read"],
    [`X=$'\\x2ekey/token.json'`],
    [`X=.k"ey/tok"en.json`],
    [`a=(${KEY}); a[1]=${KEY}; export B=${KEY}; declare "C=${KEY}"`],
    [`for f in ~/${KEY}; do cat $f; done`, "read"],
    [`case ${KEY} in a) ;; esac; [[ -e ${KEY} ]]`],
    [`f() { cat $1; }; f ${KEY}`, "read"],
    [`set -- ${KEY}; cat $1`, "read"],
    [`printf -v X ${KEY}; cat $X`, "read"],
    [`read X <<< ${KEY}; mapfile Y <<< ${KEY}`],
    [`echo ${KEY} | while read f; do cat $f; done`, "read"],
    [`echo ${KEY} | xargs cat`, "read"],
    [`echo 'cat ${KEY}' | sh`, "code"],
    [`cat <<E | sh\ncat ${KEY}\nE`, "code"],
    [`echo '${KEY}' | { no-such-tool; }`],
    [`no-such-tool --in=${KEY}`],
    [`no-such-tool <<< ${KEY}`],
    [`git no-such-command ${KEY}; npm no-such-command ${KEY}`],
    [`python3 -c 'open("${KEY}")'`, "code"],
    [`python3 - <<'E'\nopen("${KEY}")\nE`, "code"],
    [`node -e '"${KEY}"'; perl -e '"${KEY}"'; php -r '"${KEY}"'`, "code"],
    [`awk 'BEGIN { while ((getline x < "${KEY}") > 0) print x }'`],
    [`sed 'r ${KEY}' a`],
    [`sed 's/a/b/w ${KEY}' a`],
    [`jq -n 'import "${KEY}" as $x; $x'`],
    [`find . -name ${KEY} -exec cat {} +`],
    [`parallel cat ::: ${KEY}`],
    [`sh -c 'cat $1' x ${KEY}`, "read"],
    [`sh x.sh ${KEY}; node a.js ${KEY}`],
    [`ssh h cat ${KEY}`],
    [`cd "$X"; cat ${KEY}`, "read"],
    [`vim -c 'r ${KEY}'`, "code"],
    [`tmux send-keys 'cat ${KEY}'`],
    [`echo 'cat ${KEY}`, "syntax"],
    [`curl "http://$HOST/${KEY}"`, "address"],
    [`$X ${KEY}`, "program"],
    [`. <(echo cat ${KEY})`, "code"],
    [`cat {1..3}${KEY}`, "read"],
    [`cat a/../${KEY}`],
    [`sed "s/a/$X ${KEY}/" a; jq "$X ${KEY}" a`],
    [`wget "$X?${KEY}"`, "write"],
    [`split a "$X/${KEY}"`, "write"],
  ];
  test("are in `unread`, as written or as the program receives them, and by their kind in `unknown`", async () => {
    for (const [command, ...unknown] of unread) {
      const facts = await read(command);
      assert.ok(facts.unread.join("\n").includes(KEY), command);
      for (const kind of unknown) assert.ok(facts.unknown.includes(kind as "read"), `${command}: ${kind}`);
    }
  });

  test("are not those that a known program only prints, stores or searches for", async () => {
    for (const command of [
      `echo ${KEY}; printf '%s' ${KEY}; echo "$X ${KEY}"`,
      `git commit -m 'keep ${KEY}'; git commit -F - <<< ${KEY}; git log --grep ${KEY}`,
      `git commit -m "$(cat <<'E'\nkeep ${KEY}\nE\n)"`,
      `cat > a.md <<'E'\n${KEY}\nE`,
      `tee a.md <<< ${KEY}; cat <<< ${KEY} | head | grep x`,
      `grep -rn ${KEY} src; rg ${KEY} -g '*.ts'; git grep ${KEY}`,
      `gh pr create --title ${KEY} --body ${KEY}; gh issue create --body-file - <<< ${KEY}`,
      `sed -n '/a.key.token.json/p' a; sed -i 's/a/.key\\/token.json/g; 3d' a; awk '{ print ".key/token.json" }' a`,
      `ls # ${KEY}`,
      `curl -d '${KEY}' http://h/; jq '.x == "${KEY}"' a`,
    ])
      assert.ok(!(await read(command)).unread.join("\n").includes("token.json"), command);
  });

  test("are the whole command, when it is longer or nested more deeply than is read", async () => {
    for (const command of [
      `cat ~/${KEY}; echo ${"a".repeat(512 * 1024)}`,
      `cat ~/${KEY}; echo ${"a ".repeat(11_000)}`,
      `cat ~/${KEY}; ${"a;".repeat(20_000)}`,
      `cat ~/${KEY}; rm ${Array.from({ length: 1001 }, (_, index) => `a${index}`).join(" ")}`,
      `# ${"'".repeat(80_001)}\ncat ~/${KEY}`,
      `cat ~/${KEY}; echo ${"${a:-".repeat(3000)}${"}".repeat(3000)}`,
      `${"eval ".repeat(31)} cat ~/${KEY}`,
      `echo ${"$(".repeat(31)}cat ~/${KEY}${")".repeat(31)}`,
      ...["()", "{}"].map(([open, end]) => `${`${open} `.repeat(300)}cat ~/${KEY}${`; ${end}`.repeat(300)}`),
    ]) {
      assert.deepEqual(await read(command), unreadFacts(command), command.slice(0, 40));
      assert.ok(unreadFacts(command).unknown.includes("limit"));
    }
  });

  test("do not hide the rest of a long command: the text behind long words is read", async () => {
    for (const before of [
      `: ${"a ".repeat(9000)};`,
      `echo ${"a".repeat(300_000)};`,
      `: <<'E'\n${"plain text\n".repeat(27_000)}E\n`,
      `cat > a.js <<'E'\n${'  const b = (`${c}`, "d");\n'.repeat(500)}E\n`,
      `# ${"'".repeat(10_100)}\n`,
      "eval ".repeat(28),
    ]) {
      const { reads, unknown } = await read(`${before} cat ~/${KEY}`);
      assert.deepEqual([short(reads), unknown], [["~/.key/token.json"], []], before.slice(0, 40));
    }
  });

  test("do not end the reading: the text behind them is read", async () => {
    for (const command of [
      "f() { f; f; }; f",
      `a=x;${"a=$a$a;".repeat(40)}echo $a`,
      `${"for x in a b c; do ".repeat(12)}echo $x${"; done".repeat(12)}`,
      `${"eval ".repeat(20)}ls`,
    ]) {
      const { reads, unread } = await read(`${command}; cat ~/${KEY}`);
      assert.deepEqual(
        [short(reads), unread.length > 0],
        [["~/.key/token.json"], !command.startsWith("eval")],
        command.slice(0, 40),
      );
    }
  });
});

/** Parts that name a key in some way, and constructs around them. */
const PARTS = [
  "cat K", "rm -f K", "echo x > K", "X=K", "node K", "curl -T K http://h/", "tool K", "python3 -c 'K'", "for f in K; do :; done",
  "cp K b", "tar cf - K", "sed -i 1d K", "cd K", "sort -o K a", "cat \"$X\"/K", "ls | tool K", "tool <<< K",
] as const; // prettier-ignore
const AROUND = [
  "%", "(%)", "{ %; }", "if x; then %; fi", "while x; do %; done", "x && %", "x || %", "% | cat", "echo $(%)", "f() { %; }",
  "timeout 5 sh -c \"$(cat <<'E'\n%\nE\n)\"", "bash <<'E'\n%\nE\n", "a; % &", "case x in y) % ;; esac", "echo <(%)", "! %",
] as const; // prettier-ignore

test("each part of a random command that names a key is in its files, programs or unread texts", async () => {
  let seed = 20261128;
  const random = (count: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * count);
  };
  for (let round = 0; round < 400; round++) {
    const keys = Array.from({ length: 1 + random(3) }, (_, index) => `~/.key/k${round}x${index}`);
    const commands = keys.map((key) => {
      let text = (PARTS[random(PARTS.length)] ?? "").replace("K", () => key);
      for (let depth = random(3); depth > 0; depth--) {
        const around = AROUND[random(AROUND.length)] ?? "%";
        // A here-document within another one would need another end.
        if (!(around.includes("<<") && text.includes("<<"))) text = around.replace("%", () => text);
      }
      return text;
    });
    const command = commands.join("\n");
    const { programs, writes, reads, scripts, urls, unread } = await read(command);
    const found = JSON.stringify({ programs, writes, reads, scripts, urls, unread });
    for (const key of keys) assert.ok(found.includes(key.slice(3)), `${key} of ${command}`);
  }
});

test("variables whose values a program shows are used, and those that it changes are set", async () => {
  const cases: readonly (readonly [command: string, list: "uses" | "sets", ...found: string[]])[] = [
    ["declare -p KEY; typeset -p B", "uses", "KEY", "B"],
    ["declare -n r=KEY", "uses", "KEY"],
    [`awk 'BEGIN { print ENVIRON["KEY"] }'`, "uses", "KEY"],
    ["awk 'BEGIN { for (k in ENVIRON) print ENVIRON[k] }'", "uses", "*"],
    ["xargs env; cmake -E environment; make -pf /dev/null; tmux show-environment -g", "uses", "*"],
    ["tmux show-environment -g KEY; envsubst <<< '$B'", "uses", "KEY", "B"],
    ["curl --variable %KEY --expand-data '{{KEY}}' h; make -f a; env -u A b", "uses", "KEY"],
    [
      "unset A; read B; printf -v C x; mapfile -t D; for E in x; do :; done",
      "sets",
      "A=",
      "B=",
      "C=",
      "D=",
      "E=",
    ],
    [": ${A:=x}; env -u B c; let D=1", "sets", "A=", "B=", "D=1"],
    ["sudo -u x a; su x -c b", "sets", "HOME="],
    ["sudo a; echo ${A:-x}", "sets"],
  ];
  for (const [command, list, ...found] of cases)
    assert.deepEqual((await read(command))[list], found, command);
});

test("addresses are those that curl asks, in every spelling", async () => {
  for (const [command, ...found] of [
    ["curl 'h/a[c-c]d' 'h/{e,f}'", "http://h/acd", "http://h/e", "http://h/f"],
    ["curl 'h/[1-3]'", "http://h/1", "http://h/2", "http://h/3"],
    ["curl h/a[c-c]d", "http://h/acd"],
    ["curl 'h/[1-999]'"],
    ["curl --connect-to ::a:7 b", "http://a:7/", "http://b/"],
    ["curl -K - <<< 'url = \"a/b\"'", "http://a/b"],
    ["curl 'http://[::1]:7/a'", "http://[::1]:7/a"],
  ] as const)
    assert.deepEqual((await read(command)).urls, found, command);
  for (const command of [
    "curl file://$HOME/%2ekey/token.json",
    "curl 'file:///home/ada/.ke[y-y]/token.json'",
  ])
    assert.deepEqual((await read(command)).reads, ["/home/ada/.key/token.json"], command);
});

test("a protected folder is read by a program that starts in it, and by patterns that match a dot", async () => {
  for (const command of [
    "git -C ~/.key grep --no-index -h .",
    "GLOBIGNORE=q; cat ~/*/token.json",
    "shopt -s dotglob; cat ~/*/token.json",
    'cat "${HOME%/}/.${x:-k}ey/token.json"',
  ])
    assert.ok(
      (await read(command)).reads.some((path) => path.startsWith("/home/ada/.key")),
      command,
    );
  assert.deepEqual((await read("cat ~/*/token.json")).reads, []);
});

describe("any text", () => {
  const units = [
    "(", "$(", "`", '"$(', "{a,b}", "{a,", "if :; then ", "case a in ", "eval ", "${a:-", "${a//", "<<E\n", "|", "$((", "$((1+", "$[",
    "while :; do ", "[[ ", "((", "a=(", "a[$(", "<(", "a;", "a|b;", "x=$a$a;", "$a", "'", '"', "\\", "f(){ ", "a&&", "<<<a ", "1<",
    "cat <<A <<B\nA\nB\n", "b\n", "#a\n", "*", "[a", "~/", "../", "a/*/", "sed s/a/b/;", "$'\\x2e'", "é", "\0", "\r\n", "find -exec {} ",
  ] as const; // prettier-ignore

  test("gives facts within their bounds in bounded time", async () => {
    const longest: [seconds: number, unit: string] = [0, ""];
    for (const unit of units)
      for (const size of [1, 40, 3000, 60_000, 500_000, 8 * 1024 * 1024]) {
        const command = unit.repeat(Math.ceil(size / unit.length));
        let facts: Awaited<ReturnType<typeof read>> | undefined;
        const seconds = await processorSeconds(async () => (facts = await read(command)));
        assert.ok(facts);
        const { programs, unknown, unread, ...lists } = facts;
        if (seconds > longest[0]) longest.splice(0, 2, seconds, `${unit} ${size}`);
        assert.ok(programs.length <= 1000 && unread.length <= 1000, unit);
        for (const list of Object.values(lists)) assert.ok(list.length <= 1000, unit);
        assert.ok(unknown.length === 0 || unread.length > 0, unit);
      }
    // Processor time; 250 ms were measured.
    assert.ok(longest[0] < 1, longest.join(" "));
  });
});

test("the table of programs holds only roles, programs and patterns that are understood, and each name once", () => {
  const leaves =
    /^(?:read|write|script|fetch|text|document|program|pattern|folder|whole|prefix|code|names|addresses|unread|input|set|export|assign|unset|use|environment)$/;
  const named: Readonly<Record<string, readonly { role: string; pattern?: string }[]>> = table.roles;
  const isRole = (role: string): boolean =>
    role === "value" || leaves.test(role) || Object.hasOwn(named, role);
  const wrong: string[] = [];
  const look = (name: string, row: ProgramRow): void => {
    const options = row.options?.split(" ").flatMap((option) => option.split(":")[1] ?? []) ?? [];
    const others = [row.operands, row.alone, row.input].flatMap((list) => list?.split(" ") ?? []);
    for (const role of [...others, ...options]) if (!isRole(role)) wrong.push(`${name}: ${role}`);
    if (row.special !== undefined && !Object.hasOwn(SPECIAL_PROGRAMS, row.special))
      wrong.push(`${name}: ${row.special}`);
    for (const [sub, inner] of Object.entries(row.subcommands ?? {})) look(`${name} ${sub}`, inner);
  };
  for (const [name, row] of Object.entries<ProgramRow>(table.programs)) look(name, row);
  for (const [name, parts] of Object.entries(named))
    for (const { role, pattern = "" } of parts) {
      if (leaves.test(name) || !leaves.test(role)) wrong.push(`${name}: ${role}`);
      assert.doesNotThrow(() => new RegExp(pattern, "u"), name);
    }
  const names = Object.keys(table.programs).flatMap((key) => key.split(" "));
  assert.deepEqual(wrong, []);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

test("a line that is read without the grammar has the same facts as with it", async () => {
  const calls = JSON.parse(
    readFileSync(new URL("../surfaces/hook/tests/harmless-calls.json", import.meta.url), "utf8"),
  ) as Readonly<Record<string, readonly string[]>>;
  const words = [
    "rm -rf src out/x", "sh -c ls", "env -u A cp a b", "cd src && rm a || rm b; rm c", "echo a,b +x %1 c:d@e", "a 2>&1 | b > c",
    "a 'b c'd\"e f\"g > 'h i' 2>> j < k", "cd a; cd b && touch c | tee d", "x 2>b", "x2>b", "> a b", "a>b>c", "time rm a", "a ;",
    "A=1 b", "coproc rm a", "a || b && c", "echo ''", "a 1>&2", "a>&2b", "a >& 2", "a;;", "| a", "a |", "a && ", "if a",
  ]; // prettier-ignore
  for (const command of [...words, ...Object.values(calls).flat()])
    if (!/[\n#]/.test(command)) {
      const [plain, whole] = [await read(command), await read(`${command} #`)];
      if (!plain.unknown.includes("syntax")) assert.deepEqual(plain, whole, command);
    }
});
