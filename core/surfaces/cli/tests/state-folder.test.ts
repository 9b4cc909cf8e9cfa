/** A state folder that cannot hold files, or whose files are pipes, devices or folders: each verb answers at once. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { program } from "../../../../contract-tests/command-line.ts";
import { ownFolder } from "../../../../contract-tests/doors-harness.ts";

/** Far longer than a start takes on a busy machine. */
const AT_ONCE_MS = 20_000;
const NOT_ON_WINDOWS = { skip: process.platform === "win32" };

async function place(t: TestContext, stateFolder?: string) {
  const folder = await ownFolder(t);
  await writeFile(join(folder, "skillctl.json"), '{ "rules": {} }');
  const state = stateFolder?.replace("HERE", folder) ?? join(folder, "state");
  const say = async (words: string, input = "") => {
    const child = program(words.split(" "), folder, { variables: { SKILLCTL_STATE: state } });
    const timer = setTimeout(() => child.kill("SIGKILL"), AT_ONCE_MS);
    child.stdin.on("error", () => undefined).end(input);
    let [out, err] = ["", ""];
    child.stdout.on("data", (text) => (out += String(text)));
    child.stderr.on("data", (text) => (err += String(text)));
    const status = await new Promise((resolve) => child.on("close", resolve));
    clearTimeout(timer);
    assert.notEqual(status, null, `skillctl ${words} does not end`);
    assert.doesNotMatch(out + err, /Unexpected failure|\n {4}at /, words);
    return { status, out, err };
  };
  const guard = (command: string) =>
    say(
      "guard --dialect claude-code",
      JSON.stringify({
        hook_event_name: "PreToolUse",
        session_id: "s",
        cwd: folder,
        tool_name: "Bash",
        tool_input: { command },
      }),
    );
  return { folder, state, say, guard };
}

/** An agent takes the exit status 2 for a denial. */
const DENIED = /^skillctl guard denies this, because it cannot be judged: \S+ cannot be listed/m;
const START = "run runtime-debug start Total --session total-wrong --expected 30 --actual 23";

describe("a state folder that cannot be made", NOT_ON_WINDOWS, () => {
  for (const [state, reason] of [
    ["/proc/skillctl", /\/proc\/skillctl\S* cannot be written \(ENOENT\)/],
    ["/dev/null/skillctl", /\/dev\/null\/skillctl\S* cannot be written \(ENOTDIR\)/],
    ["HERE/skillctl.json/state", /skillctl\.json\/state\S* cannot be written \(ENOTDIR\)/],
  ] as const)
    test(`ends commands that write there with a sentence: ${state}`, async (t) => {
      const { say, guard } = await place(t, state);
      for (const [words, status] of [
        ["trust", 73],
        ["hooks install --client claude-code", 73],
        ["serve --port 0", 73],
        ["doctor", 1],
      ] as const) {
        const shown = await say(words);
        assert.deepEqual(
          [shown.status, reason.test(shown.out + shown.err)],
          [status, true],
          `${words}: ${shown.err}`,
        );
      }
      const started = await say(START);
      assert.match(started.err, /^error: \S+ cannot be (written|listed).*\nhint: /m);
      const isMissing = state.startsWith("/proc");
      assert.deepEqual([started.status, (await say("why")).status], isMissing ? [73, 64] : [66, 66]);
      const asked = await guard("skillctl trust");
      if (isMissing) assert.match(asked.out, /"permissionDecision":"ask"/);
      assert.match(asked.err, isMissing ? /could not be recorded: \/proc\/skillctl/ : DENIED);
    });

  test("denies calls if it cannot be determined whether a session is open", async (t) => {
    const { guard } = await place(t, "/dev/null/skillctl");
    const { status, err } = await guard("echo x > a.js");
    assert.deepEqual([status, DENIED.test(err)], [2, true], err);
  });
});

describe("in the place of a file of the state folder", NOT_ON_WINDOWS, () => {
  const make: Readonly<Record<string, (path: string) => unknown>> = {
    "a pipe": (path) => execFileSync("mkfifo", [path]),
    "a device": (path) => symlink("/dev/zero", path),
    "a folder": (path) => mkdir(path),
  };
  for (const [what, put] of Object.entries(make)) {
    test(`${what} does not delay a decision of the guard, and \`why\` names it`, async (t) => {
      const { state, say, guard } = await place(t);
      await mkdir(join(state, "guard"), { recursive: true });
      const log = join(state, "guard", "audit.ndjson");
      await put(log);
      const asked = await guard("skillctl trust");
      assert.match(asked.out, /"permissionDecision":"ask"/);
      assert.match(asked.err, /could not be recorded: \S+audit\.ndjson/);
      for (const name of ["audit.ndjson", "audit.1.ndjson"]) {
        await rm(join(state, "guard"), { recursive: true });
        await mkdir(join(state, "guard"), { recursive: true });
        await put(join(state, "guard", name));
        const why = await say("why");
        assert.deepEqual([why.status, why.err.includes(`${name} cannot be read`)], [66, true], why.err);
      }
    });

    test(`with ${what} instead of session documents, calls that a session could forbid are denied`, async (t) => {
      const { state, guard } = await place(t);
      await mkdir(join(state, "documents", "runtime-debug-sessions"), { recursive: true });
      for (const path of ["documents/runtime-debug-sessions", "documents"]) {
        await rm(join(state, path), { recursive: true });
        await put(join(state, path));
        const { status, err } = await guard("echo x > a.js");
        assert.deepEqual([status, DENIED.test(err)], what === "a folder" ? [0, false] : [2, true], err);
      }
    });

    test(`${what} instead of a trust record is reported by --list, and the folder waits again`, async (t) => {
      const { state, say } = await place(t);
      assert.equal((await say("trust")).status, 0);
      const [name = ""] = await readdir(join(state, "trust"));
      await rm(join(state, "trust", name));
      await put(join(state, "trust", name));
      const list = await say("trust --list");
      assert.match(list.out, new RegExp(`^broken +\\S+${name}\n {2}\\S.*cannot be read`, "m"));
      await rm(join(state, "trust"), { recursive: true });
      if (what === "a folder") return;
      await put(join(state, "trust"));
      const all = await say("trust --list");
      assert.deepEqual([all.status, /trust cannot be read/.test(all.err)], [66, true], all.out);
    });
  }
});

test("doctor reports a pipe in place of the record of the program in one line", NOT_ON_WINDOWS, async (t) => {
  const { state, say } = await place(t);
  await say("hooks install --client claude-code");
  await rm(join(state, "program.json"));
  execFileSync("mkfifo", [join(state, "program.json")]);
  const shown = await say("doctor");
  assert.equal(shown.status, 1);
  assert.match(shown.out, /fail {2}\S+program\.json is not a regular file/);
});

test("folders without write access are reported, without waiting", NOT_ON_WINDOWS, async (t) => {
  if (process.getuid?.() === 0) return t.skip("root may write everywhere");
  const { state, say, guard } = await place(t);
  await mkdir(state);
  await chmod(state, 0o500);
  assert.match(
    (await guard("skillctl trust")).err,
    /could not be recorded: \S+audit\.ndjson cannot be written \(EACCES\)/,
  );
  assert.equal((await say("trust")).status, 73);
});
