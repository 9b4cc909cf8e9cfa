/** Writes that hide in what the shell does by itself, beside Bash: each changes a file, and is named or told to be unknown. */
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { has, mayWrite, ShellHarness } from "./shell-harness.ts";

const INDEX = "i='x[$(echo 1 > src/app.js)]'; ";

const HIDDEN: Readonly<Record<string, readonly string[]>> = {
  "an index holds a command": [
    ": ${b[i]}",
    ": ${b[$i]}",
    "b=(1 2); : ${b[i]} ${#b[i]}",
    "s=abc; : ${s:i:1}",
    "s=abc; : ${s:0:i}",
    "set -- a b; : ${@:i}",
    "b[i]=1",
    "b[$i]=1",
    "b=([i]=1)",
    "b=([$i]=1)",
    "[[ 1 -lt i ]]",
    "[[ 1 -eq $i ]]",
    "[[ -v b[i] ]]",
    "b=(1); test -v b[i]",
    "read b[i] <<< 1",
    "b=(1); unset 'b[i]'",
    "printf -v b[i] x",
    "declare b[i]=1",
    "((i))",
    "j=i; ((j))",
    "((b[i]))",
    "((b[i] = 1))",
    "let i",
    ": $((i))",
    'b=("$i"); ((b))',
    "b=(0 $i); n=1; b[1]=$i; ((b[n]))",
    "if [ -n x ]; then k=$i; else k=1; fi; ((k))",
    "RANDOM=$i",
    ": $[i]",
    "exec {b[i]}< seed",
  ].map((use) => INDEX + use),
  "a trap changes what follows": [
    "t=/dev/null; trap 't=src/app.js' DEBUG; echo x > $t",
    "trap 't=src/app.js' DEBUG; t=/dev/null; echo x > $t",
    "t=/dev/null; trap 't=src/app.js' ERR; false; echo x > $t",
    "t=/dev/null; set -T; f() { :; }; trap 't=src/app.js' RETURN; f; echo x > $t",
    "u=/dev/null t=/dev/null; trap 't=$u' DEBUG; u=src/app.js; echo x > $t",
    "trap 'cd src' DEBUG; cd /tmp; cd \"$OLDPWD\"; echo x > app.js",
    "trap f DEBUG; f() { echo x > src/app.js; }; :",
    "t=/dev/null; trap f DEBUG; f() { t=src/app.js; }; echo x > $t",
    "t=/dev/null; trap 't=src/app.js' USR1; kill -USR1 $$; :; echo x > $t",
  ],
  "a name stands for something else": [
    "BASH_ALIASES[ls]='echo x > src/app.js #'; shopt -s expand_aliases; eval ls",
    "shopt -s expand_aliases; printf -v 'BASH_ALIASES[ls]' 'echo x > src/app.js #'; eval ls",
    "printf '#!/bin/sh\\necho x > src/app.js' > ../p; chmod +x ../p; BASH_CMDS[ls]=$PWD/../p; ls",
    "printf '#!/bin/sh\\necho x > src/app.js' > ../p; chmod +x ../p; hash -p ../p ls; ls",
    "compgen -C 'echo x > src/app.js' a",
    "f() { echo x > src/app.js; }; compgen -F f a",
    "PS4='$(echo x > src/app.js)'; set -x; :",
    "printf -v PS4 '$(echo x > src/app.js)'; set -x; :",
    "read -r PS4 <<< '$(echo x > src/app.js)'; set -x; :",
    "echo 'echo x > src/app.js' > ../e; export BASH_ENV=../e; bash -c :",
    "command_not_found_handle() { echo x > src/app.js; }; no-such-program-here",
    "mapfile -tc1 -C 'echo x > src/app.js; :' b < seed",
    "shopt -s expand_aliases; alias a='command '\nalias b='tee src/app.js'\na b < seed",
  ],
  "a descriptor is opened anew": [
    "exec 5<src/app.js; echo x > /dev/fd/5",
    "exec 5<src/app.js; echo x > /proc/self/fd/5",
    "exec 5<src/app.js 6<&5; echo x > /dev/fd/6",
    "f() { exec 5<src/app.js; }; f; echo x > /dev/fd/5",
    "trap 'echo x > /dev/fd/5' EXIT; exec 5<src/app.js",
    "exec 5<src/app.js; sh -c 'exec 6<&5; echo x > /dev/fd/6'",
    "cd src; echo x >& 3file",
    "exec 5<src/app.js; cd /dev/fd; echo x > 5",
    "exec {n}<src/app.js; echo x > /dev/fd/10",
    "exec {n}<src/app.js; echo x > /dev/fd/$n",
    "echo x | tee /dev/fd/4 4<src/app.js",
    "tee /proc/self/fd/0 < src/app.js",
    "dd of=/dev/stdin < src/app.js",
    "dd of=/dev/stdin if=src/app.js < seed",
    "cp seed /dev/fd/0 < src/app.js",
    "sh -c 'echo x > /proc/self/fd/0' < src/app.js",
    "{ echo x > /dev/stdin; } < src/app.js",
    "f() { echo x > /dev/stdin; }; f < src/app.js",
    "while :; do echo x > /dev/fd/0; break; done < src/app.js",
    "echo x > /dev/fd/4 4<src/app.js; echo x 4<src/app.js > /dev/fd/4",
    "echo x 4<src/app.js > /dev/../dev/./fd/4",
    "exec 5<src/app.js; echo x > /proc/$$/fd/5",
    "exec 5<src/app.js; ln -s /dev/fd/5 ../five; echo x > ../five",
    "cd src; echo x > /proc/self/cwd/app.js",
  ],
  "a folder is left by way of a link": [
    "cd ../way; cd -P ..; echo x > app.js",
    "cd ../way; set -P; cd ..; echo x > app.js",
    "cd ../way; set -o physical; cd ..; echo x > app.js",
    'cd ../way; cd "$(pwd -P)/.."; echo x > app.js',
    "echo x > ../way/../app.js",
    "cp seed ../way/../app.js",
    "tar -C ../way/.. -cf new.tar app.js",
    "cd ../way; touch ../new.js",
    "env -C ../way/.. touch new.js",
  ],
};

