/** Calls of edit tools during a debug session, in the format of each agent: the guard judges the text that would result. */
import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { BUG, FIX, walked, type Walk } from "./doors-walk.ts";
import { asked, gatedProject, type AgentName } from "./gates-harness.ts";

const REGION = `// #region debug-point A:sum
fetch("http://127.0.0.1:7777/event", { method: "POST", body: JSON.stringify({ sum }) }).catch(() => {});
// #endregion debug-point A:sum
`;
const END = "// #endregion debug-point A:sum\n";
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

type State = Parameters<typeof walked>[1];

async function prepared(t: TestContext, state: State = "instrumenting"): Promise<Walk> {
  const project = await gatedProject(t, { git: "none" });
  for (const [path, text] of Object.entries(FILES)) await project.write(path, text);
  await writeFile(join(project.root, "latin.js"), Buffer.from("let a = 'é';\nb();\n", "latin1"));
  await symlink(join(project.root, "total.js"), join(project.root, "link.js"));
  await mkdir(join(project.host.folder, "outside"));
  const walk = await walked(project, state);
  await project.write("probed.js", PROBED);
  return walk;
}

/** Properties of inputs that name a file; the table has paths relative to the project folder. */
const PLACES = ["file_path", "path", "notebook_path", "target_file", "target_notebook"];

type Call = readonly [
  agent: AgentName,
  tool: string,
  title: string,
  input: Readonly<Record<string, unknown>>,
];
type Refused = readonly [...Call, sentence: RegExp];

function inputIn(root: string, input: Call[3]): object {
  const placed = Object.entries(input).map(([name, value]) => {
    const isPlace = PLACES.includes(name) && !String(value).startsWith("a/../");
    return [name, isPlace ? join(root, String(value)) : value];
  });
  return Object.fromEntries(placed) as object;
}

function patch(...lines: readonly string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

function claude(title: string, file_path: string, old_string: string, new_string: string, more = {}): Call {
  return ["claude-code", "Edit", title, { file_path, old_string, new_string, ...more }];
}

function codex(title: string, ...lines: readonly string[]): Call {
  return ["codex", "apply_patch", title, { command: patch(...lines) }];
}

const ADDED = REGION.trimEnd()
  .split("\n")
  .map((line) => `+${line}`);
/** The changes of an edit: a region in front of the return, the fix, and back. */
const PUT = { old_string: "  return", new_string: `${REGION}  return` };
const MEND = { old_string: BUG, new_string: FIX };
const BREAK = { old_string: FIX, new_string: BUG };
const BOTH = { old_string: "a();\n", new_string: `${REGION}a();\n` };
/** Parts of patches. */
const [TOTAL, TWICE] = ["*** Update File: total.js", "*** Update File: twice.js"] as const;
const PUT_PATCH = [TOTAL, "@@", "   let sum = 0;", ...ADDED];
const CHANGE_PATCH = [TOTAL, "@@", "-  let sum = 0;", "+  let sum = 1;"];
const heredoc = (...lines: readonly string[]): string => `apply_patch <<'EOF'\n${patch(...lines)}\nEOF`;

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
  claude("a relative path with `..`", "a/../total.js", "  return", `${REGION}  return`),
  [
    "claude-code",
    "MultiEdit",
    "several regions",
    { file_path: "total.js", edits: [{ old_string: "  let sum", new_string: `${REGION}  let sum` }, PUT] },
  ],
  ["claude-code", "MultiEdit", "an edit takes back another", { file_path: "total.js", edits: [MEND, BREAK] }],
  ["claude-code", "Write", "a whole file with a region", { file_path: "total.js", content: PROBED }],
  ["claude-code", "Write", "a file as at the start", { file_path: "total.js", content: CODE }],
  ["claude-code", "Write", "a file outside", { file_path: "../../outside/x.js", content: "x" }],
  ["claude-code", "Write", "a log that is new", { file_path: "run.log", content: "x" }],
  codex("a region", TOTAL, "@@ export function total(items) {", "   let sum = 0;", ...ADDED),
  codex("a part does not fit", TOTAL, "@@", "-no such line", "+x"),
  codex("a region at the end", TWICE, "@@", ...ADDED, "*** End of File"),
  codex("two regions in two files", ...PUT_PATCH, TWICE, " b();", ...ADDED),
  ["codex", "shell", "a here-document", { command: ["bash", "-lc", `${heredoc(...PUT_PATCH)}\n`] }],
  ["codex", "shell", "the words of a command", { command: ["apply_patch", patch(...PUT_PATCH)] }],
  ["cursor", "StrReplace", "a region", { path: "total.js", ...PUT }],
  ["cursor", "search_replace", "a region", { file_path: "total.js", ...PUT }],
  ["cursor", "Write", "a whole file", { path: "total.js", contents: PROBED }],
  ["cursor", "Delete", "a file that is not there", { path: "absent.js" }],
  ["gemini", "replace", "a region", { file_path: "total.js", ...PUT, instruction: "Add a probe." }],
  ["gemini", "replace", "two places", { file_path: "twice.js", ...BOTH, expected_replacements: 2 }],
  [
    "gemini",
    "write_file",
    "a file with CRLF, written with LF",
    { file_path: "crlf.js", content: `${REGION}${CRLF.replaceAll("\r", "")}` },
  ],
];

