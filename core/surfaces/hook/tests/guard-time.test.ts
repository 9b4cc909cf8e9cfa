/** `skillctl guard` answers in time for every rule, plugin and file of a project. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { program } from "../../../../contract-tests/command-line.ts";
import { ownFolder } from "../../../../contract-tests/doors-harness.ts";
import { createTestHost } from "skillctl/testing";
import { fixtureSkill } from "../../../testing/fixture-skills.ts";
import { writeSkill } from "../../cli/fixture-command-line.ts";

const EVENT = {
  session_id: "s",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: `echo ${"a".repeat(60)}!` },
};
const RULE = { tell: "It is judged.", on: ["tool.pre"], handler: true };

/** A program that has not answered by then counts as stuck. */
const NEVER_MS = 60_000;

/** The answer of the program to an event in its own folder. */
function judgedEvent(t: TestContext, event: object) {
  return answered(t, async () => ({}), event);
}

/** The answer of the program in its own folder, which is prepared first; `prepare` returns variables. */
async function answered(
  t: TestContext,
  prepare: (folder: string) => Promise<Readonly<Record<string, string>>>,
  event: object = EVENT,
) {
  const folder = await ownFolder(t);
  const child = program(["guard", "--dialect", "claude-code"], folder, {
    variables: { SKILLCTL_GUARD_TIMEOUT: "", ...(await prepare(folder)) },
  });
  let [out, err] = ["", ""];
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stdin.end(JSON.stringify({ ...event, cwd: folder }));
  const never = setTimeout(() => child.kill("SIGKILL"), NEVER_MS);
  const status = await new Promise((resolve) => child.on("close", resolve));
  clearTimeout(never);
  return { status, out, err };
}

const HANGS: Readonly<Record<string, (folder: string) => Promise<Readonly<Record<string, string>>>>> = {
  // The default limit is 4 s.
  "a handler that loops without end": async (folder) => {
    const code = `export default { commands: { greet: class {} }, rules: { loop: class { judge() { for (;;); } } } };`;
    const skill = await writeSkill(folder, "looping", { manifest: { rules: { loop: RULE } }, code });
    return { SKILLCTL_PLUGINS: skill };
  },
  "a plugin that loops while it is loaded": async (folder) => {
    const skill = await writeSkill(folder, "looping", {
      manifest: { rules: { loop: RULE } },
      code: "for (;;);",
    });
    return { SKILLCTL_PLUGINS: skill, SKILLCTL_GUARD_TIMEOUT: "1" };
  },
};

test("a handler and a plugin that never end deny", async (t) => {
  const all = Object.entries(HANGS).map(async ([what, prepare]) => {
    const { status, err } = await answered(t, prepare);
    assert.equal(status, 2, what);
    assert.match(
      err,
      what.startsWith("a handler") ? /: no answer came within 4 s\./ : /: no answer came within 1 s\./,
    );
  });
  await Promise.all(all);
});

test(
  "a skillctl.json that is a pipe is named and not waited for",
  { skip: process.platform === "win32" },
  async (t) => {
    const { status, err } = await answered(t, async (folder) => {
      execFileSync("mkfifo", [join(folder, "skillctl.json")]);
      return {};
    });
    assert.deepEqual([status, /is not a regular file\. It is ignored/.test(err)], [0, true], err);
  },
);

test("a client that never closes standard input is answered in time, whether it sends nothing or half an event", async (t) => {
  const folder = await ownFolder(t);
  const answers = ["", '{"hook_event_name":'].map(async (text) => {
    const variables = { SKILLCTL_GUARD_TIMEOUT: "2" };
    const child = program(["guard", "--dialect", "claude-code"], folder, { variables });
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (more: string) => (err += more));
    child.stdin.write(text);
    const never = setTimeout(() => child.kill("SIGTERM"), NEVER_MS);
    const [status, signal] = await new Promise<readonly unknown[]>((resolve) =>
      child.on("close", (...end) => resolve(end)),
    );
    clearTimeout(never);
    assert.match(err, /cannot be judged: no answer came within 2 s\./);
    // Nothing else ends a process that has a thread in a read; a hook's command turns this end into status 2.
    assert.deepEqual([status, signal], [null, "SIGKILL"]);
  });
  await Promise.all(answers);
});

/** For 60 letters and another character, this pattern tries more ways than the time allows. */
const SLOW = {
  on: ["tool.pre", "command.pre"] as const,
  decision: "ask" as const,
  message: "Slow.",
  when: {
    type: "object",
    anyOf: ["command", "name"].map((key) => ({
      required: [key],
      properties: { [key]: { type: "string", pattern: "^(echo )?(a+)+$" } },
    })),
  },
};
const TOLD = /The rule \w+\/(?:slow|rule-1) failed to decide: its `when` took longer than 1000 ms\./;

