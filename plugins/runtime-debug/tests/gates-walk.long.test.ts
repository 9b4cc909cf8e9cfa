/** What SKILL.md has an agent do, step by step, is never stopped by the rules. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { State } from "../session/steps.ts";
import { entryOf, placed } from "./session-harness.ts";
import { agentIn, SESSION } from "./gates-harness.ts";
import { noGit } from "./worktree-harness.ts";

const RUN = "skillctl run runtime-debug";
const HYPOTHESIS = `'[{"text":"It is cut","refutedBy":"the log","observe":"total.js:3","likelihood":"high","effort":"low"}]'`;
const VERDICT = `'[{"hypothesis":"A","verdict":"confirmed","lines":"#3, #6","because":"it grows by 11"}]'`;
/** What can be done at any step. */
const ALWAYS = [
  `${RUN} status`,
  `${RUN} logs ${SESSION} --format summary`,
  `${RUN} doctor ${SESSION}`,
  `${RUN} answer D --session ${SESSION}`,
  `${RUN} check --staged`,
  "node total.js",
  "git status && git diff --stat",
  "grep -rn sum . | head -n 5",
  "curl -s http://localhost:3000/orders",
];
const STEPS: Readonly<Partial<Record<State, readonly string[]>>> = {
  observing: [`${RUN} hypothesize --hypotheses ${HYPOTHESIS}`, `${RUN} answer A --note "Node 20"`],
  instrumenting: [
    `${RUN} probe --hypothesis A --point line-sum --data sum --apply total.js:4`,
    `npx ${RUN} check ${SESSION}`,
  ],
  reproducing: [
    `${RUN} answer A`,
    `${RUN} answer B --note "not here"`,
    `${RUN} probe --hypothesis A --point x`,
  ],
  judging: [`${RUN} logs ${SESSION} --hypothesis-id A --last 20`, `${RUN} judge --verdicts ${VERDICT}`],
  fixing: [
    "sed -i 's/index = 1/index = 0/' total.js",
    "git stash && git stash pop",
    `${RUN} fix "It begins with the first."`,
  ],
  verifying: [`${RUN} compare`, `${RUN} verify`],
  confirming: [`${RUN} answer A`, `${RUN} answer B`],
};

test("every step of the skill passes its own rules", { skip: noGit }, async (t) => {
  const agent = await agentIn(t);
  const entry = await entryOf(agent, SESSION);
  for (const [state, commands] of Object.entries(STEPS)) {
    await placed(agent, state as State, { ...entry, state: state as State });
    for (const command of [...commands, ...ALWAYS]) {
      const { decision, text } = await agent.bash(command);
      assert.equal(decision, "allow", `${state}: ${command}\n${text}`);
    }
    const { decision } = await agent.asks("Read", { file_path: join(agent.root, "total.js") });
    assert.equal(decision, "allow");
    assert.equal((await agent.asks("AskUserQuestion", { questions: [] })).decision, "allow");
  }
  await placed(agent, "cleaning", { ...entry, state: "cleaning", outcome: "fixed" });
  for (const command of [`${RUN} cleanup --report ../report.md`, `${RUN} cleanup --accept total.js:3`])
    assert.equal((await agent.bash(command)).decision, "allow", command);
});