const CHANGED = /would be changed: [\w./]+:\d+: /;
const NOT_KNOWN = /form of this tool is not known/;
const NOT_READ = /since the patch is not read/;
const NOT_AS_OFTEN = /does not occur in the file as often/;
const IS_NEW = /helper\.js would be a new file/;
const IS_REMOVED = /total\.js would be removed/;

const STOPS: readonly Refused[] = [
  [
    ...claude("code changes", "total.js", BUG, FIX),
    /total\.js would be changed: total\.js:3: More than probes[^]*index = 0/,
  ],
  [...claude("code changes beside a region", "total.js", "  return sum", `${REGION}  return 7`), CHANGED],
  [
    ...claude("a region is left open", "total.js", "  return", `${OPEN}  return`),
    /have a region that is not closed: total\.js:4/,
  ],
  [
    ...claude("a region encloses code", "total.js", "  return sum;\n", `${OPEN}  return sum;\n${END}`),
    CHANGED,
  ],
  [...claude("original code is replaced by a region", "total.js", "  let sum = 0;\n", REGION), CHANGED],
  [...claude("each of two places changes", "twice.js", "a();", "c();", { replace_all: true }), CHANGED],
  [
    ...claude(
      "the words of a region change nothing",
      "total.js",
      "return sum",
      "return 1 // #region debug-point",
    ),
    CHANGED,
  ],
  [...claude("LF in a file with CRLF", "crlf.js", "let a = 1;\r\n", "let a = 1;\n"), CHANGED],
  [...claude("a new end of the last line", "bare.js", "let b = 2;", "let b = 2;\n"), CHANGED],
  [...claude("a file whose line ends are mixed", "mixed.js", "let b", `${REGION}let b`), CHANGED],
  [...claude("blanks that a version removes", "blanks.js", "a();  \n", `${REGION}a();  \n`), CHANGED],
  [
    ...claude("quotation marks that a version folds", "quotes.js", 'say("a");', 'say("b");'),
    /since its old text does not occur/,
  ],
  [
    ...claude("a file of another encoding", "latin.js", "b();", `${REGION}b();`),
    /since it is not text in UTF-8/,
  ],
  [
    ...claude(
      "the new text contains the beginning of a patch",
      "total.js",
      BUG,
      `${FIX} /*\n*** Begin Patch\n*/`,
    ),
    CHANGED,
  ],
  [...claude("a link", "link.js", "  return", `${REGION}  return`), /since it is a link/],
  [...claude("a new file of code", "helper.js", "", "x();\n"), IS_NEW],
  [
    ...claude("a file that a version may write whole", "total.js", "", "x"),
    /since the text to replace is empty/,
  ],
  [
    "claude-code",
    "MultiEdit",
    "a change after a region",
    { file_path: "total.js", edits: [PUT, MEND] },
    CHANGED,
  ],
  [
    "claude-code",
    "Write",
    "one byte of a whole file",
    { file_path: "total.js", content: PROBED.replace("= 0", "= 1") },
    CHANGED,
  ],
  [
    "claude-code",
    "Write",
    "a byte order mark is removed",
    { file_path: "bom.js", content: FILES["bom.js"]?.slice(1) },
    CHANGED,
  ],
  [
    "claude-code",
    "NotebookEdit",
    "cells of a notebook",
    { notebook_path: "book.ipynb", new_source: REGION },
    NOT_KNOWN,
  ],
  [
    "claude-code",
    "mcp__files__edit_file",
    "an editor that is not known",
    { path: "total.js", edits: [{ oldText: PUT.old_string, newText: PUT.new_string }] },
    /total\.js would be changed/,
  ],
  [...codex("code changes", ...CHANGE_PATCH), CHANGED],
  [...codex("a context line gets other blanks", TOTAL, "@@", " let sum = 0;", ...ADDED), CHANGED],
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
  [...codex("a file is removed", "*** Delete File: total.js"), IS_REMOVED],
  [...codex("a file is added", "*** Add File: helper.js", "+x();"), IS_NEW],
  [...codex("a file is written again", "*** Add File: total.js", "+x();"), CHANGED],
  [
    ...codex("a file moves", TOTAL, "*** Move to: moved.js", ...PUT_PATCH.slice(1)),
    /moved\.js would be a new file[^]*total\.js would be removed/,
  ],
  [
    ...codex(
      "a change, and a part that does not fit",
      "*** Delete File: twice.js",
      TOTAL,
      "@@",
      "-none",
      "+x",
    ),
    /twice\.js would be removed/,
  ],
  [...codex("a patch that is not well formed", TOTAL, "garbage"), NOT_READ],
  [
    ...codex(
      "a context line for some versions, a part for others",
      ...PUT_PATCH,
      " *** Delete File: twice.js",
    ),
    NOT_READ,
  ],
  [
    ...codex("lines that are like those of two places", TWICE, "@@", ...ADDED, "  a();"),
    /since several places in the file match the lines of the patch/,
  ],
  [
    "codex",
    "shell",
    "more than a here-document",
    { command: ["bash", "-lc", `true; ${heredoc(...PUT_PATCH)}\n`] },
    /since the command around the patch is not read/,
  ],
  [
    "codex",
    "shell",
    "a change by a here-document",
    { command: `cd . && ${heredoc(...CHANGE_PATCH)}` },
    CHANGED,
  ],
  [
    "codex",
    "shell",
    "a change by the words of a command",
    { command: ["apply_patch", patch(...CHANGE_PATCH)] },
    CHANGED,
  ],
  [
    "cursor",
    "StrReplace",
    "code changes",
    { path: "total.js", old_string: BUG, new_string: `${FIX}/*${OPEN}*/` },
    CHANGED,
  ],
  ["cursor", "search_replace", "code changes", { file_path: "total.js", ...MEND }, CHANGED],
  [
    "cursor",
    "edit_file",
    "a sketch of an edit",
    {
      target_file: "total.js",
      instructions: "Add a probe.",
      code_edit: `// … existing code …\n${REGION}// … existing code …`,
    },
    NOT_KNOWN,
  ],
  ["cursor", "ApplyAgentDiff", "a sketch of an edit", { path: "total.js", diff: REGION }, NOT_KNOWN],
  [
    "cursor",
    "EditNotebook",
    "cells of a notebook",
    { target_notebook: "book.ipynb", path: "book.ipynb", new_string: REGION },
    NOT_KNOWN,
  ],
  ["cursor", "create_file", "a new file", { file_path: "helper.js", content: REGION }, IS_NEW],
  ["cursor", "Delete", "a file is removed", { path: "total.js" }, IS_REMOVED],
  ["cursor", "Write", "a file that was there is emptied", { path: "total.js", contents: "" }, CHANGED],
  ["gemini", "replace", "code changes", { file_path: "total.js", ...MEND }, CHANGED],
  [
    "gemini",
    "replace",
    "the old text is corrected by the program",
    { file_path: "total.js", old_string: "returns", new_string: `${REGION}return` },
    NOT_AS_OFTEN,
  ],
  ["gemini", "replace", "one of two places is expected", { file_path: "twice.js", ...BOTH }, NOT_AS_OFTEN],
  [
    "gemini",
    "write_file",
    "a whole file",
    { file_path: "total.js", content: CODE.replace(BUG, FIX) },
    CHANGED,
  ],
];

