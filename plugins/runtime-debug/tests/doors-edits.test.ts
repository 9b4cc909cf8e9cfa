/** Calls of edit tools during a debug session, in the words of each agent: the guard judges the text that they would leave. */
import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { nodeFiles } from "../../../core/adapters/files.ts";
import { AGENTS } from "../../../core/surfaces/hook/fixture-agents.ts";
import { clientOf, respond } from "../../../core/surfaces/hook/hook.ts";
import { BUG, FIX, walked, type Walk } from "./doors-walk.ts";
import { gatedProject } from "./gates-harness.ts";

type AgentName = keyof typeof AGENTS;
type Answer = readonly [verdict: "stopped" | "asks" | "runs", text: string];

/** Asks before a call of a tool, as an agent does. */
async function asked(walk: Walk, agent: AgentName, tool_name: string, tool_input: object): Promise<Answer> {
  const { host, root } = walk;
  const name = {
    "claude-code": "PreToolUse",
    codex: "PreToolUse",
    cursor: "preToolUse",
    gemini: "BeforeTool",
  };
  const event = { ...AGENTS[agent].event("", root), hook_event_name: name[agent], tool_name, tool_input };
  const ended = await respond(JSON.stringify(event), {
    dialect: clientOf(agent),
    base: { cwd: root, home: host.environment.home, files: nodeFiles },
    decide: (subject) => host.host.guard.decide(subject),
  });
  return [AGENTS[agent].verdict(ended), ended.out + ended.err];
}

const REGION = `// #region debug-point A:sum
fetch("http://127.0.0.1:7777/event", { method: "POST", body: JSON.stringify({ sum }) }).catch(() => {});
// #endregion debug-point A:sum
`;
const OPEN = "// #region debug-point A:sum\nfetch('http://127.0.0.1:7777/event');\n";
const CODE = `export function total(items) {
  let sum = 0;
  for (let index = 1; index < items.length; index += 1) sum += items[index];
  return sum;
}
`;
const PROBED = CODE.replace("  return", `${REGION}  return`);
const CRLF = "let a = 1;\r\nlet b = 2;\r\n";

const FILES: Readonly<Record<string, string>> = {
  "crlf.js": CRLF,
  "bom.js": "\uFEFFlet a = 1;\nlet b = 2;\n",
  "bare.js": "let a = 1;\nlet b = 2;",
  "mixed.js": "let a = 1;\r\nlet b = 2;\nlet c = 3;\n",
  "twice.js": "a();\nb();\na();\n",
  "blanks.js": "a();  \nb();\n",
  "quotes.js": "say(“a”);\nb();\n",
  "book.ipynb": "{}\n",
  "notes.md": "# Notes\n",
};

async function prepared(
  t: TestContext,
  state: Parameters<typeof walked>[1] = "instrumenting",
): Promise<Walk> {
  const project = await gatedProject(t, { git: "none" });
  for (const [path, text] of Object.entries(FILES)) await project.write(path, text);
  await writeFile(join(project.root, "latin.js"), Buffer.from("let a = 'é';\nb();\n", "latin1"));
  await symlink(join(project.root, "total.js"), join(project.root, "link.js"));
  await mkdir(join(project.host.folder, "outside"));
  const walk = await walked(project, state);
  await project.write("probed.js", PROBED);
  return walk;
}

type Call = readonly [title: string, agent: AgentName, tool: string, input: (root: string) => object];

