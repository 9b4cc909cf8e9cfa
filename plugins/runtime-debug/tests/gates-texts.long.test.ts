/** What the gates say to people and models: short, once, and with the reason that is the real one. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { noGit } from "./worktree-harness.ts";
import { agentIn } from "./gates-harness.ts";

async function told(agent: Awaited<ReturnType<typeof agentIn>>, command: string): Promise<string> {
  const { text } = await agent.bash(command);
  return text;
}

describe("what the gates say", { skip: noGit }, () => {
  test("a refusal is not a page: it names the call, the rule and where to look, and no template", async (t) => {
    const agent = await agentIn(t, { hypotheses: false });
    const commands = ["echo x > total.js", "echo x > helper.js", "rm debug-sum-is-wrong.md"];
    for (const command of commands) {
      const decision = await agent.host.host.guard.decide({
        event: "tool.pre",
        surface: "hook",
        tool: "shell",
        name: "Bash",
        command,
        cwd: agent.root,
      });
      const { agentMessage = "" } = decision;
      assert.equal(decision.decision, "deny");
      assert.doesNotMatch(agentMessage, /hypothesize|CAUSE|\{/, command);
      assert.match(agentMessage, /`skillctl run runtime-debug status` says what comes next\./, command);
      const bare = agentMessage.replaceAll(agent.root, "");
      assert.ok(bare.length < 300, `${command}: ${bare}`);
    }
  });

  test("what comes next is told once when a call breaks two rules", async (t) => {
    const agent = await agentIn(t);
    const { agentMessage = "", message = "" } = await agent.host.host.guard.decide({
      event: "tool.pre",
      surface: "hook",
      tool: "shell",
      name: "Bash",
      command: "echo x > total.js; echo y > helper.js",
      cwd: agent.root,
    });
    assert.match(agentMessage, /total\.js would be changed\..*\n.*helper\.js would be a new file\./);
    assert.equal(agentMessage.split("says what comes next").length, 2, agentMessage);
    assert.equal(message.split("step 4 of 11").length, 2, message);
  });

  test("a commit is told to wait, and not that .git belongs to git", async (t) => {
    const agent = await agentIn(t);
    for (const command of ["git commit --allow-empty -m x", "git checkout -b x"]) {
      const text = await told(agent, command);
      assert.doesNotMatch(text, /\.git belongs/, command);
      assert.match(text, /Commits and branches wait until the cause is known\./, command);
    }
    assert.match(
      await told(agent, "echo x >> .git/config"),
      /\.git\/config belongs to git, and stays as it is/,
    );
    assert.match(await told(agent, "rm -rf .git"), /\.git belongs to git, and stays as it is/);
  });
});