for (const [symptom, commands] of Object.entries(HIDDEN)) {
  describe(symptom, () => {
    for (const [index, command] of commands.entries())
      test(`what command ${index + 1} changes is told`, async (t) => {
        if (!has("bash")) return t.skip("there is no bash");
        using harness = new ShellHarness();
        symlinkSync(join(harness.project, "src/deep"), join(harness.folder, "way"));
        const facts = await harness.read(command);
        const changed = harness.run(command).filter((path) => !/\/(p|e|five)$/.test(path));
        if (changed.length === 0) return t.skip("this bash does not do it");
        assert.deepEqual(
          changed.filter((path) => !mayWrite(facts, path)),
          [],
          command,
        );
      });
  });
}

test("git in a folder behind a link and `..` is git in the folder that the link leads to", async () => {
  using harness = new ShellHarness();
  mkdirSync(join(harness.project, ".git"));
  symlinkSync(join(harness.project, "src"), join(harness.folder, "way-in"));
  const { writes } = await harness.read("git -C ../way-in/.. checkout fixed");
  assert.ok(writes.includes(harness.project), writes.join(" "));
});

describe("no more is unknown than before", () => {
  const PLAIN = [
    'a=(1 2 3); for ((i = 0; i < ${#a[@]}; i++)); do echo "${a[$i]} ${a[i]}"; done',
    'n=$(wc -l < seed); [[ $n -gt 3 ]] && echo "$((n + 1))"',
    's=abcdef; echo "${s:1:2} ${s: -1} ${s:${#s}-1}"',
    'declare -A m; m[src/app.js]=1; k=src/app.js; echo "${m[$k]} ${m[a b]}"',
    'args=("$@"); echo "${args[@]:1}"',
    "trap 'kill 0' EXIT; trap 'echo stopped' INT TERM; npm test",
    "n=0; trap 'n=1' INT; echo \"$n\"",
    "echo x > /dev/stderr; echo x | tee /dev/stderr; echo x >&2 | tee /dev/fd/2",
    "cat < seed > /dev/stdout; cat /dev/stdin < seed; exec 3< seed; cat <&3; exec 3<&-",
    "cd src/deep && cd .. && pwd -P && cd -P .. && ls",
    "complete -F _git g; shopt -s expand_aliases; alias ll='ls -l'; compgen -c | head",
    "while :; do exec {n}< seed; cat <&$n; exec {n}<&-; break; done",
    "re='^[a-z]+$'; for f in src/*.js; do i=$((i + 1)); a[$i]=$f; [[ $f =~ $re ]] && echo \"${a[$i]} ${a[i]}\"; done",
    "cat src/../seed; grep -rn x docs/../src | head",
  ];
  test("in commands that hide nothing", async () => {
    for (const command of PLAIN) {
      using harness = new ShellHarness();
      const { writes, unknown } = await harness.read(command);
      assert.deepEqual({ writes, unknown }, { writes: [], unknown: [] }, command);
    }
  });
});
