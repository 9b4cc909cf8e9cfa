import type { Subject } from "../../plugin.ts";

/** What kind of tool a call is to. */
export type ToolKind = NonNullable<Subject["tool"]>;

/**
 * Names of built-in tools, in lower case and without `_` and `-`, of Claude Code (Bash, Write ...), Codex (apply_patch,
 * shell ...), Cursor (Shell, StrReplace ...) and Gemini CLI (run_shell_command, replace ...), as their documentation
 * named them in November 2026. Tools that hand on to MCP servers are `mcp`. A tool that is not here (questions, plans and
 * lists of tasks too) is `other`: nothing is taken for harmless because of its name.
 */
const KINDS: Readonly<Record<ToolKind, string>> = {
  shell:
    "bash shell shellcommand container.exec runshellcommand localshell execcommand unifiedexec writestdin writeshellstdin " +
    "powershell killshell monitor terminal",
  write: "write writefile createfile tabwrite generateimage",
  edit:
    "edit multiedit notebookedit strreplace searchreplace replace applypatch applyagentdiff editfile editnotebook delete " +
    "deletefile",
  read:
    "read readfile readmanyfiles notebookread viewimage tabread readlints taskoutput bashoutput awaitshell " +
    "readbackgroundoutput senduserfile artifact getinternaldocs",
  fetch: "webfetch websearch googlewebsearch fetch",
  search:
    "grep glob ls listdirectory listdir searchfilecontent grepsearch grepfiles codebasesearch semanticsearch semsearch " +
    "toolsearch listbackgroundprocesses",
  agent:
    "task agent subagent spawnagent spawnagentsoncsv delegatetoagent invokeagent sendmessage sendinput resumeagent workflow",
  mcp:
    "callmcptool listmcpresourcestool readmcpresourcetool listmcpresources listmcpresourcetemplates readmcpresource " +
    "fetchmcpresource",
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
