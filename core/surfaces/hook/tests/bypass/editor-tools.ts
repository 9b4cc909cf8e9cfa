import { calls, type BypassCall, type Row } from "./call.ts";

const shop = "{root}/src/shop.js";
const edit = (old_string: string, new_string: string, file_path = shop, more = {}) => ({
  tool: "Edit",
  input: { file_path, old_string, new_string, ...more },
});
const write = (file_path: string, content: string) => ({ tool: "Write", input: { file_path, content } });
const PROBE =
  '  // #region debug-point A:sum\n  fetch("http://127.0.0.1:7777/event",{method:"POST",body:JSON.stringify({hypothesisId:"A",data:{sum}})}).catch(()=>{});\n  // #endregion\n';

/** The tools that agents edit with. */
const ROWS: readonly Row[] = [
  ["deny", "code", edit("let sum = 0", "let sum = 1"), "a fix before there is evidence"],
  ["deny", "code", edit("index = 1", "index = 0", "src/shop.js"), "a relative path names the same file"],
  [
    "deny",
    "code",
    edit("index = 1", "index = 0", "{root}/src/../src/./shop.js"),
    "a path with dots names the same file",
  ],
  ["deny", "code", edit("index = 1", "index = 0", "{root}/link.js"), "a link leads to the file"],
  [
    "deny",
    "code",
    edit("index = 1", "index = 0", "{outside}/way-in/shop.js"),
    "a linked folder outside leads into the project",
  ],
  ["deny", "code", edit("sum", "total", shop, { replace_all: true }), "a renaming is no probe"],
  ["deny", "code", write(shop, "export const total = () => 0;\n"), "the whole file is replaced"],
  [
    "deny",
    "code",
    write("{root}/src/helper.js", "export const log = () => {};\n"),
    "no new utility file in the code",
  ],
  ["deny", "code", write("{root}/src/.hidden.js", "globalThis.x = 1;\n"), "a hidden file is code as well"],
  ["deny", "code", write("{root}/.gitignore", "*\n"), "what git looks at is not for the agent to say"],
  [
    "deny",
    "code",
    write("{root}/package.json", '{"type":"commonjs"}\n'),
    "settings of the project decide what runs",
  ],
  [
    "deny",
    "code",
    {
      tool: "MultiEdit",
      input: {
        file_path: shop,
        edits: [
          { old_string: "let sum", new_string: "let sum" },
          { old_string: "index = 1", new_string: "index = 0" },
        ],
      },
    },
    "one of several edits is a fix",
  ],
  [
    "deny",
    "code",
    {
      tool: "NotebookEdit",
      input: { notebook_path: "{root}/notes.ipynb", cell_id: "a", new_source: "total = 1" },
    },
    "a notebook is code",
  ],
  [
    "deny",
    "untried",
    { tool: "mcp__filesystem__write_file", input: { path: shop, content: "x" } },
    "a server's tool writes as well",
  ],
  [
    "deny",
    "untried",
    { tool: "mcp__files__edit", input: { target: { file: shop }, changes: [{ old: "a", new: "b" }] } },
    "the path may stand anywhere in the input",
  ],
  [
    "deny",
    "untried",
    {
      tool: "apply_patch",
      input: {
        input:
          "*** Begin Patch\n*** Update File: src/shop.js\n@@\n-  let sum = 0;\n+  let sum = 1;\n*** End Patch\n",
      },
    },
    "another agent's edit tool",
  ],
  [
    "deny",
    "untried",
    {
      tool: "str_replace_based_edit_tool",
      input: { command: "str_replace", path: shop, old_str: "index = 1", new_str: "index = 0" },
    },
    "another agent's edit tool",
  ],
  [
    "deny",
    "untried",
    { tool: "write_file", input: { file_path: shop, content: "x" } },
    "another agent's tool for writing",
  ],
  // What stands in a region goes with it.
  [
    "allow",
    "none",
    edit(
      "  return sum;",
      "  // #region debug-point A:sum\n  sum += items[0];\n  // #endregion\n  return sum;",
    ),
    "a fix that is dressed as a probe is gone after the cleanup",
  ],
  [
    "allow",
    "none",
    edit("  return sum;", PROBE.replace("data:{sum}", "data:{sum:sum+=items[0]}") + "  return sum;"),
    "what a probe does is not judged",
  ],
  // Regions that are none, and what is forbidden in one.
  [
    "deny",
    "code",
    edit(
      "  return sum;",
      "  // #region debug-point A:sum\n  console.log(sum);\n  // #endregion\n  return sum;",
    ),
    "native logging is forbidden in a probe",
  ],
  [
    "deny",
    "code",
    edit("  return sum;", "  // #region debug-point A:sum\n  return sum + items[0];"),
    "a region without an end",
  ],
  ["deny", "code", edit("  return sum;", `${PROBE}  return sum + items[0];`), "a probe, and a fix beside it"],
  ["allow", "none", edit("  return sum;", `${PROBE}  return sum;`), "a probe is what this phase is for"],
  [
    "allow",
    "none",
    write("{root}/src/../../{outsideName}/notes.md", "Notes.\n"),
    "a note outside of the project",
  ],
  [
    "allow",
    "none",
    write("{outside}/notes.md", "console.log is mentioned, chat-sync too.\n"),
    "a note outside of the project mentions much",
  ],
];

export const EDITOR_TOOLS: readonly BypassCall[] = [
  ...calls(ROWS),
  ...calls(
    [
      ["deny", "code", edit("  return sum;", `${PROBE}  return sum;`), "hypotheses come before probes"],
      ["deny", "code", edit("index = 1", "index = 0"), "no fix while observing"],
    ],
    "observing",
  ),
  ...calls(
    [
      ["allow", "code", edit("index = 1", "index = 0"), "without a session it is ordinary work"],
      [
        "allow",
        "code",
        write("{root}/src/helper.js", "export const log = () => {};\n"),
        "without a session it is ordinary work",
      ],
    ],
    "none",
  ),
];
