/** A broken skillctl.json or skill: calls are denied, and the file can still be corrected. */
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { foreignHarness, ownFolder } from "../../../../contract-tests/doors-harness.ts";
import { runCli } from "../../cli/fixture-command-line.ts";
import { AGENTS, EVENTS } from "../fixture-agents.ts";

const WRONG_EVENT = { tell: "Never greet.", on: ["tool.before"], decision: "deny" };

/** The events of agents that mark a second end of the turn. */
const AGAIN = { stop_hook_active: true, loop_count: 1 };
const ENDS: Readonly<Record<string, object>> = {
  ...Object.fromEntries(
    Object.entries(AGENTS).map(([name, { events }]) => [name, { ...events["turn.stop"], ...AGAIN }]),
  ),
  skillctl: { event: "turn.stop", surface: "hook", repeated: true },
};

test("a turn ends the second time even if the rules cannot be evaluated", async (t) => {
  const { guard } = await foreignHarness(t, { manifest: { rules: { never: WRONG_EVENT } } });
  for (const [dialect, event] of Object.entries(ENDS)) {
    const { status, out, err } = await guard(dialect, event);
    assert.deepEqual([status, err], [0, ""], `${dialect}: ${out}`);
    const stops = AGENTS[dialect as keyof typeof AGENTS]?.stopped ?? /"decision":"deny"/;
    assert.doesNotMatch(out, stops, dialect);
    if (dialect !== "cursor") assert.match(out, /cannot be judged: the skill sample was left out/, dialect);
    const first = EVENTS[dialect]?.["turn.stop"] ?? { event: "turn.stop", surface: "hook" };
    const asked = dialect === "skillctl" ? first : { ...first, stop_hook_active: false };
    const refused = await guard(dialect, asked);
    assert.match(refused.out, stops, dialect);
    assert.equal(refused.status, dialect === "skillctl" ? 70 : 0);
  }
  const unread = await guard("skillctl", { ...ENDS["skillctl"], more: true });
  assert.deepEqual([unread.status, /"decision":"warn"/.test(unread.out)], [0, true]);
});

test("a person at a terminal sees that an event is expected; an agent does not", async (t) => {
  const path = await ownFolder(t);
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
