/** The evidence gate before the call: editors, tools of MCP servers and others, as Claude Code tells of them. */
import assert from "node:assert/strict";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { HYPOTHESES, placed } from "./session-harness.ts";
import { agentIn, agentOf, gatedProject, SESSION, type Agent } from "./gates-harness.ts";

/** A probe as the command prints it. */
async function probe(agent: Agent, input: object = {}): Promise<string> {
  await agent.collect(SESSION);
  const { region } = await agent.run("probe", {
    hypothesis: "A",
    point: "sum",
    lang: "javascript",
    ...input,
  });
  return (region as readonly string[]).map((line) => `${line}\n`).join("");
}

const LINE = "  return sum;\n";

async function edits(t: TestContext) {
  const agent = await agentIn(t);
  const file_path = join(agent.root, "total.js");
  const before = await readFile(file_path, "utf8");
  const region = await probe(agent);
  return { agent, file_path, before, region };
}

describe("the evidence gate [debug.gate.evidence] [debug.instrumentation.files]", () => {
  test("an editor may put in regions and nothing else", async (t) => {
    const { agent, file_path, before, region } = await edits(t);
    const own = region + LINE;
    const passes = [
      ["Edit", { file_path, old_string: LINE, new_string: own }],
      ["Write", { file_path, content: before.replace(LINE, own) }],
      ["Write", { file_path, content: before }],
      ["MultiEdit", { file_path, edits: [{ old_string: LINE, new_string: own }] }],
      ["mcp__files__edit_file", { path: file_path, edits: [{ oldText: LINE, newText: own }] }],
      ["Edit", { file_path: "./total.js", old_string: LINE, new_string: own }],
      [
        "Edit",
        { file_path, old_string: LINE, new_string: own.replace("// #endregion", "sum = 0;\n// #endregion") },
      ],
    ] as const;
    for (const [tool, input] of passes)
      assert.deepEqual(await agent.asks(tool, input), { decision: "allow", text: "" }, tool);
    const stops = [
      ["Edit", { file_path, old_string: "index = 1", new_string: "index = 0" }],
      ["Write", { file_path, content: before.replace("index = 1", "index = 0").replace(LINE, own) }],
      ["Write", { file_path, content: "" }],
      [
        "Edit",
        {
          file_path,
          old_string: LINE,
          new_string: own.replace("// #endregion", "console.log(sum);\n// #endregion"),
        },
      ],
      ["Edit", { file_path, old_string: "not there", new_string: own }],
      ["NotebookEdit", { notebook_path: file_path, new_source: "x" }],
      ["Write", { file_path: join(agent.root, "SRC", "..", "total.js"), content: "" }],
      ["Edit", { file_path, old_string: "export", new_string: "// #region debug-point\nexport" }],
      ["mcp__files__write_file", { path: "total.js", content: "" }],
      ["str_replace_based_edit_tool", { command: "create", path: file_path, file_text: "" }],
      ["apply_patch", { input: `*** Begin Patch\n*** Delete File: total.js\n*** End Patch` }],
      ["mcp__files__move_file", { source: "total.js", destination: "/elsewhere.js" }],
    ] as const;
    for (const [tool, input] of stops) {
      const { decision, text } = await agent.asks(tool, input);
      assert.equal(decision, "deny", `${tool} ${JSON.stringify(input)}`);
      assert.match(text, /Rule: runtime-debug\/(?:evidence-gate|no-native-logging)/);
    }
  });

  test("before the hypotheses not even probes come in", async (t) => {
    const agent = await agentIn(t, { hypotheses: false });
    const file_path = join(agent.root, "total.js");
    const region = `// #region debug-point A:sum\nfetch("http://127.0.0.1:7777/event", { method: "POST", body: JSON.stringify({ sum }) }).catch(() => {});\n// #endregion debug-point A:sum\n`;
    const edit = { file_path, old_string: LINE, new_string: region + LINE };
    const { decision, text } = await agent.asks("Edit", edit);
    assert.equal(decision, "deny");
    assert.match(text, /a probe comes after the hypotheses/);
    await agent.run("hypothesize", { hypotheses: HYPOTHESES });
    assert.equal((await agent.asks("Edit", edit)).decision, "allow");
  });

  test("links, other letter case and other projects' folders lead to the same file", async (t) => {
    const agent = await agentIn(t);
    const { root } = agent;
    const outside = join(agent.host.folder, "outside");
    await mkdir(outside);
    await symlink(join(root, "total.js"), join(outside, "link.js"));
    await symlink(root, join(outside, "folder"));
    const content = "";
    for (const file_path of [
      join(outside, "link.js"),
      join(outside, "folder", "total.js"),
      join(root, "sub", "..", "total.js"),
    ])
      for (const cwd of [root, outside])
        assert.notEqual(
          (await agent.asks("Write", { file_path, content }, cwd)).decision,
          "allow",
          file_path,
        );
    // What differs in letter case only may be the same file, where file systems take it for that.
    const shouted = `${root.toUpperCase()}/TOTAL.JS`;
    assert.equal((await agent.asks("Write", { file_path: shouted, content })).decision, "deny");
    const notes = join(outside, "notes.md");
    assert.equal((await agent.asks("Write", { file_path: notes, content })).decision, "allow");
  });

  test("a call from elsewhere reaches into the project, and is stopped there", async (t) => {
    const agent = await agentIn(t);
    const elsewhere = agent.host.folder;
    const file_path = join(agent.root, "total.js");
    assert.equal((await agent.asks("Write", { file_path, content: "" }, elsewhere)).decision, "deny");
    assert.equal((await agent.bash(`echo x > ${file_path}`, elsewhere)).decision, "deny");
    assert.equal((await agent.bash(`cd ${agent.root} && echo x > total.js`, elsewhere)).decision, "deny");
    assert.equal(
      (await agent.asks("Write", { file_path: "a.js", content: "" }, elsewhere)).decision,
      "allow",
    );
    assert.equal((await agent.bash("echo x > a.js", elsewhere)).decision, "allow");
  });

  test("the session's own files and what git ignores are free, an ignore list is not", async (t) => {
    const project = await gatedProject(t);
    await project.write(".gitignore", "dist/\n*.tmp\n");
    await project.run("start", { issue: "The sum is wrong", session: SESSION });
    const agent = agentOf(project);
    for (const command of ["echo x > dist/out.txt", "echo x > a.tmp", "echo x > .dbg/notes.txt"])
      assert.equal((await agent.bash(command)).decision, "allow", command);
    const content = "x";
    const file_path = join(agent.root, "dist", "out.js");
    assert.equal((await agent.asks("Write", { file_path, content })).decision, "allow");
    const record = join(agent.root, `debug-${SESSION}.md`);
    const noted = `${await readFile(record, "utf8")}\nA note.\n`;
    const note = await agent.asks("Write", { file_path: record, content: noted });
    assert.deepEqual(note, { decision: "allow", text: "" });
    assert.equal((await agent.bash("echo 'total.js' >> .gitignore")).decision, "deny");
  });

  test("tools that only read, ask or look are free, and so is what nobody can see: the look after the call finds what it did", async (t) => {
    const agent = await agentIn(t);
    const path = join(agent.root, "total.js");
    const free = [
      ["Read", { file_path: path }],
      ["Grep", { pattern: "x", path }],
      ["Task", { prompt: "Find the bug", subagent_type: "x" }],
      ["TodoWrite", { todos: [] }],
      ["str_replace_based_edit_tool", { command: "view", path }],
      ["AskUserQuestion", { questions: [] }],
      ["WebFetch", { url: "https://example.org" }],
      ["mcp__files__read_text_file", { path }],
      ["mcp__files__write_file", { path: join(agent.host.folder, "x"), content: "x" }],
      ["mcp__playwright__browser_click", { ref: "e1" }],
      ["mcp__skillctl__runtime-debug_probe", { apply: "total.js:3" }],
      ["mcp__box__frobnicate", {}],
      ["mcp__ide__executeCode", { code: "x" }],
      ["Frobnicate", { path }],
      ["Edit", {}],
      ["apply_patch", { input: "--- a/total.js\n+++ b/total.js\n" }],
    ] as const;
    for (const [tool, input] of free) assert.equal((await agent.asks(tool, input)).decision, "allow", tool);
  });

  test("once a cause is confirmed the code is open; of several sessions the strictest holds", async (t) => {
    const project = await gatedProject(t);
    const agent = agentOf(project);
    const write = { file_path: join(agent.root, "total.js"), content: "fixed" };
    assert.equal((await agent.asks("Write", write)).decision, "allow");
    for (const state of ["fixing", "verifying", "confirming", "cleaning"] as const) {
      await placed(project, state);
      assert.equal((await agent.asks("Write", write)).decision, "allow", state);
    }
    await placed(project, "fixing");
    await placed(project, "judging", { id: "other-bug" });
    const { decision, text } = await agent.asks("Write", write);
    assert.equal(decision, "deny");
    assert.match(text, /Session other-bug/);
  });

  test("without a session no code of the skill is loaded", async (t) => {
    const project = await gatedProject(t);
    const agent = agentOf(project);
    await agent.bash("echo x > total.js");
    await agent.asks("Write", { file_path: join(agent.root, "total.js"), content: "x" });
    assert.deepEqual(
      project.host.host.activator.loaded.filter((skill) => skill === "runtime-debug"),
      [],
    );
    await writeFile(join(agent.root, "a.js"), "");
    await placed(project, "observing");
    await agent.asks("Write", { file_path: join(agent.root, "total.js"), content: "x" });
    assert.ok(project.host.host.activator.loaded.includes("runtime-debug"));
  });

  test("where nothing is known of how the code was, nothing passes for a probe", async (t) => {
    const project = await gatedProject(t);
    await placed(project, "instrumenting");
    const { decision, text } = await agentOf(project).asks("Edit", {
      file_path: join(project.root, "total.js"),
      old_string: LINE,
      new_string: LINE,
    });
    assert.equal(decision, "deny");
    assert.match(text, /is not known/);
  });
});