function patch(...lines: readonly string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

function claude(
  title: string,
  file: string,
  old_string: string,
  new_string: string,
  more: object = {},
): Call {
  return [
    title,
    "claude-code",
    "Edit",
    (root) => ({ file_path: join(root, file), old_string, new_string, ...more }),
  ];
}

function codex(title: string, ...lines: readonly string[]): Call {
  return [title, "codex", "apply_patch", () => ({ command: patch(...lines) })];
}

const ADDED = REGION.trimEnd()
  .split("\n")
  .map((line) => `+${line}`);

const PASSES: readonly Call[] = [
  claude("a region is added", "total.js", "  return", `${REGION}  return`),
  claude("nothing changes", "total.js", "  return", "  return"),
  claude("the old text is not in the file", "total.js", "does not occur", "x"),
  claude("the old text is in the file twice", "twice.js", "a();", "c();"),
  claude("a file that is not there", "absent.js", "a", "b"),
  claude("a file whose lines end with CRLF", "crlf.js", "let b", `${REGION}let b`),
  claude("CRLF in the new text too", "crlf.js", "let b", `${REGION.replaceAll("\n", "\r\n")}let b`),
  claude("a file with a byte order mark", "bom.js", "let b", `${REGION}let b`),
  claude("a file without an end of its last line", "bare.js", "let b = 2;", `${REGION}let b = 2;`),
  claude("a page for people", "notes.md", "# Notes", "# My notes"),
  claude("each of two places gets a region", "twice.js", "a();\n", `${REGION}a();\n`, { replace_all: true }),
  [
    "several regions",
    "claude-code",
    "MultiEdit",
    (root) => ({
      file_path: join(root, "total.js"),
      edits: [
        { old_string: "  let sum", new_string: `${REGION}  let sum` },
        { old_string: "  return", new_string: `${REGION}  return` },
      ],
    }),
  ],
  [
    "a second edit takes back the first",
    "claude-code",
    "MultiEdit",
    (root) => ({
      file_path: join(root, "total.js"),
      edits: [
        { old_string: BUG, new_string: FIX },
        { old_string: FIX, new_string: BUG },
      ],
    }),
  ],
  [
    "a whole file with a region",
    "claude-code",
    "Write",
    (root) => ({ file_path: join(root, "total.js"), content: PROBED }),
  ],
  [
    "a file as at the start",
    "claude-code",
    "Write",
    (root) => ({ file_path: join(root, "total.js"), content: CODE }),
  ],
  [
    "a file outside",
    "claude-code",
    "Write",
    (root) => ({ file_path: join(root, "../../outside/x.js"), content: "x" }),
  ],
  [
    "a log that is new",
    "claude-code",
    "Write",
    (root) => ({ file_path: join(root, "run.log"), content: "x" }),
  ],
  [
    "a relative path with `..`",
    "claude-code",
    "Edit",
    () => ({
      file_path: "a/../total.js",
      old_string: "  return",
      new_string: `${REGION}  return`,
    }),
  ],
  codex(
    "a region",
    "*** Update File: total.js",
    "@@ export function total(items) {",
    "   let sum = 0;",
    ...ADDED,
  ),
  codex("a part does not fit", "*** Update File: total.js", "@@", "-no such line", "+x"),
  codex("a region at the end", "*** Update File: twice.js", "@@", ...ADDED, "*** End of File"),
  codex(
    "two regions in two files",
    "*** Update File: total.js",
    "@@",
    "   let sum = 0;",
    ...ADDED,
    "*** Update File: twice.js",
    " b();",
    ...ADDED,
  ),
  [
    "a here-document",
    "codex",
    "shell",
    () => ({
      command: [
        "bash",
        "-lc",
        `apply_patch <<'EOF'\n${patch("*** Update File: total.js", "@@", "   let sum = 0;", ...ADDED)}\nEOF\n`,
      ],
    }),
  ],
  [
    "the words of a command",
    "codex",
    "shell",
    () => ({
      command: ["apply_patch", patch("*** Update File: total.js", "@@", "   let sum = 0;", ...ADDED)],
    }),
  ],
  [
    "a region",
    "cursor",
    "StrReplace",
    (root) => ({ path: join(root, "total.js"), old_string: "  return", new_string: `${REGION}  return` }),
  ],
  [
    "a region",
    "cursor",
    "search_replace",
    (root) => ({
      file_path: join(root, "total.js"),
      old_string: "  return",
      new_string: `${REGION}  return`,
    }),
  ],
  ["a whole file", "cursor", "Write", (root) => ({ path: join(root, "total.js"), contents: PROBED })],
  ["a file that is not there", "cursor", "Delete", (root) => ({ path: join(root, "absent.js") })],
  [
    "a region",
    "gemini",
    "replace",
    (root) => ({
      file_path: join(root, "total.js"),
      old_string: "  return",
      new_string: `${REGION}  return`,
      instruction: "Add a probe.",
    }),
  ],
  [
    "two places",
    "gemini",
    "replace",
    (root) => ({
      file_path: join(root, "twice.js"),
      old_string: "a();\n",
      new_string: `${REGION}a();\n`,
      expected_replacements: 2,
    }),
  ],
  [
    "a file with CRLF, written with LF",
    "gemini",
    "write_file",
    (root) => ({
      file_path: join(root, "crlf.js"),
      content: `${REGION}${CRLF.replaceAll("\r", "")}`,
    }),
  ],
];

const CHANGED = /would be changed: [\w./]+:\d+: /;
const STOPS: readonly (readonly [...Call, RegExp])[] = [
  [
    ...claude("code changes", "total.js", BUG, FIX),
    /total\.js would be changed: total\.js:3: This differs[^]*index = 0/,
  ],
  [...claude("code changes beside a region", "total.js", "  return sum", `${REGION}  return 7`), CHANGED],
  [
    ...claude("a region is left open", "total.js", "  return", `${OPEN}  return`),
    /have a region that is not closed: total\.js:4/,
  ],
  [
    ...claude(
      "a region takes code in",
      "total.js",
      "  return sum;\n",
      `${OPEN}  return sum;\n// #endregion debug-point A:sum\n`,
    ),
    CHANGED,
  ],
  [...claude("code of the start stands in a region only", "total.js", "  let sum = 0;\n", REGION), CHANGED],
  [...claude("each of two places changes", "twice.js", "a();", "c();", { replace_all: true }), CHANGED],
  [
    ...claude(
      "the words of a region change nothing",
      "total.js",
      "  return sum",
      "  return 1 // #region debug-point",
    ),
    CHANGED,
  ],
  [...claude("LF in a file with CRLF", "crlf.js", "let a = 1;\r\n", "let a = 1;\n"), CHANGED],
  [...claude("a new end of the last line", "bare.js", "let b = 2;", "let b = 2;\n"), CHANGED],
  [...claude("a file whose line ends are mixed", "mixed.js", "let b", `${REGION}let b`), CHANGED],
  [...claude("blanks that a version takes away", "blanks.js", "a();  \n", `${REGION}a();  \n`), CHANGED],
  [
    ...claude("quotation marks that a version folds", "quotes.js", 'say("a");', 'say("b");'),
    /since its old text does not occur/,
  ],
  [
    ...claude("a file of another encoding", "latin.js", "b();", `${REGION}b();`),
    /since it is not text in UTF-8/,
  ],
  [
    ...claude("the new text holds the begin of a patch", "total.js", BUG, `${FIX} /*\n*** Begin Patch\n*/`),
    CHANGED,
  ],
  [...claude("a link", "link.js", "  return", `${REGION}  return`), /since it is a link/],
  [...claude("a new file of code", "helper.js", "", "x();\n"), /helper\.js would be a new file/],
  [
    ...claude("a file that a version may write whole", "total.js", "", "x"),
    /since the text to replace is empty/,
  ],
  [
    "a change after a region",
    "claude-code",
    "MultiEdit",
    (root) => ({
      file_path: join(root, "total.js"),
      edits: [
        { old_string: "  return", new_string: `${REGION}  return` },
        { old_string: BUG, new_string: FIX },
      ],
    }),
    CHANGED,
  ],
  [
    "one byte of a whole file",
    "claude-code",
    "Write",
    (root) => ({ file_path: join(root, "total.js"), content: PROBED.replace("= 0", "= 1") }),
    CHANGED,
  ],
  [
    "a byte order mark goes",
    "claude-code",
    "Write",
    (root) => ({ file_path: join(root, "bom.js"), content: FILES["bom.js"]?.slice(1) }),
    CHANGED,
  ],
  [
    "cells of a notebook",
    "claude-code",
    "NotebookEdit",
    (root) => ({ notebook_path: join(root, "book.ipynb"), new_source: REGION }),
    /form of this tool is not known/,
  ],
  [
    "an editor that is not known",
    "claude-code",
    "mcp__files__edit_file",
    (root) => ({
      path: join(root, "total.js"),
      edits: [{ oldText: "  return", newText: `${REGION}  return` }],
    }),
    /total\.js would be changed/,
  ],
  [
    ...codex("code changes", "*** Update File: total.js", "@@", "-  let sum = 0;", "+  let sum = 1;"),
    CHANGED,
  ],
  [
    ...codex(
      "a context line gets other blanks",
      "*** Update File: total.js",
      "@@",
      " let sum = 0;",
      ...ADDED,
    ),
    CHANGED,
  ],
  [
    ...codex(
      "a file gets an end of its last line",
      "*** Update File: bare.js",
      "@@",
      " let a = 1;",
      ...ADDED,
    ),
    CHANGED,
  ],
  [...codex("a file is removed", "*** Delete File: total.js"), /total\.js would be removed/],
  [...codex("a file is added", "*** Add File: helper.js", "+x();"), /helper\.js would be a new file/],
  [...codex("a file is written anew", "*** Add File: total.js", "+x();"), CHANGED],
  [
    ...codex(
      "a file moves",
      "*** Update File: total.js",
      "*** Move to: moved.js",
      "@@",
      "   let sum = 0;",
      ...ADDED,
    ),
    /moved\.js would be a new file[^]*total\.js would be removed/,
  ],
  [
    ...codex(
      "the second part does not fit, the first is a change",
      "*** Delete File: twice.js",
      "*** Update File: total.js",
      "@@",
      "-none",
      "+x",
    ),
    /twice\.js would be removed/,
  ],
  [
    ...codex("a patch that is not well formed", "*** Update File: total.js", "garbage"),
    /since the patch is not read/,
  ],
  [
    ...codex(
      "a line that some versions read as a context line and others as the begin of a part",
      "*** Update File: total.js",
      "@@",
      "   let sum = 0;",
      ...ADDED,
      " *** Delete File: twice.js",
    ),
    /since the patch is not read/,
  ],
  [
    ...codex(
      "lines that are like those of two places",
      "*** Update File: twice.js",
      "@@",
      ...ADDED,
      "  a();",
    ),
    /since several places in the file are like the lines of the patch/,
  ],
  [
    "more than a here-document",
    "codex",
    "shell",
    () => ({
      command: [
        "bash",
        "-lc",
        `true; apply_patch <<'EOF'\n${patch("*** Update File: total.js", "@@", "   let sum = 0;", ...ADDED)}\nEOF\n`,
      ],
    }),
    /since the command around the patch is not read/,
  ],
  [
    "a change by a here-document",
    "codex",
    "shell",
    () => ({
      command: `cd . && apply_patch <<'EOF'\n${patch("*** Update File: total.js", "@@", "-  let sum = 0;", "+  let sum = 1;")}\nEOF`,
    }),
    CHANGED,
  ],
  [
    "a change by the words of a command",
    "codex",
    "shell",
    () => ({
      command: [
        "apply_patch",
        patch("*** Update File: total.js", "@@", "-  let sum = 0;", "+  let sum = 1;"),
      ],
    }),
    CHANGED,
  ],
  [
    "code changes",
    "cursor",
    "StrReplace",
    (root) => ({ path: join(root, "total.js"), old_string: BUG, new_string: `${FIX}/*${OPEN}*/` }),
    CHANGED,
  ],
  [
    "code changes",
    "cursor",
    "search_replace",
    (root) => ({ file_path: join(root, "total.js"), old_string: BUG, new_string: FIX }),
    CHANGED,
  ],
  [
    "a sketch of an edit",
    "cursor",
    "edit_file",
    (root) => ({
      target_file: join(root, "total.js"),
      instructions: "Add a probe.",
      code_edit: `// … existing code …\n${REGION}// … existing code …`,
    }),
    /form of this tool is not known/,
  ],
  [
    "a sketch of an edit",
    "cursor",
    "ApplyAgentDiff",
    (root) => ({ path: join(root, "total.js"), diff: REGION }),
    /form of this tool is not known/,
  ],
  [
    "cells of a notebook",
    "cursor",
    "EditNotebook",
    (root) => ({
      target_notebook: join(root, "book.ipynb"),
      path: join(root, "book.ipynb"),
      new_string: REGION,
    }),
    /form of this tool is not known/,
  ],
  [
    "a new file",
    "cursor",
    "create_file",
    (root) => ({ file_path: join(root, "helper.js"), content: REGION }),
    /helper\.js would be a new file/,
  ],
  [
    "a file is removed",
    "cursor",
    "Delete",
    (root) => ({ path: join(root, "total.js") }),
    /total\.js would be removed/,
  ],
  [
    "a file that was there is emptied",
    "cursor",
    "Write",
    (root) => ({ path: join(root, "total.js"), contents: "" }),
    CHANGED,
  ],
  [
    "code changes",
    "gemini",
    "replace",
    (root) => ({ file_path: join(root, "total.js"), old_string: BUG, new_string: FIX }),
    CHANGED,
  ],
  [
    "the old text is corrected by the program",
    "gemini",
    "replace",
    (root) => ({ file_path: join(root, "total.js"), old_string: "returns", new_string: `${REGION}return` }),
    /does not occur in the file as often/,
  ],
  [
    "one of two places is expected",
    "gemini",
    "replace",
    (root) => ({ file_path: join(root, "twice.js"), old_string: "a();\n", new_string: `${REGION}a();\n` }),
    /does not occur in the file as often/,
  ],
  [
    "a whole file",
    "gemini",
    "write_file",
    (root) => ({ file_path: join(root, "total.js"), content: CODE.replace(BUG, FIX) }),
    CHANGED,
  ],
];

describe("while no cause is confirmed, an edit may leave the code of the start and closed regions only [debug.gate.evidence]", () => {
  test("these calls are let through", async (t) => {
    const walk = await prepared(t);
    for (const [title, agent, tool, input] of PASSES) {
      const [verdict, text] = await asked(walk, agent, tool, input(walk.root));
      assert.equal(verdict, "runs", `${agent} ${tool}: ${title}\n${text}`);
      assert.doesNotMatch(text, /No log line/, `${agent} ${tool}: ${title}`);
    }
  });

  test("these calls are denied, with the file and the first line that would differ", async (t) => {
    const walk = await prepared(t);
    for (const [title, agent, tool, input, sentence] of STOPS) {
      const [verdict, text] = await asked(walk, agent, tool, input(walk.root));
      assert.equal(verdict, "stopped", `${agent} ${tool}: ${title}`);
      assert.match(text, sentence, `${agent} ${tool}: ${title}`);
      assert.match(text, /No log line has confirmed a cause yet/);
    }
  });

  test("a region is replaced and removed, and the hint puts one in", async (t) => {
    const { root, run, read, write, ...walk } = await prepared(t);
    const all = { root, run, read, write, ...walk };
    const edit = (old_string: string, new_string: string) =>
      asked(all, "claude-code", "Edit", { file_path: join(root, "total.js"), old_string, new_string });
    const [, text] = await edit(BUG, FIX);
    assert.match(
      text,
      /`skillctl run runtime-debug probe --session sum-is-wrong --hypothesis LETTER --point NAME --data EXPRESSION --apply FILE:LINE` puts one in/,
    );
    await run("probe", { hypothesis: "A", point: "sum", data: ["sum"], apply: "total.js:4" });
    const probed = await read("total.js");
    const region = probed.slice(probed.indexOf("  // #region"), probed.indexOf("  return"));
    assert.notEqual(region.trim(), "");
    for (const put of ["", REGION, `${region}${REGION}`])
      assert.equal((await edit(region, put))[0], "runs", put);
    assert.equal((await edit("// #endregion", "//"))[0], "stopped");
    const whole = { file_path: join(root, "total.js"), content: CODE };
    assert.equal((await asked(all, "claude-code", "Write", whole))[0], "runs");
  });

  test("a probe comes after the hypotheses; after the verdicts the code is open", async (t) => {
    const early = await prepared(t, "observing");
    const input = (root: string) => ({ file_path: join(root, "total.js"), content: PROBED });
    const [verdict, text] = await asked(early, "claude-code", "Write", input(early.root));
    assert.equal(verdict, "stopped");
    assert.match(text, /Probes come after the hypotheses/);
    const file = { file_path: join(early.root, "probed.js") };
    const out = { ...file, old_string: REGION, new_string: "" };
    assert.match((await asked(early, "claude-code", "Edit", out))[1], /probed\.js would be a new file/);
    const late = await walked(await gatedProject(t, { git: "none" }), "fixing");
    for (const [tool, change] of [
      ["Edit", { old_string: BUG, new_string: FIX }],
      ["Write", { content: "" }],
      ["NotebookEdit", {}],
    ] as const)
      assert.equal(
        (await asked(late, "claude-code", tool, { ...input(late.root), ...change }))[0],
        "runs",
        tool,
      );
  });

  test("random edits are denied exactly when they leave other code or an open region", async (t) => {
    const walk = await prepared(t);
    const verdicts = new Set<string>();
    for (let seed = 1; seed <= 120; seed += 1) {
      const random = numbers(seed);
      let lines = CODE.split("\n").slice(0, -1);
      const edits = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, step) => {
        const at = Math.floor(random() * lines.length);
        const line = `${lines[at]}\n`;
        const [begin, body, end] = [
          `// #region debug-point A:p${step}\n`,
          `report(${step});\n`,
          `// #endregion A:p${step}\n`,
        ];
        const put = [
          begin + body + end + line,
          line + begin + body + end,
          begin + line + end,
          begin + line,
          line.replace("sum", "total"),
          "",
        ][Math.floor(random() ** 2 * 6)] as string;
        lines = [...lines.slice(0, at), ...put.split("\n").slice(0, -1), ...lines.slice(at + 1)];
        return { old_string: line, new_string: put };
      });
      // The tool itself refuses a line that is there twice, and an edit that changes nothing.
      if (
        new Set(edits.map((edit) => edit.old_string)).size < edits.length ||
        new Set(lines).size < lines.length
      )
        continue;
      if (edits.some((edit) => edit.old_string === edit.new_string)) continue;
      const input = { file_path: join(walk.root, "total.js"), edits };
      const [verdict, text] = await asked(walk, "claude-code", "MultiEdit", input);
      const expected = withoutRegions(lines) === CODE ? "runs" : "stopped";
      assert.equal(verdict, expected, `seed ${seed}: ${JSON.stringify(edits)} ${text}`);
      verdicts.add(verdict);
    }
    assert.deepEqual([...verdicts].sort(), ["runs", "stopped"]);
  });

  test("POST /v1/guard judges a call in the same way", async (t) => {
    const walk = await prepared(t);
    const { url } = await walk.host.serve();
    const ask = async (new_string: string): Promise<string> => {
      const input = { file_path: join(walk.root, "total.js"), old_string: "  return sum", new_string };
      const body = { event: "tool.pre", surface: "hook", tool: "edit", name: "Edit", cwd: walk.root, input };
      const headers = { "content-type": "application/json" };
      const reply = await fetch(`${url}/v1/guard`, { method: "POST", headers, body: JSON.stringify(body) });
      return reply.text();
    };
    assert.equal(await ask(`${REGION}  return sum`), '{"decision":"allow"}');
    assert.match(
      await ask(`${REGION}  return 7`),
      /"decision":"deny"[^]*total\.js would be changed: total\.js:7/,
    );
  });
});

/** Numbers from 0 to below 1 that are the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** Lines without the outermost regions; undefined when one is open or ends twice. */
function withoutRegions(lines: readonly string[]): string | undefined {
  const kept: string[] = [];
  let label: string | undefined;
  for (const line of lines) {
    const [, end, own] = /^\/\/ #(end)?region (?:debug-point )?(.*)$/.exec(line) ?? [];
    if (own === undefined) {
      if (label === undefined) kept.push(`${line}\n`);
    } else if ((end === undefined) !== (label === undefined) || (label ?? own) !== own) return undefined;
    else label = end === undefined ? own : undefined;
  }
  return label === undefined ? kept.join("") : undefined;
}
