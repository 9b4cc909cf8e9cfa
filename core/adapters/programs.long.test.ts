import assert from "node:assert/strict";
import { chmod, mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { SkillError } from "../errors/skill-error.ts";
import type { ProgramEnd, ProgramRun } from "../ports/programs.ts";
import { folderFor } from "./fixture-folder.ts";
import { nodePrograms } from "./programs.ts";

const SHELL = "/bin/sh";

function programsWith(variables: Readonly<Record<string, string>> = {}, workingFolder = tmpdir()) {
  const all: Readonly<Record<string, string>> = { PATH: process.env["PATH"] ?? "", ...variables };
  return nodePrograms({
    variable: (name) => all[name] || undefined,
    home: tmpdir(),
    workingFolder,
    stateFolder: tmpdir(),
    addresses: () => [],
  });
}

/** Runs a shell script as the program. */
const say = (script: string, more: Partial<ProgramRun> = {}): Promise<ProgramEnd> =>
  programsWith().run({ program: SHELL, args: ["-c", script], timeoutMs: 30_000, ...more });

/** Runs a script into its time-out, which is doubled until the script has written its first output. */
async function begun(script: string, timeoutMs = 300): Promise<ProgramEnd> {
  const end = await say(script, { timeoutMs });
  return /^(?:begun|\d)/.test(end.out) ? end : begun(script, 2 * timeoutMs);
}

async function failure(run: Promise<unknown>): Promise<SkillError> {
  const caught: unknown = await run.catch((error: unknown) => error);
  assert.ok(caught instanceof SkillError, inspect(caught));
  return caught;
}

/** Whether a process still exists. */
function lives(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

async function gone(id: number): Promise<void> {
  while (lives(id)) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe(
  "programs",
  { skip: process.platform === "win32" && "the programs of these tests are scripts" },
  () => {
    test("a program is found in the first folder of PATH that has an executable file of that name", async (t) => {
      const folder = await realpath(folderFor(t).path);
      for (const name of ["folder", "plain", "first", "second", "here"]) await mkdir(join(folder, name));
      await mkdir(join(folder, "folder", "tool"));
      await writeFile(join(folder, "plain", "tool"), "", { mode: 0o644 });
      for (const name of ["second", "here"]) await writeFile(join(folder, name, "tool"), "", { mode: 0o755 });
      await symlink(join(folder, "second", "tool"), join(folder, "first", "tool"));
      const path = ["here", "", ".", "missing", "folder", "plain", "first", "second"];
      const absolute = path.map((name, index) => (index < 3 ? name : join(folder, name)));
      const find = (PATH: readonly string[], name = "tool") =>
        programsWith({ PATH: PATH.join(":") }, folder).find(name);
      assert.equal(await find(absolute), join(folder, "first", "tool"));
      await chmod(join(folder, "second", "tool"), 0o644);
      assert.equal(await find(absolute), undefined);
      assert.equal(await find([join(folder, "here")], "other"), undefined);
      assert.equal(await find([join(folder, "first")], "../here/tool"), undefined);
      assert.equal(await find([]), undefined);
    });

    test("arguments and input arrive unchanged without a shell, and the output is decoded as UTF-8", async () => {
      const args = ["-c", 'printf "%s|" "$@"; cat', "sh", "a b", "$(id)", "*", "", "größe", "--x=1"];
      const { status, out } = await programsWith().run({
        program: SHELL,
        args,
        input: "世界\n",
        timeoutMs: 30_000,
      });
      assert.deepEqual([status, out], [0, "a b|$(id)|*||größe|--x=1|世界\n"]);
    });

    test("lines of standard error are passed on as they arrive", async () => {
      const controller = new AbortController();
      const notes: string[] = [];
      const note = (line: string): void => {
        notes.push(line);
        // The program waits here until the line arrives: if lines came at its end only, the test would hang.
        if (line === "second") controller.abort();
      };
      const run = say("printf 'first\\r\\n\\nsec' >&2; sleep 0.05; printf 'ond\\n' >&2; exec sleep 30", {
        note,
        signal: controller.signal,
      });
      assert.equal((await failure(run)).code, "CANCELLED");
      assert.deepEqual(notes, ["first", "", "second"]);
    });

    test("an overlong line of standard error is dropped, and an unterminated last line is passed on", async () => {
      const notes: string[] = [];
      const script = "head -c 20000 /dev/zero | tr '\\0' x >&2; printf '\\nlast' >&2";
      await say(script, { note: (line) => void notes.push(line) });
      assert.deepEqual(
        notes.map((line) => line.length),
        [1, 4],
      );
    });

    test("a program may write 1 MiB; one that writes more is killed", async () => {
      const whole = await say("head -c 1048576 /dev/zero");
      assert.deepEqual([whole.status, whole.out.length], [0, 1_048_576]);
      const error = await failure(say("exec cat /dev/zero"));
      assert.deepEqual(
        [error.code, error.message, error.file],
        ["PROGRAM_FAILED", "/bin/sh writes more than 1048576 bytes.", SHELL],
      );
      assert.ok(error.hint);
    });

    test("a program that exceeds its time limit is terminated, and its output is returned without a status", async () => {
      const trapped = "trap 'echo bye; exit 0' TERM; echo begun; while :; do sleep 0.02; done";
      assert.deepEqual(await begun(trapped), { status: undefined, out: "begun\nbye\n" });
    });

    test("a program that ignores the termination signal is killed", async () => {
      const { status, out } = await begun("trap '' TERM; echo $$; while :; do sleep 0.02; done");
      assert.equal(status, undefined);
      assert.equal(lives(Number(out)), false);
    });

    test("the caller can cancel a program before it starts and while it runs", async (t) => {
      const mark = folderFor(t).file("mark");
      const before = await failure(say(`touch ${mark}`, { signal: AbortSignal.abort() }));
      assert.equal(before.code, "CANCELLED");
      await assert.rejects(writeFile(mark, "", { flag: "r+" }), { code: "ENOENT" });
      const controller = new AbortController();
      const id = await new Promise<number>((resolve) => {
        const note = (line: string): void => {
          resolve(Number(line));
          controller.abort();
        };
        void failure(say("echo $$ >&2; exec sleep 30", { signal: controller.signal, note })).then(
          ({ code }) => assert.equal(code, "CANCELLED"),
        );
      });
      await gone(id);
    });

    test("a program inherits the usual variables and the named ones only", async () => {
      const variables = {
        LANG: "de",
        HTTPS_PROXY: "http://p",
        SVC_HEADER_TOKEN: "s3cret",
        NODE_OPTIONS: "--x",
        MINE: "m",
      };
      const run = (more: readonly string[]): Promise<ProgramEnd> =>
        programsWith(variables).run({
          program: "/usr/bin/env",
          args: [],
          variables: more,
          timeoutMs: 30_000,
        });
      const names = async (more: readonly string[]): Promise<readonly string[]> =>
        (await run(more)).out
          .split("\n")
          .filter(Boolean)
          .map((line) => line.split("=", 1)[0] as string)
          .sort();
      assert.deepEqual(await names([]), ["HTTPS_PROXY", "LANG", "PATH"]);
      assert.deepEqual(await names(["MINE", "MISSING"]), ["HTTPS_PROXY", "LANG", "MINE", "PATH"]);
      assert.match((await run(["MINE"])).out, /^MINE=m$/m);
    });

    test("a variable with a value of its own replaces the inherited one", async () => {
      const environment = { LANG: "C", OWN: "" };
      const run = { program: "/usr/bin/env", args: [], environment, timeoutMs: 30_000 };
      const { out } = await programsWith({ LANG: "de", OWN: "x" }).run(run);
      assert.match(out, /^LANG=C$/m);
      assert.match(out, /^OWN=$/m);
    });

    test("a program runs in the given folder, and its input and output are bytes without a size limit", async (t) => {
      const folder = await realpath(folderFor(t).path);
      const chunks: Uint8Array[] = [];
      const input = Buffer.alloc(3_000_000, 0xff);
      const { status, out } = await say("pwd; cat", {
        folder,
        input,
        take: (bytes) => void chunks.push(bytes),
      });
      assert.deepEqual([status, out], [0, ""]);
      assert.ok(Buffer.concat(chunks).equals(Buffer.concat([Buffer.from(`${folder}\n`), input])));
    });

    test("a background child of a program does not delay its result", async () => {
      const notes: string[] = [];
      const { status, out } = await say("sleep 30 & echo $!; echo note >&2; exit 4", {
        note: (line) => void notes.push(line),
      });
      const left = Number(out);
      assert.deepEqual([status, notes, lives(left)], [4, ["note"], true]);
      process.kill(left);
    });

    test("a program that cannot be run is reported with its path and the reason", async (t) => {
      const folder = await realpath(folderFor(t).path);
      await writeFile(join(folder, "plain"), "", { mode: 0o644 });
      const cases = [
        [join(folder, "missing"), [], "ENOENT"],
        [join(folder, "plain"), [], "EACCES"],
        [SHELL, ["x".repeat(3_000_000)], "E2BIG"],
        [SHELL, ["a\0b"], "ERR_INVALID_ARG_VALUE"],
      ] as const;
      for (const [program, args, reason] of cases) {
        const error = await failure(programsWith().run({ program, args, timeoutMs: 30_000 }));
        assert.deepEqual(
          [error.code, error.message, error.file],
          ["PROGRAM_FAILED", `${program} cannot be run (${reason}).`, program],
        );
      }
    });
  },
);
