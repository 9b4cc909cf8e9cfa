import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rule } from "../contract.ts";
import type { SkillError } from "../errors/skill-error.ts";
import type { Subject } from "../plugin.ts";
import { LOG } from "../ports/log.ts";
import { PHASES, type PhaseChange, type Phases } from "../ports/phases.ts";
import { fixtureCommand, fixtureHost, fixtureSkill, ruleClass } from "../testing/fixture-skills.ts";
import { memoryLog } from "../testing/memory-log.ts";
import type { Audit } from "./options.ts";

const CHANGE: PhaseChange = { folder: "/shop", session: "late-total", from: "early", to: "late" };

/** A skill whose command `move` changes its phase, with these rules; `judge` is the code of those with a handler. */
function moving(
  rules: Readonly<Record<string, Rule>>,
  judge: (subject: Subject) => unknown = () => undefined,
) {
  class Move {
    static readonly inject = [PHASES];
    constructor(readonly phases: Phases) {}
    readonly run = async (input: unknown) => {
      await this.phases.change(input as PhaseChange);
      return {};
    };
  }
  const handled = Object.entries(rules).filter(([, { handler }]) => handler);
  const code = {
    commands: { move: Move },
    rules: Object.fromEntries(handled.map(([name]) => [name, ruleClass(judge)])),
  };
  const commands = { move: fixtureCommand("mover") };
  const neighbour = fixtureSkill("neighbour", {
    rules: { deaf: { tell: "Hears its own.", on: ["phase.enter", "phase.leave"], decision: "deny" } },
  });
  const kept: string[] = [];
  const audit: Audit = { record: ({ id }) => kept.push(id) };
  const log = memoryLog();
  const host = fixtureHost([fixtureSkill("mover", { commands, rules, code }), neighbour], { audit, log });
  const move = (change: PhaseChange) => host.run({ skill: "mover", command: "move", input: change });
  return { log, move, kept };
}

const both = (parts: Partial<Rule>): Rule => ({
  tell: "It is told.",
  on: ["phase.enter", "phase.leave"],
  ...parts,
});

test("leaving a phase is judged before entering one, with the folder, the session, the skill and the new phase", async () => {
  const seen: Subject[] = [];
  const { move } = moving({ watch: both({ handler: true }) }, (subject) => {
    seen.push(subject);
    return { decision: "allow" };
  });
  await move(CHANGE);
  await move({ folder: "/shop", to: "early" });
  await move({ folder: "/shop", from: "late" });
  const rest = { surface: "host", skill: "mover", cwd: "/shop" };
  const input = { from: "early", to: "late" };
  assert.deepEqual(seen, [
    { event: "phase.leave", name: "early", input, ...rest, session: "late-total" },
    { event: "phase.enter", name: "late", input, ...rest, session: "late-total" },
    { event: "phase.enter", name: "early", input: { to: "early" }, ...rest },
    { event: "phase.leave", name: "late", input: { from: "late" }, ...rest },
  ]);
});

test("a denial of leaving ends the change with its code, rule and evaluation, before entering is asked", async () => {
  const leaving = both({ on: ["phase.leave"], decision: "deny", message: "Stay.", agentMessage: "Do stay." });
  const { move, kept } = moving({ stay: leaving, watch: both({ on: ["phase.enter"], handler: true }) }, () =>
    assert.fail("entering was asked"),
  );
  await assert.rejects(move(CHANGE), (caught: SkillError) => {
    assert.deepEqual([caught.code, caught.message], ["GUARD_DENIED", "Stay."]);
    assert.deepEqual([caught.hint, caught.evaluation], ["Rule: mover/stay. Do stay.", kept[0]]);
    return true;
  });
});

test("a question and a broken handler end the change too", async () => {
  const asks = moving({ ask: both({ decision: "ask" }) });
  await assert.rejects(asks.move(CHANGE), { code: "GUARD_ASKS" });
  const broken = moving({ broken: both({ handler: true }) }, () => assert.fail("broken"));
  await assert.rejects(broken.move(CHANGE), { code: "GUARD_FAILED" });
});

test("a warning goes to the log, and the change continues", async () => {
  const { log, move } = moving({ mind: both({ on: ["phase.enter"], decision: "warn", message: "Mind." }) });
  assert.deepEqual(await move(CHANGE), {});
  assert.deepEqual(log.notices, ["Mind."]);
});

test("a change is made without an evaluation if no rule is registered for it", async () => {
  const { move, kept } = moving({});
  assert.deepEqual(await move(CHANGE), {});
  assert.deepEqual(kept, []);
});

test("the handler of a rule may use services of its plugin while a command of that plugin waits for it", async () => {
  const lines: string[] = [];
  class Rule {
    static readonly inject = [LOG, PHASES];
    constructor(
      readonly log: unknown,
      readonly phases: Phases,
    ) {}
    readonly judge = async ({ name }: Subject) => {
      lines.push(`asked of ${name}`);
      return { decision: "allow" };
    };
  }
  class Move {
    static readonly inject = [PHASES];
    constructor(readonly phases: Phases) {}
    readonly run = async () => {
      await Promise.all([this.phases.change(CHANGE), this.phases.change(CHANGE)]);
      return {};
    };
  }
  const skill = fixtureSkill("mover", {
    commands: { move: fixtureCommand("mover") },
    rules: { watch: both({ on: ["phase.leave"], handler: true }) },
    code: { commands: { move: Move }, rules: { watch: Rule } },
  });
  await fixtureHost([skill]).run({ skill: "mover", command: "move", input: {} });
  assert.deepEqual(lines, ["asked of early", "asked of early"]);
});
