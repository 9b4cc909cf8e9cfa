/** The rules of the core: agents cannot change the files and settings on which the guard depends. */
import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import type { HostedSkill } from "skillctl/host";
import { contractTests } from "skillctl/testing";
import { Catalog } from "../../../catalog.ts";
import type { OwnRule } from "../../../contract.ts";
import { Guard, type OwnRules } from "../../../guard.ts";
import { OWN_RULES, ownRules } from "../../../guard/own/own-rules.ts";
import type { Subject } from "../../../plugin.ts";
import { unreadFacts } from "../../../shell/unread.ts";
import { compilePredicate } from "../../../guard/predicate.ts";
import { runCli, ownFolder } from "../../cli/fixture-command-line.ts";
import { ROOT } from "../../../../contract-tests/harness.ts";

const STATE = "/home/ada/.local/state/skillctl";

/** Hosted like those of a skill, so that their tables are tried in the same ways. */
await contractTests({
  skills: [
    {
      manifest: {
        manifestVersion: 1,
        name: "own",
        version: "1.0.0",
        summary: "The rules of the core.",
        engines: { skillctl: "*" },
        rules: ownRules({ state: [STATE] }),
      } as unknown as HostedSkill["manifest"],
      folder: join(ROOT, "core", "guard", "own"),
      schemas: join(ROOT, "schemas", "core"),
      builtin: true,
      load: async () => ({ default: { commands: {} } }),
    },
  ],
  kinds: ["rules"],
});

const WRITE: Subject = {
  event: "tool.pre",
  surface: "hook",
  tool: "write",
  name: "Write",
  paths: ["/shop/skillctl.json"],
  urls: [],
  input: {},
};

const guardOf = (rules: OwnRules) => new Guard(new Catalog([]), { rule: () => assert.fail() }, { rules });

const SHELL: Subject = { ...WRITE, tool: "shell", name: "Bash", paths: [] };

test("no rule of any tier answers a question of the core", async () => {
  const yes: OwnRule = {
    on: ["tool.pre"],
    decision: "allow",
    message: "It may.",
    lifts: Object.keys(OWN_RULES).map((name) => `core/${name}`),
  };
  const rules: OwnRules = {
    workspace: { yes },
    user: { yes },
    operator: { yes },
    core: ownRules({ state: [STATE] }),
  };
  const guard = guardOf(rules);
  const { decision, rule } = await guard.decide(WRITE);
  assert.deepEqual([decision, rule], ["ask", "core/own-settings"]);
});

test("start-up files are those of the actual home folder, in any letter case", async () => {
  const guard = guardOf({ core: ownRules({ home: ["/data/ada+1"] }) });
  const decided = async (path: string) => (await guard.decide({ ...WRITE, paths: [path] })).decision;
  for (const path of ["/data/ada+1/.gitconfig", "/Data/ADA+1/.BashRC", "/data/ada+1/.config/git/config"])
    assert.equal(await decided(path), "ask", path);
  for (const path of ["/home/bob/.gitconfig", "/data/ada+1/shop/.npmrc", "/data/ada+1/.claude/plans/a.md"])
    assert.equal(await decided(path), "allow", path);
});

test("an edit of the running program's files is asked about, wherever the package is", async () => {
  const guard = guardOf({ core: ownRules({ program: ["/opt/skillctl"] }) });
  const decided = async (path: string) => (await guard.decide({ ...WRITE, paths: [path] })).rule;
  for (const path of ["/opt/skillctl", "/opt/skillctl/dist/skillctl.cjs", "/opt/SKILLCTL/bin/skillctl.cjs"])
    assert.equal(await decided(path), "core/program-files", path);
  for (const path of ["/opt/skillctl/notes.md", "/opt/skillctl2/dist/a.js", "/shop/dist/skillctl.cjs"])
    assert.equal(await decided(path), undefined, path);
});

test("the pattern of a state folder with any name matches that folder and nothing else", async () => {
  const folders = ["/tmp/a+b (1)/s.t|u$", "/x/[y]{z}^\\"];
  const rules = ownRules({ state: folders });
  for (const [name, { when }] of Object.entries(rules)) await compilePredicate(`core/${name}`, when ?? {});
  const guard = guardOf({ core: rules });
  const decided = async (path: string) => (await guard.decide({ ...WRITE, paths: [path] })).decision;
  for (const folder of folders) {
    assert.equal(await decided(folder), "deny");
    assert.equal(await decided(`${folder}/a/b`), "deny");
    assert.equal(await decided(`${folder}x`), "allow");
  }
  assert.equal(await decided("/tmp/aab 1/sxt"), "allow");
});

