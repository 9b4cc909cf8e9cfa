/** The decisions of the rules of the core on real commands, read by the shell reader in an existing home. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { placesOf } from "../../../adapters/disk-look.ts";
import { Catalog } from "../../../catalog.ts";
import { Guard } from "../../../guard.ts";
import { ownRules } from "../../../guard/own/own-rules.ts";
import type { Subject } from "../../../plugin.ts";
import { readShell } from "../../../shell/read-shell.ts";
import { ownFolder } from "../../cli/fixture-command-line.ts";

const DENIED = [
  "rm -rf ~/.local/state/skillctl",
  "echo x > $HOME/.local/state/skillctl/guard/audit.ndjson",
  "cd ~/.local/state && rm -r skillctl",
  "mv ~/.local/state/skillctl /tmp/elsewhere",
  "rm -rf ~/.local/state/skill*",
  "bash -c 'rm -rf ~/.local/state/skillctl'",
];
const ASKED = [
  "rm -rf ~/.local",
  "rm -rf ~/.config",
  "mv ~/.config /tmp/elsewhere",
  "rm -rf ~",
  "mv ~/.local/state /tmp/elsewhere",
  "chmod -R 000 ~/.local",
  'rm -rf "$SKILLCTL_STATE"',
  "echo '{}' > .claude/settings.json",
  "rm .claude/settings.json",
  "rm -rf .claude",
  "jq . .claude/settings.json | tee .claude/settings.local.json",
  "tee skillctl.json < a.txt",
  "skillctl hooks remove --client claude-code",
  "npx skillctl hooks remove --client codex",
  "skillctl hooks install --client claude-code --http http://127.0.0.1:9",
  "skillctl hooks install --client claude-code --http=http://127.0.0.1:9",
  "node /opt/skillctl/dist/skillctl.cjs hooks remove --client codex",
  "bash -c 'skillctl hooks remove --client codex'",
  "SKILLCTL_STATE=/tmp/z skillctl run runtime-debug start x",
  "env HOME=/tmp/z skillctl list",
  "export SKILLCTL_STATE=/tmp/z; skillctl list",
  "claude --bare -p 'edit src/a.ts'",
  "CODEX_HOME=/tmp/z codex exec 'edit src/a.ts'",
];
const ALLOWED = [
  "npm test",
  "npm ci && npm run build",
  "git status",
  "git add -A && git commit -m 'skillctl hooks remove'",
  "grep -rn hooks src | head",
  "cat ~/.local/state/skillctl/guard/audit.ndjson",
  "ls -la ~/.local/state",
  "cat .claude/settings.json",
  "mkdir -p .claude/commands",
  "rm -rf node_modules dist",
  "mkdir -p ~/.config && cp -r nvim ~/.config/nvim",
  "rm -rf ~/.config/nvim",
  "mv a.txt ~/b.txt",
  "find . -name '*.ts'",
  "skillctl hooks status",
  "skillctl run runtime-debug check",
  "HOME=/tmp npm ci",
  "echo skillctl hooks remove",
  "claude -p 'write react hooks'",
  "chmod +x build.sh",
];

describe("the decision about a shell command on the guard's own files", () => {
  for (const [decision, commands] of Object.entries({ deny: DENIED, ask: ASKED, allow: ALLOWED })) {
    test(decision, async (t) => {
      const home = await ownFolder(t);
      const state = join(home, ".local", "state", "skillctl");
      const cwd = join(home, "shop");
      for (const folder of [join(state, "guard"), join(cwd, ".claude"), join(cwd, "src")])
        await mkdir(folder, { recursive: true });
      for (const file of [join(cwd, ".claude", "settings.json"), join(cwd, "a.txt"), join(cwd, "build.sh")])
        await writeFile(file, "{}");
      const guard = new Guard(
        new Catalog([]),
        { rule: () => assert.fail() },
        {
          rules: { core: ownRules({ state: placesOf(state), home: [home] }) },
          shell: (command) => readShell(command, { cwd, home, places: [state] }),
        },
      );
      const subject = (command: string): Subject => ({
        event: "tool.pre",
        surface: "hook",
        tool: "shell",
        name: "Bash",
        cwd,
        command,
        paths: [],
        urls: [],
        input: { command },
      });
      const wrong: string[] = [];
      for (const command of commands) {
        const said = await guard.decide(subject(command));
        if (said.decision !== decision) wrong.push(`${command}: ${said.decision} ${said.rule ?? ""}`);
      }
      assert.deepEqual(wrong, []);
    });
  }
});
