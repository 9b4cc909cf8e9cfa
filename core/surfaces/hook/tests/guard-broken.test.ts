/** What a broken skillctl.json or skill does to an agent: it is denied, and can be mended and left all the same. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test, type TestContext } from "node:test";
import { runCli, temporaryFolder, writeSkill } from "../../cli/fixture-command-line.ts";
import { EVENTS } from "../fixture-agents.ts";

const WRONG_EVENT = { tell: "Never greet.", on: ["tool.before"], decision: "deny" };

/** A place with a skillctl.json, and how an agent's event is answered there. */
async function place(t: TestContext, text = "{}") {
  const { path, close } = await temporaryFolder();
  t.after(close);
  const file = join(path, "skillctl.json");
  await writeFile(file, text);
  const told = async (dialect: string, event: object, ...words: readonly string[]) => {
    const shown = await runCli(path, ["guard", "--dialect", dialect, ...words], {
      standardInput: () => Readable.from([Buffer.from(JSON.stringify({ cwd: path, ...event }))]),
    });
    return shown;
  };
  return { path, file, told };
}

const call = (tool_name: string, tool_input: object) => ({
  session_id: "s-1",
  hook_event_name: "PreToolUse",
  tool_name,
  tool_input,
});

const ENDS: Readonly<Record<string, object>> = {
  "claude-code": { hook_event_name: "Stop", stop_hook_active: true },
  codex: { hook_event_name: "Stop", stop_hook_active: true },
  gemini: { hook_event_name: "AfterAgent", stop_hook_active: true },
  cursor: { hook_event_name: "stop", status: "completed", loop_count: 1 },
  skillctl: { event: "turn.stop", surface: "hook", repeated: true },
};

test("a turn ends the second time although the rules cannot be asked", async (t) => {
  const { path, told } = await place(t);
  const skill = await writeSkill(path, "greeting", { manifest: { rules: { never: WRONG_EVENT } } });
  for (const [dialect, event] of Object.entries(ENDS)) {
    const { status, out, err } = await told(dialect, event, "--plugin", skill);
    assert.deepEqual([status, err], [0, ""], `${dialect}: ${out}`);
    assert.doesNotMatch(out, /"deny"|"block"|followup|"continue":false/, dialect);
    if (dialect !== "cursor") assert.match(out, /cannot be judged: the skill greeting was left out/, dialect);
    const first = EVENTS[dialect]?.["turn.stop"] ?? { event: "turn.stop", surface: "hook" };
    const asked = dialect === "skillctl" ? first : { ...first, stop_hook_active: false };
    const refused = await told(dialect, asked, "--plugin", skill);
    assert.match(refused.out, /"decision":"(deny|block)"|"followup_message"/, dialect);
    assert.equal(refused.status, dialect === "skillctl" ? 70 : 0);
  }
  const unread = await told("skillctl", { ...ENDS["skillctl"], more: true });
  assert.deepEqual([unread.status, /"decision":"warn"/.test(unread.out)], [0, true]);
});

test("a skill with a wrong rule: the denial says where and what to type", async (t) => {
  const { path, told } = await place(t);
  const skill = await writeSkill(path, "greeting", { manifest: { rules: { never: WRONG_EVENT } } });
  const manifest = join(skill, "skill.json");
  assert.match(await readFile(manifest, "utf8"), /tool\.before/);
  const denied = await told("claude-code", call("Bash", { command: "ls" }), "--plugin", skill);
  assert.equal(denied.status, 2);
  assert.match(
    denied.err,
    /the skill greeting was left out: .*\. Mend \S+skill\.json; `skillctl validate` shows every fault\./,
  );
});

test("who types the event is told what is waited for; an agent is not", async (t) => {
  const { path } = await place(t);
  const typed = (isTTY: boolean) =>
    runCli(path, ["guard", "--dialect", "codex"], {
      standardInput: () => Object.assign(Readable.from([Buffer.from("{}")]), { isTTY }),
    });
  assert.match(
    (await typed(true)).err,
    /^Waiting for one event as JSON on standard input .*\nskillctl guard denies/,
  );
  assert.match((await typed(false)).err, /^skillctl guard denies/);
});