test("another letter case permits nothing on file systems that ignore case", async () => {
  const guard = guardOf({ core: ownRules({ state: [STATE] }) });
  const shell = { ...unreadFacts("x"), unknown: [], unread: [] };
  for (const [path, expected] of [
    ["/shop/.Claude/settings.json", "ask core/agent-settings"],
    ["/shop/.CLAUDE/Settings.Local.JSON", "ask core/agent-settings"],
    ["/shop/.Codex/HOOKS.json", "ask core/agent-settings"],
    ["/shop/.codex/Config.toml", "ask core/agent-settings"],
    ["/shop/.Cursor/hooks.json", "ask core/agent-settings"],
    ["/home/ada/.gemini/TrustedFolders.json", "ask core/agent-settings"],
    ["/shop/SkillCtl.json", "ask core/own-settings"],
    ["/Home/Ada/.local/State/skillctl/guard/dispatcher.sh", "deny core/guard-files"],
  ] as const) {
    const decided = async (subject: Subject) => {
      const { decision, rule } = await guard.decide(subject);
      return `${decision} ${rule}`;
    };
    assert.equal(await decided({ ...WRITE, paths: [path] }), expected, path);
    const said = { ...SHELL, command: "x", shell: { ...shell, writes: [path] } };
    assert.equal(await decided(said), expected, path);
  }
  const command = "python3 -c \"open('/home/ada/.Local/state/SkillCtl/a','w')\"";
  const asked = await guard.decide({ ...SHELL, command, shell: { ...shell, unknown: ["code"] } });
  assert.equal(asked.rule, "core/guard-files-unclear");
});

test("each rule is listed, and gives its reason in one sentence", () => {
  for (const [name, { tell, message, decision, on }] of Object.entries(OWN_RULES)) {
    assert.match(tell, /\.$/, name);
    assert.match(message ?? "", /\.$/, name);
    assert.deepEqual(on, ["tool.pre"], name);
    assert.ok(decision === "deny" || decision === "ask", name);
  }
});

test("calls that a hook reports are judged by the rules of the core, with the real state folder and links to it", async (t) => {
  const path = await ownFolder(t);
  await mkdir(join(path, "state", "guard"), { recursive: true });
  await symlink(join(path, "state"), join(path, "link"), "junction");
  await writeFile(join(path, "state", "guard", "dispatcher.sh"), "");
  const said = async (file: string): Promise<string> => {
    const event = {
      hook_event_name: "PreToolUse",
      session_id: "s",
      cwd: path,
      tool_name: "Write",
      tool_input: { file_path: file, content: "x" },
    };
    const standardInput = () => Readable.from([Buffer.from(JSON.stringify(event))]);
    const { out } = await runCli(path, ["guard", "--dialect", "claude-code"], { standardInput });
    return out === "" ? "" : (/"permissionDecision":"(\w+)"/.exec(out)?.[1] ?? out);
  };
  assert.equal(await said("state/guard/dispatcher.sh"), "deny");
  assert.equal(await said("link/guard/new.sh"), "deny");
  assert.equal(await said(join(path, "src", "..", "state")), "deny");
  assert.equal(await said(".claude/settings.json"), "ask");
  assert.equal(await said("skillctl.json"), "ask");
  assert.equal(await said("src/state.ts"), "");
  const told = await runCli(path, ["why"]);
  assert.match(told.out, /ask {2}core\/own-settings, version 2\n {8}Change skillctl\.json only/);
});

test("a tool that moves or removes the folder of an agent, or a folder above the state folder or the person's settings, is asked about", async () => {
  const guard = guardOf({ core: ownRules({ state: [STATE], home: ["/home/ada"] }) });
  const ruleOf = async (name: string, paths: readonly string[], text: string) =>
    (await guard.decide({ ...WRITE, tool: "mcp", name, paths: [...paths], text })).rule;
  const above = "/home/ada/.local";
  assert.equal(await ruleOf("mcp__fs__move_file", ["/home/ada/.config"], "source"), "core/guard-folder");
  assert.equal(await ruleOf("mcp__fs__move_file", [above], `source\n${above}`), "core/guard-folder");
  assert.equal(await ruleOf("mcp__fs__apply", [above], `op\nrename\npath\n${above}`), "core/guard-folder");
  assert.equal(await ruleOf("mcp__fs__deleteDirectory", ["/shop/.claude"], "path"), "core/agent-settings");
  assert.equal(await ruleOf("mcp__fs__list_directory", [above], `path\n${above}`), undefined);
});
