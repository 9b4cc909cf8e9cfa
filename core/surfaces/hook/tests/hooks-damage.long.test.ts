/** The command of a hook in every shell: whatever is wrong with the dispatcher, or with perl, the call is denied. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { nodeFiles } from "../../../adapters/files.ts";
import { PERL, hookCommand } from "../install/command.ts";
import { dispatcherFile } from "../warm/dispatcher.ts";

/** One sentence with what a person can type, and nothing of the shell's own. */
const WAY_OUT =
  /^skillctl guard denies this: [^\n]*skillctl hooks install or skillctl hooks remove, typed by a person\.\n$/;
const SHELLS = ["dash", "bash", "bash --posix", "busybox sh", "zsh", "ksh", "mksh", "yash", "fish"];

describe("the command of a hook denies", { skip: process.platform === "win32" }, () => {
  for (const shell of SHELLS)
    test(`in ${shell}`, async (t) => {
      const [program = "", ...flags] = shell.split(" ");
      const run = (command: string) =>
        spawnSync(program, [...flags, "-c", command], {
          cwd: "/",
          env: { PATH: process.env["PATH"], HOME: "/", PERL5OPT: "-Mnone", PERL_UNICODE: "7" },
          input: "{}",
          encoding: "utf8",
        });
      if (run("exit 5").status !== 5) return t.skip(`${shell} is not there`);
      const folder = await mkdtemp(join(tmpdir(), "skillctl-damage-"));
      t.after(() => rm(folder, { recursive: true, force: true }));
      const cold = join(folder, "cold.sh");
      await writeFile(cold, 'echo "$* $SKILLCTL_STATE" $PERL5OPT\ncat\n');
      const dispatcher = await dispatcherFile(folder, { own: ["/bin/sh", cold], files: nodeFiles });
      const whole = await readFile(dispatcher, "utf8");
      const parts = { dialect: "codex", dispatcher, state: "/some where" };
      const commands = [false, existsSync(PERL)].map((perl) => hookCommand({ ...parts, perl }));
      for (const one of commands) {
        const { status, stdout, stderr } = run(one);
        assert.equal(status, 0, stderr);
        assert.match(stdout, /^guard --dialect codex( --warm)? \/some where *\n\{\}$/);
      }
      const without = run(hookCommand({ ...parts, perl: true }).replaceAll(PERL, "/no/perl"));
      assert.equal(without.status, 2);
      assert.match(without.stderr, WAY_OUT);
      const damages: readonly (readonly [string, () => Promise<unknown>])[] = [
        ["its program ends with 64", () => writeFile(cold, "exit 64")],
        ["missing", () => rm(dispatcher)],
        ["a folder", () => mkdir(dispatcher)],
        ["empty", () => rm(dispatcher, { recursive: true }).then(() => writeFile(dispatcher, ""))],
        ["no script", () => writeFile(dispatcher, "if then (")],
        ["ends with 1", () => writeFile(dispatcher, "exit 1\n")],
        ["ends with 1 in perl", () => writeFile(dispatcher, "exit 1\n#!perl\ndie 1;")],
        ["no perl", () => writeFile(dispatcher, "exit 3\n#!perl\nexit 0 if (;")],
      ];
      for (const [what, make] of damages) {
        await make();
        for (const one of commands) {
          const { status, stderr } = run(one);
          assert.equal(status, 2, `${what}: ${one}: ${stderr}`);
          // Codex takes 2 for a denial only when something is said.
          if (one.includes(PERL)) assert.notEqual(stderr.trim(), "", what);
          if (["missing", "a folder", "empty"].includes(what))
            assert.match(stderr, WAY_OUT, `${what}: ${one}`);
        }
      }
      for (let length = 0; length < whole.indexOf("guard --dialect"); length += 97) {
        await writeFile(dispatcher, whole.slice(0, length));
        for (const one of commands) assert.equal(run(one).status, 2, `cut off at ${length}`);
      }
    });
});