test("a pattern that backtracks without end denies, in a project by hook and in a skill over HTTP, and the server continues", async (t) => {
  const { out } = await answered(t, async (folder) => {
    await writeFile(join(folder, "skillctl.json"), JSON.stringify({ rules: { slow: SLOW } }));
    return {};
  });
  assert.match(out, /"permissionDecision":"deny"/);
  assert.match(out, TOLD);
  await using place = await createTestHost({
    skills: [fixtureSkill("slow", { rules: { slow: { ...SLOW, on: [...SLOW.on], tell: "Slow." } } })],
  });
  const { url } = await place.serve();
  const decided = async (command: string) => {
    const body = JSON.stringify({ event: "tool.pre", surface: "hook", tool: "shell", command });
    const headers = { "content-type": "application/json" };
    return (await (await fetch(`${url}/v1/guard`, { method: "POST", headers, body })).json()) as {
      readonly decision: string;
      readonly message?: string;
    };
  };
  const hung = await decided(EVENT.tool_input.command);
  assert.equal(hung.decision, "deny");
  assert.match(hung.message ?? "", TOLD);
  assert.equal((await decided("npm test")).decision, "allow");
  assert.equal((await decided("echo aaa")).decision, "ask");
});

/** Each part names the next one twice, so that a request is checked 2^40 times. */
const PARTS = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => {
    const next = { $ref: `#/$defs/p${index + 1}` };
    return [`p${index}`, { allOf: [next, next] }];
  }),
);
const ENDLESS: Readonly<Record<string, readonly [when: object, told: RegExp]>> = {
  "parts that multiply": [
    { $defs: { ...PARTS, p40: { type: "object" } }, $ref: "#/$defs/p0" },
    /The rule workspace\/rule-1 failed to decide: its `when` took longer than 1000 ms\./,
  ],
  "more patterns than can be compiled in time": [
    { anyOf: Array.from({ length: 60_000 }, (_, index) => ({ required: [`p${index}`] })) },
    /skillctl\.json of this folder cannot be used: the `when` of its rules have more than 32768 characters/,
  ],
};

test("a rule without a pattern in an untrusted folder denies if it takes too long", async (t) => {
  for (const [what, [when, told]] of Object.entries(ENDLESS)) {
    const { status, out } = await answered(t, async (folder) => {
      const slow = { on: ["tool.pre"], decision: "deny", message: "Slow.", when };
      await writeFile(join(folder, "skillctl.json"), JSON.stringify({ rules: { slow } }));
      return {};
    });
    assert.equal(status, 0, what);
    assert.match(out, told, what);
  }
});

const MIB = 1024 * 1024;
const deep = (depth: number): unknown => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);
/** A path of as many short names as a path may have, different from every other. */
const long = (index: number): string => Array.from({ length: 700 }, (_, at) => `${index}${at % 7}`).join("/");

/** Events that cost far more work than their size suggests, and whether they are denied. */
const COSTLY: Readonly<Record<string, readonly [tool: string, input: object, isDenied: boolean]>> = {
  "999 paths of many missing folders": [
    "Read",
    { paths: Array.from({ length: 999 }, (_, index) => long(index)) },
    true,
  ],
  "1,001 paths": ["mcp__a__b", { paths: Array.from({ length: 1_001 }, (_, index) => `/a/${index}`) }, true],
  "a path of a million folders": ["Read", { file_path: "a/".repeat(MIB / 2) }, true],
  "a path of a million steps up": ["Read", { file_path: "../".repeat(MIB / 3) }, false],
  "an input of a thousand levels": ["mcp__a__b", { a: deep(1_000) }, true],
  "8 MiB of separators": ["mcp__a__b", { a: "/".repeat(7 * MIB) }, false],
  "a million short strings": ["mcp__a__b", { a: Array.from({ length: MIB / 4 }, () => "ab") }, false],
  "a million words beside a folder": ["mcp__a__b", { cwd: "/tmp", a: "a b ".repeat(MIB) }, false],
  "8 MiB of addresses": ["WebFetch", { url: "http://a.b/%2e%2e/".repeat(MIB / 4) }, false],
  "8 MiB of a file address": ["mcp__a__b", { a: `file://${"%41".repeat(MIB)}` }, false],
  "a patch of a million files": [
    "apply_patch",
    { patch: `*** Begin Patch\n${"*** Update File: a\n".repeat(MIB / 4)}` },
    false,
  ],
  "8 MiB of capitals": ["Write", { file_path: "a.md", content: "İ".repeat(3 * MIB) }, false],
};

test("events whose work exceeds their size are answered within the limit", async (t) => {
  for (const [what, [tool_name, tool_input, isDenied]] of Object.entries(COSTLY)) {
    let least = Infinity;
    // The shortest of three times counts, since other programs slow the processor down.
    for (let time = 0; time < 3 && least >= 3_000; time += 1) {
      const start = performance.now();
      const { status, err } = await judgedEvent(t, { ...EVENT, tool_name, tool_input });
      least = Math.min(least, performance.now() - start);
      assert.equal(status, isDenied ? 2 : 0, `${what}: ${err}`);
      assert.doesNotMatch(err, /no answer came/, what);
    }
    assert.ok(least < 3_000, `${what}: ${Math.round(least)} ms`);
  }
});
