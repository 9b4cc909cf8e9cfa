import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { ownFolder } from "../../../../contract-tests/doors-harness.ts";
import { runCli, writeSkill } from "../fixture-command-line.ts";

test("bash completes verbs, skills, and the commands, flags and values of a third-party skill", async (t) => {
  const home = await ownFolder(t);
  const mood = { type: "string", enum: ["glad", "sad", "$(touch mark)", "a b"] };
  const input = {
    type: "object",
    properties: { name: { type: "string" }, mood, twice: { type: "boolean" } },
  };
  const skill = await writeSkill(home, "loud", { schemas: { "greet-input": input } });
  const variables = { HOME: home, SKILLCTL_STATE: home };
  const { out } = await runCli(home, ["completion", "bash", "--plugin", skill], { variables });
  const completed = (...words: readonly string[]) =>
    execFileSync("bash", [
      "--norc",
      "-c",
      `${out}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _skillctl; echo "\${COMPREPLY[*]}"`,
      "bash",
      "skillctl",
      ...words,
    ])
      .toString()
      .trim();
  assert.equal(completed("comp"), "completion");
  assert.equal(completed("run", "lou"), "loud");
  assert.equal(completed("run", "loud", "gre"), "greet");
  assert.equal(completed("run", "loud", "greet", "--t"), "--twice");
  assert.equal(completed("run", "loud", "greet", "Ada", "--no"), "--no-twice");
  assert.equal(completed("run", "loud", "greet", "Ada", "--mood", ""), "glad sad");
  assert.ok(!out.includes("touch mark"));
  assert.equal(completed("hooks", "st"), "status");
  assert.equal(completed("export", "--client", "ge"), "gemini");
  for (const verb of ["export", "list", "mcp", "prompt", "serve"]) {
    assert.equal(completed(verb, "--wi"), "--without");
    assert.equal(completed(verb, "--only", "lo"), "loud");
  }
});

test("zsh and fish get a script each, and another shell is refused", async (t) => {
  const home = await ownFolder(t);
  const variables = { HOME: home, SKILLCTL_STATE: home };
  const say = (...words: readonly string[]) => runCli(home, ["completion", ...words], { variables });
  assert.match(
    (await say("zsh")).out,
    /^#compdef skillctl\n[^]*"hooks"\) compadd -- install status remove audit ;;/,
  );
  assert.match((await say("fish")).out, /case 'hooks'\n {6}string split ' ' 'install status remove audit'\n/);
  assert.match((await say("tcsh")).err, /Name a shell: bash, zsh or fish\./);
});

test("the flags of verbs are completed, and the values of those that have a list of them", async (t) => {
  const home = await ownFolder(t);
  const variables = { HOME: home, SKILLCTL_STATE: home };
  const { out } = await runCli(home, ["completion", "bash"], { variables });
  const completed = (...words: readonly string[]) =>
    execFileSync("bash", [
      "--norc",
      "-c",
      `${out}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _skillctl; echo "\${COMPREPLY[*]}"`,
      "bash",
      "skillctl",
      ...words,
    ])
      .toString()
      .trim();
  assert.equal(completed("serve", "--ke"), "--key-file");
  assert.equal(completed("serve", "--no-key", "--wa"), "--watch");
  assert.equal(completed("new", "greeting", "--t"), "--ts");
  assert.equal(completed("validate", "--"), "--fix");
  assert.equal(completed("test", "--format", "s"), "sarif");
  assert.equal(completed("test", ".", "--surface", ""), "cli http mcp");
  assert.equal(completed("serve", "--tools", ""), "all compact");
  assert.equal(completed("hooks", "install", "--scope", "u"), "user");
  assert.equal(completed("serve", "--key-file", ""), "", "a file is left to the shell");
  const say = (shell: string) => runCli(home, ["completion", shell], { variables });
  assert.match((await say("zsh")).out, /^ {4}"serve "\*"--key-file"\) _files ;;$/m);
  assert.match((await say("fish")).out, /^ {4}case 'serve \*--key-file'\n {6}return 1$/m);
  assert.match(
    (await say("fish")).out,
    /^ {4}case 'new \*'\n {6}string split ' ' '--dir --no-register --ts'$/m,
  );
});