describe("while no cause is confirmed, an edit may result only in the original code and closed regions [debug.gate.evidence]", () => {
  test("these calls are allowed", async (t) => {
    const walk = await prepared(t);
    for (const [agent, tool, title, input] of PASSES) {
      const [verdict, text] = await asked(walk, agent, tool, inputIn(walk.root, input));
      assert.equal(verdict, "runs", `${agent} ${tool}: ${title}\n${text}`);
      assert.doesNotMatch(text, /No log line/, `${agent} ${tool}: ${title}`);
    }
  });

  test("these calls are denied, with the file and the first line that would differ", async (t) => {
    const walk = await prepared(t);
    for (const [agent, tool, title, input, sentence] of STOPS) {
      const [verdict, text] = await asked(walk, agent, tool, inputIn(walk.root, input));
      assert.equal(verdict, "stopped", `${agent} ${tool}: ${title}`);
      assert.match(text, sentence, `${agent} ${tool}: ${title}`);
      assert.match(text, /No log line has confirmed a cause yet/);
    }
  });

  test("a region can be replaced and removed, and the command of the hint inserts one", async (t) => {
    const { root, run, read, write, ...walk } = await prepared(t);
    const all = { root, run, read, write, ...walk };
    const edit = (old_string: string, new_string: string) =>
      asked(all, "claude-code", "Edit", { file_path: join(root, "total.js"), old_string, new_string });
    const [, text] = await edit(BUG, FIX);
    assert.match(
      text,
      /`skillctl run runtime-debug probe --session sum-is-wrong --hypothesis LETTER --point NAME --data EXPRESSION --apply FILE:LINE` adds one/,
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

  test("a probe is allowed after the hypotheses, and a change of the code after the verdicts", async (t) => {
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
      // The tool itself refuses a line that occurs twice, and an edit that changes nothing.
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
