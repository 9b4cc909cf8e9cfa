import type { Subject } from "../../plugin.ts";

/** What kind of tool a call is to. */
export type ToolKind = NonNullable<Subject["tool"]>;

/**
 * Names of built-in tools, in lower case and without `_` and `-`, of Claude Code (Bash, Write ...), Codex (apply_patch,
 * shell ...), Cursor (Shell, StrReplace ...) and Gemini CLI (run_shell_command, replace ...), as their documentation
 * named them in November 2026. A tool that is not here is `other`: nothing is taken for harmless because of its name.
 */
const KINDS: Readonly<Record<ToolKind, string>> = {
  shell:
    "bash shell runshellcommand localshell execcommand unifiedexec writestdin powershell killshell bashoutput monitor terminal",
  write: "write writefile createfile tabwrite",
  edit: "edit multiedit notebookedit strreplace searchreplace replace applypatch editfile editnotebook delete deletefile",
  read: "read readfile readmanyfiles notebookread viewimage tabread",
  fetch: "webfetch websearch googlewebsearch fetch",
  search:
    "grep glob ls listdirectory listdir searchfilecontent grepsearch codebasesearch semanticsearch toolsearch",
  agent: "task agent subagent spawnagent delegatetoagent",
  mcp: "",
  other: "",
};
const BY_NAME = new Map(
  Object.entries(KINDS).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind as ToolKind])),
);

/** The kind of a tool by the name that an agent gives it. Tools of MCP servers are `mcp__<server>__<tool>`. */
export function kindOf(name: string): ToolKind {
  if (/^mcp(__|:)/i.test(name)) return "mcp";
  return BY_NAME.get(name.toLowerCase().replaceAll(/[_-]/g, "") || "-") ?? "other";
}
